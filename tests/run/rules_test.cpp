// Rules for libraries: what is chosen, what a file says, what is read back, and what a rule costs.

#include "run/rules/rules.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "folder.hpp"
#include "run/rules/check_rules.hpp"
#include "run/rules/decide.hpp"

namespace rondo::test {
namespace {

using scenario::Json;

constexpr char const* machine = R"({"topology": {"kind": "fully_connected", "hosts": 16}, "latency": "1us",
  "bandwidth": "1GBps"})";

/// The collectives of `kinds` on the numbers of `ranks`, both as JSON; all of them have a linear algorithm.
std::string scenario_of(std::string const& kinds, std::string const& ranks) {
  return R"({"machine": )" + std::string(machine) + R"(, "collective": {"kind": "bcast", "ranks": 2},
    "algorithm": "linear", "block": "1B", "engine": "native",
    "sweep": {"/collective/kind": )" +
         kinds + R"(, "/collective/ranks": )" + ranks + "}}";
}

class RulesOf : public ::testing::TestWithParam<RulesFormat> {
 protected:
  Rules decided(std::string const& kinds, std::string const& ranks) const {
    DecideOptions options;
    options.format = GetParam();
    options.tuning.sizes = {Bytes(1), Bytes(1 << 20)};
    options.segments = {Bytes(8192)};
    return decide_rules({load_job(folder_.write("s.json", scenario_of(kinds, ranks)), {})}, options);
  }

  Rules read_back(Rules const& rules) const {
    return read_rules(folder_.write("rules", rules_text(rules, {"a note, with 1 comma"})));
  }

  Folder folder_;
};

/// The rule that holds.
Rule const& rule_at(Rules const& rules, std::string const& collective, int ranks, Bytes size) {
  for (CollectiveRules const& each : rules.collectives) {
    for (Rule const& rule : each.rules) {
      bool const holds = rule.from_ranks <= ranks && ranks <= rule.to_ranks && rule.from <= size && size <= rule.to;
      if (each.name == collective && holds) return rule;
    }
  }
  throw std::runtime_error("no rule");
}

TEST_P(RulesOf, a_file_say_the_same_when_they_are_read) {
  bool const of_nccl = GetParam() == RulesFormat::nccl;
  Rules const rules =
      decided(of_nccl ? R"(["allgather", "allreduce", "bcast"])"
                      : R"(["allgather", "allreduce", "alltoall", "bcast", "gather", "reduce", "scan"])",
              "[2, 8, 12]");
  Rules const read = read_back(rules);
  EXPECT_EQ(read.format, rules.format);
  for (CollectiveRules const& each : rules.collectives) {
    for (Rule const& rule : each.rules) {
      Rule const& found = rule_at(read, each.name, rule.from_ranks, rule.from);
      EXPECT_EQ(found.algorithm, rule.algorithm) << each.name;
      EXPECT_EQ(found.from, rule.from) << each.name;
      bool const holds_segments = GetParam() == RulesFormat::ompi || GetParam() == RulesFormat::ompi_json;
      if (holds_segments) {
        EXPECT_EQ(found.segment, rule.segment) << each.name;
      }
      EXPECT_EQ(&rule_at(read, each.name, rule.to_ranks, rule.to), &found) << each.name;
    }
  }
}

TEST_P(RulesOf, a_machine_cost_nothing_there) {
  Rules const read = read_back(decided(R"(["allreduce", "bcast"])", "[2, 8, 12]"));
  CheckRulesOptions options;
  options.machine = Json::parse(machine);
  options.machine_file = "m.json";
  options.ranks = {2, 8, 12};
  options.segments = {Bytes(8192)};
  options.tuning.sizes = {Bytes(1), Bytes(1 << 20), 1};
  std::vector<RuleCost> const costs = check_rules(read, options);
  EXPECT_FALSE(costs.empty());
  for (RuleCost const& each : costs) {
    bool const decided_here = each.collective == "allreduce" || each.collective == "bcast";
    if (!decided_here) continue;  // MPICH's own
    EXPECT_LE(each.ratio(), 1.01) << each.collective << " " << each.algorithm;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RulesOf,
                         ::testing::Values(RulesFormat::ompi, RulesFormat::ompi_json, RulesFormat::mpich,
                                           RulesFormat::nccl),
                         [](auto const& each) {
                           std::string name = enum_name(each.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class OmpiRules : public RulesOf {};

// Recursive doubling takes L (alpha + m beta), Rabenseifner's algorithm 2 L alpha + 2 (p-1)/p m beta: on 8 ranks they
// meet where 3 alpha = (3 - 7/4) m beta, at 2400 bytes, found to 1 %.
TEST_P(OmpiRules, change_where_theory_says) {
  Rules const rules = decided(R"(["allreduce"])", "[8]");
  EXPECT_EQ(rule_at(rules, "allreduce", 8, Bytes(0)).algorithm->name, "recursive_doubling");
  EXPECT_EQ(rule_at(rules, "allreduce", 8, Bytes(2370)).algorithm->name, "recursive_doubling");
  EXPECT_EQ(rule_at(rules, "allreduce", 8, Bytes(2430)).algorithm->name, "rabenseifner");
}

TEST_P(OmpiRules, of_algorithms_for_some_ranks_hold_for_no_others) {
  Rules const rules = decided(R"(["allgather", "alltoall"])", "[2, 8]");
  for (std::string const collective : {"allgather", "alltoall"}) {
    for (int const ranks : {0, 1, 3, 7, 9, 100}) {
      for (std::int64_t const size : {0, 100, 10000, 10000000}) {
        EXPECT_EQ(rule_at(rules, collective, ranks, Bytes(size)).algorithm->ranks, RanksTaken::any);
      }
    }
  }
}

// Messages of allgather are those of all ranks: a block of m bytes on 8 ranks is one of 8 m.
TEST_P(OmpiRules, of_all_ranks_have_all_their_bytes) {
  Rules const rules = decided(R"(["allgather"])", "[8]");
  for (CollectiveRules const& each : rules.collectives) {
    for (Rule const& rule : each.rules) {
      if (rule.from_ranks == 8) {
        EXPECT_EQ(rule.from.value % 8, 0);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, OmpiRules, ::testing::Values(RulesFormat::ompi),
                         [](auto const& each) { return enum_name(each.param); });

TEST(Library, numbers_its_algorithms_from_one) {
  for (RulesFormat const format : {RulesFormat::ompi, RulesFormat::ompi_json}) {
    for (LibraryCollective const& each : collectives_of(format)) {
      int number = 0;
      for (LibraryAlgorithm const& algorithm : each.algorithms) EXPECT_EQ(algorithm.number, ++number) << each.name;
    }
  }
}

TEST(Library, has_algorithms_that_the_collective_has) {
  for (RulesFormat const format : {RulesFormat::ompi, RulesFormat::ompi_json, RulesFormat::mpich, RulesFormat::nccl}) {
    for (LibraryCollective const& each : collectives_of(format)) {
      auto const known = problem::classical_algorithms(each.collective);
      for (LibraryAlgorithm const& algorithm : each.algorithms) {
        if (!algorithm.algorithm) continue;
        EXPECT_NE(std::find(known.begin(), known.end(), *algorithm.algorithm), known.end()) << algorithm.name;
      }
    }
  }
}

std::string name_at(Rules const& rules, std::string const& collective, int ranks, std::int64_t size) {
  return rule_at(rules, collective, ranks, Bytes(size)).algorithm->name;
}

// The first member that holds is followed, on hosts with a process each and for operators of MPI.
TEST(MpichRules, are_read_as_the_library_follows_them) {
  Folder const folder;
  Rules const rules = read_rules(folder.write("rules", R"({
    "collective=reduce": {"comm_type=intra": {
      "comm_hierarchy=parent": {"algorithm=MPIR_Reduce_intra_smp": {}},
      "comm_size<4": {"algorithm=MPIR_Reduce_intra_binomial": {}},
      "comm_size=pow2": {
        "avg_msg_size<=100": {"algorithm=MPIR_Reduce_intra_binomial": {}},
        "avg_msg_size=any": {"is_commutative=yes": {"count<pow2": {"algorithm=MPIR_Reduce_intra_binomial": {}},
                                                    "count=any": {"algorithm=MPIR_Reduce_intra_reduce_scatter_gather": {}}}}},
      "comm_size=any": {"algorithm=MPIR_Reduce_allcomm_nb": {}}},
      "comm_type=inter": {"algorithm=MPIR_Reduce_inter_local_reduce_remote_send": {}}},
    "collective=ibcast": {"algorithm=MPIR_Ibcast_intra_sched_binomial": {}}})"));
  EXPECT_EQ(rules.collectives.size(), 1U);
  EXPECT_EQ(name_at(rules, "reduce", 2, 1000), "binomial");
  EXPECT_EQ(name_at(rules, "reduce", 4, 100), "binomial");
  EXPECT_EQ(name_at(rules, "reduce", 4, 101), "reduce_scatter_gather");
  EXPECT_EQ(name_at(rules, "reduce", 1024, 101), "reduce_scatter_gather");
  for (int const ranks : {5, 1023, 1025}) EXPECT_EQ(name_at(rules, "reduce", ranks, 101), "nb");
}

// The first rule that fits holds; a rule without bounds fits all.
TEST(OmpiJsonRules, are_read_as_the_library_follows_them) {
  Folder const folder;
  Rules const rules = read_rules(folder.write("rules", R"({"rule_file_version": 3, "module": "tuned", "collectives": {
    "allgather": [{"comm_size_min": 64, "comm_size_max": 128, "rules": [
      {"msg_size_min": 512, "msg_size_max": 511999, "alg": 4}, {"msg_size_min": 512000, "msg_size_max": "inf", "alg": "sparbit"},
      {"alg": "linear"}]}, {"rules": [{"alg": "bruck-k-fanout", "faninout": 2}]}]}})"));
  EXPECT_EQ(name_at(rules, "allgather", 64, 512), "ring");
  EXPECT_EQ(name_at(rules, "allgather", 128, 511999), "ring");
  EXPECT_EQ(name_at(rules, "allgather", 128, 512000), "sparbit");
  EXPECT_EQ(name_at(rules, "allgather", 64, 511), "linear");
  EXPECT_EQ(name_at(rules, "allgather", 63, 512), "bruck-k-fanout");
}

// [Open MPI 4.1, coll_tuned_dynamic_rules.c]: the last that is not more; below the first, the first.
TEST(OmpiRulesFile, is_read_as_the_library_follows_it) {
  Folder const folder;
  Rules const rules = read_rules(folder.write("rules",
                                              "# made by hand\n1 # collective\n7 2\n  4 2 # ranks\n0 1 0 0\n100 6 0 0\n"
                                              "  8 1\n0 7 4 1024\n"));
  EXPECT_EQ(name_at(rules, "bcast", 2, 99), "basic_linear");
  EXPECT_EQ(name_at(rules, "bcast", 7, 100), "binomial");
  EXPECT_EQ(name_at(rules, "bcast", 8, 0), "knomial");
  EXPECT_EQ(rule_at(rules, "bcast", 1000, Bytes(1000)).segment, Bytes(1024));
}

/// The remarks on the file, one a line.
std::string remarks_on(std::string const& text) {
  Folder const folder;
  std::string const path = folder.write("rules", text);
  std::string all;
  for (std::string const& each : read_rules(path).remarks) all += each.substr(path.size()) + "\n";
  return all;
}

Rules rules_in(std::string const& text) {
  Folder const folder;
  return read_rules(folder.write("rules", text));
}

// Its reader takes a fifth number only behind the header; without it the same numbers are those of the next rule.
TEST(OmpiRulesFile, has_a_fifth_number_where_its_version_is_2_or_it_makes_no_sense_otherwise) {
  std::string const rules = "1\n3 1 0 3\n0 1 0 0\n1024 4 0 0 8\n65536 2 0 0\n";
  for (std::string const& text : {rules, "rule-file-version-2\n" + rules}) {
    EXPECT_EQ(name_at(rules_in(text), "alltoall", 4, 1000), "linear");
    EXPECT_EQ(name_at(rules_in(text), "alltoall", 4, 1024), "linear_sync");
    EXPECT_EQ(name_at(rules_in(text), "alltoall", 4, 65536), "pairwise");
  }
  EXPECT_EQ(remarks_on("rule-file-version-2\n" + rules), "");
  EXPECT_NE(remarks_on(rules).find("only in files that begin with rule-file-version-2"), std::string::npos);
  // One line, no fifth number: sizes 0 and 8.
  std::string const line = "1 3 1 0 2 0 1 0 0 8 2 0 0\n";
  EXPECT_EQ(name_at(rules_in(line), "alltoall", 4, 8), "pairwise");
  EXPECT_EQ(remarks_on(line), "");
}

TEST(OmpiRulesFile, keeps_the_last_rules_of_a_collective) {
  std::string const text = "2\n7 1 0 1\n0 1 0 0\n7 1 0 1\n0 6 0 0\n";
  EXPECT_EQ(name_at(rules_in(text), "bcast", 4, 0), "binomial");
  EXPECT_EQ(rules_in(text).collectives.size(), 1U);
  EXPECT_EQ(remarks_on(text),
            ":5: Open MPI keeps the last rules of bcast, which end here, and drops those before them\n");
}

// [Open MPI 4.1, coll_base_topo.c]: chains are 1 to 32 whatever the file says; other trees do not look at the number.
TEST(OmpiRulesFile, has_the_chains_that_the_library_makes_of_its_fan) {
  auto const fan = [](int algorithm, int stated) {
    Rules const rules = rules_in(fmt::format("1\n7 1 0 1\n0 {} {} 0\n", algorithm, stated));
    return rule_at(rules, "bcast", 4, Bytes(0)).fan;
  };
  EXPECT_EQ(fan(2, 0), 1);
  EXPECT_EQ(fan(2, 8), 8);
  EXPECT_EQ(fan(2, 1000), 32);
  EXPECT_EQ(fan(7, 8), 0);
}

TEST(Rules, name_an_algorithm_that_Rondo_does_not_know_and_keep_the_others) {
  Rules const mpich = rules_in(R"({"collective=allgather": {"comm_type=intra": {
    "total_msg_size<=100": {"algorithm=MPIR_Allgather_intra_k_brucks": {"k=4": {}}},
    "total_msg_size<=200": {"composition=MPIDI_Allgather_intra_composition_alpha": {}},
    "total_msg_size=any": {"algorithm=MPIR_Allgather_intra_ring": {}}}}})");
  EXPECT_EQ(rule_at(mpich, "allgather", 4, Bytes(100)).name, "k_brucks");
  EXPECT_EQ(rule_at(mpich, "allgather", 4, Bytes(200)).name, "MPIDI_Allgather_intra_composition_alpha");
  EXPECT_EQ(name_at(mpich, "allgather", 4, 201), "ring");
  EXPECT_EQ(mpich.remarks.size(), 1U);  // a composition is told of where it holds
  Rules const nccl = rules_in("allreduce,0,100,rign,simple,-1,-1,-1\nallreduce,101,200,ring,simple,-1,-1,-1\n");
  EXPECT_EQ(rule_at(nccl, "allreduce", 4, Bytes(0)).name, "rign");
  EXPECT_EQ(name_at(nccl, "allreduce", 4, 101), "ring");
  ASSERT_EQ(nccl.remarks.size(), 1U);
  EXPECT_NE(nccl.remarks[0].find("did you mean \"ring\""), std::string::npos) << nccl.remarks[0];
  Rules const ompi = rules_in("1\n0 1 0 2\n0 8 0 0\n10 4 0 0\n");
  EXPECT_EQ(rule_at(ompi, "allgather", 4, Bytes(0)).name, "8");
  EXPECT_EQ(name_at(ompi, "allgather", 4, 10), "ring");
}

TEST(NcclRules, pass_over_the_line_that_names_the_columns) {
  std::string const text =
      "collective,min,max,algorithm,protocol,channels,nodes,ranks\nallreduce,0,9,ring,simple,-1,-1,-1\n";
  EXPECT_EQ(name_at(rules_in(text), "allreduce", 4, 0), "ring");
  EXPECT_EQ(remarks_on(text), ":1: the line that names the columns is passed over\n");
}

TEST(Rules, of_formats_that_are_not_read_are_refused_by_their_name) {
  auto const refusal = [](std::string const& text) -> std::string {
    try {
      rules_in(text);
    } catch (InputError const& error) {
      return error.what();
    }
    return "";
  };
  for (char const* han : {"1\n7\n2\n0\n1\n1\n2\n0 3\n128 1\n1\n1\n1\n1\n0 1\n",
                          "1 # one\nallreduce\n1\nglobal\n1\n1\n1\n0 han@simple [1024 4096]\n",
                          "1\nbcast 1\ninter_node 1\n1 2\n0 tuned\n65536 han @inter_node\n"}) {
    EXPECT_NE(refusal(han).find("coll_han"), std::string::npos) << refusal(han);
  }
  EXPECT_NE(refusal("allreduce:0-4k:@sra_knomial#bcast:inf\n").find("tuning string of UCC"), std::string::npos);
  EXPECT_NE(refusal(R"({"version": 2, "collectives-of-mpich": []})").find("newer MPICH"), std::string::npos);
}

// 4096 bytes are mapped by MPICH without a zero byte behind them.
TEST(MpichRules, never_fill_pages) {
  Rules rules{RulesFormat::mpich};
  LibraryCollective const& bcast = collectives_of(RulesFormat::mpich).at(4);
  ASSERT_EQ(bcast.name, "bcast");
  rules.collectives.push_back({"bcast", &bcast, {}});
  for (int i = 1; i < 200; ++i) {
    rules.collectives[0].rules.push_back({i, i, Bytes(0), any_size, &bcast.algorithms[0]});
    EXPECT_NE(rules_text(rules, {}).size() % 4096, 0U);
  }
}

}  // namespace
}  // namespace rondo::test

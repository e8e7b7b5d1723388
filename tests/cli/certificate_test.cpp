// Certificates of proofs, checked by tests/certificates/check.py, which shares no code with Rondo: those of every
// collective's algorithms are accepted, and what is changed in schedule or certificate is refused.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "base/random.hpp"
#include "cli/command.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

struct Case {
  char const* collective;
  std::vector<char const*> algorithms;
  char const* block = "64B";
};

std::vector<Case> const cases = {
    {R"({"kind": "bcast", "ranks": 7, "root": 2})", {"binomial", "scatter_allgather", "double_tree", "split_binary"}},
    {R"({"kind": "gather", "ranks": 7})", {"binomial", "linear_sync"}},
    {R"({"kind": "scatter", "ranks": 6})", {"binomial"}},
    {R"({"kind": "allgather", "ranks": 6, "block_sizes": "m + r"})",
     {"ring", "bruck", "neighbor_exchange", "circulant"}},
    {R"({"kind": "alltoall", "ranks": 6})", {"bruck", "pairwise"}},
    {R"({"kind": "reduce", "ranks": 7, "segment": "16B", "commutative": false})", {"chain", "binomial"}},
    {R"({"kind": "reduce_scatter", "ranks": 8})", {"ring", "recursive_halving", "circulant", "bine"}},
    {R"({"kind": "scan", "ranks": 7})", {"linear", "recursive_doubling"}},
    {R"({"kind": "exscan", "ranks": 7})", {"recursive_doubling"}},
    {R"({"kind": "allreduce", "ranks": 8})",
     {"ring", "recursive_doubling", "rabenseifner", "double_tree", "circulant", "swing", "bine", "segmented_ring"}},
    {R"({"kind": "allreduce", "ranks": 8, "same_bits": true})", {"ring", "recursive_doubling", "rabenseifner"}},
    {R"({"kind": "barrier", "ranks": 7})", {"dissemination", "binomial"}, "0B"},
    {R"({"kind": "isomorphic_alltoall", "torus": [4, 3], "neighborhood": {"kind": "moore", "radius": 1}})",
     {"torus", "straightforward", "parity", "basis"}},
    {R"({"kind": "isomorphic_allgather", "torus": [4, 3], "neighborhood": {"kind": "von_neumann", "radius": 2},
        "periodic": [true, false]})",
     {"torus", "direct"}},
    {R"({"kind": "intergroup_allgather", "senders": 5, "receivers": 4, "broadcast": "scatter_allgather"})",
     {"group_allgather", "root_gathering", "ring_optimal"}},
    {R"({"kind": "intergroup_allgather", "senders": 6, "receivers": 3, "torus": [3, 3]})", {"torus_rings"}},
    {R"({"kind": "intergroup_exchange", "senders": 6, "receivers": 3, "torus": [3, 3]})", {"torus_rings"}},
    {R"({"kind": "intergroup_gather", "senders": 6, "receivers": 3, "torus": [3, 3]})", {"torus_rings"}},
    {R"({"kind": "intergroup_scatter", "senders": 3, "receivers": 6, "torus": [3, 3]})", {"torus_rings"}},
    {R"({"kind": "intergroup_reduce", "senders": 6, "receivers": 3, "torus": [3, 3]})", {"torus_rings"}},
    {R"({"kind": "neighbor_alltoall", "graph": {"kind": "edges", "ranks": 4,
        "edges": [[2, 1], [0, 1], [0, 2], [3, 0], [0, 1], [1, 1]]}})",
     {"naive", "common_neighbors"}},
    {R"({"kind": "sparse_allreduce", "graph": {"kind": "edges", "ranks": 4, "edges": [[2, 1], [0, 1], [3, 1], [0, 1]]}})",
     {"naive"}},
    {R"({"kind": "sparse_allreduce", "graph": {"kind": "moore", "torus": [4, 3], "radius": 1}})", {"torus"}},
    {R"({"kind": "sparse_reduce", "root": 2, "graph": {"kind": "offsets", "torus": [7], "offsets": [[1], [-2], [3]]}})",
     {"torus"}},
    {R"({"kind": "sparse_barrier", "graph": {"kind": "edges", "ranks": 3, "edges": [[0, 1], [1, 2], [2, 0], [0, 2], [0, 2]]}})",
     {"naive"},
     "0B"},
    {R"({"kind": "sparse_bcast", "root": 1, "graph": {"kind": "edges", "ranks": 3, "edges": [[1, 0], [1, 2], [1, 2]]}})",
     {"naive"}},
};

std::string scenario_of(Case const& given, std::string const& algorithm) {
  json document = json::parse(R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 12},
    "latency": "1us", "bandwidth": "1GBps"}, "engine": "native"})");
  document["collective"] = json::parse(given.collective);
  document["algorithm"] = algorithm;
  document["block"] = given.block;
  return document.dump();
}

/// Writes the schedule and its certificate.
void certify(Folder const& folder, Case const& given, std::string const& algorithm) {
  std::string const s = folder.write("s.json", scenario_of(given, algorithm));
  std::string const x = (folder.path() / "x.json").string(), c = (folder.path() / "c.jsonl").string();
  Ran const exported = rondo("export --format json --force --output " + x + " " + s);
  ASSERT_EQ(exported.exit_code, 0) << exported.err << algorithm << given.collective;
  Ran const proved = rondo("prove --force --certificate " + c + " " + x);
  ASSERT_EQ(proved.exit_code, 0) << proved.out << proved.err << algorithm << given.collective;
}

/// The exit code of the checker, and what it says in `out`.
int checked(Folder const& folder, std::string const& schedule = "x.json", std::string const& certificate = "c.jsonl") {
  std::string const line = "cd '" + folder.path().string() +
                           "' && /usr/bin/python3 -B '" RONDO_SOURCE_DIR "/tests/certificates/check.py' " + schedule +
                           " " + certificate + " >out 2>&1";
  int const status = std::system(line.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Certificate, of_each_collective_is_accepted_by_a_checker_that_shares_no_code) {
  if (sanitized) GTEST_SKIP() << "in release: more than a hundred runs";
  Folder const folder;
  for (Case const& given : cases) {
    for (std::string const algorithm : given.algorithms) {
      certify(folder, given, algorithm);
      EXPECT_EQ(checked(folder), 0) << algorithm << " " << given.collective << content_of(folder.path() / "out");
      if (!whole) break;
    }
  }
}

/// A number of the text, changed.
std::string with_another_number(std::string text, Random& random, std::size_t from) {
  std::vector<std::size_t> digits;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] >= '0' && text[i] <= '9') digits.push_back(i);
  }
  std::size_t const at = digits[static_cast<std::size_t>(random.below(digits.size()))];
  text[at] = static_cast<char>('0' + (text[at] - '0' + 1 + static_cast<int>(random.below(9))) % 10);
  return text;
}

/// `times` changes of one number in a certificate, and as many in its schedule, of each of four collectives. The
/// checker refuses the former all, the latter mostly.
void changes_are_refused(int times) {
  Folder const folder;
  Random random(7);
  int refused = 0, changed_schedules = 0;
  for (std::size_t const i : {0u, 3u, 5u, 6u}) {
    certify(folder, cases[i], cases[i].algorithms.front());
    std::string const certificate = content_of(folder.path() / "c.jsonl"),
                      schedule = content_of(folder.path() / "x.json");
    for (int k = 0; k < times; ++k) {
      // Behind its head, which only says what it is of.
      folder.write("changed", with_another_number(certificate, random, certificate.find('\n')));
      EXPECT_EQ(checked(folder, "x.json", "changed"), 1) << content_of(folder.path() / "changed");
    }
    for (int k = 0; k < times; ++k, ++changed_schedules) {
      std::string const changed = with_another_number(schedule, random, schedule.find("\"rounds\""));
      bool const accepted = checked(folder, std::filesystem::path(folder.write("changed", changed)).filename()) == 0;
      refused += accepted ? 0 : 1;
      int const proved = rondo("prove " + (folder.path() / "changed").string()).exit_code;
      EXPECT_TRUE(!accepted || proved == 0) << changed;
    }
  }
  EXPECT_GE(2 * refused, changed_schedules);
}

TEST(Certificate, with_another_number_in_it_or_in_its_schedule_is_refused) { changes_are_refused(3); }

TEST(LongCertificate, with_another_number_in_it_or_in_its_schedule_is_refused) {
  if (sanitized) GTEST_SKIP() << "in release: more than a hundred runs";
  changes_are_refused(12);
}

TEST(Certificate, is_of_one_schedule_and_replaces_no_file) {
  Folder const folder;
  certify(folder, cases[0], "binomial");
  std::string const x = (folder.path() / "x.json").string(), c = (folder.path() / "c.jsonl").string();
  Ran const again = rondo("prove --certificate " + c + " " + x);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_EQ(again.err, c + ": exists already; --force starts it anew\n");
}

/// The allreduce of two ranks in which rank 0's contribution enters its sum 2^61 times, which is 1 modulo 2^61 - 1: its
/// intermediate slot holds 2^k of it, and is joined for each k < 61 behind the first one.
std::string forged_sum() {
  std::string copies = R"([["send", 0], ["intermediate", 0]], [["send", 0], ["receive", 0]])";
  for (int bit = 0; bit < 61; ++bit) {
    copies += R"(, [["intermediate", 0], ["receive", 0], "after"])";
    if (bit < 60) copies += R"(, [["intermediate", 0], ["intermediate", 0], "after"])";
  }
  auto const program = [](std::string const& rank, std::string const& other, std::string const& join,
                          std::string const& moved) {
    return R"({"ranks": [)" + rank +
           R"(], "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}, "intermediate": {"slots": 1}}, "copies": [)" +
           moved + R"(], "rounds": [{"sends": [{"rank": )" + other +
           R"(, "places": [["receive", 0]]}], "receives": [{"rank": )" + other +
           R"(, "places": [["receive", 0]], "join": ")" + join + R"("}]}]})";
  };
  return R"({"format": "rondo-schedule", "ranks": 2, "block_bytes": 8, "promise": {"kind": "allreduce", "ranks": 2},
    "programs": [)" +
         program("0", "1", "after", copies) + ", " + program("1", "0", "before", R"([["send", 0], ["receive", 0]])") +
         "]}";
}

TEST(ForgedSum, is_refused_with_the_same_words_in_every_run) {
  Folder const folder;
  folder.write("x.json", forged_sum());
  std::string const in_folder = "cd " + folder.path().string() + " && ";
  Ran const first = rondo("prove x.json", in_folder);
  EXPECT_EQ(first.exit_code, 1);
  EXPECT_NE(first.out.find("NOT PROVED"), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("block 0 of rank 0 is in both"), std::string::npos) << first.out;
  for (int run = 0; run < 20; ++run) {
    Ran const again = rondo("prove x.json", in_folder);
    EXPECT_EQ(again.exit_code, first.exit_code);
    EXPECT_EQ(again.out, first.out);
    EXPECT_EQ(again.err, first.err);
  }
}

TEST(ForgedSum, has_no_certificate_that_the_checker_accepts) {
  Folder const folder;
  folder.write("x.json", forged_sum());
  FileState const state{0, fnv1a(forged_sum())};
  folder.write("c.jsonl", R"({"format": "rondo-certificate", "format_version": 1, "schedule": ")" + state.checksum() +
                              R"(", "ranks": 2, "rounds": 1})" +
                              "\n{\"rank\": 0, \"arrives\": [[0, 1]]}\n{\"rank\": 1, \"arrives\": [[0, 0]]}\n");
  EXPECT_EQ(checked(folder), 1);
  std::string const said = content_of(folder.path() / "out");
  EXPECT_NE(said.find("another content"), std::string::npos) << said;
}

}  // namespace
}  // namespace rondo::test

// Rules for libraries that ask how ranks lie on hosts, or for other calls: which of them hold, and which are not
// judged.

#include <gtest/gtest.h>

#include "folder.hpp"
#include "run/rules/check_rules.hpp"
#include "run/rules/rules.hpp"

namespace rondo::test {
namespace {

using scenario::Json;

/// The costs on 16 ranks of 2 hosts with 8 each, at 16 MiB.
std::vector<RuleCost> costs_on_2_hosts(std::string const& text) {
  Folder const folder;
  CheckRulesOptions options;
  options.machine = Json::parse(R"({"topology": {"kind": "fully_connected", "hosts": 2}, "ranks_per_host": 8,
    "latency": "2us", "bandwidth": "10GBps"})");
  options.machine_file = "m.json";
  options.ranks = {16};
  options.tuning.sizes = {Bytes(1 << 24), Bytes(1 << 24), 1};
  return check_rules(read_rules(folder.write("rules", text), 8), options);
}

// [NCCL, plugins/tuner/example/plugin.c]: the first row that fits the nodes, the ranks and the call.
TEST(NcclRules, hold_on_the_hosts_that_they_ask_for) {
  std::string const rest = "allreduce,0,4294967296,ring,simple,-1,2,16,-1,-1\n";
  for (std::string const nodes : {"1", "3", "16"}) {
    auto const costs = costs_on_2_hosts("allreduce,0,4294967296,tree,simple,-1," + nodes + ",16,-1,-1\n" + rest);
    ASSERT_EQ(costs.size(), 1U) << nodes;
    EXPECT_EQ(costs[0].algorithm, "ring");
  }
  auto const costs = costs_on_2_hosts("allreduce,0,4294967296,tree,simple,-1,2,16,1,-1\n" + rest);
  ASSERT_EQ(costs.size(), 1U);
  EXPECT_EQ(costs[0].algorithm.substr(0, 4), "tree");
}

TEST(NcclRules, that_ask_for_other_calls_are_not_judged_and_hide_none) {
  for (std::string const asked : {"4,-1", "-1,0", "-1,1"}) {
    auto const costs = costs_on_2_hosts("allreduce,0,4294967296,tree,simple,-1,2,16," + asked +
                                        "\nallreduce,0,4294967296,ring,simple,-1,2,16\n");
    ASSERT_EQ(costs.size(), 2U) << asked;
    EXPECT_EQ(costs[0].note.find("not judged: it asks for "), 0U) << costs[0].note;
    EXPECT_EQ(costs[1].algorithm, "ring");
  }
}

TEST(OmpiJsonRules, hold_where_ranks_lie_on_hosts_as_they_ask) {
  auto const asked = [](std::string const& word) {
    return R"({"collectives": {"allreduce": [
      {"comm_rank_distribution": ")" +
           word + R"(", "rules": [{"alg": "recursive_doubling"}]}, {"rules": [{"alg": "ring"}]}]}})";
  };
  for (std::string const word : {"one-per-node", "single-node"}) {
    auto const costs = costs_on_2_hosts(asked(word));
    ASSERT_EQ(costs.size(), 1U) << word;
    EXPECT_EQ(costs[0].algorithm, "ring");
  }
  EXPECT_EQ(costs_on_2_hosts(asked("any")).at(0).algorithm, "recursive_doubling");
}

TEST(MpichRules, that_depend_on_hosts_with_several_ranks_or_on_what_is_not_known_are_not_judged) {
  auto const reduce = [](std::string const& condition) {
    return R"({"collective=reduce": {"comm_type=intra": {")" + condition +
           R"(": {"algorithm=MPIR_Reduce_intra_binomial": {}},
      "comm_size=any": {"algorithm=MPIR_Reduce_intra_reduce_scatter_gather": {}}}}})";
  };
  for (std::string const condition : {"comm_avg_ppn<=1", "is_node_consecutive=yes", "is_moon_full=yes"}) {
    auto const costs = costs_on_2_hosts(reduce(condition));
    ASSERT_EQ(costs.size(), 2U) << condition;
    for (RuleCost const& each : costs) EXPECT_EQ(each.note.find("not judged"), 0U) << each.note;
  }
  EXPECT_EQ(costs_on_2_hosts(reduce("comm_hierarchy=any")).at(0).note, "");
  // Those that the machine answers: two hosts with several ranks are two levels, and not one host.
  for (auto const& [condition, algorithm] :
       {std::pair{"comm_hierarchy=parent", "binomial"}, {"comm_size=node_comm_size", "reduce_scatter_gather"}}) {
    auto const costs = costs_on_2_hosts(reduce(condition));
    ASSERT_EQ(costs.size(), 1U) << condition;
    EXPECT_EQ(costs[0].note, "") << condition;
    EXPECT_EQ(costs[0].algorithm, algorithm);
  }
}

// pmodels/mpich#7456: a tuning file had MPIDI_Allreduce_intra_composition_gamma for ranks on several hosts, which goes
// by the memory of one.
TEST(MpichRules, that_take_a_composition_of_one_host_across_hosts_are_found) {
  auto const allreduce = [](std::string const& before) {
    return R"({"collective=allreduce": {"comm_type=intra": {)" + before + R"(
      "avg_msg_size<=2048": {"composition=MPIDI_Allreduce_intra_composition_beta": {}},
      "avg_msg_size=any": {"composition=MPIDI_Allreduce_intra_composition_gamma": {}}}}})";
  };
  auto const costs = costs_on_2_hosts(allreduce(""));
  ASSERT_EQ(costs.size(), 2U);
  EXPECT_EQ(costs[0].note, "the library chooses its parts by other rules");
  EXPECT_FALSE(costs[0].misfit);
  EXPECT_EQ(costs[1].note, "is for one host, not for 16 ranks on 2");
  EXPECT_TRUE(costs[1].misfit);
  // As MPICH's own file has it, they do not come so far.
  std::string const guarded =
      R"("comm_size=node_comm_size": {"composition=MPIDI_Allreduce_intra_composition_gamma": {}},
    "comm_hierarchy=parent": {"composition=MPIDI_Allreduce_intra_composition_alpha": {}},)";
  for (RuleCost const& each : costs_on_2_hosts(allreduce(guarded))) EXPECT_FALSE(each.misfit) << each.place;
}

}  // namespace
}  // namespace rondo::test

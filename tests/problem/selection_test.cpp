// Selection files, and the promises of schedules in files: what needs no MPI of the choice of schedules.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mpi_library/classical/proved_schedule.hpp"
#include "mpi_library/classical/selection.hpp"

namespace rondo::mpi {
namespace {

using enum ClassicalCollective;

std::string refusal(std::string const& rules) {
  try {
    parse_selection(R"({"format": "rondo-selection", "rules": )" + rules + "}", "s.json");
  } catch (InputError const& error) {
    return error.what();
  }
  return "none";
}

TEST(Selection, the_first_rule_that_fits_holds) {
  Selection const rules = parse_selection(R"({"format": "rondo-selection", "rules": [
    {"collective": "allreduce", "ranks": [8, 8], "bytes": [0, "4KiB"], "algorithm": "ring", "segment": "8KiB"},
    {"collective": "allreduce", "ranks": [4, null], "schedule": "ours.json"},
    {"collective": "bcast", "bytes": [100, null], "algorithm": "knomial", "radix": 4},
    {"collective": "gather", "schedule": "/far/away.json"}]})",
                                          "folder/s.json");
  Choice const* const small = chosen_in(rules, allreduce, 8, Bytes(4096));
  ASSERT_NE(small, nullptr);
  EXPECT_EQ(small->algorithm, problem::ClassicalAlgorithm("ring"));
  EXPECT_EQ(small->segment, Bytes(8192));
  EXPECT_EQ(small->schedule, "");
  for (Choice const* const each :
       {chosen_in(rules, allreduce, 8, Bytes(4097)), chosen_in(rules, allreduce, 4, Bytes(0))}) {
    ASSERT_NE(each, nullptr);
    EXPECT_EQ(each->schedule, "folder/ours.json");
    EXPECT_EQ(each->where, "folder/s.json: /rules/1/schedule");
    EXPECT_TRUE(each->for_these_ranks);
  }
  EXPECT_EQ(chosen_in(rules, allreduce, 3, Bytes(1)), nullptr);
  EXPECT_EQ(chosen_in(rules, bcast, 3, Bytes(99)), nullptr);
  ASSERT_NE(chosen_in(rules, bcast, 3, Bytes(100)), nullptr);
  EXPECT_EQ(chosen_in(rules, bcast, 3, Bytes(100))->radix, 4);
  ASSERT_NE(chosen_in(rules, gather, 3, Bytes(1)), nullptr);
  EXPECT_EQ(chosen_in(rules, gather, 3, Bytes(1))->schedule, "/far/away.json");
}

// In a gatherv ranks see different sizes, and would follow different rules.
TEST(Selection, ranks_that_may_see_different_sizes_follow_rules_for_all_sizes) {
  Selection const rules = parse_selection(R"({"format": "rondo-selection", "rules": [
    {"collective": "gather", "bytes": [0, 100], "algorithm": "binomial"},
    {"collective": "gather", "bytes": [0, null], "algorithm": "linear"}]})",
                                          "s.json");
  ASSERT_NE(chosen_in(rules, gather, 8, std::nullopt), nullptr);
  EXPECT_EQ(chosen_in(rules, gather, 8, std::nullopt)->algorithm, problem::ClassicalAlgorithm("linear"));
}

TEST(Selection, errors_name_the_file_the_place_and_what_is_accepted) {
  EXPECT_EQ(refusal("{}"), "s.json: /rules: expected a list of rules");
  EXPECT_EQ(refusal("[1]"), "s.json: /rules/0: expected an object, got 1");
  EXPECT_EQ(refusal("[{}]"), "s.json: /rules/0: missing key \"collective\"");
  EXPECT_TRUE(refusal(R"([{"collective": "isomorphic_alltoall"}])")
                  .starts_with("s.json: /rules/0/collective: expected one of \"bcast\", "));
  EXPECT_EQ(refusal(R"([{"collective": "bcast"}])"),
            "s.json: /rules/0: expected either \"algorithm\" or \"schedule\", got none");
  EXPECT_EQ(refusal(R"([{"collective": "bcast", "algorithm": "chain", "schedule": "a"}])"),
            "s.json: /rules/0: expected either \"algorithm\" or \"schedule\", got both");
  EXPECT_EQ(refusal(R"([{"collective": "bcast", "algorithm": "chain", "radx": 2}])"),
            "s.json: /rules/0: unknown key \"radx\"; did you mean \"radix\"?");
  EXPECT_EQ(refusal(R"([{"collective": "bcast", "algorithm": "chain", "radix": 1}])"),
            "s.json: /rules/0/radix: expected a number from 2 on, got \"1\"");
  EXPECT_TRUE(refusal(R"([{"collective": "bcast", "algorithm": "bruck"}])")
                  .starts_with("s.json: /rules/0/algorithm: expected one of linear, "));
  EXPECT_EQ(refusal(R"([{"collective": "bcast", "algorithm": "chain", "ranks": [8, 4]}])"),
            "s.json: /rules/0/ranks: expected the least first, got [8,4]");
  EXPECT_EQ(refusal(R"([{"collective": "bcast", "algorithm": "chain", "ranks": ["8", 4]}])"),
            "s.json: /rules/0/ranks/0: expected a number of ranks, or null for no limit, got \"8\"");
  EXPECT_EQ(refusal(R"([{"collective": "bcast", "algorithm": "chain", "bytes": ["8XB", 4]}])"),
            "s.json: /rules/0/bytes/0: expected bytes, a size such as \"8KiB\", or null for no limit, got \"8XB\"");
  EXPECT_EQ(refusal(R"([{"collective": "bcast", "schedule": 3}])"),
            "s.json: /rules/0/schedule: expected the name of a file, got 3");
}

/// Rank 1 of two ranks sends a vector in two pieces.
std::string bcast_from_1(std::string const& promise) {
  return R"({"format": "rondo-schedule", "ranks": 2, "block_bytes": 4, )" + promise + R"("programs": [
    {"ranks": [0], "buffers": {"receive": {"slots": 2}}, "rounds":
      [{"receives": [{"rank": 1, "places": [["receive", 0], ["receive", 1]]}]}]},
    {"ranks": [1], "buffers": {"send": {"slots": 2}}, "rounds":
      [{"sends": [{"rank": 0, "places": [["send", 0], ["send", 1]]}]}]}]})";
}

TEST(ProvedSchedules, the_root_and_the_pieces_are_found_in_the_buffers) {
  ScheduleFile const file = parse_schedule(bcast_from_1(""), "b.json");
  FilePromise const found = promise_of(file, bcast);
  EXPECT_EQ(found.whole.root, Rank(1));
  EXPECT_EQ(found.pieces, 2u);
  EXPECT_EQ(prove(file, found, "b.json"), Order::any);
  try {
    prove(file, promise_of(file, allreduce), "b.json");
    FAIL() << "a bcast is taken for an allreduce";
  } catch (InputError const& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("b.json: it is no allreduce on 2 ranks: rank ")) << error.what();
  }
}

TEST(ProvedSchedules, a_promise_in_the_file_says_which_root_it_has) {
  ScheduleFile const file =
      parse_schedule(bcast_from_1(R"("promise": {"kind": "bcast", "ranks": 2, "root": 0}, )"), "b.json");
  EXPECT_EQ(promise_of(file, bcast).whole.root, Rank(0));
  EXPECT_THROW(prove(file, promise_of(file, bcast), "b.json"), InputError);
}

}  // namespace
}  // namespace rondo::mpi

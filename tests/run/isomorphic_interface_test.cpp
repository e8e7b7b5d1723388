// A scenario and an MPI program that ask for the same isomorphic collective get the same schedule, whatever the
// offsets, the dimensions that close and the options: the rounds, messages and bytes of the C interface, as counted in
// the simulation, are those of the scenario's schedule.

#include "rondo/isomorphic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/random.hpp"
#include "engine/smpi/simulation.hpp"
#include "families.hpp"
#include "run/families/plan.hpp"
#include "schedule/measure.hpp"

namespace rondo {
namespace {

using namespace testing;

constexpr int block = 64;

struct Asked {
  bool alltoall = true;
  std::vector<int> torus, periodic;
  std::vector<std::vector<int>> offsets;
  std::string algorithm = "torus", order = "given";
  bool shortest_wrap = false;

  Given given() const {
    Json collective{{"kind", alltoall ? "isomorphic_alltoall" : "isomorphic_allgather"},
                    {"torus", torus},
                    {"neighborhood", {{"kind", "offsets"}, {"offsets", offsets}}},
                    {"dimension_order", order},
                    {"shortest_wrap", shortest_wrap}};
    for (int const closes : periodic) collective["periodic"].push_back(closes != 0);
    return {R"({"kind": "fully_connected", "hosts": )" + std::to_string(ranks()) + "}", collective.dump()};
  }
  int ranks() const {
    int result = 1;
    for (int const extent : torus) result *= extent;
    return result;
  }
};

/// Few distinct coordinates, so that offsets are doubled, zero, equivalent or more than once around.
Asked random_problem(Random& random) {
  Asked result;
  result.alltoall = random.below(2) == 0;
  std::vector<std::vector<int>> const tori{{5}, {6}, {4, 3}, {3, 4}, {2, 2, 3}, {1, 6}, {3, 1, 2}};
  result.torus = tori[random.below(tori.size())];
  bool const closed = random.below(2) == 0;
  for (std::size_t j = 0; j < result.torus.size(); ++j)
    result.periodic.push_back(closed || random.below(2) == 0 ? 1 : 0);
  for (std::size_t i = random.below(8); i > 0; --i) {
    auto& offset = result.offsets.emplace_back();
    for (int const extent : result.torus) offset.push_back(static_cast<int>(random.between(-extent - 1, 2 * extent)));
    if (random.below(4) == 0) offset.assign(offset.size(), 0);
    if (random.below(3) == 0) result.offsets.push_back(result.offsets.front());
  }
  std::vector<std::string> algorithms{"straightforward", "posted", "torus", "direct", "basis"};
  bool const open = std::ranges::count(result.periodic, 0) > 0;
  if (!result.alltoall) algorithms.emplace_back("steiner");
  if (result.alltoall && !open) algorithms.emplace_back("parity");
  result.algorithm = algorithms[random.below(algorithms.size())];
  result.order = std::array{"given", "best", "paper"}[random.below(3)];
  result.shortest_wrap = random.below(2) == 0;
  return result;
}

/// Rounds and traffic of a program that makes the request, and starts it so many times.
struct Traffic {
  int rounds = 0;
  std::int64_t messages = 0, bytes = 0;
};

void be_rank(Asked const& asked, int starts, MPI_Comm world, std::vector<std::byte>& result) {
  std::vector<int> flat;
  for (auto const& offset : asked.offsets) flat.insert(flat.end(), offset.begin(), offset.end());
  auto const s = static_cast<int>(asked.offsets.size());
  MPI_Comm grid = MPI_COMM_NULL, isocomm = MPI_COMM_NULL;
  MPI_Cart_create(world, static_cast<int>(asked.torus.size()), asked.torus.data(), asked.periodic.data(), 0, &grid);
  Rondo_Iso_neighborhood_create(grid, s, flat.data(), &isocomm);
  Rondo_Iso_algorithm_set(isocomm, asked.algorithm.c_str());
  Rondo_Iso_option_set(isocomm, "dimension_order", asked.order.c_str());
  Rondo_Iso_option_set(isocomm, "shortest_wrap", asked.shortest_wrap ? "true" : "false");
  std::vector<std::byte> sent(static_cast<std::size_t>(block * (s + 1))), received(sent.size());
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
  auto const init = asked.alltoall ? Rondo_Iso_neighbor_alltoall_init : Rondo_Iso_neighbor_allgather_init;
  int code = init(sent.data(), block, MPI_BYTE, received.data(), block, MPI_BYTE, isocomm, &request);
  for (int i = 0; i < starts && code == MPI_SUCCESS; ++i) code = Rondo_Iso_start(&request);
  int rounds = -1;
  if (code == MPI_SUCCESS) Rondo_Iso_request_rounds(request, &rounds);
  result.resize(sizeof rounds);
  std::memcpy(result.data(), &rounds, sizeof rounds);
  if (request != RONDO_ISO_REQUEST_NULL) Rondo_Iso_request_free(&request);
  MPI_Comm_free(&isocomm);
  MPI_Comm_free(&grid);
}

Traffic traffic_of(Asked const& asked, int starts, Platform const& machine) {
  Outcome<ProgramRun> const outcome = simulate_program(
      asked.ranks(), [&](MPI_Comm world, std::vector<std::byte>& result) { be_rank(asked, starts, world, result); },
      machine, {});
  EXPECT_EQ(outcome.error, "");
  Traffic traffic;
  if (!outcome.result) return traffic;
  for (auto const& result : outcome.result->results) {
    int rounds = 0;
    std::memcpy(&rounds, result.data(), sizeof rounds);
    EXPECT_TRUE(&result == &outcome.result->results.front() || rounds == traffic.rounds) << "the ranks differ";
    traffic.rounds = rounds;
  }
  traffic.messages = outcome.result->timing.messages;
  traffic.bytes = outcome.result->timing.bytes.value;
  return traffic;
}

void expect_the_same(Asked const& asked) {
  SCOPED_TRACE(asked.algorithm + " " + asked.given().collective);
  scenario::Scenario const scenario = parsed(asked.given(), asked.algorithm);
  Plan const plan = plan_of(scenario, "s.json");
  Measures const measured = measure(schedule_plan(plan, "s.json").schedule);
  Traffic const made = traffic_of(asked, 0, scenario.machine), once = traffic_of(asked, 1, scenario.machine);
  EXPECT_GE(made.rounds, measured.rounds);  // at the end of a grid whose last rounds have nothing to send
  if (std::ranges::count(asked.periodic, 0) == 0) {
    EXPECT_EQ(made.rounds, measured.rounds);
  }
  EXPECT_EQ(once.messages - made.messages, measured.messages);
  EXPECT_EQ(once.bytes - made.bytes, measured.total_bytes.value);
}

TEST(IsomorphicInterface, makes_the_schedule_of_the_scenario) {
  Random random(18);
  for (int i = 0; i < 60; ++i) expect_the_same(random_problem(random));
}

/// Without options the defaults of both are the same. On 4 x 3 by hand: straight ways take the rounds of the offsets as
/// they are given, 5 + 1 in the first dimension and 4 in the second one; the shortest ways 1 + 1 and 1.
TEST(IsomorphicInterface, follows_offsets_around_the_torus_as_scenarios_do) {
  Asked asked{.torus = {4, 3}, .periodic = {1, 1}, .offsets = {{5, 0}, {-1, 4}, {0, 0}, {5, 0}}};
  expect_the_same(asked);
  Platform const machine = parsed(asked.given(), "torus").machine;
  EXPECT_EQ(traffic_of(asked, 0, machine).rounds, 10);
  asked.shortest_wrap = true;
  expect_the_same(asked);
  EXPECT_EQ(traffic_of(asked, 0, machine).rounds, 3);
}

}  // namespace
}  // namespace rondo

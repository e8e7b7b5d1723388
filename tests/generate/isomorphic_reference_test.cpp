// The generators against recorded pairs of an independent implementation. Its rounds_network and volume_network leave
// out what a rank sends to itself, as our words do.

#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "generate/isomorphic_cases.hpp"
#include "problems.hpp"
#include "reference.hpp"

namespace rondo {
namespace {

using namespace isomorphic_cases;
using nlohmann::json;
using problem::BlockSizes;

struct Recorded {
  Torus torus;
  Neighborhood neighborhood;
  std::vector<int> order;
  Schedule schedule;
  Collective collective;
};

Schedule alltoall(std::string const& algorithm, Torus const& torus, Neighborhood const& neighborhood,
                  std::vector<int> const& order) {
  if (algorithm == "torus")
    return generate::isomorphic_dimension_wise(test::alltoall(torus, neighborhood, block, order));
  if (algorithm == "direct") return generate::isomorphic_direct(test::alltoall(torus, neighborhood, block, order));
  EXPECT_EQ(algorithm, "straightforward");
  return generate::isomorphic_straightforward(test::alltoall(torus, neighborhood, block));
}

Schedule allgather(std::string const& algorithm, Torus const& torus, Neighborhood const& neighborhood,
                   std::vector<int> const& order) {
  if (algorithm == "torus")
    return generate::isomorphic_dimension_wise(test::allgather(torus, neighborhood, block, order));
  if (algorithm == "direct") return generate::isomorphic_direct(test::allgather(torus, neighborhood, block, order));
  EXPECT_EQ(algorithm, "straightforward");
  return generate::isomorphic_straightforward(test::allgather(torus, neighborhood, block));
}

Recorded recorded(json const& request, json const& answer) {
  Torus const torus(answer["dims"].get<std::vector<int>>());
  Neighborhood const neighborhood = reference::neighborhood_of(request);
  std::vector<int> const order =
      request.contains("order") ? best_dimension_order(torus, neighborhood) : given_dimension_order(torus.dimensions());
  std::string const algorithm = request["algorithm"];
  if (request["collective"] == "alltoall") {
    return {torus, neighborhood, order, alltoall(algorithm, torus, neighborhood, order),
            IsomorphicAlltoall{torus, neighborhood}};
  }
  return {torus, neighborhood, order, allgather(algorithm, torus, neighborhood, order),
          IsomorphicAllgather{torus, neighborhood}};
}

/// Whether coordinates of a dimension lead to the same rank. The recorded allgather by `direct` tells them apart and
/// sends a block there again.
bool has_aliases(Torus const& torus, Neighborhood const& neighborhood) {
  for (int i = 0; i < neighborhood.size(); ++i) {
    for (int k = 0; k < i; ++k) {
      for (std::size_t j = 0; j < torus.extents().size(); ++j) {
        int const apart = neighborhood[i][j] - neighborhood[k][j];
        if (apart != 0 && apart % torus.extents()[j] == 0) return true;
      }
    }
  }
  return false;
}

TEST(IsomorphicReference, every_recorded_schedule_is_reproduced) {
  int compared = 0, distinct = 0, saved = 0;
  for (auto const& pair : reference::pairs("isomorphic.json", "isomorphic")) {
    auto const& request = pair["request"];
    auto const& answer = pair["answer"];
    if (request.contains("sizes")) continue;  // the next test
    Recorded const own = recorded(request, answer);
    if (request.contains("order")) {
      ASSERT_EQ(request["order"], "best");
      EXPECT_EQ(own.order, answer["order"].get<std::vector<int>>()) << request;
    }
    Measures const measures = measure(own.schedule);
    Verdict const verdict = verify(own.schedule, own.collective);
    EXPECT_TRUE(verdict.valid()) << request;
    ++compared;
    if (request["collective"] == "allgather" && request["algorithm"] == "direct" &&
        has_aliases(own.torus, own.neighborhood)) {
      EXPECT_LE(measures.rounds, answer["rounds_network"].get<int>()) << request;
      EXPECT_LT(measures.volume_blocks, answer["volume_network"].get<double>()) << request;
      ++saved;
      continue;
    }
    EXPECT_EQ(measures.rounds, answer["rounds_network"]) << request;
    EXPECT_EQ(measures.volume_blocks, answer["volume_network"]) << request;
    if (answer.contains("distinct_received")) {
      EXPECT_EQ(measures.received_blocks - verdict.redundant_blocks / own.torus.size(), answer["distinct_received"])
          << request;
      ++distinct;
    }
    if (answer["rounds"] == answer["rounds_network"] && answer["volume"] == answer["volume_network"]) {
      EXPECT_EQ(blocks_per_round(own.schedule), answer["per_round"].get<std::vector<int>>()) << request;
    }
  }
  EXPECT_EQ(saved, 4);
  EXPECT_EQ(compared, 113);  // all recorded pairs but the one with sizes
  EXPECT_GE(distinct, 20);
}

// Moore(3,1) with blocks of 512^(3-l1) bytes [Traeff16, Figure 3(a)].
TEST(IsomorphicReference, recorded_block_sizes_are_reproduced) {
  int compared = 0;
  for (auto const& pair : reference::pairs("isomorphic.json", "isomorphic")) {
    auto const& request = pair["request"];
    if (!request.contains("sizes")) continue;
    Torus const torus(request["dims"].get<std::vector<int>>());
    Neighborhood const neighborhood = reference::neighborhood_of(request);
    BlockSizes sizes(block);
    for (auto const& size : request["sizes"]) sizes.each.emplace_back(size.get<std::int64_t>());
    Schedule const schedule = generate::isomorphic_dimension_wise(
        test::alltoall(torus, neighborhood, sizes, given_dimension_order(torus.dimensions())));
    EXPECT_TRUE(verify(schedule, IsomorphicAlltoall{torus, neighborhood}).valid());
    EXPECT_EQ(measure(schedule).volume_bytes.value, pair["answer"]["bytes"]);
    std::vector<std::int64_t> per_round;
    Program const& program = schedule.programs[0];
    for (int r = 1; r <= program.rounds(); ++r) per_round.push_back(program.bytes(program.sends(r)[0]).value);
    EXPECT_EQ(per_round, pair["answer"]["per_round_bytes"].get<std::vector<std::int64_t>>());
    theory::Counts const counts = theory::alltoall_dimension_wise(torus, neighborhood, sizes.each);
    EXPECT_EQ(counts.volume_bytes.value, pair["answer"]["bytes"]);
    ++compared;
  }
  EXPECT_EQ(compared, 1);
}

TEST(IsomorphicReference, the_corrected_algorithm_1_runs_as_recorded) {
  int compared = 0;
  for (auto const& pair : reference::pairs("isomorphic.json", "algorithm1")) {
    if (pair["request"]["variant"] != "fixed") continue;
    Torus const torus(pair["request"]["dims"].get<std::vector<int>>());
    Neighborhood const neighborhood = reference::neighborhood_of(pair["request"]);
    Schedule const schedule = generate::isomorphic_dimension_wise(
        test::alltoall(torus, neighborhood, block, given_dimension_order(torus.dimensions())));
    EXPECT_EQ(verify(schedule, IsomorphicAlltoall{torus, neighborhood}).valid(), pair["answer"]["correct"]);
    EXPECT_EQ(measure(schedule).rounds, pair["answer"]["rounds"]) << pair;
    EXPECT_EQ(measure(schedule).volume_blocks, pair["answer"]["volume"]) << pair;
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

/// Block i of the rank at an offset from the one that is looked at.
struct Came {
  std::vector<int> from;
  std::uint32_t block = 0;
};

/// What lies in the receive slots of rank 0 in the end. All ranks do the same, so that what another one has is what
/// rank 0 has, as seen from there.
std::vector<std::optional<Came>> received(Schedule const& schedule, Torus const& torus, int blocks) {
  Program const& program = schedule.programs[0];
  auto const d = static_cast<std::size_t>(torus.dimensions());
  std::map<Place, Came> there;
  for (int i = 0; i < blocks; ++i) {
    there[send_slot(static_cast<std::uint32_t>(i))] = {std::vector<int>(d, 0), static_cast<std::uint32_t>(i)};
  }
  for (int round = 0; round <= program.rounds(); ++round) {
    std::map<Place, Came> arriving;
    for (std::size_t k = 0; k < program.receives(round).size(); ++k) {
      Transfer const& receive = program.receives(round)[k];
      auto const from = program.places(program.sends(round)[k]);
      auto const into = program.places(receive);
      for (std::size_t i = 0; i < into.size(); ++i) {
        auto const found = there.find(from[i]);
        if (found == there.end()) continue;
        Came came = found->second;
        for (std::size_t j = 0; j < d; ++j)
          came.from[j] += schedule.offsets[static_cast<std::size_t>(receive.peer) * d + j];
        arriving[into[i]] = came;
      }
    }
    for (auto const& [place, came] : arriving) there[place] = came;
    for (Copy const& copy : program.copies(round)) there[copy.into] = there.at(copy.from);
  }
  std::vector<std::optional<Came>> result(static_cast<std::size_t>(blocks));
  for (int i = 0; i < blocks; ++i) {
    auto const found = there.find(receive_slot(static_cast<std::uint32_t>(i)));
    if (found != there.end()) result[static_cast<std::size_t>(i)] = found->second;
  }
  return result;
}

/// The blocks that are not what they should be, with where they came from, as the record has them.
json wrong_blocks(Schedule const& schedule, Torus const& torus, Neighborhood const& neighborhood) {
  json wrong = json::array();
  auto const came = received(schedule, torus, neighborhood.size());
  for (int i = 0; i < neighborhood.size(); ++i) {
    auto const& each = came[static_cast<std::size_t>(i)];
    if (!each) {
      wrong.push_back(json::array({i, nullptr}));
      continue;
    }
    std::vector<int> from = each->from;
    bool right = each->block == static_cast<std::uint32_t>(i);
    for (std::size_t j = 0; j < from.size(); ++j) {
      int const extent = torus.extent(static_cast<int>(j));
      right &= (from[j] + neighborhood[i][j]) % extent == 0;
      from[j] = ((from[j] % extent) + extent) % extent;
    }
    if (!right) wrong.push_back(json::array({i, from}));
  }
  return wrong;
}

TEST(IsomorphicReference, algorithm_1_leaves_the_wrong_blocks_that_the_record_names) {
  int printed = 0, repaired = 0;
  for (auto const& pair : reference::pairs("isomorphic.json", "algorithm1")) {
    json const& request = pair["request"];
    Torus const torus(request["dims"].get<std::vector<int>>());
    Neighborhood const neighborhood = reference::neighborhood_of(request);
    problem::Isomorphic problem = test::alltoall(torus, neighborhood, block, given_dimension_order(torus.dimensions()));
    bool const as_printed = request["variant"] == "printed";
    problem.reading = as_printed ? problem::Reading::printed : problem::Reading::repaired;
    ++(as_printed ? printed : repaired);
    Schedule const schedule = generate::isomorphic_dimension_wise(problem);
    EXPECT_EQ(wrong_blocks(schedule, torus, neighborhood), pair["answer"]["wrong"]) << request;
    EXPECT_EQ(verify(schedule, IsomorphicAlltoall{torus, neighborhood}).delivered,
              pair["answer"]["correct"].get<bool>())
        << request;
  }
  EXPECT_GE(printed, 10);
  EXPECT_GE(repaired, 10);
}

}  // namespace
}  // namespace rondo

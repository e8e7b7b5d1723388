#pragma once

// What the tests of the isomorphic schedules share.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "decomposition/routes.hpp"
#include "generate/generate.hpp"
#include "sanitized.hpp"
#include "schedule/collective.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"
#include "theory/bounds.hpp"
#include "theory/isomorphic.hpp"

namespace rondo::isomorphic_cases {

inline constexpr Bytes block{8};

/// Delivered without a violation, with the rounds and volumes that theory says.
inline void expect_valid(Schedule const& schedule, Collective const& collective, theory::Counts const& counts,
                         std::string const& what) {
  Verdict const verdict = verify(schedule, collective);
  EXPECT_TRUE(verdict.valid()) << what << ": "
                               << (verdict.violations.empty() ? "not delivered" : verdict.violations[0].text);
  Measures const measures = measure(schedule);
  EXPECT_EQ(measures.rounds, counts.rounds) << what;
  EXPECT_EQ(measures.volume_blocks, static_cast<double>(counts.volume_blocks)) << what;
  EXPECT_EQ(measures.critical_blocks, static_cast<double>(counts.critical_blocks)) << what;
}

inline void expect_not_below(theory::Counts const& counts, theory::Bounds const& bounds, std::string const& what) {
  EXPECT_GE(counts.rounds, bounds.rounds) << what;
  EXPECT_GE(counts.volume_blocks, bounds.volume_blocks) << what;
}

struct Case {
  std::string name;
  Torus torus;
  Neighborhood neighborhood;
  std::vector<int> order;  ///< a random permutation of the dimensions
};

/// d <= 4, offsets -4..4, extents 1..6: aliases, full turns, self offsets, duplicates, the zero vector, no neighbor.
inline Case random_case(Random& random, int number) {
  int const d = static_cast<int>(random.between(1, 4));
  std::vector<int> extents;
  for (int j = 0; j < d; ++j) extents.push_back(static_cast<int>(random.between(1, 6)));
  std::vector<std::vector<int>> offsets(random.below(12));
  for (auto& offset : offsets) {
    for (int j = 0; j < d; ++j) offset.push_back(static_cast<int>(random.between(-4, 4)));
  }
  std::vector<int> order = given_dimension_order(d);
  for (std::size_t j = order.size(); j > 1; --j) std::swap(order[j - 1], order[random.below(j)]);
  return {"case " + std::to_string(number), Torus(extents), Neighborhood(d, offsets), order};
}

inline int const random_cases = 500 / test::sampled;

inline std::vector<int> blocks_per_round(Schedule const& schedule) {
  std::vector<int> blocks;
  for (int r = 1; r <= schedule.rounds(); ++r) {
    int sent = 0;
    for (Transfer const& send : schedule.programs[0].sends(r)) sent += static_cast<int>(send.count);
    blocks.push_back(sent);
  }
  return blocks;
}

inline std::string name(Place place) {
  constexpr std::array<char const*, buffer_count> buffers{"send", "receive", "intermediate"};
  return fmt::format("{}[{}]", buffers[static_cast<std::size_t>(place.buffer())], place.slot());
}

/// The program of a rank with relative peers, a line a round.
inline std::string text(Schedule const& schedule, Rank rank = Rank(0)) {
  Program const& program = schedule.program(rank);
  auto const d = static_cast<std::size_t>(schedule.torus->dimensions());
  auto const transfer = [&](Transfer const& each, char const* direction, char const* verb) {
    auto const offset = std::span(schedule.offsets).subspan(static_cast<std::size_t>(each.peer) * d, d);
    std::string result = fmt::format("{} ({}){}", direction, fmt::join(offset, ","), verb);
    for (Place const place : program.places(each)) result += " " + name(place);
    return result;
  };
  std::string lines;
  for (int r = 0; r <= program.rounds(); ++r) {
    std::vector<std::string> parts;
    for (Transfer const& each : program.receives(r)) parts.push_back(transfer(each, "from", " into"));
    for (Transfer const& each : program.sends(r)) parts.push_back(transfer(each, "to", ""));
    for (Copy const& copy : program.copies(r)) {
      parts.push_back(fmt::format("copy {} to {}", name(copy.from), name(copy.into)));
    }
    if (!parts.empty()) lines += fmt::format("round {}: {}\n", r, fmt::join(parts, "; "));
  }
  return lines;
}

}  // namespace rondo::isomorphic_cases

#pragma once

// What a scenario will do, said before it does it.

#include <cstdint>
#include <optional>
#include <string>

#include "run/points/job.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// How well a number is known before anything is made.
enum class Known : std::uint8_t {
  counted,  ///< by a closed form, or message by message
  at_most,  ///< by what an algorithm does at most
  about     ///< from smaller problems, or from a graph that is not made yet: the order of magnitude
};

/// How large the schedule of a point will be, or the run of its program.
struct Extent {
  std::int64_t messages = 0;  ///< of all ranks
  Known known = Known::counted;
  std::int64_t written = 0;  ///< messages that are written down: those of one rank, where all do the same
  double moves = 0;          ///< blocks in them
  double seconds = 0;        ///< to make the schedule, to prove it and for theory to time it: the order of magnitude
};

/// From the problem alone. Unset for what nobody knows before it runs, such as the program of a user.
std::optional<Extent> extent_of(scenario::Scenario const& point);

/// Its messages as they are known: "4032", "at most 512", "about 17000000".
std::string messages_text(Extent const& extent);

/// In some lines: the points and what is swept, ranks, machine and engine, messages, and about how long the run itself
/// will take and how much memory. Messages are those of theory where it knows them; else small schedules are generated
/// and counted, and of large ones only their order is said.
std::string outlook(Job const& job);

}  // namespace rondo

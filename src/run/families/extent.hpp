#pragma once

// How large a point is, said from its problem alone: messages, time and memory of its schedule and its simulation.
// `rondo explain` prints it, and a run refuses by it what cannot fit into memory.

#include <cstdint>
#include <optional>

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
  double places = 0;         ///< entries of the table that tells where each rank keeps each block
  double waiting = 0;        ///< messages that are posted beside others of their rank
  double seconds = 0;        ///< to make the schedule, to prove it and for theory to time it: the order of magnitude
};

/// The extent with its time; theory looks at some messages again, `looks` in all.
Extent timed(Extent extent, double looks = 0);

/// From the problem alone, without its schedule or graph. Unset for what nobody knows before it is made, such as a
/// schedule in a file or the program of a user.
std::optional<Extent> extent_before(scenario::Scenario const& point);

/// The bytes of memory that a point takes, within a factor of two where its messages are counted. `extent`: unset where
/// it is not known; then the program and its ranks are counted alone.
double bytes_needed(scenario::Scenario const& point, std::optional<Extent> const& extent);

/// Edges of a graph that is not made: as many as are expected, at random. Unset for graphs in files.
std::optional<double> expected_edges(problem::GraphSource const& source);

/// Throws InputError, without the file's name, if a point needs more memory than there is, even if its extent is twice
/// as large as the truth. Called before any work on the point, which would end without memory after minutes or hours.
void expect_memory(scenario::Scenario const& scenario);

}  // namespace rondo

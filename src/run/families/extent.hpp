#pragma once

// Estimates the size of a point from its problem alone: messages, time and memory of its schedule and of its
// simulation. `rondo explain` prints it, and a run refuses a point that cannot fit into memory. The messages of a
// classical collective are counted one by one if they are few, and are extrapolated from smaller numbers of ranks
// otherwise.

#include <cstdint>
#include <optional>

#include "problem/classical.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// The estimate, over all ranks.
struct EstimatedCounts {
  double messages = 0;
  double pieces = 0;    ///< blocks in them, or pieces of a vector
  double compared = 0;  ///< theory::MessageCounts::compared
  bool counted = true;  ///< else from smaller numbers of ranks: close where they grow as powers of ranks
};

/// How exactly a number is known before anything is made.
enum class Accuracy : std::uint8_t {
  counted,  ///< by a closed form, or message by message
  at_most,  ///< by what an algorithm does at most
  about     ///< from smaller problems, or from a graph that is not made yet: the order of magnitude
};

/// The size of a point's schedule, or of the run of its program.
struct Extent {
  std::int64_t messages = 0;  ///< of all ranks
  Accuracy accuracy = Accuracy::counted;
  std::int64_t written = 0;  ///< messages that are written down: those of one rank, where all do the same
  double moves = 0;          ///< blocks in them
  double places = 0;         ///< entries of the table that tells where each rank keeps each block
  double waiting = 0;        ///< messages that are posted beside others of their rank
  double seconds = 0;        ///< to make the schedule, to prove it and for theory to time it: the order of magnitude
};

/// The extent with its time. `looks` is how many messages theory examines again.
Extent timed(Extent extent, double looks = 0);

/// Computed from the problem alone, without its schedule or graph. Unset if nobody can know it before, as for a
/// schedule in a file or the program of a user.
std::optional<Extent> extent_before(scenario::Scenario const& point);

/// How many bytes of memory a point needs, within a factor of two if its messages are counted. If `extent` is unset,
/// only the program and its ranks are counted.
double bytes_needed(scenario::Scenario const& point, std::optional<Extent> const& extent);

/// Returns the number of edges of a graph, or the expected number of a random graph that is not made yet. A Moore graph
/// on a small torus has fewer. Unset for graphs whose edges nobody knows before they are made.
std::optional<double> expected_edges(problem::GraphSource const& source);

/// Throws InputError, without the file's name, if a point needs more memory than there is, even if its extent is
/// overestimated by a factor of two. Call it before any work on the point. Otherwise the kernel would end the process
/// without a reason when the memory is used up, after minutes or hours.
void expect_memory(scenario::Scenario const& scenario);

}  // namespace rondo

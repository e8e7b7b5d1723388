#pragma once

// The calculations of a program's ranks between their calls of MPI, and the simulated time that they take. The time is
// measured by the CPU's clock, or replayed from an earlier measurement, so that every run gives the same times.

#include <cstdint>
#include <string>
#include <vector>

namespace rondo {

/// The computing of a rank between two calls that do not poll. Calls that poll (MPI_Test, MPI_Iprobe, MPI_Wtime and
/// their like) part it: their number may depend on times, so it is replayed as the mean of its parts.
struct ComputedSpan {
  std::int64_t nanoseconds = 0;
  std::int64_t parts = 1;
};
using ComputedSpans = std::vector<std::vector<ComputedSpan>>;  ///< of each rank, in the order of its calls

/// How calculations take time.
struct Computing {
  bool takes_time = true;       ///< else only what the program names itself, as by SMPI_SAMPLE_FLOPS
  double speed = 1;             ///< how many times as fast as this machine a rank computes
  double flops = 0;             ///< operations a second, for SMPI_SAMPLE_FLOPS; 0: those of SimGrid's host, 1e9
  ComputedSpans measured = {};  ///< by an earlier run, to be replayed; empty: this run measures
};

/// From now on computing in this process is as `computing` says, which outlives it.
void simulate_computing(int ranks, Computing const& computing);
/// What has been measured since.
ComputedSpans const& computed_spans();
/// Why the rank, which has ended, has not computed between the calls of the earlier run; empty if it has.
std::string other_than_measured(int rank);

}  // namespace rondo

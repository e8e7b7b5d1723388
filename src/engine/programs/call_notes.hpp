#pragma once

// Notes of the MPI calls that the ranks of a user program make: when, on which communicator and with how many bytes;
// and which part of the program is timed. librondo_mpi, linked into the program, and blocking_calls.cpp report the
// calls.

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace rondo {

/// From here on this process notes the calls of `ranks` ranks: always the sums of collectives, and with Log::messages
/// each single call. Before this call nothing is noted.
void note_calls(int ranks, Log log);

/// As long as it lives, the calling rank is in this call. A call within another one counts as part of the outer one.
class CallHere {
 public:
  /// For a call that is no collective. `name` must live as long as the object.
  explicit CallHere(char const* name);
  /// For a call of a collective. MPI_COMM_NULL stands for an inter-communicator. `bytes` are those of the calling rank.
  CallHere(char const* name, MPI_Comm comm, std::int64_t bytes);
  CallHere(CallHere const&) = delete;
  CallHere& operator=(CallHere const&) = delete;
  ~CallHere();
};

/// One entry for each collective and group of ranks, the longest mean time first. Calls and bytes are those of the rank
/// that has most of them.
std::vector<CollectiveCalls> collective_calls();
/// The outermost calls that began at `start` or later, by rank and time. Times are counted from `start`. Empty unless
/// note_calls() was given Log::messages.
std::vector<CallSpan> call_spans(Seconds start);

/// Must be called when a communicator is freed, because SMPI may use its handle again.
void forget_communicator(MPI_Comm comm);

/// The time from the first rank's MPI_Pcontrol(1) to the last rank's MPI_Pcontrol(0), or to `end` if a rank has not
/// called it, summed over all such regions. The k-th regions of all ranks are one region. Unset if no rank has called
/// MPI_Pcontrol(1). Called when all ranks have ended, at `end`.
std::optional<Seconds> timed_regions(Seconds end);

}  // namespace rondo

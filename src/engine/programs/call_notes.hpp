#pragma once

// Which MPI calls the ranks of a user program made, when, on which communicators and with how many bytes; and which
// part of the program is timed. librondo_mpi in the program and blocking_calls.cpp tell it.

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace rondo {

/// From here on this process notes the calls of `ranks` ranks; with Log::messages each of them, else sums.
void note_calls(int ranks, Log log);

/// For as long as this lives, the rank is in this call. A call within another one is a part of that.
class CallHere {
 public:
  explicit CallHere(char const* name);
  /// Of a collective.
  CallHere(char const* name, MPI_Comm comm, std::int64_t bytes);
  CallHere(CallHere const&) = delete;
  CallHere& operator=(CallHere const&) = delete;
  ~CallHere();
};

/// The sums of each collective and group of ranks, the longest time first.
std::vector<CollectiveCalls> collective_calls();
/// Each call, by rank and time, from `start` on.
std::vector<CallSpan> call_spans(Seconds start);

/// To be called when a communicator ends, as SMPI may give another one its handle.
void forget_communicator(MPI_Comm comm);

/// From the first rank's MPI_Pcontrol(1) to the last one's MPI_Pcontrol(0) or end, summed over such regions; unset
/// where no rank has called MPI_Pcontrol(1). To be called when all ranks have ended, at `end`.
std::optional<Seconds> timed_regions(Seconds end);

}  // namespace rondo

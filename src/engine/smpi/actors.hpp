#pragma once

// The ranks of SimGrid's actors. SMPI numbers actors in its own way, and calls back without saying which rank runs.
// All ranks are actors of one process, so a crash of the process does not tell which rank caused it;
// report_rank_of_crash() makes the process name the rank.

#include <functional>

#include "base/ids.hpp"

namespace rondo {

/// Notes, in a process that simulates, that SimGrid's actor with this number is this rank.
void note_actor(long pid, Rank rank);

/// The rank of the actor with this number; -1 if it is no rank.
int rank_of_actor(long pid);

/// The rank that runs now; -1 if none does. It allocates no memory, so a signal handler may call it.
int rank_here();

/// From now on `work` is called, with the rank, whenever the code of a rank goes on: at the end of each MPI call.
void call_when_resumed(std::function<void(Rank)> work);
/// Called where SMPI lets a rank go on.
void tell_resumed();

/// From here on a fatal signal (of memory, arithmetic, an illegal instruction or abort) first prints the rank that was
/// running on standard error (crash_line of engine/answer.hpp); nothing if no rank was. The previous handler then
/// handles it. Must be called once, after SimGrid's engine has been made, which installs a handler of its own.
void report_rank_of_crash();

}  // namespace rondo

#pragma once

#include <functional>

#include "base/ids.hpp"

namespace rondo {

/// In a process that simulates: the actor of SimGrid with this number is that rank.
void note_actor(long pid, Rank rank);

/// The rank that the actor with this number is; -1 where it is none.
int rank_of_actor(long pid);

/// The rank that runs now; -1 where none does. Takes no memory, so that a handler of signals may ask.
int rank_here();

/// From now on called whenever the code of a rank goes on, with that rank: at the end of each MPI call.
void call_when_resumed(std::function<void(Rank)> work);
/// To be called where SMPI lets a rank go on.
void tell_resumed();

}  // namespace rondo

#pragma once

#include "base/ids.hpp"

namespace rondo {

/// In a process that simulates: the actor of SimGrid with this number is that rank.
void note_actor(long pid, Rank rank);

/// The rank that the actor with this number is; -1 where it is none.
int rank_of_actor(long pid);

/// The rank that runs now; -1 where none does. Takes no memory, so that a handler of signals may ask.
int rank_here();

}  // namespace rondo

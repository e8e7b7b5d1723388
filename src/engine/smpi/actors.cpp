// Maps the numbers of actors to ranks.

#include "engine/smpi/actors.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <utility>
#include <vector>

namespace rondo {

namespace {

std::vector<int> ranks_of_actors;  // by the actor's number; -1 for what is no rank
std::function<void(Rank)> resumed;

}  // namespace

void note_actor(long pid, Rank rank) {
  auto const place = static_cast<std::size_t>(pid);
  if (place >= ranks_of_actors.size()) ranks_of_actors.resize(place + 1, -1);
  ranks_of_actors[place] = rank.value;
}

int rank_of_actor(long pid) {
  auto const place = static_cast<std::size_t>(pid);
  return pid >= 0 && place < ranks_of_actors.size() ? ranks_of_actors[place] : -1;
}

int rank_here() { return rank_of_actor(simgrid::s4u::this_actor::get_pid()); }

void call_when_resumed(std::function<void(Rank)> work) { resumed = std::move(work); }

void tell_resumed() {
  if (!resumed) return;
  if (int const rank = rank_here(); rank >= 0) resumed(Rank(rank));
}

}  // namespace rondo

#include "engine/smpi/actors.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <vector>

namespace rondo {

namespace {

std::vector<int> rank_of_actor;  // by the actor's number; -1 for what is no rank

}  // namespace

void note_actor(long pid, Rank rank) {
  auto const place = static_cast<std::size_t>(pid);
  if (place >= rank_of_actor.size()) rank_of_actor.resize(place + 1, -1);
  rank_of_actor[place] = rank.value;
}

int rank_here() {
  auto const place = static_cast<std::size_t>(simgrid::s4u::this_actor::get_pid());
  return place < rank_of_actor.size() ? rank_of_actor[place] : -1;
}

}  // namespace rondo

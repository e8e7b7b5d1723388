// The options of common_neighbors, which several kinds of collectives have.

#include "scenario/kinds.hpp"

namespace rondo::scenario {

Table<problem::CommonNeighbors> const& common_neighbors_keys() {
  using problem::CommonNeighbors;
  static Table<CommonNeighbors> const table = {
      key("theta", &CommonNeighbors::theta, integer(2, 16777216),
          "the number of common neighbors that makes two ranks friends, who may combine messages"),
      key("tie", &CommonNeighbors::tie, word<problem::FriendTie>(),
          "which friend a rank chooses if several have the same number of common neighbors: the one with the highest "
          "or the lowest rank"),
      key("suitors", &CommonNeighbors::suitors, word<problem::Suitors>(),
          "which friends a rank may accept of those that chose it: literal (by default), those that it has not removed "
          "from its own list; active, all that are neither paired nor finished, as in the author's code"),
      key("half", &CommonNeighbors::half, word<problem::Half>(),
          "whether the lower rank of a pair serves the smaller (floor) or the larger half (ceil) of the common "
          "neighbors"),
      key("cumulative", &CommonNeighbors::combining,
          flag_of<problem::Combining::single, problem::Combining::cumulative>(),
          "whether messages that were combined in an earlier iteration are combined again"),
  };
  return table;
}

}  // namespace rondo::scenario

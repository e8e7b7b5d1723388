// From a torus to a mesh. The schedule, in which all ranks do the same, is replayed once, relative to a rank. This
// tells for each place which block lies there, how far it has come from its origin, and for which neighbors it is
// there. At a rank of the mesh, a move is left out if the origin of the block, or all its targets, would lie outside.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/text.hpp"
#include "generate/generate.hpp"
#include "topology/torus.hpp"

namespace rondo::generate {
namespace {

using Vector = std::vector<int>;

Vector sum(Vector a, std::span<int const> b, int sign) {
  for (std::size_t j = 0; j < a.size(); ++j) a[j] += sign * b[j];
  return a;
}

/// The stop of a block at a place, from its arrival on.
struct BlockStop {
  Vector way;              ///< the offset from its origin to the rank
  int before = -1;         ///< the number of the stop from which it was sent or copied
  std::vector<int> goals;  ///< the neighbors for which it is there, either on its way or at its target
};

/// All stops of blocks in a schedule in which all ranks do the same. `moved` has the stop that each place of a receive
/// begins, and `copied` the stop that each copy begins, in the order of the program. The k-th place of a send begins
/// the same stop at its target as the k-th place of the receive that meets it.
struct History {
  std::vector<BlockStop> stops;
  std::vector<int> moved, copied;
};

/// Replays the schedule. Goals are first known at receive slots, and are then passed back along the moves.
class Replay {
 public:
  /// Follows each block from the send buffer to the receive slots. Then goals are passed back, from each stop to the
  /// one before it.
  Replay(Schedule const& schedule, int neighbors) : schedule_(schedule), program_(schedule.programs.at(0)) {
    std::uint32_t const slots = program_.layout()[Buffer::send].slots;
    for (std::uint32_t slot = 0; slot < slots; ++slot) begin(send_slot(slot), {Vector(dimensions(), 0), -1, {}});
    for (int round = 0; round <= program_.rounds(); ++round) replay(round);
    for (int i = 0; i < neighbors; ++i) stop_at(receive_slot(static_cast<std::uint32_t>(i))).goals.push_back(i);
    for (auto stop = history_.stops.rbegin(); stop != history_.stops.rend(); ++stop) {
      if (stop->before < 0) continue;
      std::vector<int>& goals = history_.stops[at(stop->before)].goals;
      goals.insert(goals.end(), stop->goals.begin(), stop->goals.end());
    }
  }

  History history() && { return std::move(history_); }

 private:
  std::size_t dimensions() const { return schedule_.torus->extents().size(); }
  std::span<int const> offset(Transfer const& transfer) const {
    return std::span(schedule_.offsets).subspan(at(transfer.peer) * dimensions(), dimensions());
  }
  BlockStop& stop_at(Place place) { return history_.stops[at(lies_.at(place))]; }

  int begin(Place place, BlockStop stop) {
    history_.stops.push_back(std::move(stop));
    return lies_[place] = static_cast<int>(history_.stops.size()) - 1;
  }

  /// A send and the receive of the same index belong together, since all ranks do the same.
  void replay(int round) {
    auto const sends = program_.sends(round);
    auto const receives = program_.receives(round);
    expects(sends.size() == receives.size(), "a schedule in which all ranks do the same");
    std::vector<BlockStop> coming;
    for (Transfer const& send : sends) {
      for (Place const place : program_.places(send)) {
        int const before = lies_.at(place);
        coming.push_back({sum(history_.stops[at(before)].way, offset(send), +1), before, {}});
      }
    }
    std::size_t next = 0;
    for (std::size_t k = 0; k < receives.size(); ++k) {
      expects(sum(Vector(offset(sends[k]).begin(), offset(sends[k]).end()), offset(receives[k]), +1) ==
                  Vector(dimensions(), 0),
              "receives in the order of the sends that they meet");
      for (Place const place : program_.places(receives[k])) {
        history_.moved.push_back(begin(place, std::move(coming[next++])));
      }
    }
    for (Copy const& copy : program_.copies(round)) {
      int const before = lies_.at(copy.from);
      history_.copied.push_back(begin(copy.into, {history_.stops[at(before)].way, before, {}}));
    }
  }

  Schedule const& schedule_;
  Program const& program_;
  std::map<Place, int> lies_;  ///< by place: the number of the stop of the block that lies there
  History history_;
};

/// Whether coordinates lie in the mesh; dimensions that are closed have no border.
bool inside(Torus const& torus, Boundary const& boundary, Vector const& coordinates) {
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    if (boundary.closes(j)) continue;
    if (coordinates[j] < 0 || coordinates[j] >= torus.extents()[j]) return false;
  }
  return true;
}

/// A route that stays in the box between origin and target stays inside every mesh that contains both. Throws if the
/// stop is outside of this box.
void expect_between(BlockStop const& stop, Boundary const& boundary, Neighborhood const& neighborhood) {
  for (int const goal : stop.goals) {
    for (std::size_t j = 0; j < stop.way.size(); ++j) {
      int const c = neighborhood[goal][j];
      if (boundary.closes(j) || (std::min(0, c) <= stop.way[j] && stop.way[j] <= std::max(0, c))) continue;
      throw InputError(fmt::format("the block for neighbor ({}) would pass ({}), which may lie outside a mesh",
                                   listed(neighborhood[goal], ", "), listed(stop.way, ", ")));
    }
  }
}

/// Writes the program of a rank: the moves of the common program whose blocks exist.
class MeshProgram {
 public:
  MeshProgram(Schedule const& schedule, History const& history, Boundary const& boundary,
              Neighborhood const& neighborhood, Rank rank)
      : torus_(*schedule.torus),
        boundary_(boundary),
        all_(schedule.programs[0]),
        history_(history),
        neighborhood_(neighborhood),
        rank_(torus_.coordinates(rank)),
        builder_(all_.layout()) {}

  /// Writes the moves that still exist at this rank, round by round.
  Program write() && {
    for (int round = 0; round <= all_.rounds(); ++round) {
      if (round > 0) builder_.begin_round();
      for (Transfer const& receive : all_.receives(round)) {
        auto const into = existing(receive, next_received_, [](BlockStop const& stop) { return stop.way; });
        if (!into.empty()) builder_.receive(receive.peer, into);
      }
      for (Transfer const& send : all_.sends(round)) {
        auto const from =
            existing(send, next_sent_, [&](BlockStop const& stop) { return history_.stops[at(stop.before)].way; });
        if (!from.empty()) builder_.send(send.peer, from);
      }
      for (Copy const& copy : all_.copies(round)) {
        BlockStop const& stop = history_.stops[at(history_.copied[next_copied_++])];
        if (exists(stop, stop.way)) builder_.copy(copy.from, copy.into);
      }
    }
    return std::move(builder_).finish();
  }

 private:
  /// Whether the block of a stop exists in the mesh. `way`: the offset from its origin to this rank.
  bool exists(BlockStop const& stop, Vector const& way) const {
    Vector const origin = sum(rank_, way, -1);
    return inside(torus_, boundary_, origin) && std::any_of(stop.goals.begin(), stop.goals.end(), [&](int goal) {
             return inside(torus_, boundary_, sum(origin, neighborhood_[goal], +1));
           });
  }

  /// The places of a transfer whose blocks exist. `way_of`: the offset of a moved block from its origin to this rank.
  template <typename WayOf>
  std::vector<Place> existing(Transfer const& transfer, std::size_t& next, WayOf const& way_of) {
    std::vector<Place> result;
    for (Place const place : all_.places(transfer)) {
      BlockStop const& stop = history_.stops[at(history_.moved[next++])];
      if (exists(stop, way_of(stop))) result.push_back(place);
    }
    return result;
  }

  Torus const& torus_;
  Boundary const& boundary_;
  Program const& all_;
  History const& history_;
  Neighborhood const& neighborhood_;
  Vector rank_;
  ProgramBuilder builder_;
  std::size_t next_received_ = 0, next_sent_ = 0, next_copied_ = 0;
};

/// The distances of a rank from all sides, at most `farthest`. Ranks with equal distances follow the same program.
Vector sides(Torus const& torus, Boundary const& boundary, int farthest, Rank rank) {
  Vector result;
  Vector const coordinates = torus.coordinates(rank);
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    if (boundary.closes(j)) continue;
    result.push_back(std::min(coordinates[j], farthest));
    result.push_back(std::min(torus.extents()[j] - 1 - coordinates[j], farthest));
  }
  return result;
}

}  // namespace

/// The schedule of the mesh: one program for each distance from the borders that makes a difference.
Schedule isomorphic_on_mesh(Schedule const& periodic, Neighborhood const& neighborhood, Boundary const& boundary) {
  expects(periodic.torus && periodic.programs.size() == 1, "a schedule in which all ranks do the same");
  History const history = Replay(periodic, neighborhood.size()).history();
  int farthest = 0;
  for (BlockStop const& stop : history.stops) {
    expect_between(stop, boundary, neighborhood);
    for (int const goal : stop.goals) {
      if (!fits(*periodic.torus, neighborhood[goal], boundary)) continue;
      for (int const c : neighborhood[goal]) farthest = std::max(farthest, std::abs(c));
    }
  }
  Schedule result = periodic;
  result.programs.clear();
  std::map<Vector, std::uint32_t> program_of_sides;
  for (int r = 0; r < periodic.ranks; ++r) {
    auto const program = static_cast<std::uint32_t>(result.programs.size());
    auto const [entry, first] =
        program_of_sides.try_emplace(sides(*periodic.torus, boundary, farthest, Rank(r)), program);
    if (first) result.programs.push_back(MeshProgram(periodic, history, boundary, neighborhood, Rank(r)).write());
    result.program_of.push_back(entry->second);
  }
  return result;
}

/// The program of one rank.
Program isomorphic_on_mesh(Schedule const& periodic, Neighborhood const& neighborhood, Rank rank,
                           Boundary const& boundary) {
  expects(periodic.torus && periodic.programs.size() == 1, "a schedule in which all ranks do the same");
  History const history = Replay(periodic, neighborhood.size()).history();
  for (BlockStop const& stop : history.stops) expect_between(stop, boundary, neighborhood);
  return MeshProgram(periodic, history, boundary, neighborhood, rank).write();
}

}  // namespace rondo::generate

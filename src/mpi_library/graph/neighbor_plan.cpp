// Chooses and prepares the algorithm of a neighborhood collective (neighbor_plan.hpp).

#include "mpi_library/graph/neighbor_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/ids.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/graph/cartesian_graph.hpp"
#include "mpi_library/graph/combining_graph.hpp"
#include "mpi_library/isomorphic/iso_comm.hpp"

namespace rondo::mpi {
namespace {

using Sizes = std::vector<Bytes>;

/// The estimated time of look_for_common_neighbors, as a number of naive calls, if no rank has more edges than this. On
/// random graphs of 16 ranks with 7 to 15 edges the search takes as long as up to 28 calls.
double calls_per_search(int edges) { return 8 * std::bit_width(static_cast<unsigned>(edges)); }

/// The sizes as schedule_of_all expects them: an all-to-all has one size for each neighbor.
Sizes size_of_each(CartesianGraph const& grid, NeighborCollective kind, Sizes const& sizes) {
  if (kind == NeighborCollective::allgather || sizes.size() != 1) return sizes;
  return Sizes(at(grid.isomorphic.neighborhood.size()), sizes.front());
}

/// The work of message combining along the dimensions of the grid.
NeighborWork combined_work(CartesianGraph const& grid, NeighborCollective kind, Sizes const& sizes) {
  Schedule const schedule = schedule_of_all(grid.isomorphic, kind, size_of_each(grid, kind, sizes));
  return sum(work_by_round(schedule.programs.front()));
}

/// The work of `naive` on a grid: a message for each neighbor.
NeighborWork separate_work(CartesianGraph const& grid, Sizes const& sizes) {
  NeighborWork work;
  Neighborhood const& neighborhood = grid.isomorphic.neighborhood;
  for (int i = 0; i < neighborhood.size(); ++i) {
    if (grid.isomorphic.torus.is_self(neighborhood[i])) continue;
    work.messages += 1;
    work.bytes += static_cast<double>(sizes[sizes.size() == 1 ? 0 : at(i)].value);
  }
  return work;
}

/// The number of the first call in which ranks agree. A naive call costs the busiest rank a start-up for each of its
/// edges. An agreement costs two start-ups for each level of a binomial tree. Off the grid, the first agreement also
/// needs the search for common neighbors, which costs as much as calls_per_search() calls. The number is chosen so that
/// these costs are 5 % of the time of the calls before.
std::uint32_t calls_before_agreement(AttachedTopology const& home, bool on_grid) {
  int const ranks = size_of(home.comm->handle());
  int const edges = std::max(1, home.most_edges);
  double const levels = std::bit_width(static_cast<unsigned>(ranks - 1));
  double const startups = 2 * levels + (on_grid ? 0 : calls_per_search(edges) * edges);
  return std::max(1U, static_cast<std::uint32_t>(std::ceil(startups / (0.05 * edges))));
}

/// An algorithm that the ranks may agree on, and their statements about the sizes of its blocks.
class CombiningDecision {
 public:
  /// Takes the named algorithm, or the combining one that the graph allows.
  CombiningDecision(AttachedTopology& home, NeighborTraits const& traits) : home_(home), traits_(traits) {
    NeighborAlgorithm const named = home.tuning.algorithm;
    automatic_ = named == NeighborAlgorithm::automatic;
    algorithm_ = named;
    if (automatic_) algorithm_ = grid() ? NeighborAlgorithm::dimension_wise : NeighborAlgorithm::common_neighbors;
    if (named == NeighborAlgorithm::dimension_wise && !grid()) algorithm_ = NeighborAlgorithm::naive;
  }

  /// The sizes of the blocks, if this call combines messages; unset if it is naive. Collective in the calls in which
  /// ranks agree. `failure` is the error in this rank's arguments, or MPI_SUCCESS.
  std::optional<Sizes> sizes(NeighborSlots const& blocks, int failure) {
    if (!possible()) return std::nullopt;
    StatedSizes stated(dimension_wise() && traits_.kind == NeighborCollective::alltoall && !traits_.one_size
                           ? at(grid()->isomorphic.neighborhood.size())
                           : 1);
    if (failure == MPI_SUCCESS) state(stated, blocks);
    // In other calls the last agreement stays valid.
    bool const agrees =
        traits_.form == NeighborForm::persistent || !traits_.one_size || (automatic_ && next_agreement());
    if (!agrees) return automatic_ && !cached().combined ? std::nullopt : std::optional(stated.own());
    std::optional<Sizes> agreed = stated.agreed(home_.comm->handle(), home_.next_tag(), failure == MPI_SUCCESS);
    if (agreed && !pays(*agreed)) agreed.reset();
    if (automatic_ && traits_.form == NeighborForm::blocking) cached().combined = agreed.has_value();
    return agreed;
  }

  /// The schedule for these sizes. The last one is kept, because most programs call with the same sizes again.
  std::shared_ptr<Schedule const> schedule(Sizes const& sizes) {
    CachedPlan& last = cached();
    if (last.schedule == nullptr || last.algorithm != algorithm_ || last.sizes != sizes) {
      last.algorithm = algorithm_;
      last.sizes = sizes;
      last.schedule = std::make_shared<Schedule const>(
          dimension_wise() ? own_schedule(grid()->isomorphic, traits_.kind, size_of_each(*grid(), traits_.kind, sizes))
                           : own_program_schedule(sizes.front()));
    }
    return last.schedule;
  }

  SlotTable slots(Schedule const& schedule, NeighborSlots const& blocks, Sizes const& sizes) const {
    Layout const& layout = schedule.programs.front().layout();
    if (!dimension_wise()) return {layout, blocks.send, blocks.receive, {}};
    return on_grid(layout, blocks, sizes);
  }

 private:
  CartesianGraph const* grid() const { return home_.topology->grid.get(); }
  bool dimension_wise() const { return algorithm_ == NeighborAlgorithm::dimension_wise; }
  CachedPlan& cached() const {
    auto& found = home_.cached[static_cast<std::size_t>(traits_.kind)];
    if (found == nullptr) found = std::make_shared<CachedPlan>();
    return *found;
  }
  /// Whether this call is number `first`, 2 `first`, 4 `first`, ... From one agreement to the next the time that the
  /// calls have taken at least doubles, so all agreements together take at most 5 % of it.
  bool next_agreement() const {
    std::uint32_t const calls = ++cached().calls, first = calls_before_agreement(home_, dimension_wise());
    return calls % first == 0 && std::has_single_bit(calls / first);
  }

  /// Whether the algorithm is possible, by facts that all ranks know to be the same.
  bool possible() const {
    if (algorithm_ == NeighborAlgorithm::naive) return false;
    if (automatic_ && (traits_.form != NeighborForm::blocking || !traits_.one_size)) return false;
    if (automatic_ && home_.tuning.startups == Startups::overlapping) return false;
    if (traits_.form == NeighborForm::non_blocking && !traits_.one_size) return false;
    if (!dimension_wise() && home_.combining != nullptr && !can_combine()) return false;
    if (!automatic_) return true;
    if (!cached().may_be_faster) cached().may_be_faster = may_be_faster();
    return *cached().may_be_faster;
  }

  /// Whether messages can be combined. To be called only after the search for common neighbors.
  bool can_combine() const { return !home_.combining->repeated || traits_.kind == NeighborCollective::allgather; }

  /// Whether combining can be faster than one message per edge, for some size of blocks.
  bool may_be_faster() const {
    // Two ranks are friends if they have theta common neighbors, so some rank must have at least theta edges.
    if (!dimension_wise()) return home_.most_edges >= problem::CommonNeighbors().theta;
    Sizes const ones(1, Bytes(1));
    NeighborWork const combined = combined_work(*grid(), traits_.kind, ones), separate = separate_work(*grid(), ones);
    return combined.messages < separate.messages || combined.bytes < separate.bytes;
  }

  /// Enters the sizes that this rank sends and expects into `stated`.
  void state(StatedSizes& stated, NeighborSlots const& blocks) const {
    ProcessTopology const& topology = *home_.topology;
    bool const each = stated.blocks() != 1;
    for (std::size_t i = 0; i < topology.targets.ranks.size(); ++i) {
      if (topology.targets.ranks[i] < 0) continue;
      stated.state(each ? at(grid()->targets[i]) : 0,
                   blocks.send[traits_.kind == NeighborCollective::allgather ? 0 : i].bytes);
    }
    for (std::size_t j = 0; j < topology.sources.ranks.size(); ++j) {
      if (topology.sources.ranks[j] >= 0) stated.state(each ? at(grid()->sources[j]) : 0, blocks.receive[j].bytes);
    }
  }

  /// Collective. Whether this call combines messages. A named algorithm does so whenever it is possible; the automatic
  /// one only if it is faster in the linear model.
  bool pays(Sizes const& sizes) {
    if (dimension_wise()) {
      return !automatic_ || combining_is_faster(combined_work(*grid(), traits_.kind, sizes),
                                                separate_work(*grid(), sizes), home_.tuning.startup_bytes);
    }
    // At most half of the messages can be saved (docs/notes.md#half-of-the-messages), at the price of at least one
    // more block. If that cannot pay, the ranks need not ask each other.
    auto const block = static_cast<double>(sizes.front().value);
    if (automatic_ && block >= home_.tuning.startup_bytes * home_.most_edges / 2) return false;
    look_for_common_neighbors(home_);
    CombiningGraph const& graph = *home_.combining;
    if (!can_combine()) return false;
    bool const allgather = traits_.kind == NeighborCollective::allgather;
    return !automatic_ || combining_is_faster(scaled(allgather ? graph.allgather : graph.alltoall, sizes.front()),
                                              scaled(graph.separate, sizes.front()), home_.tuning.startup_bytes);
  }

  /// A schedule that has only the program of this rank. Every rank makes its own.
  Schedule own_program_schedule(Bytes block) const {
    Schedule schedule;
    Rank const self(rank_in(home_.comm->handle()));
    schedule.ranks = size_of(home_.comm->handle());
    schedule.promises = {0, Links::any};
    schedule.programs = {combined_program(traits_.kind, *home_.topology, home_.combining->pattern, self, block)};
    return schedule;
  }

  /// The slots of a schedule on a grid. Neighbors that the graph lacks get slots of the same size
  /// without memory, and are owed nothing.
  SlotTable on_grid(Layout const& layout, NeighborSlots const& blocks, Sizes const& sizes) const {
    auto const neighbors = at(grid()->isomorphic.neighborhood.size());
    auto const size = [&](std::size_t i) { return sizes[sizes.size() == 1 ? 0 : i]; };
    NeighborSlots all;
    for (std::size_t i = 0; i < neighbors; ++i) all.receive.push_back(nowhere(size(i)));
    all.send = all.receive;
    bool const allgather = traits_.kind == NeighborCollective::allgather;
    if (allgather) all.send.resize(1);
    for (std::size_t k = 0; k < grid()->targets.size(); ++k) {
      int const target = grid()->targets[k];
      if (target >= 0) all.send[allgather ? 0 : at(target)] = blocks.send[allgather ? 0 : k];
    }
    std::vector<bool> owed(neighbors, false);
    for (std::size_t k = 0; k < grid()->sources.size(); ++k) {
      int const source = grid()->sources[k];
      if (source < 0) continue;
      all.receive[at(source)] = blocks.receive[k];
      owed[at(source)] = true;
    }
    std::vector<int> unowed;
    for (std::size_t i = 0; i < neighbors; ++i) {
      if (!owed[i]) unowed.push_back(static_cast<int>(i));
    }
    return {layout, std::move(all.send), std::move(all.receive), unowed};
  }

  AttachedTopology& home_;
  NeighborTraits const& traits_;
  NeighborAlgorithm algorithm_;
  bool automatic_;
};

}  // namespace

/// Unset if the call is naive: if naive was chosen, if combining is impossible or was not faster when ranks last
/// agreed, if the sizes of ranks differ, or if the arguments of a rank are wrong.
std::optional<CombinedPlan> combined_plan(AttachedTopology& home, NeighborTraits const& traits,
                                          NeighborSlots const& blocks, int failure) {
  CombiningDecision combining(home, traits);
  auto const sizes = combining.sizes(blocks, failure);
  if (!sizes) return std::nullopt;
  auto schedule = combining.schedule(*sizes);
  SlotTable slots = combining.slots(*schedule, blocks, *sizes);
  return CombinedPlan{std::move(schedule), std::move(slots)};
}

}  // namespace rondo::mpi

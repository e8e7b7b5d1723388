#pragma once

// Code that the generators on a process graph share. NeighborBlocks hides the differences between allgather and
// all-to-all, and FirstStoresThenJoins the joins of reductions. Only the neighbor_* files, neighbor.cpp and
// lanes_allgather_reduction.cpp include it.

#include <vector>

#include "base/error.hpp"
#include "generate/generate.hpp"

namespace rondo::generate {

using problem::NeighborCollective;

/// The places and sizes of the blocks of a graph's edges.
class NeighborBlocks {
 public:
  /// The problem must outlive this object.
  explicit NeighborBlocks(problem::Neighbor const& problem)
      : graph_(graph_of(problem.graph)), kind_(problem.collective), sizes_(problem.sizes) {
    auto const ranks = static_cast<std::size_t>(graph_.ranks());
    auto const blocks = kind_ == NeighborCollective::allgather ? ranks : static_cast<std::size_t>(graph_.edges());
    expects(sizes_.each.empty() || sizes_.each.size() == blocks, "no sizes, or one for each block");
  }

  ProcessGraph const& graph() const { return graph_; }
  NeighborCollective kind() const { return kind_; }
  /// The place in the send buffer of the block that goes to the target with this index.
  Place place(std::uint32_t target) const { return send_slot(kind_ == NeighborCollective::allgather ? 0 : target); }
  /// The size of the block for a target; in an allgather it does not depend on the target.
  Bytes size(Rank source, std::uint32_t target) const {
    if (sizes_.each.empty()) return sizes_.block;
    auto const rank = static_cast<std::size_t>(source.value);
    return sizes_
        .each[kind_ == NeighborCollective::allgather ? rank
                                                     : static_cast<std::size_t>(graph_.first_edge(source)) + target];
  }
  /// Whether the block of this receive slot comes with that of the previous slot, because parallel edges share a
  /// message.
  bool comes_with_previous(Rank rank, std::uint32_t slot) const {
    auto const sources = graph_.sources(rank);
    return kind_ == NeighborCollective::allgather && slot > 0 && slot < sources.size() &&
           sources[slot].rank == sources[slot - 1].rank;
  }

  /// The buffers of a rank. `intermediate` has the sizes of the slots of the intermediate buffer.
  Layout layout(Rank rank, std::vector<Bytes> intermediate = {}) const {
    Layout layout{sizes_.block, {}};
    std::vector<Bytes> sent;
    std::vector<Bytes> received;
    auto const targets =
        kind_ == NeighborCollective::allgather ? 1u : static_cast<std::uint32_t>(graph_.targets(rank).size());
    for (std::uint32_t i = 0; i < targets; ++i) sent.push_back(size(rank, i));
    for (Neighbor const& source : graph_.sources(rank)) received.push_back(size(source.rank, source.slot));
    fill(layout[Buffer::send], std::move(sent));
    fill(layout[Buffer::receive], std::move(received));
    fill(layout[Buffer::intermediate], std::move(intermediate));
    return layout;
  }

  /// The copies of round 0, which carry the blocks of self loops.
  void copy_self_loops(ProgramBuilder& builder, Rank rank) const {
    auto const targets = graph_.targets(rank);
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      if (targets[i].rank == rank) builder.copy(place(i), receive_slot(targets[i].slot));
    }
  }

 private:
  void fill(BufferLayout& buffer, std::vector<Bytes> sizes) const {
    buffer.slots = static_cast<std::uint32_t>(sizes.size());
    if (!sizes_.each.empty()) buffer.sizes = std::move(sizes);
  }

  ProcessGraph const& graph_;
  NeighborCollective kind_;
  BlockSizes const& sizes_;
};

/// Says how the next block that arrives in a rank's receive slot is treated: the first block is stored, and every later
/// one is joined with the slot.
class FirstStoresThenJoins {
 public:
  Join next() {
    Join const join = begun_ ? Join::after : Join::none;
    begun_ = true;
    return join;
  }

 private:
  bool begun_ = false;
};

/// A schedule in which each rank follows its own program.
inline Schedule schedule_of(std::vector<ProgramBuilder> builders) {
  Schedule schedule;
  schedule.ranks = static_cast<int>(builders.size());
  schedule.promises = {0, Links::any};  // unlimited ports
  for (std::uint32_t rank = 0; rank < builders.size(); ++rank) {
    schedule.programs.push_back(std::move(builders[rank]).finish());
    schedule.program_of.push_back(rank);
  }
  return schedule;
}

}  // namespace rondo::generate

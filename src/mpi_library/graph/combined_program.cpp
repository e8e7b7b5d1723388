// Writes the program of a rank for message combining over common neighbors. Its rounds follow the iterations of the
// pattern: an exchange with a friend, then messages to common neighbors; what is left goes directly.

#include "mpi_library/graph/combined_program.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/index.hpp"

namespace rondo::mpi {
namespace {

using Kind = NeighborCollective;

/// By neighbor, its slots in the order in which its edges match.
using SlotsOf = std::map<Rank, std::vector<std::uint32_t>>;

/// Writes the program of this rank alone; no rank knows the whole graph.
class CombinedProgram {
 public:
  /// Lays out the rank's slots.
  CombinedProgram(Kind kind, ProcessTopology const& topology, LocalPattern const& pattern, Rank self, Bytes block)
      : kind_(kind), pattern_(pattern), builder_(layout(kind, topology, pattern, block)) {
    for (std::uint32_t i = 0; i < at(topology.outdegree()); ++i) {
      sends_[Rank(topology.targets.ranks[i])].push_back(kind == Kind::allgather ? 0 : i);
    }
    for (int k = 0; k < topology.indegree(); ++k) {
      auto const j = at(topology.receive_order(k));
      receives_[Rank(topology.sources.ranks[j])].push_back(static_cast<std::uint32_t>(j));
    }
    copy_self_loops(self);
  }

  /// The rounds: an exchange with the friend of each iteration, then messages to the targets that are left.
  Program write() && {
    std::uint32_t waiting = 0;
    for (LocalIteration const& iteration : pattern_.iterations) {
      std::uint32_t const first = waiting;
      builder_.begin_round();
      if (iteration.partner) waiting += exchange(iteration, first);
      builder_.begin_round();
      deliver(iteration, first);
    }
    builder_.begin_round();
    for (Rank const source : pattern_.sources) receive(source, {source});
    for (Rank const target : pattern_.targets) {
      Place const from = own_block(target);
      builder_.send(target.value, {&from, 1});
    }
    return std::move(builder_).finish();
  }

 private:
  /// The slots of the rank. A block that a friend handed over waits in the intermediate buffer.
  static Layout layout(Kind kind, ProcessTopology const& topology, LocalPattern const& pattern, Bytes block) {
    Layout result{block, {}};
    std::size_t waiting = 0;
    for (LocalIteration const& each : pattern.iterations) {
      if (each.partner) waiting += kind == Kind::allgather ? 1 : each.onloads.size();
    }
    result[Buffer::send].slots = kind == Kind::allgather ? 1 : static_cast<std::uint32_t>(topology.outdegree());
    result[Buffer::receive].slots = static_cast<std::uint32_t>(topology.indegree());
    result[Buffer::intermediate].slots = static_cast<std::uint32_t>(waiting);
    return result;
  }

  void copy_self_loops(Rank self) {
    std::vector<std::uint32_t> const& from = sends_[self];
    std::vector<std::uint32_t> const& into = receives_[self];
    for (std::size_t i = 0; i < from.size(); ++i) builder_.copy(send_slot(from[i]), receive_slot(into.at(i)));
  }

  Place own_block(Rank target) const {
    auto const found = sends_.find(target);
    expects(found != sends_.end(), "an edge to each target of the pattern");
    return send_slot(found->second.front());
  }

  /// Exchanges with the friend: sends the blocks for the targets that the friend takes over, and receives as many slots
  /// for those that this rank takes over.
  std::uint32_t exchange(LocalIteration const& iteration, std::uint32_t first) {
    std::vector<Place> from, into;
    if (kind_ == Kind::allgather) {
      from = {send_slot(0)};
      into = {intermediate_slot(first)};
    } else {
      for (Rank const target : iteration.offloads) from.push_back(own_block(target));
      for (std::uint32_t i = 0; i < iteration.onloads.size(); ++i) into.push_back(intermediate_slot(first + i));
    }
    builder_.receive(iteration.partner->value, into);
    builder_.send(iteration.partner->value, from);
    return static_cast<std::uint32_t>(into.size());
  }

  /// Sends what this rank and its friend have for the targets that this rank has taken over.
  void deliver(LocalIteration const& iteration, std::uint32_t first) {
    for (auto const& [sender, partner] : iteration.incoming) receive(sender, {sender, partner});
    for (std::uint32_t i = 0; i < iteration.onloads.size(); ++i) {
      Rank const target = iteration.onloads[i];
      Place const from[] = {own_block(target), intermediate_slot(kind_ == Kind::allgather ? first : first + i)};
      builder_.send(target.value, from);
    }
  }

  /// Receives one message with a block of each origin.
  void receive(Rank sender, std::vector<Rank> const& origins) {
    std::vector<Place> into;
    for (Rank const origin : origins) {
      auto const found = receives_.find(origin);
      expects(found != receives_.end(), "an edge from each origin of the pattern");
      std::vector<std::uint32_t> const& slots = found->second;
      into.push_back(receive_slot(slots.front()));
      for (std::size_t k = 1; k < slots.size(); ++k) builder_.copy(receive_slot(slots.front()), receive_slot(slots[k]));
    }
    builder_.receive(sender.value, into);
  }

  Kind kind_;
  LocalPattern const& pattern_;
  ProgramBuilder builder_;
  SlotsOf sends_, receives_;
};

}  // namespace

Program combined_program(Kind kind, ProcessTopology const& topology, LocalPattern const& pattern, Rank self,
                         Bytes block) {
  return CombinedProgram(kind, topology, pattern, self, block).write();
}

}  // namespace rondo::mpi

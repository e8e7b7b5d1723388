// Finds common neighbors at the first call that may profit from them, and estimates the work of both algorithms. A
// rank may send and receive at the same time, so the larger direction counts. The rounds of the combined program
// follow the iterations of the pattern: an exchange with a friend, then messages to common neighbors; the other
// messages go directly.

#include "mpi_library/graph/combining_graph.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi/setup/common_neighbors.hpp"

namespace rondo::mpi {

std::vector<NeighborWork> work_by_round(Program const& program) {
  std::vector<NeighborWork> result;
  auto const work = [&](std::span<Transfer const> transfers) {
    NeighborWork all;
    for (Transfer const& each : transfers) all += {1, static_cast<double>(program.bytes(each).value)};
    return all;
  };
  for (int round = 1; round <= program.rounds(); ++round) {
    result.push_back(work(program.sends(round)));
    NeighborWork const received = work(program.receives(round));
    result.back().messages = std::max(result.back().messages, received.messages);
    result.back().bytes = std::max(result.back().bytes, received.bytes);
  }
  return result;
}

NeighborWork sum(std::vector<NeighborWork> const& rounds) {
  NeighborWork result;
  for (NeighborWork const& each : rounds) result += each;
  return result;
}

namespace {

/// Collective. Finds for each round the most messages of any rank and the most bytes of any rank, and sums both over
/// the rounds. A rank with fewer rounds has no work in the others. Throws MpiFailure.
NeighborWork sum_of_largest(std::vector<NeighborWork> mine, MPI_Comm comm) {
  int const rounds = static_cast<int>(mine.size());
  int most_rounds = 0;
  check(PMPI_Allreduce(&rounds, &most_rounds, 1, MPI_INT, MPI_MAX, comm));
  mine.resize(at(most_rounds));
  std::vector<NeighborWork> most(mine.size());
  static_assert(sizeof(NeighborWork) == 2 * sizeof(double));  // MPI takes each element as two doubles
  check(PMPI_Allreduce(mine.data(), most.data(), 2 * most_rounds, MPI_DOUBLE, MPI_MAX, comm));
  return sum(most);
}

}  // namespace

NeighborWork scaled(NeighborWork const& blocks, Bytes size) {
  return {blocks.messages, blocks.bytes * static_cast<double>(size.value)};
}

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

namespace {

/// The list without MPI_PROC_NULL.
std::vector<Rank> ranks_among(std::vector<int> const& list) {
  std::vector<Rank> result;
  for (int const rank : list) {
    if (rank >= 0) result.emplace_back(rank);
  }
  return result;
}

/// The number of edges that lead to other ranks than the rank itself.
double edges_away(std::vector<int> const& list, int self) {
  return static_cast<double>(std::ranges::count_if(list, [&](int rank) { return rank >= 0 && rank != self; }));
}

bool has_repeated(std::vector<int> const& list) {
  std::set<int> seen;
  return std::ranges::any_of(list, [&](int rank) { return rank >= 0 && !seen.insert(rank).second; });
}

}  // namespace

/// Done at the first call that needs it, because it takes messages; the result is kept with the communicator.
void look_for_common_neighbors(AttachedTopology& home) {
  if (home.combining != nullptr) return;
  ProcessTopology const& topology = *home.topology;
  auto found = std::make_shared<CombiningGraph>();
  OwnComm const own(home.comm->handle());
  found->pattern =
      common_neighbors(ranks_among(topology.targets.ranks), ranks_among(topology.sources.ranks), {}, own.handle());
  int const self = rank_in(own.handle());
  auto const work = [&](NeighborCollective kind) {
    Program const program = combined_program(kind, topology, found->pattern, Rank(self), Bytes(1));
    return sum_of_largest(work_by_round(program), own.handle());
  };
  found->allgather = work(NeighborCollective::allgather);
  found->alltoall = work(NeighborCollective::alltoall);
  double const edges = std::max(edges_away(topology.targets.ranks, self), edges_away(topology.sources.ranks, self));
  found->separate = sum_of_largest({{edges, edges}}, own.handle());
  int const mine = has_repeated(topology.targets.ranks) ? 1 : 0;
  int any = 0;
  check(PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, own.handle()));
  found->repeated = any != 0;
  home.combining = std::move(found);
}

}  // namespace rondo::mpi

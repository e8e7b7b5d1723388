// Chooses the generator of an inter-group collective, and states its promise. The allgathers between two groups on a
// fully connected machine are here too, by three algorithms [Kang19, Section III]. Each block passes from group to
// group once or a few times, and collectives within a group spread it.

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "generate/intergroup_rounds.hpp"

namespace rondo::generate {
namespace {

using namespace intergroup;

/// Lists the group of sender a_i if p < q: the sender and the receivers b_i, b_(i+p), b_(i+2p), ... [Kang19, Section
/// III].
std::vector<int> broadcast_group(Groups const& groups, int i) {
  std::vector<int> members{i};
  for (int rank = groups.senders() + i; rank < groups.ranks(); rank += groups.senders()) members.push_back(rank);
  return members;
}

/// Cuts blocks for group_allgather. They are cut only if there are fewer senders than receivers and the broadcast uses
/// segments.
Cut cut_of(Groups const& groups, BlockSizes const& sizes, Broadcast broadcast) {
  if (broadcast == Broadcast::binomial || groups.senders() >= groups.receivers()) return Cut(groups, sizes);
  std::vector<int> segments;
  for (int i = 0; i < groups.senders(); ++i) {
    segments.push_back(broadcast_segments(broadcast, static_cast<int>(broadcast_group(groups, i).size())));
  }
  return Cut::each_block(groups, sizes, segments);
}

/// Lists the pieces of each sender's block.
std::vector<PieceRange> owned_by_all(Groups const& groups, Cut const& cut) {
  std::vector<PieceRange> owned;
  for (int i = 0; i < groups.senders(); ++i) owned.push_back(cut.of_sender(i));
  return owned;
}

/// Makes the rounds for p >= q: a_i sends to b_i. Then the receivers, and the senders without a receiver, allgather.
Rounds send_and_allgather(Groups const& groups, Cut const& cut, IntraAllgather kind, int ports) {
  Rounds rounds(1);
  std::vector<int> members(static_cast<std::size_t>(groups.senders()));
  std::iota(members.begin(), members.end(), 0);
  for (int i = 0; i < groups.receivers(); ++i) {
    rounds[0].push_back({i, groups.senders() + i, {cut.of_sender(i).first}});
    members[static_cast<std::size_t>(i)] = groups.senders() + i;
  }
  append(rounds, allgather(kind, members, owned_by_all(groups, cut), ports));
  return rounds;
}

/// Makes the rounds for p < q: each sender broadcasts to its group, and then subgroups of p receivers allgather. If p
/// does not divide q, the senders a_j with j >= q mod p complete the last subgroup. They hold m_j, as the receivers
/// hold the other blocks.
Rounds broadcast_and_allgather(Groups const& groups, Cut const& cut, problem::Intergroup const& problem) {
  int const p = groups.senders();
  Rounds rounds, allgathers;
  for (int i = 0; i < p; ++i) {
    merge(rounds, broadcast(problem.broadcast, broadcast_group(groups, i), cut.of_sender(i), cut, problem.ports));
  }
  for (int first = 0; first < groups.receivers(); first += p) {
    std::vector<int> members;
    for (int j = 0; j < p; ++j) members.push_back(first + j < groups.receivers() ? p + first + j : j);
    merge(allgathers, allgather(problem.allgather, members, owned_by_all(groups, cut), problem.ports));
  }
  append(rounds, std::move(allgathers));
  return rounds;
}

/// Cuts blocks for root_gathering. The root broadcasts all blocks as one run, which is cut if the broadcast uses
/// segments.
Cut root_cut(Groups const& groups, BlockSizes const& sizes, Broadcast broadcast) {
  int const segments = broadcast_segments(broadcast, groups.receivers());
  return segments == 1 ? Cut(groups, sizes) : Cut::whole_run(groups, sizes, segments);
}

}  // namespace

/// If there are at least as many senders as receivers, each receiver first gets one block. Otherwise each sender first
/// broadcasts to some receivers. Then the receivers allgather, in subgroups if there are more than senders. Senders
/// take part in an allgather in place of receivers that it lacks.
Schedule intergroup_group_allgather(problem::Intergroup const& problem) {
  Groups const& groups = problem.groups;
  Cut const cut = cut_of(groups, problem.sizes, problem.broadcast);
  Rounds const rounds = groups.senders() >= groups.receivers()
                            ? send_and_allgather(groups, cut, problem.allgather, problem.ports)
                            : broadcast_and_allgather(groups, cut, problem);
  return schedule_of(groups, cut, rounds, {problem.ports, Links::any});
}

/// Divides the senders among the receivers as evenly as possible; then the receivers allgather. On k ports a receiver
/// gets k blocks in a round.
Schedule intergroup_receiver_allgather(problem::Intergroup const& problem) {
  Groups const& groups = problem.groups;
  expect_enough_senders(groups);
  int const p = groups.senders();
  int const q = groups.receivers();
  Cut const cut(groups, problem.sizes);
  std::vector<int> members;
  std::vector<PieceRange> owned;
  Rounds rounds;
  int next = 0;
  for (int i = 0; i < q; ++i) {
    int const first = next;
    next += p / q + (i < p % q ? 1 : 0);
    members.push_back(p + i);
    owned.push_back({cut.of_sender(first).first, cut.of_sender(next - 1).last});
    for (int s = first; s < next; ++s) {
      auto const round = static_cast<std::size_t>((s - first) / problem.ports);
      rounds.resize(std::max(rounds.size(), round + 1));
      rounds[round].push_back({s, p + i, {cut.of_sender(s).first}});
    }
  }
  append(rounds, allgather(problem.allgather, members, owned, problem.ports));
  return schedule_of(groups, cut, rounds, {problem.ports, Links::any});
}

/// Gathers all blocks at sender 0, which sends them to receiver 0 in one message. This broadcasts them to the other
/// receivers.
Schedule intergroup_root_gathering(problem::Intergroup const& problem) {
  Groups const& groups = problem.groups;
  Cut const cut = root_cut(groups, problem.sizes, problem.broadcast);
  std::vector<int> senders(static_cast<std::size_t>(groups.senders()));
  std::vector<int> receivers(static_cast<std::size_t>(groups.receivers()));
  std::iota(senders.begin(), senders.end(), 0);
  std::iota(receivers.begin(), receivers.end(), groups.senders());
  Rounds rounds = gather(senders, owned_by_all(groups, cut), problem.ports);
  std::vector<std::uint32_t> everything(cut.pieces());
  std::iota(everything.begin(), everything.end(), 0);
  append(rounds, {{{senders[0], receivers[0], std::move(everything)}}});
  append(rounds, broadcast(problem.broadcast, receivers, cut.all(), cut, problem.ports));
  return schedule_of(groups, cut, rounds, {problem.ports, Links::any});
}

std::vector<int> intergroup_pieces(problem::Intergroup const& problem) {
  switch (problem.algorithm) {
    case problem::IntergroupAlgorithm::group_allgather:
      return cut_of(problem.groups, problem.sizes, problem.broadcast).pieces_per_sender();
    case problem::IntergroupAlgorithm::root_gathering:
      return root_cut(problem.groups, problem.sizes, problem.broadcast).pieces_per_sender();
    case problem::IntergroupAlgorithm::receiver_allgather:
    case problem::IntergroupAlgorithm::ring_sequences:
    case problem::IntergroupAlgorithm::ring_allgather:
    case problem::IntergroupAlgorithm::ring_optimal:
    case problem::IntergroupAlgorithm::torus_rings:
      return {};
  }
  throw ContractViolation("an algorithm of intergroup_allgather");
}

Schedule generate(problem::Intergroup const& problem) {
  switch (problem.algorithm) {
    case problem::IntergroupAlgorithm::group_allgather:
      return intergroup_group_allgather(problem);
    case problem::IntergroupAlgorithm::receiver_allgather:
      return intergroup_receiver_allgather(problem);
    case problem::IntergroupAlgorithm::root_gathering:
      return intergroup_root_gathering(problem);
    case problem::IntergroupAlgorithm::ring_sequences:
      return intergroup_ring_sequences(problem);
    case problem::IntergroupAlgorithm::ring_allgather:
      return intergroup_ring_allgather(problem);
    case problem::IntergroupAlgorithm::ring_optimal:
      return intergroup_ring_optimal(problem);
    case problem::IntergroupAlgorithm::torus_rings:
      return intergroup_torus_rings(problem);
  }
  throw ContractViolation("an algorithm of intergroup_allgather");
}

Collective promise(problem::Intergroup const& problem) {
  return IntergroupPromise{problem.groups, intergroup_pieces(problem), problem.collective};
}

}  // namespace rondo::generate

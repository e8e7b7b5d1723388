// The building blocks of the inter-group algorithms on a fully connected machine: collectives within one group.

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/error.hpp"
#include "generate/intergroup_rounds.hpp"

namespace rondo::generate::intergroup {
namespace {

int largest_power_of_two(int n) { return static_cast<int>(std::bit_floor(static_cast<unsigned>(n))); }

/// A group of members, the pieces that each of them owns, and the messages between them. Members are numbered from 0;
/// only messages have ranks.
class Group {
 public:
  /// Keeps references to both lists.
  Group(std::vector<int> const& members, std::vector<PieceRange> const& owned) : members_(members), owned_(owned) {}

  int size() const { return static_cast<int>(members_.size()); }
  /// The pieces of `count` members from `first` on, modulo the size.
  std::vector<std::uint32_t> owned(int first, int count) const {
    std::vector<std::uint32_t> pieces;
    for (int k = 0; k < count; ++k) add(pieces, (first + k) % size());
    return pieces;
  }
  /// Appends the pieces of a member.
  void add(std::vector<std::uint32_t>& pieces, int member) const {
    PieceRange const range = owned_[at(member)];
    for (std::uint32_t piece = range.first; piece < range.last; ++piece) pieces.push_back(piece);
  }
  /// The message with segment k. Only for groups in which `owned` lists segments instead of members, as all() is.
  Message segment(int from, int to, int k) const {
    std::vector<std::uint32_t> pieces;
    add(pieces, k);
    return message(from, to, std::move(pieces));
  }
  /// The pieces of all segments.
  std::vector<std::uint32_t> all() const {
    std::vector<std::uint32_t> pieces;
    for (std::size_t k = 0; k < owned_.size(); ++k) add(pieces, static_cast<int>(k));
    return pieces;
  }
  Message message(int from, int to, std::vector<std::uint32_t> pieces) const {
    return {members_[at(from)], members_[at(to)], std::move(pieces)};
  }

 private:
  std::vector<int> const& members_;
  std::vector<PieceRange> const& owned_;
};

/// The factor by which the number of members that hold a piece grows in a round on k ports. More ports than members are
/// useless.
int growth(int n, int ports) { return 1 + std::min(ports, std::max(n - 1, 1)); }

/// Member r holds the pieces of the members r, r+1, ..., and after each round those of k + 1 times as many [Bruck97].
Rounds bruck(Group const& group, int ports) {
  int const n = group.size();
  Rounds rounds;
  for (std::int64_t held = 1; held < n; held *= growth(n, ports)) {
    auto const h = static_cast<int>(held);
    auto& round = rounds.emplace_back();
    for (int ahead = h, j = 1; ahead < n && j < growth(n, ports); ahead += h, ++j) {
      for (int r = 0; r < n; ++r) {
        round.push_back(group.message(r, (r - ahead + n) % n, group.owned(r, std::min(h, n - ahead))));
      }
    }
  }
  return rounds;
}

/// In round t each member forwards what it got in round t - 1.
Rounds ring(Group const& group) {
  int const n = group.size();
  Rounds rounds;
  for (int t = 0; t + 1 < n; ++t) {
    auto& round = rounds.emplace_back();
    for (int r = 0; r < n; ++r) round.push_back(group.message(r, (r + 1) % n, group.owned((r - t + n) % n, 1)));
  }
  return rounds;
}

/// Let c be the largest power of two that is at most n. The first c members exchange pieces. Before that, member c + i
/// gives its pieces to member i; at the end it gets the pieces of all other members from it.
Rounds recursive_doubling(Group const& group) {
  int const n = group.size();
  int const core = largest_power_of_two(n);
  int const extra = n - core;
  Rounds rounds;
  if (extra > 0) rounds.emplace_back();
  for (int i = 0; i < extra; ++i) rounds.back().push_back(group.message(core + i, i, group.owned(core + i, 1)));
  for (int width = 1; width < core; width *= 2) {
    auto& round = rounds.emplace_back();
    for (int i = 0; i < core; ++i) {
      std::vector<std::uint32_t> pieces;
      int const first = i & ~(width - 1);
      for (int k = first; k < first + width; ++k) {
        group.add(pieces, k);
        if (k < extra) group.add(pieces, core + k);
      }
      round.push_back(group.message(i, i ^ width, std::move(pieces)));
    }
  }
  if (extra > 0) rounds.emplace_back();
  for (int i = 0; i < extra; ++i) {
    rounds.back().push_back(group.message(i, core + i, group.owned((core + i + 1) % n, n - 1)));
  }
  return rounds;
}

/// Calls edge(parent, child, end) for each message down a tree in which a member serves up to k children in a round; on
/// one port it is the binomial tree. The child represents the members [child, end).
template <typename Edge>
Rounds down_the_tree(int n, int ports, Edge const& edge) {
  Rounds rounds;
  std::int64_t const base = growth(n, ports);
  std::int64_t width = 1;
  while (width * base < n) width *= base;
  for (; width >= 1 && n > 1; width /= base) {
    auto& round = rounds.emplace_back();
    for (std::int64_t r = 0; r < n; r += base * width) {
      for (std::int64_t child = r + width; child < std::min<std::int64_t>(r + base * width, n); child += width) {
        round.push_back(edge(static_cast<int>(r), static_cast<int>(child),
                             static_cast<int>(std::min<std::int64_t>(child + width, n))));
      }
    }
  }
  return rounds;
}

/// Broadcasts segments over k rotated binomial trees. In round t, with the bit t mod k, the root sends segment t. Any
/// other member whose bit is not set sends the segment that belongs to its first set bit from there on, cyclically. A
/// member whose bit is set passes on the segment of k rounds before, which all members of this kind hold. So each
/// member sends and receives at most one segment in a round. The trees have 2^k members; in one more round each further
/// member gets all segments from one of these. Here k is the number of trees, not of ports.
Rounds down_rotated_trees(std::vector<int> const& members, std::vector<PieceRange> const& segments) {
  Group const group(members, segments);
  int const core = largest_power_of_two(group.size());
  int const k = std::bit_width(static_cast<unsigned>(core)) - 1;
  int const count = static_cast<int>(segments.size());
  Rounds rounds(at(core > 2 ? count + k : k));
  for (int t = 0; t < static_cast<int>(rounds.size()); ++t) {
    int const bit = t % k;
    for (int r = 0; r < core; ++r) {
      int const to = r ^ (1 << bit);
      int segment = t - k;
      if ((r >> bit) % 2 == 0) {
        int ahead = r == 0 ? k : 1;
        while (ahead < k && (r >> ((bit + ahead) % k)) % 2 == 0) ++ahead;
        segment += ahead;
      }
      if (to != 0 && segment >= 0 && segment < count) rounds[at(t)].push_back(group.segment(r, to, segment));
    }
  }
  if (core < group.size()) rounds.emplace_back();
  for (int r = core; r < group.size(); ++r) rounds.back().push_back(group.message(r - core, r, group.all()));
  return rounds;
}

}  // namespace

void append(Rounds& rounds, Rounds later) { std::move(later.begin(), later.end(), std::back_inserter(rounds)); }

void merge(Rounds& rounds, Rounds other) {
  if (rounds.size() < other.size()) rounds.resize(other.size());
  for (std::size_t t = 0; t < other.size(); ++t) {
    std::move(other[t].begin(), other[t].end(), std::back_inserter(rounds[t]));
  }
}

Rounds allgather(IntraAllgather kind, std::vector<int> const& members, std::vector<PieceRange> const& owned,
                 int ports) {
  expects(members.size() == owned.size(), "pieces for each member");
  Group const group(members, owned);
  switch (kind) {
    case IntraAllgather::bruck:
      return bruck(group, ports);
    case IntraAllgather::recursive_doubling:
      return recursive_doubling(group);
    case IntraAllgather::ring:
      return ring(group);
  }
  throw ContractViolation("an algorithm of the intra-group allgather");
}

IntraAllgather allgather_after_scatter(Broadcast kind) {
  return kind == Broadcast::scatter_allgather ? IntraAllgather::bruck : IntraAllgather::ring;
}

int broadcast_segments(Broadcast broadcast, int n) {
  if (broadcast == Broadcast::binomial) return 1;
  if (broadcast != Broadcast::multiple_messages) return n;
  return std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(n))) - 1);
}

/// A broadcast goes down a tree, or is a scatter down the tree followed by an allgather, or sends segments down rotated
/// trees, which use a single port.
Rounds broadcast(Broadcast kind, std::vector<int> const& members, PieceRange pieces, Cut const& cut, int ports) {
  int const n = static_cast<int>(members.size());
  if (kind == Broadcast::multiple_messages)
    return down_rotated_trees(members, cut.segments(pieces, broadcast_segments(kind, n)));
  bool const whole = kind == Broadcast::binomial;
  std::vector<PieceRange> const parts = whole ? std::vector(members.size(), pieces) : cut.segments(pieces, n);
  Group const group(members, parts);
  Rounds rounds = down_the_tree(n, ports, [&](int parent, int child, int end) {
    return group.message(parent, child, group.owned(child, whole ? 1 : end - child));
  });
  if (!whole) append(rounds, allgather(allgather_after_scatter(kind), members, parts, ports));
  return rounds;
}

/// A scatter down the tree, in reverse.
Rounds gather(std::vector<int> const& members, std::vector<PieceRange> const& owned, int ports) {
  Group const group(members, owned);
  Rounds rounds = down_the_tree(group.size(), ports, [&](int parent, int child, int end) {
    return group.message(child, parent, group.owned(child, end - child));
  });
  std::reverse(rounds.begin(), rounds.end());
  return rounds;
}

}  // namespace rondo::generate::intergroup

// Collectives of two groups on a torus, by rings along one dimension after the other. A row is the set of all ranks
// with the same coordinate in the first dimension. Rows have consecutive ranks, and each group consists of whole rows.
// In collectives with a root, the root is the first rank of a row.

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "generate/intergroup_rounds.hpp"

namespace rondo::generate::intergroup {
namespace {

using Pieces = std::vector<std::uint32_t>;
using Line = std::vector<int>;  ///< ranks along a dimension

void add(Pieces& pieces, Pieces const& more) { pieces.insert(pieces.end(), more.begin(), more.end()); }

Pieces range(int first, int last) {
  Pieces pieces;
  for (int i = first; i < last; ++i) pieces.push_back(static_cast<std::uint32_t>(i));
  return pieces;
}

/// The position of the two groups on the torus.
class Rows {
 public:
  explicit Rows(problem::Intergroup const& problem)
      : torus_(problem::torus_of(problem)),
        groups_(problem.groups),
        row_(torus_.size() / torus_.extent(0)),
        sending_(groups_.senders() / row_) {}

  Torus const& torus() const { return torus_; }
  Groups const& groups() const { return groups_; }
  int row() const { return row_; }          ///< how many ranks a row has
  int sending() const { return sending_; }  ///< how many rows the senders have

  /// The lines of ranks along a dimension in [first, last), which are whole rows; along the first dimension they must
  /// be all ranks.
  std::vector<Line> lines(int first, int last, int dimension) const {
    int const stride = Rows::stride(dimension);
    int const extent = torus_.extent(dimension);
    std::vector<Line> lines;
    for (int r = first; r < last; ++r) {
      if (r / stride % extent != 0) continue;
      Line& line = lines.emplace_back();
      for (int c = 0; c < extent; ++c) line.push_back(r + c * stride);
    }
    return lines;
  }

  /// The lines along a dimension in [first, last) whose ranks have coordinate 0 in all later dimensions.
  std::vector<Line> first_lines(int first, int last, int dimension) const {
    std::vector<Line> lines = Rows::lines(first, last, dimension);
    std::erase_if(lines, [&](Line const& line) { return line[0] % stride(dimension) != 0; });
    return lines;
  }

  /// The first ranks of the row `root` and of the `count` rows before it, around the ring of rows.
  Line column_to(int root, int count) const {
    Line line;
    for (int k = 0; k <= count; ++k) line.push_back((root - k + torus_.extent(0)) % torus_.extent(0) * row_);
    return line;
  }

 private:
  int stride(int dimension) const {
    int stride = 1;
    for (int j = torus_.dimensions() - 1; j > dimension; --j) stride *= torus_.extent(j);
    return stride;
  }

  Torus torus_;
  Groups groups_;
  int row_;
  int sending_;
};

/// All members of a ring get the pieces of every member. If the number n of members is odd, members pass pieces on
/// around the ring in n - 1 rounds, those of one member at a time. If it is even, members exchange in pairs, with one
/// neighbor first and then with both neighbors in turn, and send the pieces of the two members that arrived last. This
/// takes n/2 rounds with the same total volume [Chen05].
Rounds gather_around(Line const& members, std::vector<Pieces> const& held) {
  int const n = static_cast<int>(members.size());
  Rounds rounds;
  auto const send = [&](int from, int to, Pieces pieces) {
    rounds.back().push_back({members[at(from)], members[at(to)], std::move(pieces)});
  };
  if (n % 2 != 0) {
    for (int t = 0; t + 1 < n; ++t) {
      rounds.emplace_back();
      for (int r = 0; r < n; ++r) send(r, (r + 1) % n, held[at((r - t + n) % n)]);
    }
    return rounds;
  }
  rounds.emplace_back();
  for (int r = 0; r < n; ++r) send(r, r ^ 1, held[at(r)]);
  std::vector<int> pair(at(n));  // by member, the first of the two that it sends next
  for (int r = 0; r < n; ++r) pair[at(r)] = r & ~1;
  for (int t = 1; t < n / 2; ++t) {
    rounds.emplace_back();
    std::vector<int> next(at(n));
    for (int r = 0; r < n; ++r) {
      int const to = ((r % 2 == 0) == (t % 2 == 0) ? r + 1 : r + n - 1) % n;
      Pieces both = held[at(pair[at(r)])];
      add(both, held[at(pair[at(r)] + 1)]);
      send(r, to, std::move(both));
      next[at(to)] = pair[at(r)];
    }
    pair = std::move(next);
  }
  return rounds;
}

/// All ranks of [first, last) gather along a dimension. `held` has the pieces of each rank, before and after.
Rounds gather_along(Rows const& rows, int first, int last, int dimension, std::vector<Pieces>& held) {
  Rounds rounds;
  for (Line const& line : rows.lines(first, last, dimension)) {
    std::vector<Pieces> pieces_of_member;
    Pieces all;
    for (int const member : line) {
      add(all, held[at(member)]);
      pieces_of_member.push_back(std::move(held[at(member)]));
    }
    merge(rounds, gather_around(line, pieces_of_member));
    for (int const member : line) held[at(member)] = all;
  }
  return rounds;
}

/// All ranks of [first, last) gather the blocks of the rows of `from`, along all dimensions except the first. At the
/// start each rank has the blocks of its own column.
Rounds gather_rows(Rows const& rows, int first, int last, PieceRange from) {
  std::vector<Pieces> held(at(rows.groups().ranks()));
  for (int r = first; r < last; ++r) {
    for (std::uint32_t piece = from.first; piece < from.last; piece += static_cast<std::uint32_t>(rows.row())) {
      held[at(r)].push_back(piece + static_cast<std::uint32_t>(r % rows.row()));
    }
  }
  Rounds rounds;
  for (int j = 1; j < rows.torus().dimensions(); ++j) append(rounds, gather_along(rows, first, last, j, held));
  return rounds;
}

/// The rounds of ring_optimal, in all columns at once.
Rounds in_all_columns(Rows const& rows) {
  Rounds rounds = ring_optimal({rows.sending(), rows.torus().extent(0) - rows.sending()});
  for (std::vector<Message>& round : rounds) {
    std::vector<Message> all;
    for (Message const& message : round) {
      for (int c = 0; c < rows.row(); ++c) {
        auto const piece = message.pieces[0] * static_cast<std::uint32_t>(rows.row()) + static_cast<std::uint32_t>(c);
        all.push_back({message.from * rows.row() + c, message.to * rows.row() + c, {piece}});
      }
    }
    round = std::move(all);
  }
  return rounds;
}

/// The two arms of a ring whose first member gathers: the members in each direction, from the nearest to the farthest.
/// The first arm is as long as the second one, or longer by one.
std::pair<Line, Line> arms(Line const& ring) {
  auto const middle = ring.begin() + static_cast<std::ptrdiff_t>(ring.size() / 2 + 1);
  return {{ring.begin() + 1, middle}, {ring.rbegin(), std::make_reverse_iterator(middle)}};
}

/// Moves all pieces of an arm to `root`. In each round every second member sends all pieces that it has, and the parity
/// alternates, so the pieces of two members arrive in every second round. The nearest member sends first in round
/// `start`, which is 1 or 2.
Rounds drain(int root, Line const& arm, int start, std::vector<Pieces>& held) {
  Rounds rounds;
  std::size_t left = arm.size();
  for (int t = 1; left > 0; ++t) {
    auto& round = rounds.emplace_back();
    for (std::size_t j = 0; j < arm.size(); ++j) {
      Pieces& pieces = held[at(arm[j])];
      if (pieces.empty() || (t + static_cast<int>(j) - start) % 2 != 0) continue;
      round.push_back({arm[j], j == 0 ? root : arm[j - 1], std::move(pieces)});
      pieces.clear();
    }
    for (Message const& message : round) {
      add(held[at(message.to)], message.pieces);
    }
    left = static_cast<std::size_t>(std::count_if(arm.begin(), arm.end(), [&](int r) { return !held[at(r)].empty(); }));
  }
  return rounds;
}

/// The first member gets the pieces of all members of a ring in floor(n/2) rounds, or in one more for an odd n > 1. The
/// two arms deliver alternately.
Rounds drain_ring(Line const& ring, std::vector<Pieces>& held) {
  auto const [longer, shorter] = arms(ring);
  int const start = longer.size() % 2 != 0 ? 1 : 2;
  Rounds rounds = drain(ring[0], longer, start, held);
  merge(rounds, drain(ring[0], shorter, 3 - start, held));
  return rounds;
}

/// Each member of a line passes on the pieces that the next member passed on in the previous round. The first member
/// receives them one after the other; its own pieces are not among them.
Rounds pass_on(Line const& line, std::vector<Pieces> const& held) {
  Rounds rounds;
  for (std::size_t t = 1; t < line.size(); ++t) {
    auto& round = rounds.emplace_back();
    for (std::size_t k = 1; k + t <= line.size(); ++k) {
      round.push_back({line[k], line[k - 1], held[at(line[k + t - 1])]});
    }
  }
  return rounds;
}

/// Gathers at the first rank of the row `root`. The rows of [first, last), which hold the pieces, are the rows before
/// `root`, around the ring.
Rounds gather_to(Rows const& rows, int first, int last, int root, std::vector<Pieces> held) {
  Rounds rounds;
  for (int j = rows.torus().dimensions() - 1; j >= 1; --j) {
    Rounds along;
    for (Line const& ring : rows.first_lines(first, last, j)) merge(along, drain_ring(ring, held));
    append(rounds, std::move(along));
  }
  append(rounds, pass_on(rows.column_to(root, (last - first) / rows.row()), held));
  return rounds;
}

/// Each of the n members of an arm joins the arriving vector with its own and sends once, so the root gets the
/// result in round n.
Rounds join_arm(int root, Line const& arm) {
  Rounds rounds(arm.size());
  for (std::size_t j = 0; j < arm.size(); ++j) {
    rounds[arm.size() - 1 - j].push_back({arm[j], j == 0 ? root : arm[j - 1], {0}});
  }
  return rounds;
}

/// The messages of a reduction: the routes of a gather, on which each sender sends exactly once.
Rounds join_to(Rows const& rows) {
  int const p = rows.groups().senders();
  Rounds rounds;
  for (int j = rows.torus().dimensions() - 1; j >= 1; --j) {
    Rounds along;
    for (Line const& ring : rows.first_lines(0, p, j)) {
      auto const [longer, shorter] = arms(ring);
      merge(along, join_arm(ring[0], longer));
      // The root has only one port for two arms of equal length.
      Rounds later(longer.size() == shorter.size() && !shorter.empty() ? 1 : 0);
      append(later, join_arm(ring[0], shorter));
      merge(along, std::move(later));
    }
    append(rounds, std::move(along));
  }
  Line const column = rows.column_to(rows.sending(), rows.sending());
  append(rounds, join_arm(column[0], {column.begin() + 1, column.end()}));
  return rounds;
}

/// The rounds of a gather with joins: each sender has an intermediate slot for the sum of its part.
Schedule reduce(Rows const& rows, Bytes block) {
  Groups const& groups = rows.groups();
  Rounds const rounds = join_to(rows);
  std::vector<ProgramBuilder> builders;
  for (int r = 0; r < groups.ranks(); ++r) {
    bool const sends = !groups.is_receiver(Rank(r));
    Layout layout{block, {}};
    layout[Buffer::send].slots = layout[Buffer::intermediate].slots = sends ? 1 : 0;
    layout[Buffer::receive].slots = r == groups.senders() ? 1 : 0;
    builders.emplace_back(layout);
    if (sends) builders.back().copy(send_slot(0), intermediate_slot(0));
  }
  std::vector<Place> const partial{intermediate_slot(0)}, result{receive_slot(0)};
  for (std::vector<Message> const& round : rounds) {
    for (ProgramBuilder& builder : builders) builder.begin_round();
    for (Message const& message : round) {
      builders[at(message.from)].send(message.to, partial);
      bool const ends = message.to == groups.senders();
      builders[at(message.to)].receive(message.from, ends ? result : partial, ends ? Join::none : Join::after);
    }
  }
  Schedule schedule;
  schedule.ranks = groups.ranks();
  for (ProgramBuilder& builder : builders) schedule.programs.push_back(std::move(builder).finish());
  for (std::uint32_t r = 0; r < schedule.programs.size(); ++r) schedule.program_of.push_back(r);
  schedule.promises = {1, Links::unit};
  return schedule;
}

/// Each rank of [first, last) holds its own block; these blocks are numbered from 0.
std::vector<Pieces> own_blocks(int ranks, int first, int last) {
  std::vector<Pieces> held(at(ranks));
  for (int r = first; r < last; ++r) held[at(r)] = range(r - first, r - first + 1);
  return held;
}

/// Turns a gather into a scatter.
void reverse(Rounds& rounds) {
  std::reverse(rounds.begin(), rounds.end());
  for (std::vector<Message>& round : rounds) {
    for (Message& message : round) std::swap(message.from, message.to);
  }
}

/// Each collective is a sequence of gathers along lines and rings of rows.
Rounds rounds_of(Rows const& rows, IntergroupCollective collective) {
  int const p = rows.groups().senders(), n = rows.groups().ranks();
  PieceRange const of_senders{0, static_cast<std::uint32_t>(p)};
  PieceRange const of_receivers{static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(n)};
  Rounds rounds;
  if (collective == IntergroupCollective::gather) {
    return gather_to(rows, 0, p, rows.sending(), own_blocks(n, 0, p));
  }
  if (collective == IntergroupCollective::scatter) {
    rounds = gather_to(rows, p, n, 0, own_blocks(n, p, n));
    reverse(rounds);
    return rounds;
  }
  if (collective == IntergroupCollective::allgather) {
    rounds = in_all_columns(rows);
    append(rounds, gather_rows(rows, p, n, of_senders));
    return rounds;
  }
  std::vector<Pieces> held = own_blocks(n, 0, n);
  rounds = gather_along(rows, 0, n, 0, held);
  Rounds both = gather_rows(rows, p, n, of_senders);
  merge(both, gather_rows(rows, 0, p, of_receivers));
  append(rounds, std::move(both));
  return rounds;
}

/// The blocks that rank r holds and that are owed to it, by their numbers.
Ends ends_of(Groups const& groups, IntergroupCollective collective, int r) {
  auto const blocks = [](int first, int last) {
    return PieceRange{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
  };
  int const p = groups.senders();
  bool const receives = groups.is_receiver(Rank(r));
  PieceRange const block_of_rank = blocks(r, r + 1), none;
  switch (collective) {
    case IntergroupCollective::allgather:
      return receives ? Ends{none, blocks(0, p)} : Ends{block_of_rank, none};
    case IntergroupCollective::exchange:
      return {block_of_rank, receives ? blocks(0, p) : blocks(p, groups.ranks())};
    case IntergroupCollective::gather:
      return {receives ? none : block_of_rank, r == p ? blocks(0, p) : none};
    case IntergroupCollective::scatter:
      return {r == 0 ? blocks(0, groups.receivers()) : none, receives ? blocks(r - p, r - p + 1) : none};
    case IntergroupCollective::reduce:
      break;
  }
  throw ContractViolation("a collective that moves blocks");
}

/// Which blocks each rank holds and is owed depends on the collective; the rounds are written for all of them alike.
Schedule torus_rings(problem::Intergroup const& problem) {
  Rows const rows(problem);
  Groups const& groups = problem.groups;
  if (problem.collective == IntergroupCollective::reduce) return reduce(rows, problem.sizes.block);
  std::vector<Ends> ends;
  for (int r = 0; r < groups.ranks(); ++r) ends.push_back(ends_of(groups, problem.collective, r));
  int const blocks = problem.collective == IntergroupCollective::exchange  ? groups.ranks()
                     : problem.collective == IntergroupCollective::scatter ? groups.receivers()
                                                                           : groups.senders();
  return schedule_of(ends, Cut(at(blocks), problem.sizes), rounds_of(rows, problem.collective), {1, Links::unit});
}

}  // namespace
}  // namespace rondo::generate::intergroup

namespace rondo::generate {

Schedule intergroup_torus_rings(problem::Intergroup const& problem) {
  expect_rows(problem.groups, problem::torus_of(problem));
  Schedule schedule = intergroup::torus_rings(problem);
  schedule.torus = problem::torus_of(problem);
  return schedule;
}

}  // namespace rondo::generate

// Recognizes schedules in which all ranks do the same relative to themselves, although each has a program of its own.
// In rings, pairwise exchanges and Bruck's algorithms, rank r does with r + c what rank 0 does with c. In recursive
// doubling it does so with r xor c.

#include <bit>

#include "base/ids.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/run.hpp"
#include "schedule/measure.hpp"

namespace rondo::native {

namespace {

/// Numbers peers relative to a rank on a ring: by the difference modulo the number of ranks.
struct Cyclic {
  std::int32_t ranks;
  std::int32_t operator()(std::int32_t rank, std::int32_t peer) const {
    return peer >= rank ? peer - rank : peer - rank + ranks;
  }
  Torus torus() const { return Torus({ranks}); }
};
/// Numbers peers relative to a rank on a hypercube: by the exclusive or.
struct Xor {
  std::int32_t ranks;  ///< a power of two
  std::int32_t operator()(std::int32_t rank, std::int32_t peer) const { return peer ^ rank; }
  Torus torus() const { return Torus(std::vector<int>(at(std::bit_width(at(ranks)) - 1), 2)); }
};

/// Compares the messages that each rank posts, and the bytes that it reduces in each round, with those of rank 0. Peers
/// are compared by their relative numbers.
template <typename Relation>
class Comparison {
 public:
  Comparison(Schedule const& schedule, Relation relation)
      : schedule_(schedule), relation_(relation), first_(schedule.program(Rank(0))), first_size_(first_) {}

  bool all_do_the_same() const {
    for (std::int32_t rank = 1; rank < schedule_.ranks; ++rank) {
      if (!does_the_same(rank)) return false;
    }
    return true;
  }

 private:
  bool does_the_same(std::int32_t rank) const {
    Program const& program = schedule_.program(Rank(rank));
    Sizes const size(program);
    if (program.rounds() != first_.rounds()) return false;
    bool const joins = program.joins() > 0 || first_.joins() > 0;
    for (int round = 1; round <= program.rounds(); ++round) {
      if (!are_same(rank, size, program.sends(round), first_.sends(round))) return false;
      if (!are_same(rank, size, program.receives(round), first_.receives(round))) return false;
      if (joins && reduced_bytes(program, round) != reduced_bytes(first_, round)) return false;
    }
    return true;
  }
  bool are_same(std::int32_t rank, Sizes const& size, std::span<Transfer const> transfers,
                std::span<Transfer const> first) const {
    if (transfers.size() != first.size()) return false;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      if (!is_rank(transfers[i].peer) || !is_rank(first[i].peer)) return false;
      if (relation_(rank, transfers[i].peer) != first[i].peer || transfers[i].join != first[i].join) return false;
      if (size(transfers[i]) != first_size_(first[i])) return false;
    }
    return true;
  }
  /// Broken schedules may name peers that do not exist.
  bool is_rank(std::int32_t peer) const { return peer >= 0 && peer < schedule_.ranks; }

  Schedule const& schedule_;
  Relation relation_;
  Program const& first_;  ///< of rank 0
  Sizes first_size_;      ///< of the transfers of rank 0
};

/// Makes the program of rank 0 the program of all ranks. Its peers become offsets on `torus`: peer r is the offset with
/// the coordinates of rank r.
Schedule as_of_all(Schedule const& schedule, Torus torus) {
  Program const& first = schedule.program(Rank(0));
  ProgramBuilder builder(first.layout());
  for (int round = 1; round <= first.rounds(); ++round) {
    builder.begin_round();
    for (Transfer const& each : first.receives(round)) builder.receive(each.peer, first.places(each), each.join);
    for (Transfer const& each : first.sends(round)) builder.send(each.peer, first.places(each));
    for (Copy const& each : first.copies(round)) builder.copy(each.from, each.into, each.join);
  }
  Schedule result;
  result.ranks = schedule.ranks;
  result.programs.push_back(std::move(builder).finish());
  result.promises = schedule.promises;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    auto const coordinates = torus.coordinates(Rank(rank));
    result.offsets.insert(result.offsets.end(), coordinates.begin(), coordinates.end());
  }
  result.torus = std::move(torus);
  return result;
}

/// Unset if the ranks do not all do the same under this relation.
template <typename Relation>
std::optional<Schedule> relative_as(Schedule const& schedule, Relation relation) {
  if (!Comparison(schedule, relation).all_do_the_same()) return std::nullopt;
  return as_of_all(schedule, relation.torus());
}

}  // namespace

/// A hypercube needs a number of ranks that is a power of two.
std::optional<Schedule> relative(Schedule const& schedule) {
  if (schedule.ranks < 2 || !schedule.offsets.empty()) return std::nullopt;
  if (auto result = relative_as(schedule, Cyclic{schedule.ranks})) return result;
  if (!std::has_single_bit(at(schedule.ranks))) return std::nullopt;
  return relative_as(schedule, Xor{schedule.ranks});
}

}  // namespace rondo::native

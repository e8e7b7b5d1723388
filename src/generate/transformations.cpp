// Writes a dissemination barrier of empty messages in front of a schedule: in round t each rank sends to the rank 2^t
// further on. Sorts the messages of each round by a key; only the order changes, so proofs still hold.

#include "generate/transformations.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/random.hpp"

namespace rondo::generate {
namespace {

/// Adds a slot without bytes behind all others, from which the empty messages of a barrier are sent and into which they
/// are received.
Place add_empty_slot(Layout& layout) {
  BufferLayout& buffer = layout[Buffer::intermediate];
  if (buffer.sizes.empty()) buffer.sizes.assign(buffer.slots, layout.block);
  buffer.sizes.push_back(Bytes(0));
  return intermediate_slot(buffer.slots++);
}

/// The rounds of the barrier at one rank. ceil(log2 ranks) rounds suffice, after which every rank has heard of every
/// other one.
void write_barrier(ProgramBuilder& builder, Place const& place, int rank, int ranks) {
  for (int distance = 1; distance < ranks; distance *= 2) {
    builder.begin_round();
    builder.receive((rank + ranks - distance) % ranks, {&place, 1});
    builder.send((rank + distance) % ranks, {&place, 1});
  }
}

/// Copies one round of a schedule into a program. Round 0 only has the copies before the first round.
void write_round(ProgramBuilder& builder, Schedule const& schedule, Rank rank, int round) {
  Program const& program = schedule.program(rank);
  if (round > 0) builder.begin_round();
  for (Transfer const& each : program.receives(round)) {
    builder.receive(schedule.peer(rank, each).value, program.places(each), each.join, program.label(each));
  }
  for (Transfer const& each : program.sends(round)) {
    builder.send(schedule.peer(rank, each).value, program.places(each), program.label(each));
  }
  for (Copy const& each : program.copies(round)) builder.copy(each.from, each.into, each.join);
}

/// A schedule in which each rank follows its own program, which `write` writes.
template <typename Write>
Schedule written(int ranks, Write const& write) {
  Schedule result;
  result.ranks = ranks;
  result.promises = {0, Links::any};
  for (int rank = 0; rank < ranks; ++rank) result.programs.push_back(write(Rank(rank)));
  result.program_of.resize(result.programs.size());
  std::iota(result.program_of.begin(), result.program_of.end(), 0u);
  return result;
}

}  // namespace

Schedule empty_barrier(int ranks) {
  return written(ranks, [&](Rank rank) {
    Layout layout{Bytes(0), {}};
    Place const place = add_empty_slot(layout);
    ProgramBuilder builder(std::move(layout));
    write_barrier(builder, place, rank.value, ranks);
    return std::move(builder).finish();
  });
}

Schedule after_barrier(Schedule const& schedule) {
  Schedule result = written(schedule.ranks, [&](Rank rank) {
    Program const& program = schedule.program(rank);
    Layout layout = program.layout();
    Place const place = add_empty_slot(layout);
    ProgramBuilder builder(std::move(layout));
    write_barrier(builder, place, rank.value, schedule.ranks);
    for (int round = 0; round <= program.rounds(); ++round) write_round(builder, schedule, rank, round);
    return std::move(builder).finish();
  });
  result.labels = schedule.labels;
  return result;
}

namespace {

std::uint64_t mixed_key(std::uint64_t seed, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mixed(mixed(mixed(mixed(seed) ^ a) ^ b) ^ c);
}

/// Which side of a message is posted.
enum class Direction : std::uint8_t { send, receive };

/// The distance of a partner in the order `shifted`.
std::uint64_t shift(int ranks, int rank, int partner, Direction direction) {
  int const ahead = direction == Direction::send ? partner - rank : rank - partner;
  return static_cast<std::uint64_t>(((ahead % ranks) + ranks) % ranks);
}

/// The sort keys of the partners of one rank. Transfers are posted in ascending order of their keys.
class Keys {
 public:
  /// The order of a graph's neighbors is looked up by rank, so it is numbered once.
  Keys(Schedule const& schedule, Rank rank, Posting posting, std::uint64_t seed, ProcessGraph const* graph)
      : schedule_(schedule), rank_(rank), posting_(posting), seed_(seed) {
    if (posting != Posting::neighbors || graph == nullptr) return;
    number(graph->targets(rank), targets_);
    number(graph->sources(rank), sources_);
  }

  /// The key of a message: smaller ones are posted first.
  std::uint64_t operator()(int round, Transfer const& transfer, Direction direction) const {
    int const partner = schedule_.peer(rank_, transfer).value;
    std::uint64_t const shifted = schedule_.isomorphic() ? shared(transfer, direction, partner)
                                                         : shift(schedule_.ranks, rank_.value, partner, direction);
    switch (posting_) {
      case Posting::neighbors:
        return place(direction == Direction::send ? targets_ : sources_, partner, shifted);
      case Posting::ascending:
        return static_cast<std::uint64_t>(partner);
      case Posting::shifted:
        return shifted;
      case Posting::random:
        break;
    }
    // A schedule that all ranks share is shuffled in the same way at both ends.
    if (schedule_.isomorphic()) return mixed_key(seed_, 0, at(round), shifted);
    std::uint64_t const end = direction == Direction::send ? 1 : 2;
    return mixed_key(seed_, 3 * at(rank_.value) + end, at(round), at(partner));
  }

 private:
  using Places = std::unordered_map<int, std::uint64_t>;

  static void number(std::span<Neighbor const> list, Places& places) {
    for (Neighbor const& each : list) places.try_emplace(each.rank.value, places.size());
  }

  /// The rank to which rank 0 sends along this offset. It serves as the key of the offset, because a torus has no order
  /// that looks the same from all ranks.
  std::uint64_t shared(Transfer const& transfer, Direction direction, int partner) const {
    if (direction == Direction::send) return static_cast<std::uint64_t>(partner);
    auto const d = at(schedule_.torus->dimensions());
    auto const offset = std::span(schedule_.offsets).subspan(at(transfer.peer) * d, d);
    return static_cast<std::uint64_t>(schedule_.torus->subtract(Rank(0), offset).value);
  }

  static std::uint64_t place(Places const& places, int partner, std::uint64_t shifted) {
    auto const found = places.find(partner);
    return found == places.end() ? places.size() + shifted : found->second;
  }

  Schedule const& schedule_;
  Rank rank_;
  Posting posting_;
  std::uint64_t seed_;
  Places targets_, sources_;
};

/// Gives each rank a program of its own, if ranks share programs.
void expand(Schedule& schedule) {
  if (schedule.programs.size() == at(schedule.ranks)) return;
  std::vector<Program> programs;
  for (int rank = 0; rank < schedule.ranks; ++rank) programs.push_back(schedule.program(Rank(rank)));
  schedule.programs = std::move(programs);
  schedule.program_of.clear();
  for (int rank = 0; rank < schedule.ranks; ++rank) schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
}

using Sorted = std::vector<std::pair<std::uint64_t, Transfer>>;

/// The transfers of a round sorted by their keys; transfers with equal keys keep their order.
Sorted sorted(std::span<Transfer const> transfers, Keys const& keys, int round, Direction direction) {
  Sorted result;
  for (Transfer const& each : transfers) result.emplace_back(keys(round, each, direction), each);
  std::stable_sort(result.begin(), result.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  return result;
}

/// Whether the program already has the order; then it is kept as it is, shared or not.
bool is_sorted(Program const& program, Keys const& keys) {
  auto const in_order = [&](std::span<Transfer const> transfers, int round, Direction direction) {
    return std::is_sorted(transfers.begin(), transfers.end(), [&](Transfer const& a, Transfer const& b) {
      return keys(round, a, direction) < keys(round, b, direction);
    });
  };
  for (int round = 1; round <= program.rounds(); ++round) {
    if (!in_order(program.sends(round), round, Direction::send)) return false;
    if (!in_order(program.receives(round), round, Direction::receive)) return false;
  }
  return true;
}

/// Receives of a round that joins keep their order, because it decides the order of the joins.
Program sorted(Program const& program, Keys const& keys) {
  ProgramBuilder builder(program.layout());
  for (int round = 0; round <= program.rounds(); ++round) {
    if (round > 0) builder.begin_round();
    auto const receives = program.receives(round);
    bool const joins =
        std::any_of(receives.begin(), receives.end(), [](Transfer const& each) { return each.join != Join::none; });
    auto const receive = [&](Transfer const& each) {
      builder.receive(each.peer, program.places(each), each.join, program.label(each));
    };
    if (joins) {
      std::for_each(receives.begin(), receives.end(), receive);
    } else {
      for (auto const& [key, each] : sorted(receives, keys, round, Direction::receive)) receive(each);
    }
    for (auto const& [key, each] : sorted(program.sends(round), keys, round, Direction::send)) {
      builder.send(each.peer, program.places(each), program.label(each));
    }
    for (Copy const& copy : program.copies(round)) builder.copy(copy.from, copy.into, copy.join);
  }
  return std::move(builder).finish();
}

void sort(Program& program, Keys const& keys) {
  if (!is_sorted(program, keys)) program = sorted(program, keys);
}

}  // namespace

void order_posts(Schedule& schedule, Posting posting, std::uint64_t seed, ProcessGraph const* graph) {
  if (posting == Posting::neighbors && graph == nullptr) return;
  if (schedule.ranks == 0) return;
  if (schedule.isomorphic()) {
    if (posting == Posting::ascending) {
      throw InputError(
          "/posting: expected \"neighbors\", \"shifted\" or \"random\" for a schedule that all ranks share, got "
          "\"ascending\"");
    }
    // Without neighbor lists, the keys for `neighbors` are those for `shifted`.
    Keys const keys(schedule, Rank(0), posting, seed, nullptr);
    return sort(schedule.programs.front(), keys);
  }
  expand(schedule);
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    Keys const keys(schedule, Rank(rank), posting, seed, graph);
    std::size_t const which = schedule.program_of.empty() ? 0 : schedule.program_of[at(rank)];
    sort(schedule.programs[which], keys);
  }
}

}  // namespace rondo::generate

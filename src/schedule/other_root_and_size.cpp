// Renumbers ranks: each rank is shifted by the distance of the roots, modulo the number of ranks. Blocks that are in
// the order of ranks move with them. Slots between which a block moves are united with a union-find structure over
// all slots of all ranks.

#include "schedule/other_root_and_size.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace rondo {
namespace {

/// Renumbers the ranks of a program.
class RankRenumbering {
 public:
  RankRenumbering(Classical const& promise, std::uint32_t pieces, Rank root)
      : ranks_(static_cast<std::uint32_t>(promise.ranks)),
        shift_(static_cast<std::uint32_t>((root.value - promise.root.value + promise.ranks) % promise.ranks)),
        pieces_(pieces) {
    if (promise.collective == ClassicalCollective::gather) by_rank_ = Buffer::receive;
    if (promise.collective == ClassicalCollective::scatter) by_rank_ = Buffer::send;
  }

  std::uint32_t rank(std::uint32_t from) const { return (from + shift_) % ranks_; }

  /// The program with other partners and other slots of the buffer whose slots belong to ranks.
  Program program(Program const& from) const {
    bool const is_root = by_rank_ && from.layout()[*by_rank_].slots == ranks_ * pieces_;
    auto const place = [&](Place original) {
      if (!is_root || original.buffer() != *by_rank_) return original;
      return Place(original.buffer(), rank(original.slot() / pieces_) * pieces_ + original.slot() % pieces_);
    };
    Layout layout = from.layout();
    if (is_root && !layout[*by_rank_].sizes.empty()) {
      for (std::uint32_t i = 0; i < layout[*by_rank_].slots; ++i) {
        layout[*by_rank_].sizes[place({*by_rank_, i}).slot()] = from.layout()[*by_rank_].sizes[i];
      }
    }
    ProgramBuilder builder(std::move(layout));
    std::vector<Place> places;
    auto const places_of = [&](Transfer const& transfer) -> std::vector<Place> const& {
      places.clear();
      for (Place const each : from.places(transfer)) places.push_back(place(each));
      return places;
    };
    auto const peer = [&](Transfer const& transfer) {
      return static_cast<std::int32_t>(rank(static_cast<std::uint32_t>(transfer.peer)));
    };
    for (int round = 0; round <= from.rounds(); ++round) {
      if (round > 0) builder.begin_round();
      for (Transfer const& each : from.sends(round)) builder.send(peer(each), places_of(each), from.label(each));
      for (Transfer const& each : from.receives(round))
        builder.receive(peer(each), places_of(each), each.join, from.label(each));
      for (Copy const& each : from.copies(round)) builder.copy(place(each.from), place(each.into), each.join);
    }
    return std::move(builder).finish();
  }

 private:
  std::uint32_t ranks_, shift_, pieces_;
  std::optional<Buffer> by_rank_;  ///< the buffer in which the root has a block for each rank
};

}  // namespace

/// Promises about links are dropped, since neighbors on a torus need not stay neighbors.
Schedule with_root(Schedule const& schedule, Classical const& promise, std::uint32_t pieces, Rank root) {
  expects(schedule.offsets.empty(), "peers that are ranks");
  if (root == promise.root) return schedule;
  RankRenumbering const renumbering(promise, pieces, root);
  Schedule result;
  result.ranks = schedule.ranks;
  result.promises = {schedule.promises.ports, Links::any};
  result.labels = schedule.labels;
  for (Program const& each : schedule.programs) result.programs.push_back(renumbering.program(each));
  result.program_of.resize(static_cast<std::size_t>(schedule.ranks), 0);
  for (std::size_t r = 0; r < schedule.program_of.size(); ++r) {
    result.program_of[renumbering.rank(static_cast<std::uint32_t>(r))] = schedule.program_of[r];
  }
  return result;
}

namespace {

/// Divides the slots of all ranks into sets whose members must have the same size (union-find).
class SizeClasses {
 public:
  /// Numbers all slots, and unites the ends of all messages and copies.
  explicit SizeClasses(Schedule const& schedule) : schedule_(schedule) {
    std::size_t all = 0;
    for (int r = 0; r < schedule.ranks; ++r) {
      for (BufferLayout const& buffer : schedule.program(Rank(r)).layout().buffers) {
        first_.push_back(all);
        all += buffer.slots;
      }
    }
    parent_.resize(all);
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    for (int r = 0; r < schedule.ranks; ++r) add_sends(Rank(r));
    for (int r = 0; r < schedule.ranks; ++r) unite_receives(Rank(r));
  }

  std::size_t slots() const { return parent_.size(); }
  std::size_t of(Rank rank, Place place) {
    std::size_t slot = number(rank, place);
    while (parent_[slot] != slot) slot = parent_[slot] = parent_[parent_[slot]];
    return slot;
  }

 private:
  /// The sends of a channel that have not met a receive yet.
  struct SendCursor {
    std::vector<Transfer> transfers;
    std::size_t next = 0;
  };

  std::size_t number(Rank rank, Place place) const {
    auto const buffer = static_cast<std::size_t>(rank.value) * buffer_count + static_cast<std::size_t>(place.buffer());
    return first_[buffer] + place.slot();
  }
  void unite(Rank a, Place of_a, Rank b, Place of_b) { parent_[of(a, of_a)] = of(b, of_b); }

  /// Collects the sends of a rank by target, and unites its copies.
  void add_sends(Rank rank) {
    Program const& program = schedule_.program(rank);
    for (int round = 0; round <= program.rounds(); ++round) {
      for (Copy const& copy : program.copies(round)) unite(rank, copy.from, rank, copy.into);
      for (Transfer const& sent : program.sends(round)) {
        sent_[{rank, schedule_.peer(rank, sent)}].transfers.push_back(sent);
      }
    }
  }

  /// Unites the slots of sends with those of the receives that they meet. Between two ranks they match in their order.
  void unite_receives(Rank rank) {
    Program const& program = schedule_.program(rank);
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& received : program.receives(round)) {
        Rank const source = schedule_.peer(rank, received);
        SendCursor& sent = sent_[{source, rank}];
        auto const from = schedule_.program(source).places(sent.transfers[sent.next++]);
        auto const into = program.places(received);
        for (std::size_t i = 0; i < into.size(); ++i) unite(source, from[i], rank, into[i]);
      }
    }
  }

  Schedule const& schedule_;
  std::vector<std::size_t> first_;  ///< by rank and buffer, the number of its first slot
  std::vector<std::size_t> parent_;
  std::map<std::pair<Rank, Rank>, SendCursor> sent_;
};

/// The block that determines a size. In a reduction the contributions of all ranks have one size.
Content sized(Content const& content, bool reduced) { return reduced ? Content{Rank(0), content.block} : content; }

}  // namespace

/// For each slot of the rank, a block that has its size.
BlocksOfSlots blocks_of_slots(Schedule const& schedule, Collective const& collective, Rank rank) {
  SizeClasses classes(schedule);
  bool const reduced = schedule.joins();
  std::vector<std::vector<Content>> of_class(classes.slots());
  for (int r = 0; r < schedule.ranks; ++r) {
    std::uint32_t slot = 0;
    for (Content const& each : held(collective, Rank(r))) {
      of_class[classes.of(Rank(r), send_slot(slot++))].push_back(sized(each, reduced));
    }
    slot = 0;
    for (Owed const& each : owed(collective, Rank(r))) {
      std::size_t const place = classes.of(Rank(r), receive_slot(slot++));
      if (!each.nobodys()) of_class[place].push_back(sized(each.contribution(0), reduced));
    }
  }
  for (auto& each : of_class) {
    std::sort(each.begin(), each.end());
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
  BlocksOfSlots result;
  Layout const& layout = schedule.program(rank).layout();
  for (Buffer const buffer : {Buffer::send, Buffer::receive, Buffer::intermediate}) {
    auto& slots = result.blocks[static_cast<std::size_t>(buffer)];
    for (std::uint32_t i = 0; i < layout[buffer].slots; ++i) slots.push_back(of_class[classes.of(rank, {buffer, i})]);
  }
  return result;
}

}  // namespace rondo

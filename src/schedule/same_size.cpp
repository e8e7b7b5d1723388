// Unites slots between which a block moves, with a union-find structure over all slots of all ranks.

#include "schedule/same_size.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace rondo {
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

// Replays a schedule and notes which content each message moves. A content is a set of contributions and gets a number,
// so that the page can color equal contents alike.

#include "run/points/block_moves.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

namespace rondo {
namespace {

using RankSlots = std::array<std::vector<std::int32_t>, buffer_count>;

/// The buffers of all ranks.
class Replay {
 public:
  /// Fills the send buffers with the blocks that ranks hold, and numbers the contents that they are owed.
  Replay(Schedule const& schedule, Collective const& collective) : schedule_(schedule) {
    for (int rank = 0; rank < schedule.ranks; ++rank) {
      RankSlots slots;
      for (std::size_t b = 0; b < buffer_count; ++b) {
        slots[b].assign(program(rank).layout().buffers[b].slots, BlockMoves::nothing);
      }
      auto const held = rondo::held(collective, Rank(rank));
      for (std::size_t i = 0; i < std::min(held.size(), slots[0].size()); ++i) slots[0][i] = number_of({held[i]});
      ranks_.push_back(std::move(slots));
      std::vector<std::int32_t> owed;
      int count = 0;
      for (Owed const& slot : rondo::owed(collective, Rank(rank))) {
        std::vector<Content> contributions;
        for (std::size_t i = 0; i < slot.contributions(); ++i) contributions.push_back(slot.contribution(i));
        owed.push_back(slot.nobodys() ? BlockMoves::nothing : number_of(std::move(contributions)));
        count += slot.nobodys() ? 0 : 1;
      }
      owed_.push_back(std::move(owed));
      moves_.owed.push_back(count);
    }
  }

  /// Copies of round 0 come before the first messages; within a round all messages move first, then the copies.
  BlockMoves run() && {
    copy(0);
    note_delivered();
    for (int round = 1; round <= schedule_.rounds(); ++round) {
      move(round);
      copy(round);
      note_delivered();
    }
    return std::move(moves_);
  }

 private:
  Program const& program(int rank) const { return schedule_.program(Rank(rank)); }

  /// The number of a set of contributions; a new set gets the next number.
  std::int32_t number_of(std::vector<Content> contributions) {
    std::sort(contributions.begin(), contributions.end());
    auto const next = static_cast<std::int32_t>(moves_.contents.size());
    auto const [place, is_new] = numbers_.emplace(std::move(contributions), next);
    if (is_new) {
      moves_.contents.push_back({place->first.front(), static_cast<int>(place->first.size())});
      contributions_.push_back(&place->first);
    }
    return place->second;
  }

  /// The slot of a place; null if the place is outside of its buffer.
  std::int32_t* slot(int rank, Place place) {
    auto& buffer = ranks_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(place.buffer())];
    return place.slot() < buffer.size() ? &buffer[place.slot()] : nullptr;
  }
  std::int32_t read(int rank, Place place) {
    std::int32_t const* const from = slot(rank, place);
    return from != nullptr ? *from : BlockMoves::nothing;
  }
  void write(int rank, Place place, std::int32_t block, Join join) {
    std::int32_t* const into = slot(rank, place);
    if (into == nullptr) return;
    *into = join == Join::none ? block : joined(*into, block);
  }
  /// The content that two contents make when they are joined. An empty slot makes the result empty.
  std::int32_t joined(std::int32_t a, std::int32_t b) {
    if (a == BlockMoves::nothing || b == BlockMoves::nothing) return BlockMoves::nothing;
    std::vector<Content> all = *contributions_[static_cast<std::size_t>(a)];
    std::vector<Content> const& more = *contributions_[static_cast<std::size_t>(b)];
    all.insert(all.end(), more.begin(), more.end());
    return number_of(std::move(all));
  }

  void copy(int round) {
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      if (round > program(rank).rounds()) continue;
      for (Copy const& each : program(rank).copies(round)) write(rank, each.into, read(rank, each.from), each.join);
    }
  }

  /// All sends of the round read before any receive writes.
  void move(int round) {
    std::map<std::pair<int, int>, std::deque<Transfer>> receives;
    std::size_t const first = moves_.messages.size();
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      if (round > program(rank).rounds()) continue;
      for (Transfer const& t : program(rank).receives(round)) {
        receives[{schedule_.peer(Rank(rank), t).value, rank}].push_back(t);
      }
      for (Transfer const& t : program(rank).sends(round)) {
        BlockMoves::Message message{round, Rank(rank), schedule_.peer(Rank(rank), t), program(rank).bytes(t),
                                    {},    false};
        for (Place const place : program(rank).places(t)) message.blocks.push_back(read(rank, place));
        moves_.messages.push_back(std::move(message));
      }
    }
    for (std::size_t m = first; m < moves_.messages.size(); ++m) {
      BlockMoves::Message& message = moves_.messages[m];
      auto& waiting = receives[{message.source.value, message.target.value}];
      if (waiting.empty()) continue;
      auto const into = program(message.target.value).places(waiting.front());
      for (std::size_t k = 0; k < std::min(into.size(), message.blocks.size()); ++k) {
        write(message.target.value, into[k], message.blocks[k], waiting.front().join);
      }
      message.received = true;
      waiting.pop_front();
    }
  }

  /// Counts, for each rank, the owed blocks that lie in their places after the current round.
  void note_delivered() {
    std::vector<int> counts;
    for (std::size_t rank = 0; rank < owed_.size(); ++rank) {
      auto const& receive = ranks_[rank][static_cast<std::size_t>(Buffer::receive)];
      int count = 0;
      for (std::size_t i = 0; i < std::min(receive.size(), owed_[rank].size()); ++i) {
        count += owed_[rank][i] != BlockMoves::nothing && receive[i] == owed_[rank][i] ? 1 : 0;
      }
      counts.push_back(count);
    }
    moves_.delivered.push_back(std::move(counts));
  }

  Schedule const& schedule_;
  BlockMoves moves_;
  std::map<std::vector<Content>, std::int32_t> numbers_;    ///< by contributions, in order
  std::vector<std::vector<Content> const*> contributions_;  ///< by number
  std::vector<RankSlots> ranks_;
  std::vector<std::vector<std::int32_t>> owed_;  ///< by rank, by receive slot
};

}  // namespace

BlockMoves block_moves(Schedule const& schedule, Collective const& collective) {
  return Replay(schedule, collective).run();
}

}  // namespace rondo

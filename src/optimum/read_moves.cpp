// Reads the messages of a schedule as ranks and blocks of a question.

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "base/ids.hpp"
#include "optimum/moves.hpp"

namespace rondo::optimum {
namespace {

using std::size_t;

/// The numbers of blocks by their names. Contributions to a reduction, joined or not, count as the reduction.
class Numbers {
 public:
  Numbers(Question const& question, int pieces) : reversed_(question.reversed), pieces_(pieces) {
    for (size_t i = 0; i < question.names.size(); ++i) numbers_[key(question.names[i])] = static_cast<int>(i);
  }

  /// Adds the numbers of the pieces of this block; none if nobody lacks it.
  void add(std::vector<int>& to, Content const& whole) const {
    auto const pieces = static_cast<std::uint32_t>(pieces_);
    for (std::uint32_t k = 0; k < pieces; ++k) {
      auto const found = numbers_.find(key({whole.origin, BlockId(whole.block.value * pieces + k)}));
      if (found != numbers_.end()) to.push_back(found->second);
    }
  }

 private:
  Content key(Content const& content) const { return reversed_ ? Content{Rank(-1), content.block} : content; }
  bool reversed_;
  int pieces_;
  std::map<Content, int> numbers_;
};

/// Follows the blocks from place to place, round by round.
class Replay {
 public:
  Replay(Schedule const& schedule, Collective const& promise, Numbers const& numbers)
      : schedule_(schedule), numbers_(numbers) {
    for (int r = 0; r < schedule.ranks; ++r) {
      Layout const& layout = schedule.program(Rank(r)).layout();
      auto& buffers = lies_.emplace_back();
      for (size_t b = 0; b < buffer_count; ++b) buffers[b].resize(layout.buffers[b].slots);
      std::vector<Content> const blocks = held(promise, Rank(r));
      for (size_t s = 0; s < std::min(blocks.size(), buffers[0].size()); ++s) buffers[0][s] = blocks[s];
    }
  }

  /// Replays the schedule round by round. Messages carry the content from before the round.
  Moves moves() {
    copy_all(0);
    for (int round = 1; round <= schedule_.rounds(); ++round) {
      send_all(round);
      receive_all(round);
      copy_all(round);
    }
    return std::move(moves_);
  }

 private:
  using Lying = std::optional<Content>;

  Lying& lying(int rank, Place place) { return lies_[at(rank)][static_cast<size_t>(place.buffer())][place.slot()]; }

  void for_each_program(int round, auto act) {
    for (int r = 0; r < schedule_.ranks; ++r) {
      Program const& program = schedule_.program(Rank(r));
      if (round <= program.rounds()) act(r, program);
    }
  }

  void copy_all(int round) {
    for_each_program(round, [&](int r, Program const& program) {
      for (Copy const& each : program.copies(round)) lying(r, each.into) = lying(r, each.from);
    });
  }

  /// The blocks from before the round are sent.
  void send_all(int round) {
    for_each_program(round, [&](int r, Program const& program) {
      for (Transfer const& each : program.sends(round)) {
        std::vector<Lying>& blocks = sent_[{r, schedule_.peer(Rank(r), each).value}].emplace_back();
        for (Place const place : program.places(each)) blocks.push_back(lying(r, place));
      }
    });
  }

  void receive_all(int round) {
    for_each_program(round, [&](int r, Program const& program) {
      for (Transfer const& each : program.receives(round)) {
        int const from = schedule_.peer(Rank(r), each).value;
        std::deque<std::vector<Lying>>& sent = sent_[{from, r}];
        if (sent.empty()) continue;
        store(r, program.places(each), sent.front());
        Move& move = moves_.emplace_back(Move{round, from, r, {}});
        for (Lying const& block : sent.front()) {
          if (block) numbers_.add(move.blocks, *block);
        }
        sent.pop_front();
      }
    });
  }

  void store(int rank, std::span<Place const> into, std::vector<Lying> const& blocks) {
    for (size_t k = 0; k < std::min(into.size(), blocks.size()); ++k) lying(rank, into[k]) = blocks[k];
  }

  Schedule const& schedule_;
  Numbers const& numbers_;
  std::vector<std::array<std::vector<Lying>, buffer_count>> lies_;  ///< by rank, buffer and slot
  std::map<std::pair<int, int>, std::deque<std::vector<Lying>>> sent_;
  Moves moves_;
};

/// Puts messages into rounds that the question allows: each into the first part of its round in which both its ends
/// and its link are free.
class Divider {
 public:
  Divider(Question const& question, std::optional<int> message_blocks) : ports_(question.ports) {
    for (Link const& each : channels(question, !message_blocks)) ++width_[{each.from, each.to}];
    most_ = static_cast<size_t>(message_blocks.value_or(static_cast<int>(question.blocks.size())));
  }

  /// Unset if a message passes between ranks that may not talk.
  std::optional<Moves> divided(Moves const& moves) {
    Moves result;
    int before = 0, last = 0;
    for (Move const& each : moves) {
      if (each.round != last) {
        before += static_cast<int>(parts_.size());
        parts_.clear();
        last = each.round;
      }
      if (!width_.contains({each.from, each.to})) return std::nullopt;
      for (size_t first = 0; first < each.blocks.size(); first += most_) {
        auto const begin = each.blocks.begin() + static_cast<std::ptrdiff_t>(first);
        auto const some = static_cast<std::ptrdiff_t>(std::min(most_, each.blocks.size() - first));
        result.push_back({before + part_for(each.from, each.to), each.from, each.to, {begin, begin + some}});
      }
    }
    std::ranges::stable_sort(result, {}, &Move::round);
    return result;
  }

 private:
  struct Part {
    std::map<int, int> sent, received;
    std::map<std::pair<int, int>, int> between;
  };

  /// The first part of a divided round in which both ranks and the link have room.
  int part_for(int from, int to) {
    for (size_t k = 0;; ++k) {
      if (k == parts_.size()) parts_.emplace_back();
      Part& part = parts_[k];
      int &out = part.sent[from], &in = part.received[to], &over = part.between[{from, to}];
      if (out == ports_ || in == ports_ || over == width_.at({from, to})) continue;
      ++out;
      ++in;
      ++over;
      return static_cast<int>(k) + 1;
    }
  }

  int ports_;
  std::map<std::pair<int, int>, int> width_;
  size_t most_ = 0;
  std::vector<Part> parts_;  ///< of the present round
};

/// Whether every rank gets the blocks that it wants.
bool delivers(Question const& question, Moves const& moves) {
  std::vector<std::set<int>> has(question.blocks.size());
  for (size_t i = 0; i < has.size(); ++i) has[i].insert(question.blocks[i].held.begin(), question.blocks[i].held.end());
  for (Move const& each : moves) {
    for (int const i : each.blocks) has[at(i)].insert(each.to);
  }
  for (size_t i = 0; i < has.size(); ++i) {
    std::vector<int> const& wanted = question.blocks[i].wanted;
    if (!std::ranges::all_of(wanted, [&](int r) { return has[i].contains(r); })) return false;
  }
  return true;
}

/// Joins the messages of a round between the same two ranks.
Moves merged_messages(Moves const& moves) {
  Moves result;
  std::map<std::tuple<int, int, int>, size_t> known;
  for (Move const& each : moves) {
    auto const [place, is_new] = known.emplace(std::tuple(each.round, each.from, each.to), result.size());
    if (is_new) {
      result.push_back(each);
    } else {
      std::vector<int>& blocks = result[place->second].blocks;
      blocks.insert(blocks.end(), each.blocks.begin(), each.blocks.end());
    }
  }
  return result;
}

/// Leaves out rounds without messages.
void close_up(Moves& moves) {
  int round = 0, last = 0;
  for (Move& each : moves) {
    if (each.round != last) ++round;
    last = each.round;
    each.round = round;
  }
}

}  // namespace

std::optional<Moves> moves_of(Schedule const& schedule, Collective const& promise, Question const& question,
                              std::optional<int> message_blocks, int pieces) {
  Numbers const numbers(question, pieces);
  Moves read = Replay(schedule, promise, numbers).moves();
  if (question.reversed) read = backwards(read);
  // This leaves only blocks that their senders have, whatever the schedule is.
  auto result = Divider(question, message_blocks).divided(merged_messages(needed(question, read)));
  if (!result || !delivers(question, *result)) return std::nullopt;
  close_up(*result);
  return result;
}

}  // namespace rondo::optimum

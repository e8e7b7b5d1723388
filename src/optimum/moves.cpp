// Works on messages as lists of moves: removes unnecessary blocks, reverses and counts, and finds a greedy schedule.

#include "optimum/moves.hpp"

#include <algorithm>
#include <map>
#include <queue>

#include "base/error.hpp"
#include "optimum/bounds.hpp"

namespace rondo::optimum {
namespace {

using std::size_t;

/// A truth for each rank and block.
class Table {
 public:
  explicit Table(Question const& question)
      : blocks_(question.blocks.size()), bits_(static_cast<size_t>(question.ranks) * blocks_) {}
  std::vector<bool>::reference at(int rank, int block) {
    return bits_[static_cast<size_t>(rank) * blocks_ + static_cast<size_t>(block)];
  }

 private:
  size_t blocks_;
  std::vector<bool> bits_;
};

Table at_start(Question const& question) {
  Table has(question);
  for (size_t i = 0; i < question.blocks.size(); ++i) {
    for (int const r : question.blocks[i].held) has.at(r, static_cast<int>(i)) = true;
  }
  return has;
}

/// Replaces each merged block by its parts.
void split(Moves& moves, std::vector<std::vector<int>> const& parts) {
  for (Move& each : moves) {
    std::vector<int> blocks;
    for (int const i : each.blocks) {
      blocks.insert(blocks.end(), parts[static_cast<size_t>(i)].begin(), parts[static_cast<size_t>(i)].end());
    }
    each.blocks = std::move(blocks);
  }
}

/// Removes from each message the blocks that its sender does not have before the round, and those that its receiver has
/// already or gets by an earlier message of the round.
void keep_first_arrivals(Question const& question, Moves& moves) {
  Table has = at_start(question);
  Table comes = has;
  for (size_t first = 0; first < moves.size();) {
    size_t last = first;
    for (; last < moves.size() && moves[last].round == moves[first].round; ++last) {
      Move& move = moves[last];
      std::erase_if(move.blocks, [&](int i) { return !has.at(move.from, i) || comes.at(move.to, i); });
      for (int const i : move.blocks) comes.at(move.to, i) = true;
    }
    has = comes;
    first = last;
  }
}

}  // namespace

Moves needed(Question const& question, Moves const& moves, std::vector<std::vector<int>> const* parts) {
  Moves result = moves;
  if (parts != nullptr) split(result, *parts);
  std::ranges::stable_sort(result, {}, &Move::round);
  keep_first_arrivals(question, result);
  Table needs(question);
  for (size_t i = 0; i < question.blocks.size(); ++i) {
    for (int const r : question.blocks[i].wanted) needs.at(r, static_cast<int>(i)) = true;
  }
  for (auto move = result.rbegin(); move != result.rend(); ++move) {
    std::erase_if(move->blocks, [&](int i) { return !needs.at(move->to, i); });
    for (int const i : move->blocks) needs.at(move->from, i) = true;
  }
  std::erase_if(result, [](Move const& each) { return each.blocks.empty(); });
  return result;
}

Moves backwards(Moves const& moves) {
  int const rounds = rounds_of(moves);
  Moves result = moves;
  for (Move& each : result) {
    each.round = rounds + 1 - each.round;
    std::swap(each.from, each.to);
  }
  std::ranges::stable_sort(result, {}, &Move::round);
  return result;
}

int rounds_of(Moves const& moves) {
  int rounds = 0;
  for (Move const& each : moves) rounds = std::max(rounds, each.round);
  return rounds;
}

int critical_of(Moves const& moves) {
  std::map<int, int> largest;
  for (Move const& each : moves) {
    int& of = largest[each.round];
    of = std::max(of, static_cast<int>(each.blocks.size()));
  }
  int sum = 0;
  for (auto const& [round, blocks] : largest) sum += blocks;
  return sum;
}

namespace {

/// Chooses one round of `greedy` after the other.
class Greedy {
 public:
  Greedy(Question const& question, std::optional<int> message_blocks)
      : question_(question),
        most_(static_cast<size_t>(message_blocks.value_or(static_cast<int>(question.blocks.size())))),
        channels_(channels(question, !message_blocks)),
        far_(hops(question)),
        has_(at_start(question)),
        comes_(has_) {
    for (Block const& block : question.blocks) {
      wanted_ += block.wanted.size();
      std::vector<int>& nearest = nearest_.emplace_back(question.ranks, unreachable);
      for (int const from : block.held) come_closer(nearest, from);
    }
  }

  /// Fills round after round until every rank has the blocks that it wants.
  Moves all() {
    for (round_ = 1; wanted_ > 0; ++round_) {
      size_t const before = moves_.size();
      one();
      expects(moves_.size() > before, "a way leads from a holder of each block to each rank that wants it");
    }
    return std::move(moves_);
  }

 private:
  void come_closer(std::vector<int>& nearest, int from) const {
    for (size_t r = 0; r < nearest.size(); ++r) {
      nearest[r] = std::min(nearest[r], far_[static_cast<size_t>(from)][r]);
    }
  }

  /// How many ranks that want block i, and to which no copy of it is under way, come nearer to a copy.
  int worth(int to, int i) {
    if (comes_.at(to, i)) return 0;
    std::vector<int> const& nearest = nearest_[static_cast<size_t>(i)];
    int count = 0;
    for (int const r : question_.blocks[static_cast<size_t>(i)].wanted) {
      auto const at = static_cast<size_t>(r);
      if (far_[static_cast<size_t>(to)][at] < nearest[at]) count += r == to ? 4 : 1;
    }
    return count;
  }

  /// The blocks of most worth that a message can carry now, and their total worth.
  std::pair<int, std::vector<int>> load(Link const& channel) {
    std::vector<std::pair<int, int>> worths;
    for (int i = 0; i < static_cast<int>(question_.blocks.size()); ++i) {
      if (!has_.at(channel.from, i)) continue;
      if (int const each = worth(channel.to, i); each > 0) worths.emplace_back(-each, i);
    }
    std::ranges::sort(worths);
    worths.resize(std::min(worths.size(), most_));
    std::pair<int, std::vector<int>> result;
    for (auto const& [minus, i] : worths) {
      result.first -= minus;
      result.second.push_back(i);
    }
    return result;
  }

  /// Chooses one message. While a round is chosen, the worth of a message can only fall. So the best message is the
  /// first one in the queue whose worth is still the one with which it was queued.
  void one() {
    std::vector<int> sent(static_cast<size_t>(question_.ranks)), received(sent);
    std::priority_queue<std::pair<int, int>> queue;  // worth, minus channel
    for (size_t l = 0; l < channels_.size(); ++l) queue.emplace(load(channels_[l]).first, -static_cast<int>(l));
    while (!queue.empty() && queue.top().first > 0) {
      auto const [queued, minus] = queue.top();
      queue.pop();
      Link const& channel = channels_[static_cast<size_t>(-minus)];
      int& out = sent[static_cast<size_t>(channel.from)];
      int& in = received[static_cast<size_t>(channel.to)];
      if (out == question_.ports || in == question_.ports) continue;
      auto const [now, blocks] = load(channel);
      if (now < queued) {
        queue.emplace(now, minus);
        continue;
      }
      send(channel, blocks);
      ++out;
      ++in;
    }
    has_ = comes_;
  }

  void send(Link const& channel, std::vector<int> const& blocks) {
    moves_.push_back({round_, channel.from, channel.to, blocks});
    for (int const i : blocks) {
      comes_.at(channel.to, i) = true;
      come_closer(nearest_[static_cast<size_t>(i)], channel.to);
      if (std::ranges::binary_search(question_.blocks[static_cast<size_t>(i)].wanted, channel.to)) --wanted_;
    }
  }

  Question const& question_;
  size_t most_;
  std::vector<Link> channels_;
  std::vector<std::vector<int>> far_;
  Table has_, comes_;
  std::vector<std::vector<int>> nearest_;  ///< by block and rank: hops to the nearest copy
  size_t wanted_ = 0;
  int round_ = 1;
  Moves moves_;
};

}  // namespace

Moves greedy(Question const& question, std::optional<int> message_blocks) {
  return needed(question, Greedy(question, message_blocks).all());
}

}  // namespace rondo::optimum

// A simulation of a packing with max-min fair shares of resources, and a cheap estimate by rounds.

#include "generate/forest_times.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <tuple>

#include "base/ids.hpp"

namespace rondo::generate {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double same_time = 1 + 1e-12;

/// What a rank sends to another one in a round: one message, or some of the same bytes.
struct CombinedMessage {
  int from = 0, to = 0;
  std::size_t round = 0;
  double messages = 1;
  double left = 0;  ///< bytes of each message
  double rate = 0;  ///< of each message
};

/// The messages of all rounds. `apart`: pieces of different sizes do not share a message.
std::vector<CombinedMessage> combined_messages(std::vector<SourcePiece> const& pieces, ForestRounds const& rounds,
                                               bool apart) {
  std::vector<CombinedMessage> result;
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    std::map<std::tuple<int, int, std::int64_t>, std::int64_t> counts, bytes;
    for (Branch const& each : rounds[round]) {
      std::int64_t const size = pieces[each.piece].bytes;
      ++counts[{each.from, each.to, apart ? size : 0}];
      bytes[{each.from, each.to, apart ? size : 0}] += size;
    }
    for (auto const& [key, count] : counts) {
      auto const [from, to, size] = key;
      auto const messages = static_cast<double>(apart ? count : 1);
      result.push_back({from, to, round, messages, static_cast<double>(bytes.at(key)) / messages, 0});
    }
  }
  return result;
}

/// A fluid simulation: messages move at rates that change only when a message starts or ends.
class Delivery {
 public:
  Delivery(RoutedNetwork const& network, std::vector<CombinedMessage> messages)
      : network_(network),
        messages_(std::move(messages)),
        of_rank_(at(network.ranks)),
        next_(at(network.ranks), 0),
        open_(at(network.ranks), 0),
        sending_(at(network.ranks), 0),
        receiving_(at(network.ranks), 0),
        free_(at(network.resources)),
        wanted_(free_.size()) {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      of_rank_[at(messages_[i].from)].push_back(i);
      of_rank_[at(messages_[i].to)].push_back(i);
    }
  }

  /// Seconds until the last message has arrived.
  double run() {
    for (int rank = 0; rank < network_.ranks; ++rank) begin_round(rank);
    start_ready();
    while (!starts_.empty() || !moving_.empty()) {
      share();
      double const end = next_end();
      double const until = starts_.empty() ? end : std::min(end, starts_.top().first);
      for (std::size_t const i : moving_) messages_[i].left -= messages_[i].rate * (until - now_);
      now_ = until;
      end_messages(end);
      while (!starts_.empty() && starts_.top().first <= now_ * same_time) {
        moving_.push_back(starts_.top().second);
        starts_.pop();
      }
    }
    return now_;
  }

 private:
  /// Both ends have to be in its round.
  void begin_round(int rank) {
    std::vector<std::size_t> const& messages_of_rank = of_rank_[at(rank)];
    std::size_t& next = next_[at(rank)];
    if (next == messages_of_rank.size()) return;
    std::size_t const round = messages_[messages_of_rank[next]].round;
    for (; next < messages_of_rank.size() && messages_[messages_of_rank[next]].round == round; ++next) {
      ++open_[at(rank)];
      if (!waiting_.insert(messages_of_rank[next]).second) ready_.push_back(messages_of_rank[next]);
    }
  }

  /// Begins the start-ups of the messages for which both ends have a free port, first come, first served.
  void start_ready() {
    auto const has_port = [&](int in_use) { return network_.ports == 0 || in_use < network_.ports; };
    std::erase_if(ready_, [&](std::size_t i) {
      auto const [from, to] = std::pair(messages_[i].from, messages_[i].to);
      if (!has_port(sending_[at(from)]) || !has_port(receiving_[at(to)])) return false;
      ++sending_[at(from)];
      ++receiving_[at(to)];
      starts_.emplace(now_ + network_.startups[network_.index(from, to)], i);
      return true;
    });
  }

  /// The time at which the next message ends if rates stay as they are.
  double next_end() const {
    double end = never;
    for (std::size_t const i : moving_) {
      CombinedMessage const& each = messages_[i];
      end = std::min(end, each.left <= 0 || each.rate == never ? now_ : now_ + each.left / each.rate);
    }
    return end;
  }

  /// Ends all messages that are complete at this time, and begins the rounds that waited for them.
  void end_messages(double end) {
    if (now_ < end) return;
    std::vector<std::size_t> ended;
    std::erase_if(moving_, [&](std::size_t i) {
      CombinedMessage const& each = messages_[i];
      bool const over = each.rate == never || each.left <= each.rate * now_ * (same_time - 1);
      if (over) ended.push_back(i);
      return over;
    });
    for (std::size_t const i : ended) {
      --sending_[at(messages_[i].from)];
      --receiving_[at(messages_[i].to)];
      for (int const rank : {messages_[i].from, messages_[i].to}) {
        if (--open_[at(rank)] == 0) begin_round(rank);
      }
    }
    start_ready();
  }

  /// Max-min fair: the messages of the resource that allows the least rate get it, again and again.
  void share() {
    std::ranges::fill(free_, 1.0);
    std::ranges::fill(wanted_, 0.0);
    std::vector<std::size_t> open = moving_;
    for (std::size_t const i : open) add(i, 1);
    while (!open.empty()) {
      double smallest = never;
      for (std::size_t const i : open) smallest = std::min(smallest, allowed(i));
      std::vector<std::size_t> fixed;
      std::erase_if(open, [&](std::size_t i) {
        bool const slow = smallest == never || allowed(i) <= smallest * (1 + 1e-9);
        if (slow) fixed.push_back(i);
        return slow;
      });
      for (std::size_t const i : fixed) {
        messages_[i].rate = smallest;
        add(i, -1);
        for (ResourceUse const& use : way(i)) {
          if (smallest < never) free_[at(use.resource)] -= smallest * messages_[i].messages * use.seconds_per_byte;
        }
      }
    }
  }
  std::span<ResourceUse const> way(std::size_t i) const { return network_.way(messages_[i].from, messages_[i].to); }
  void add(std::size_t i, double sign) {
    for (ResourceUse const& use : way(i))
      wanted_[at(use.resource)] += sign * messages_[i].messages * use.seconds_per_byte;
  }
  /// The rate that the free shares of a message's resources allow.
  double allowed(std::size_t i) const {
    double smallest = never;
    for (ResourceUse const& use : way(i)) {
      if (use.seconds_per_byte > 0)
        smallest = std::min(smallest, std::max(free_[at(use.resource)], 0.0) / wanted_[at(use.resource)]);
    }
    return smallest;
  }

  RoutedNetwork const& network_;
  std::vector<CombinedMessage> messages_;
  std::vector<std::vector<std::size_t>> of_rank_;  ///< messages, by round
  std::vector<std::size_t> next_;                  ///< of these, by rank
  std::vector<int> open_;                          ///< messages of the round that a rank is in
  std::vector<int> sending_, receiving_;           ///< messages that hold a port, by rank
  std::set<std::size_t> waiting_;                  ///< messages of which an end has been in the round
  std::vector<std::size_t> ready_;                 ///< messages of which both ends are, in the order of that
  using Start = std::pair<double, std::size_t>;
  std::priority_queue<Start, std::vector<Start>, std::greater<>> starts_;
  std::vector<std::size_t> moving_;
  std::vector<double> free_, wanted_;  ///< by resource
  double now_ = 0;
};

/// How many start-ups of a round a rank waits for, one after the other: 1 where messages take no turns.
int startups_in_turn(RoutedNetwork const& network, std::vector<Branch> const& round) {
  if (network.ports == 0) return 1;
  std::set<std::pair<int, int>> messages;
  for (Branch const& each : round) messages.emplace(each.from, each.to);
  std::vector<int> sent(at(network.ranks), 0), received(sent);
  int most = 1;
  for (auto const& [from, to] : messages) most = std::max({most, ++sent[at(from)], ++received[at(to)]});
  return (most + network.ports - 1) / network.ports;
}

}  // namespace

/// The sum over the rounds of the start-ups of the busiest port and the busiest resource.
double seconds_by_rounds(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces,
                         ForestRounds const& rounds) {
  double sum = 0;
  std::vector<double> busy(at(network.resources), 0);
  for (auto const& round : rounds) {
    std::ranges::fill(busy, 0.0);
    double startup = 0, longest = 0;
    for (Branch const& each : round) {
      startup = std::max(startup, network.startups[network.index(each.from, each.to)]);
      for (ResourceUse const& use : network.way(each.from, each.to)) {
        double& of = busy[at(use.resource)];
        of += static_cast<double>(pieces[each.piece].bytes) * use.seconds_per_byte;
        longest = std::max(longest, of);
      }
    }
    sum += startup * startups_in_turn(network, round) + longest;
  }
  return sum;
}

double seconds_of(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces, ForestRounds const& rounds,
                  bool apart) {
  return Delivery(network, combined_messages(pieces, rounds, apart)).run();
}

}  // namespace rondo::generate

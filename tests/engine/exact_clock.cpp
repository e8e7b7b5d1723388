#include "exact_clock.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "exact_rates.hpp"

namespace rondo::testing {

namespace {

using Whole = boost::multiprecision::cpp_int;

struct Clocked {
  PlannedMessage what;
  Whole duration;
  int place = 0;  ///< among the sends of its source in its round
  int ends_posted = 0;
};

/// All times are whole numbers of one tick, the common fraction of all durations.
class ExactClock {
 public:
  ExactClock(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform)
      : platform_(platform), ranks_(at(ranks)) {
    std::vector<Exact> durations;
    std::map<std::int64_t, Exact> known;
    for (PlannedMessage const& each : planned) {
      auto const [found, is_new] = known.try_emplace(each.bytes);
      if (is_new) found->second = duration_of(each.bytes);
      durations.push_back(found->second);
    }
    for (auto const& each : known) ticks_ = lcm(ticks_, denominator(each.second));
    for (std::size_t i = 0; i < planned.size(); ++i) {
      messages_.push_back({planned[i], numerator(durations[i]) * (ticks_ / denominator(durations[i])), 0, 0});
    }
    for (std::size_t i = 0; i < planned.size(); ++i) add(i);
  }

  std::vector<double> run() {
    for (std::size_t r = 0; r < ranks_.size(); ++r) leaving_.push_back(r);
    leave_and_start();
    while (!running_.empty()) {
      now_ = running_.top().first;
      Whole const second = 1'000'000'000'000;
      while (!running_.empty() && running_.top().first * second <= now_ * (second + 1)) {
        end(running_.top().second);
        running_.pop();
      }
      leave_and_start();
    }
    std::vector<double> finish;
    for (Rank const& rank : ranks_) {
      expects(rank.open == 0, "a rank that ends");
      finish.push_back(Exact(rank.entered, ticks_).convert_to<double>());
    }
    return finish;
  }

 private:
  struct Rank {
    std::map<int, std::vector<std::size_t>> rounds;  ///< that are to come: messages of which it posts an end
    int open = 0, sending = 0, receiving = 0;
    int posted = 0;  ///< the step in which it entered its round
    Whole entered = 0;
  };

  Exact duration_of(std::int64_t bytes) const {
    SizePiece const piece = piece_for(platform_, bytes);
    return written(piece.latency.value) + (bytes + platform_.envelope.value) / written(piece.bandwidth.value);
  }

  void add(std::size_t i) {
    PlannedMessage const& what = messages_[i].what;
    expects(what.sent == what.received && what.sent > 0, "both ends in one round");
    auto& sends = ranks_[at(what.source)].rounds[what.sent];
    for (std::size_t const other : sends) messages_[i].place += messages_[other].what.source == what.source ? 1 : 0;
    sends.push_back(i);
    ranks_[at(what.target)].rounds[what.sent].push_back(i);
  }

  void end(std::size_t message) {
    Rank& source = ranks_[at(messages_[message].what.source)];
    Rank& target = ranks_[at(messages_[message].what.target)];
    --source.sending;
    --target.receiving;
    if (--source.open == 0) leaving_.push_back(at(messages_[message].what.source));
    if (--target.open == 0) leaving_.push_back(at(messages_[message].what.target));
  }

  void leave_and_start() {
    ++step_;
    std::vector<std::size_t> ready;
    for (std::size_t const r : leaving_) {
      Rank& rank = ranks_[r];
      rank.entered = now_;
      rank.posted = step_;
      if (rank.rounds.empty()) continue;
      auto const round = rank.rounds.extract(rank.rounds.begin());
      for (std::size_t const message : round.mapped()) {
        ++rank.open;
        if (++messages_[message].ends_posted == 2) ready.push_back(message);
      }
    }
    leaving_.clear();
    std::sort(ready.begin(), ready.end(), [&](std::size_t a, std::size_t b) {
      auto const key = [&](Clocked const& message) {
        return std::tuple(ranks_[at(message.what.source)].posted, message.what.source, message.place);
      };
      return key(messages_[a]) < key(messages_[b]);
    });
    waiting_.insert(waiting_.end(), ready.begin(), ready.end());
    std::erase_if(waiting_, [&](std::size_t message) { return start(message); });
  }

  /// Whether it has a port at both ends.
  bool start(std::size_t message) {
    Rank& source = ranks_[at(messages_[message].what.source)];
    Rank& target = ranks_[at(messages_[message].what.target)];
    if (source.sending == platform_.ports || target.receiving == platform_.ports) return false;
    ++source.sending;
    ++target.receiving;
    running_.emplace(now_ + messages_[message].duration, message);
    return true;
  }

  using Running = std::pair<Whole, std::size_t>;

  Platform const& platform_;
  std::vector<Rank> ranks_;
  std::vector<Clocked> messages_;
  Whole ticks_ = 1;  ///< a second
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
  std::vector<std::size_t> leaving_;
  std::vector<std::size_t> waiting_;  ///< ready messages, in the order in which they are taken
  Whole now_ = 0;
  int step_ = 0;
};

}  // namespace

std::vector<double> exact_finish(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform) {
  return ExactClock(ranks, planned, platform).run();
}

}  // namespace rondo::testing

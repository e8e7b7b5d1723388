// Linear timing as docs/model.md states it, and nothing else: every step looks at every message, and fractions are
// exact, so that two events are one moment here when they are so on paper.

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/ids.hpp"
#include "exact_rates.hpp"
#include "native_schedules.hpp"

namespace rondo::testing {

namespace {

struct Message {
  int source = 0, target = 0, sent = 0, received = 0;
  std::int64_t bytes = 0;
  int place = 0;
  bool whole = false, done = false;
  std::optional<int> ready;  ///< the step: what takes no time has an order all the same
  bool started = false;
  std::optional<Exact> finish;  ///< unless it flows, or will
  std::optional<Exact> flows_from;
  ExactWay way = {};
  std::vector<Exact> left = {}, rate = {};  ///< by flow: bytes, 0 once it has ended, and bytes a nanosecond
};

class Reference {
 public:
  Reference(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform,
            std::vector<Seconds> const& arrival, Parts const* parts)
      : platform_(platform),
        links_(platform),
        parts_(parts),
        round_(at(ranks), 0),
        entered_(at(ranks), 0),
        posted_(at(ranks), 0),
        comes_(at(ranks), 0),
        calculated_(at(ranks), parts == nullptr),
        cpus_(at(parts == nullptr ? ranks : parts->ranks)) {
    for (std::size_t r = 0; r < comes_.size() && !arrival.empty(); ++r) comes_[r] = nanoseconds(arrival[at(rank(r))]);
    for (PlannedMessage const& parcel : planned) {
      last_ = std::max({last_, parcel.sent, parcel.received});
      if (parcel.sent != never) add_send(parcel);
    }
    for (int round = 1; round <= last_; ++round) {
      for (PlannedMessage const& parcel : planned) {
        if (parcel.received == round) add_receive(parcel);
      }
    }
  }

  std::vector<double> run() {
    for (std::optional<Exact> next = Exact(0); next; next = next_event()) {
      advance(*next);
      ++step_;
      for (bool again = true; again;) {
        again = false;
        for (std::size_t r = 0; r < round_.size(); ++r) again |= enter_next_round(static_cast<int>(r));
      }
      calculate();
      for (Message& message : messages_) {
        if (!message.ready && message.whole && posted(message)) message.ready = step_;
      }
      while (Message* const best = first_startable()) start(*best);
      share();
    }
    for (int const round : round_) {
      if (round <= last_) return {};
    }
    std::vector<double> result;
    for (Exact const& time : entered_) result.push_back(time.convert_to<double>());
    return result;
  }

 private:
  void add_send(PlannedMessage const& parcel) {
    Message message;
    message.source = parcel.source;
    message.target = parcel.target;
    message.sent = parcel.sent;
    message.bytes = parcel.bytes;
    for (Message const& other : messages_) {
      message.place += other.source == parcel.source && other.sent == parcel.sent ? 1 : 0;
    }
    messages_.push_back(message);
  }

  /// To the earliest send between the two ranks that has no receive yet; else a message that is never sent.
  void add_receive(PlannedMessage const& parcel) {
    Message* first = nullptr;
    for (Message& message : messages_) {
      bool const meets = message.source == parcel.source && message.target == parcel.target && !message.whole;
      if (meets && message.sent != never && (first == nullptr || message.sent < first->sent)) first = &message;
    }
    if (first != nullptr) {
      first->received = parcel.received;
      first->whole = true;
      return;
    }
    Message& lost = messages_.emplace_back();
    lost.source = parcel.source;
    lost.target = parcel.target;
    lost.received = parcel.received;
  }

  bool posted(Message const& message) const {
    return round_[at(message.source)] >= message.sent && round_[at(message.target)] >= message.received;
  }

  bool is_held(int rank) const {
    int const round = round_[at(rank)];
    return std::any_of(messages_.begin(), messages_.end(), [&](Message const& message) {
      bool const own =
          (message.source == rank && message.sent == round) || (message.target == rank && message.received == round);
      return round > 0 && own && !message.done;
    });
  }

  int rank(std::size_t part) const { return parts_ == nullptr ? static_cast<int>(part) : parts_->rank_of[part]; }
  int rank(int part) const { return rank(at(part)); }

  /// Whether all has ended that it is after.
  bool may_begin(std::size_t part) const {
    if (comes_[part] > end_of_moment(now_)) return false;
    if (parts_ == nullptr) return true;
    auto const after = parts_->after(part);
    return std::all_of(after.begin(), after.end(), [&](std::uint32_t before) { return round_[before] > last_; });
  }

  bool enter_next_round(int rank) {
    int& round = round_[at(rank)];
    if (round > last_ || is_held(rank) || !may_begin(at(rank))) return false;
    if (!calculated_[at(rank)] && parts_->computing[at(rank)] > Seconds(0)) return false;
    entered_[at(rank)] = now_;
    posted_[at(rank)] = step_;
    while (round <= last_ && !is_held(rank)) ++round;
    return true;
  }

  /// What may calculate asks its rank's CPU, in the order of the parts, and CPUs that do nothing begin.
  void calculate() {
    for (std::size_t part = 0; parts_ != nullptr && part < round_.size(); ++part) {
      bool const asks = parts_->computing[part] > Seconds(0) && !calculated_[part] && may_begin(part);
      auto& asked = cpus_[at(rank(part))].asked;
      if (asks && std::find(asked.begin(), asked.end(), part) == asked.end()) asked.push_back(part);
    }
    for (Cpu& cpu : cpus_) {
      if (cpu.until || cpu.next == cpu.asked.size()) continue;
      cpu.until = now_ + nanoseconds(parts_->computing[cpu.asked[cpu.next]]);
    }
  }

  void end_calculations(Exact const& last) {
    for (Cpu& cpu : cpus_) {
      if (!cpu.until || *cpu.until > last) continue;
      cpu.until.reset();
      calculated_[cpu.asked[cpu.next++]] = true;
    }
  }

  Message* first_startable() {
    auto const key = [&](Message const& message) {
      return std::tuple(*message.ready, posted_[at(message.source)], message.source, message.place);
    };
    Message* best = nullptr;
    for (Message& message : messages_) {
      bool const can = message.ready && !message.started && ports_free(message);
      if (can && (best == nullptr || key(message) < key(*best))) best = &message;
    }
    return best;
  }

  bool ports_free(Message const& message) const {
    int sending = 0, receiving = 0;
    for (Message const& other : messages_) {
      if (!other.started || other.done) continue;
      sending += rank(other.source) == rank(message.source) ? 1 : 0;
      receiving += rank(other.target) == rank(message.target) ? 1 : 0;
    }
    return sending < platform_.ports && receiving < platform_.ports;
  }

  void start(Message& message) {
    message.started = true;
    message.way = links_.start(message.source, message.target, message.bytes);
    Exact const ready = now_ + message.way.startup;
    bool const within = host_of(platform_, Rank(message.source)) == host_of(platform_, Rank(message.target));
    bool const alone = !shares_bandwidth(platform_) || (within && message.way.flows.front().empty());
    if (alone || message.way.carried == 0) {
      message.finish = ready + message.way.carried / message.way.cap;
    } else {
      message.flows_from = ready;
      message.left.assign(message.way.flows.size(), message.way.carried);
      message.rate.assign(message.way.flows.size(), 0);
    }
  }

  bool flows(Message const& message) const {
    return message.flows_from && *message.flows_from <= now_ && !message.done;
  }

  void share() {
    std::vector<Exact*> open;
    std::vector<ExactFlow> under_way;
    for (Message& message : messages_) {
      if (!flows(message)) continue;
      for (std::size_t i = 0; i < message.left.size(); ++i) {
        if (message.left[i] == 0) continue;
        open.push_back(&message.rate[i]);
        under_way.push_back({message.way.flows[i], message.way.cap});
      }
    }
    auto const rates = fair_rates(links_.capacity(), under_way);
    for (std::size_t i = 0; i < open.size(); ++i) *open[i] = rates[i];
  }

  std::optional<Exact> next_event() const {
    std::optional<Exact> next;
    auto const see = [&](Exact const& time) { next = next ? std::min(*next, time) : time; };
    for (Exact const& time : comes_) {
      if (time > end_of_moment(now_)) see(time);
    }
    for (Cpu const& cpu : cpus_) {
      if (cpu.until) see(*cpu.until);
    }
    for (Message const& message : messages_) {
      if (!message.started || message.done) continue;
      if (message.finish) see(*message.finish);
      for (std::size_t i = 0; flows(message) && i < message.left.size(); ++i) {
        if (message.left[i] > 0) see(now_ + message.left[i] / message.rate[i]);
      }
      if (message.flows_from && !flows(message)) see(*message.flows_from);
    }
    return next;
  }

  /// A moment opens: what is due in it ends, or begins to flow.
  void advance(Exact const& time) {
    Exact const last = end_of_moment(time);
    for (Message& message : messages_) {
      bool const was_done = message.done;
      if (flows(message)) {
        message.done = true;
        for (std::size_t i = 0; i < message.left.size(); ++i) {
          Exact& left = message.left[i];
          if (left > 0)
            left = now_ + left / message.rate[i] <= last ? Exact(0) : Exact(left - message.rate[i] * (time - now_));
          message.done &= left == 0;
        }
      } else if (message.flows_from && *message.flows_from <= last) {
        message.flows_from = std::min(*message.flows_from, time);
      }
      message.done |= message.finish && *message.finish <= last;
      if (message.done && !was_done) links_.end(message.way);
    }
    end_calculations(last);
    now_ = time;
  }

  struct Cpu {
    std::vector<std::size_t> asked;  ///< parts, the first `next` of which have calculated
    std::size_t next = 0;
    std::optional<Exact> until;
  };

  Platform const& platform_;
  ExactLinks links_;
  Parts const* parts_;
  std::vector<Message> messages_;
  std::vector<int> round_;
  std::vector<Exact> entered_;
  std::vector<int> posted_;   ///< by rank: the step in which it entered its round
  std::vector<Exact> comes_;  ///< by rank
  std::vector<bool> calculated_;
  std::vector<Cpu> cpus_;
  int last_ = 0;
  Exact now_ = 0;
  int step_ = 0;
};

}  // namespace

std::vector<double> reference_finish(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform,
                                     std::vector<Seconds> const& arrival, Parts const* parts) {
  return Reference(ranks, planned, platform, arrival, parts).run();
}

}  // namespace rondo::testing

// Flow timing as docs/model.md states it, and nothing else: every rank keeps plain lists, every step looks at all of
// them, and fractions are exact.

#include <algorithm>
#include <deque>
#include <optional>

#include "base/ids.hpp"
#include "exact_rates.hpp"
#include "native_schedules.hpp"

namespace rondo::testing {

namespace {

struct FlowMessage {
  int source = 0, target = 0, round = 0;
  std::int64_t bytes = 0;
  bool offered = false, awaited = false, early = false;
  bool send_ended = false, receive_ended = false;
  std::optional<Exact> flows_from = {};
  std::optional<Exact> arrives = {};  ///< where it has no bytes
  bool on_its_way = false;
  ExactWay way = {};
  std::vector<Exact> left = {}, rate = {};  ///< by flow
};

enum class FlowJobKind { send, receive, arrived, calculate };

/// What a CPU has to do about a message, or for a part.
struct FlowJob {
  FlowJobKind kind;
  std::size_t message;
};

/// A part, or a rank where there are none.
struct FlowPart {
  int round = 0;
  Exact entered = 0;
  bool asked = false, calculated = false;
};

struct FlowRank {
  std::deque<FlowJob> posted;
  std::deque<std::size_t> arrived;
  std::vector<std::size_t> early, waiting;  ///< messages
  std::optional<FlowJob> job;
  bool takes = false;  ///< whether the job ends the receive
  Exact until = 0;
  Exact comes = 0;
};

class FlowReference {
 public:
  FlowReference(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform,
                std::vector<Seconds> const& arrival, Parts const* of_ranks)
      : platform_(platform), costs_(platform.flow), links_(platform), of_ranks_(of_ranks), parts_(at(ranks)) {
    ranks_.resize(at(of_ranks == nullptr ? ranks : of_ranks->ranks));
    for (std::size_t r = 0; r < arrival.size(); ++r) ranks_[r].comes = nanoseconds(arrival[r]);
    for (PlannedMessage const& each : planned) {
      FlowMessage message;
      message.source = each.source;
      message.target = each.target;
      message.round = each.sent;
      message.bytes = each.bytes;
      messages_.push_back(message);
      last_ = std::max(last_, each.sent);
    }
    // A source posts the messages of earlier rounds first, and those of a round in the order of the list.
    for (std::size_t m = 0; m < messages_.size(); ++m) by_posting_.push_back(m);
    std::stable_sort(by_posting_.begin(), by_posting_.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(messages_[a].source, messages_[a].round) < std::pair(messages_[b].source, messages_[b].round);
    });
  }

  std::vector<double> run() {
    for (std::optional<Exact> next = Exact(0); next; next = next_event()) {
      advance(*next);
      while (step()) {
      }
      leave();
      share();
    }
    std::vector<double> result;
    for (FlowPart const& part : parts_) result.push_back(part.entered.convert_to<double>());
    return result;
  }

 private:
  bool is_away(FlowRank const& rank) const { return rank.comes > end_of_moment(now_); }

  bool eager(FlowMessage const& message) const { return message.bytes <= costs_.eager.value; }

  bool waits(std::size_t r) const {
    return std::any_of(messages_.begin(), messages_.end(), [&](FlowMessage const& message) {
      if (message.round != parts_[r].round) return false;
      return (message.source == static_cast<int>(r) && !message.send_ended) ||
             (message.target == static_cast<int>(r) && !message.receive_ended);
    });
  }

  /// Whether another step follows.
  bool step() {
    while (post_all() || do_posted()) {
    }
    bool ended = false;
    for (FlowRank& rank : ranks_) {
      if (is_away(rank)) continue;
      while (!rank.job && rank.posted.empty() && !rank.arrived.empty()) {
        std::size_t const message = rank.arrived.front();
        rank.arrived.pop_front();
        begin(rank, {FlowJobKind::arrived, message});
        ended |= !rank.job;
      }
    }
    return ended;
  }

  FlowRank& rank_of(std::int64_t part) {
    return ranks_[of_ranks_ == nullptr ? at(part) : at(of_ranks_->rank_of[at(part)])];
  }

  bool may_begin(std::size_t p) {
    if (is_away(rank_of(static_cast<std::int64_t>(p)))) return false;
    if (of_ranks_ == nullptr) return true;
    auto const after = of_ranks_->after(p);
    return std::all_of(after.begin(), after.end(), [&](std::uint32_t before) { return parts_[before].round > last_; });
  }

  bool is_to_calculate(std::size_t p) const {
    return of_ranks_ != nullptr && of_ranks_->computing[p] > Seconds(0) && !parts_[p].calculated;
  }

  /// Who waits for nothing more goes on; whose CPU then has something to do, in the order of the parts.
  bool post_all() {
    bool any = false;
    std::vector<std::size_t> posting;
    for (bool again = true; again;) {
      again = false;
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        FlowPart& part = parts_[p];
        if (part.round > last_ || waits(p) || part.asked || !may_begin(p)) continue;
        any = again = true;
        if (is_to_calculate(p)) {
          part.asked = true;
        } else {
          part.entered = now_;
          while (part.round <= last_ && !waits(p)) ++part.round;
        }
        if (part.round <= last_) posting.push_back(p);
      }
    }
    std::sort(posting.begin(), posting.end());
    for (std::size_t const p : posting) post(p);
    return any;
  }

  void post(std::size_t p) {
    auto& posted = rank_of(static_cast<std::int64_t>(p)).posted;
    if (is_to_calculate(p)) return posted.push_back({FlowJobKind::calculate, p});
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      bool const here = messages_[m].round == parts_[p].round;
      if (here && messages_[m].target == static_cast<int>(p)) posted.push_back({FlowJobKind::receive, m});
    }
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      bool const here = messages_[m].round == parts_[p].round;
      if (here && messages_[m].source == static_cast<int>(p)) posted.push_back({FlowJobKind::send, m});
    }
  }

  /// One work of each CPU.
  bool do_posted() {
    bool any = false;
    for (FlowRank& rank : ranks_) {
      if (rank.job || rank.posted.empty()) continue;
      FlowJob const job = rank.posted.front();
      rank.posted.pop_front();
      begin(rank, job);
      any = true;
    }
    return any;
  }

  /// How many entries are looked at to find the message, or in vain.
  static std::ptrdiff_t looks(std::vector<std::size_t> const& list, std::size_t message) {
    auto const found = std::find(list.begin(), list.end(), message);
    return found - list.begin() + (found == list.end() ? 0 : 1);
  }

  void begin(FlowRank& rank, FlowJob job) {
    if (job.kind == FlowJobKind::calculate) {
      rank.job = job;
      rank.until = now_ + nanoseconds(of_ranks_->computing[job.message]);
      return;
    }
    FlowMessage const& message = messages_[job.message];
    Exact time = 0;
    rank.takes =
        (job.kind == FlowJobKind::receive && message.early) || (job.kind == FlowJobKind::arrived && message.awaited);
    if (job.kind == FlowJobKind::send) time = nanoseconds(costs_.o_send);
    if (job.kind == FlowJobKind::receive) time = looks(rank.early, job.message) * nanoseconds(costs_.match);
    if (job.kind == FlowJobKind::arrived) time = looks(rank.waiting, job.message) * nanoseconds(costs_.match);
    if (rank.takes) time += nanoseconds(costs_.o_recv);
    rank.job = job;
    rank.until = now_ + time;
    if (time == 0) end(rank);
  }

  void end(FlowRank& rank) {
    FlowJob const job = *rank.job;
    rank.job.reset();
    if (job.kind == FlowJobKind::calculate) {
      parts_[job.message].calculated = true;
      parts_[job.message].asked = false;
      return;
    }
    FlowMessage& message = messages_[job.message];
    if (job.kind == FlowJobKind::send) {
      message.offered = true;
      message.send_ended = eager(message);
    } else if (rank.takes) {
      std::erase(rank.early, job.message);
      std::erase(rank.waiting, job.message);
      message.receive_ended = message.send_ended = true;
    } else if (job.kind == FlowJobKind::receive) {
      message.awaited = true;
      rank.waiting.push_back(job.message);
    } else {
      message.early = true;
      rank.early.push_back(job.message);
    }
  }

  /// Messages go off.
  void leave() {
    for (std::size_t const m : by_posting_) {
      FlowMessage& message = messages_[m];
      if (message.on_its_way || !message.offered || !(eager(message) || message.awaited)) continue;
      message.on_its_way = true;
      message.way = links_.start(message.source, message.target, message.bytes);
      Exact const sets_out = links_.pass(now_, message.source, message.target, message.bytes);
      Exact const ready = sets_out + message.way.startup;
      bool const empty = message.way.carried == 0;
      (empty ? message.arrives : message.flows_from) = ready;
      if (empty) continue;
      message.left.assign(message.way.flows.size(), message.way.carried);
      message.rate.assign(message.way.flows.size(), 0);
    }
  }

  static bool has_bytes(FlowMessage const& message) {
    return std::any_of(message.left.begin(), message.left.end(), [](Exact const& left) { return left > 0; });
  }

  bool flows(FlowMessage const& message) const {
    return message.flows_from && *message.flows_from <= now_ && has_bytes(message);
  }

  void share() {
    std::vector<Exact*> open;
    std::vector<ExactFlow> under_way;
    for (FlowMessage& message : messages_) {
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
    for (FlowRank const& rank : ranks_) {
      if (rank.job) see(rank.until);
      if (is_away(rank)) see(rank.comes);
    }
    for (FlowMessage const& message : messages_) {
      if (message.arrives) see(*message.arrives);
      for (std::size_t i = 0; flows(message) && i < message.left.size(); ++i) {
        if (message.left[i] > 0) see(now_ + message.left[i] / message.rate[i]);
      }
      if (message.flows_from && has_bytes(message) && !flows(message)) see(*message.flows_from);
    }
    return next;
  }

  /// Works that are over end, and messages arrive in the order of their sources.
  void advance(Exact const& time) {
    Exact const last = end_of_moment(time);
    std::vector<std::size_t> arriving;
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      FlowMessage& message = messages_[m];
      if (flows(message)) {
        for (std::size_t i = 0; i < message.left.size(); ++i) {
          Exact& left = message.left[i];
          if (left > 0)
            left = now_ + left / message.rate[i] <= last ? Exact(0) : Exact(left - message.rate[i] * (time - now_));
        }
        if (!has_bytes(message)) arriving.push_back(m);
      } else if (message.flows_from && *message.flows_from <= last) {
        message.flows_from = std::min(*message.flows_from, time);
      }
      if (message.arrives && *message.arrives <= last) {
        message.arrives.reset();
        arriving.push_back(m);
      }
    }
    now_ = time;
    for (FlowRank& rank : ranks_) {
      if (rank.job && rank.until <= last) end(rank);
    }
    // A source posted the messages of earlier rounds first, and those of a round in the order of the list.
    std::stable_sort(arriving.begin(), arriving.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(messages_[a].source, messages_[a].round) < std::pair(messages_[b].source, messages_[b].round);
    });
    for (std::size_t const m : arriving) links_.end(messages_[m].way);
    for (std::size_t const m : arriving) rank_of(messages_[m].target).arrived.push_back(m);
  }

  Platform const& platform_;
  FlowCosts costs_;
  ExactLinks links_;
  std::vector<FlowMessage> messages_;
  std::vector<std::size_t> by_posting_;  ///< messages by source, and as it posts them
  Parts const* of_ranks_;
  std::vector<FlowPart> parts_;
  std::vector<FlowRank> ranks_;
  int last_ = 0;
  Exact now_ = 0;
};

}  // namespace

std::vector<double> reference_flow_finish(int ranks, std::vector<PlannedMessage> const& planned,
                                          Platform const& platform, std::vector<Seconds> const& arrival,
                                          Parts const* parts) {
  return FlowReference(ranks, planned, platform, arrival, parts).run();
}

}  // namespace rondo::testing

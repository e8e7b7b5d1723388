// Linear timing as docs/model.md states it, and nothing else: every step looks at every message, and fractions are
// exact, so that times are equal here when they are equal on paper.

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <optional>
#include <tuple>

#include "base/index.hpp"
#include "native_schedules.hpp"
#include "platform/routes.hpp"

namespace rondo::testing {

namespace {

using Exact = boost::multiprecision::cpp_rational;

Exact nanoseconds(Seconds time) { return Exact(std::llround(1e9 * time.value)); }
/// Bytes a nanosecond.
Exact speed(BytesPerSecond bandwidth) { return Exact(std::llround(1e-3 * bandwidth.value), 1'000'000); }

/// What flows share: NICs out of hosts, NICs into hosts, links of the topology.
struct SharedLinks {
  std::vector<Exact> capacity;

  explicit SharedLinks(Platform const& platform) : platform_(platform) {
    bool const nics = platform.ranks_per_host > 1;
    for (int i = 0; i < 2 * hosts(platform); ++i) {
      capacity.push_back(nics ? platform.ports * speed(platform.bandwidth) : Exact(1'000'000'000));
    }
    if (platform.links == LinkSharing::unshared) return;
    for (LinkId id = 0; id < link_ids(platform.topology); ++id) {
      auto const found = link(platform.topology, id);
      capacity.push_back((found ? found->cables : 1) * speed(platform.link_bandwidth.value_or(platform.bandwidth)));
    }
  }

  std::vector<std::size_t> route(int from, int to) const {
    std::vector<std::size_t> all{at(from), at(hosts(platform_) + to)};
    std::vector<LinkId> links;
    if (platform_.links == LinkSharing::shared) append_route(platform_.topology, from, to, links);
    for (LinkId const id : links) all.push_back(at(2 * hosts(platform_) + id));
    return all;
  }

 private:
  Platform const& platform_;
};

struct Message {
  int source = 0, target = 0, sent = 0, received = 0;
  std::int64_t bytes = 0;
  int place = 0;
  bool whole = false, done = false;
  std::optional<int> ready;  ///< the step: what takes no time has an order all the same
  bool started = false;
  std::optional<Exact> finish;  ///< unless it flows, or will
  std::optional<Exact> flows_from;
  std::vector<std::size_t> route = {};
  Exact left = 0, rate = 0;  ///< bytes, and bytes a nanosecond, while it flows
};

class Reference {
 public:
  Reference(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform)
      : platform_(platform), links_(platform), round_(at(ranks), 0), entered_(at(ranks), 0), posted_(at(ranks), 0) {
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
      for (std::size_t r = 0; r < round_.size(); ++r) enter_next_round(static_cast<int>(r));
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

  void enter_next_round(int rank) {
    int& round = round_[at(rank)];
    if (round > last_ || is_held(rank)) return;
    entered_[at(rank)] = now_;
    posted_[at(rank)] = step_;
    while (round <= last_ && !is_held(rank)) ++round;
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
      sending += other.source == message.source ? 1 : 0;
      receiving += other.target == message.target ? 1 : 0;
    }
    return sending < platform_.ports && receiving < platform_.ports;
  }

  void start(Message& message) {
    message.started = true;
    int const from = host_of(platform_, Rank(message.source));
    int const to = host_of(platform_, Rank(message.target));
    Exact const ready = now_ + nanoseconds(startup(platform_, from, to));
    Exact const carried(message.bytes + platform_.envelope.value);
    if (from == to) {
      message.finish = ready + carried / speed(platform_.intra_bandwidth.value_or(platform_.bandwidth));
    } else if (carried == 0) {
      message.finish = ready;
    } else {
      message.flows_from = ready;
      message.left = carried;
      message.route = links_.route(from, to);
    }
  }

  bool flows(Message const& message) const {
    return message.flows_from && *message.flows_from <= now_ && !message.done;
  }

  /// Progressive filling: the flow with the least share stops, then that with the least of what is left.
  void share() {
    std::vector<Exact> left = links_.capacity;
    std::vector<Message*> open;
    for (Message& message : messages_) {
      if (flows(message)) open.push_back(&message);
    }
    while (!open.empty()) {
      std::vector<int> flows(left.size(), 0);
      for (Message const* message : open) {
        for (std::size_t const link : message->route) ++flows[link];
      }
      auto const share_of = [&](Message const* message) {
        Exact least = speed(platform_.bandwidth);
        for (std::size_t const link : message->route) least = std::min<Exact>(least, left[link] / flows[link]);
        return least;
      };
      std::size_t which = 0;
      for (std::size_t i = 1; i < open.size(); ++i) which = share_of(open[i]) < share_of(open[which]) ? i : which;
      Message& slowest = *open[which];
      slowest.rate = share_of(&slowest);
      for (std::size_t const link : slowest.route) left[link] -= slowest.rate;
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }

  std::optional<Exact> next_event() const {
    std::optional<Exact> next;
    auto const see = [&](Exact const& time) { next = next ? std::min(*next, time) : time; };
    for (Message const& message : messages_) {
      if (!message.started || message.done) continue;
      if (message.finish) see(*message.finish);
      if (flows(message)) see(now_ + message.left / message.rate);
      if (message.flows_from && !flows(message)) see(*message.flows_from);
    }
    return next;
  }

  void advance(Exact const& time) {
    for (Message& message : messages_) {
      if (flows(message)) {
        message.left -= message.rate * (time - now_);
        message.done = message.left == 0;
      }
      message.done |= message.finish && *message.finish == time;
    }
    now_ = time;
  }

  Platform const& platform_;
  SharedLinks links_;
  std::vector<Message> messages_;
  std::vector<int> round_;
  std::vector<Exact> entered_;
  std::vector<int> posted_;  ///< by rank: the step in which it entered its round
  int last_ = 0;
  Exact now_ = 0;
  int step_ = 0;
};

}  // namespace

std::vector<double> reference_finish(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform) {
  return Reference(ranks, planned, platform).run();
}

}  // namespace rondo::testing

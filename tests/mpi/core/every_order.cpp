#include "mpi/core/every_order.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

namespace rondo::mpi::testing {

namespace {

struct Data {
  int tag, exchange;
};
struct Signal {
  int stage;
  std::vector<Word> words;
};

struct RankState {
  ExchangeCore core;
  int begun = 0;     ///< exchanges
  int unheard = 0;   ///< how many of its own messages are sent without its knowing
  int barriers = 0;  ///< between exchanges, that it has started
  int step = 0;      ///< the next one of the barrier at hand
  bool in_barrier = false;
};

struct NetworkState {
  std::vector<RankState> ranks;
  // From each source to each target, in the order sent.
  std::vector<std::vector<std::vector<Data>>> data;
  std::vector<std::vector<std::vector<Signal>>> signals;
  int events = 0;
};

class Explorer {
 public:
  Explorer(ExchangeRules rules, std::vector<Targets> const& exchanges, int tags, Between between)
      : rules_(rules),
        exchanges_(exchanges),
        tags_(tags),
        between_(between),
        ranks_(static_cast<int>(exchanges.front().size())) {}

  Explored run() {
    auto const p = static_cast<std::size_t>(ranks_);
    NetworkState start;
    for (int rank = 0; rank < ranks_; ++rank) start.ranks.push_back({ExchangeCore(rules_, rank, ranks_)});
    start.data.resize(p, std::vector<std::vector<Data>>(p));
    start.signals.resize(p, std::vector<std::vector<Signal>>(p));
    push(std::move(start));
    while (!open_.empty()) {
      NetworkState world = std::move(open_.back());
      open_.pop_back();
      expand(world);
    }
    return result_;
  }

 private:
  /// Puts what a rank sends on the network of one world.
  class Network : public Transport {
   public:
    Network(Explorer const& explorer, NetworkState& world, int rank)
        : explorer_(explorer), world_(world), rank_(rank) {}
    void send_data(int target, int, Mode mode) override {
      RankState& mine = world_.ranks[static_cast<std::size_t>(rank_)];
      channel(world_.data, rank_, target).push_back({explorer_.tag(mine.begun), mine.begun});
      // A standard send may be over at any time.
      if (mode == Mode::standard) ++mine.unheard;
    }
    void send_signal(int target, int stage, std::span<Word const> words) override {
      channel(world_.signals, rank_, target).push_back({stage, std::vector<Word>(words.begin(), words.end())});
    }

   private:
    Explorer const& explorer_;
    NetworkState& world_;
    int rank_;
  };

  template <typename T>
  static std::vector<T>& channel(std::vector<std::vector<std::vector<T>>>& all, int source, int target) {
    return all[static_cast<std::size_t>(source)][static_cast<std::size_t>(target)];
  }
  int tag(int exchange) const { return rules_.algorithm == ExchangeAlgorithm::nbx_tagged ? exchange % tags_ : 0; }
  static RankState& at(NetworkState& world, int rank) { return world.ranks[static_cast<std::size_t>(rank)]; }

  void push(NetworkState world) {
    if (seen_.insert(key(world)).second) open_.push_back(std::move(world));
  }

  static std::string key(NetworkState const& world) {
    std::string text;
    auto const add = [&](std::size_t number) { text += static_cast<char>(number); };
    for (RankState const& rank : world.ranks) {
      ExchangeCore::State const& core = rank.core.state();
      for (int const n : {static_cast<int>(core.phase), core.step, core.unsent, core.received, rank.begun, rank.unheard,
                          rank.barriers, rank.step, static_cast<int>(rank.in_barrier)})
        add(static_cast<std::size_t>(n));
      for (Word const count : core.counts) add(count);
    }
    for (auto const& source : world.data)
      for (auto const& way : source) {
        add(way.size());
        for (Data const& each : way) add(static_cast<std::size_t>(each.exchange));
      }
    for (auto const& source : world.signals)
      for (auto const& way : source) {
        add(way.size());
        for (Signal const& each : way) {
          add(static_cast<std::size_t>(each.stage));
          for (Word const word : each.words) add(word);
        }
      }
    return text;
  }

  void fault(std::string text) {
    if (result_.faults.size() < 3) result_.faults.push_back(std::move(text));
  }

  /// Each event that can happen next, in a world of its own.
  void expand(NetworkState& world) {
    ++result_.states;
    bool any = false;
    auto const happens = [&](auto event) {
      any = true;
      NetworkState next = world;
      ++next.events;
      event(next);
      push(std::move(next));
    };
    for (int rank = 0; rank < ranks_; ++rank) expand(world, rank, happens);
    if (!any) check_end(world);
  }

  template <typename Happens>
  void expand(NetworkState& world, int rank, Happens const& happens) {
    RankState const& mine = at(world, rank);
    if (mine.core.done() && !mine.in_barrier && mine.begun < static_cast<int>(exchanges_.size())) {
      happens([&](NetworkState& next) { begin(next, rank); });
    }
    if (mine.unheard > 0) happens([&](NetworkState& next) { hear(next, rank); });
    for (int source = 0; mine.core.awaits_data() && source < ranks_; ++source) {
      std::vector<Data>& way = channel(world.data, source, rank);
      auto const first = std::find_if(way.begin(), way.end(), [&](Data d) { return d.tag == tag(mine.begun); });
      if (first == way.end()) continue;
      happens([&](NetworkState& next) { deliver(next, source, rank, first - way.begin()); });
    }
    if (auto const awaited = mine.in_barrier ? barrier_step(mine, rank) : mine.core.awaited()) {
      std::vector<Signal>& way = channel(world.signals, awaited->peer, rank);
      auto const first = std::find_if(way.begin(), way.end(), [&](auto& s) { return s.stage == awaited->stage; });
      if (first == way.end()) return;
      happens([&](NetworkState& next) { signal(next, awaited->peer, rank, first - way.begin()); });
    }
  }

  void begin(NetworkState& world, int rank) {
    RankState& mine = at(world, rank);
    auto const& targets = exchanges_[static_cast<std::size_t>(mine.begun++)][static_cast<std::size_t>(rank)];
    Network network(*this, world, rank);
    mine.core.begin(targets, network);
    settle(world, rank);
  }

  void hear(NetworkState& world, int rank) {
    RankState& mine = at(world, rank);
    --mine.unheard;
    Network network(*this, world, rank);
    mine.core.sent(network);
    settle(world, rank);
  }

  void deliver(NetworkState& world, int source, int rank, std::ptrdiff_t which) {
    std::vector<Data>& way = channel(world.data, source, rank);
    Data const data = way[static_cast<std::size_t>(which)];
    way.erase(way.begin() + which);
    RankState& mine = at(world, rank);
    if (data.exchange != mine.begun) {
      fault(fmt::format("rank {} receives a message of exchange {} in exchange {}", rank, data.exchange, mine.begun));
    }
    if (!counts_first(rules_.algorithm)) ++at(world, source).unheard;
    Network network(*this, world, rank);
    mine.core.data_received(network);
    settle(world, rank);
  }

  void signal(NetworkState& world, int source, int rank, std::ptrdiff_t which) {
    std::vector<Signal>& way = channel(world.signals, source, rank);
    Signal const signal = way[static_cast<std::size_t>(which)];
    way.erase(way.begin() + which);
    RankState& mine = at(world, rank);
    Network network(*this, world, rank);
    if (mine.in_barrier) {
      ++mine.step;
      return pass_barrier(world, rank);
    }
    mine.core.signal_received(signal.words, network);
    settle(world, rank);
  }

  std::optional<SignalStep> barrier_step(RankState const& mine, int rank) const {
    bool const tree = rules_.barrier == problem::Barrier::tree;
    return signal_step(tree ? Signalling::tree : Signalling::dissemination, rank, ranks_, mine.step);
  }

  /// Sends what is to be sent until a signal is awaited, or the barrier is over.
  void pass_barrier(NetworkState& world, int rank) {
    RankState& mine = at(world, rank);
    Network network(*this, world, rank);
    for (auto next = barrier_step(mine, rank); next; next = barrier_step(mine, rank)) {
      if (next->kind == SignalStep::Kind::await) return;
      network.send_signal(next->peer, next->stage, {});
      ++mine.step;
    }
    mine.in_barrier = false;
  }

  /// A rank that has completed an exchange, but for the last one, starts the barrier behind it.
  void settle(NetworkState& world, int rank) {
    RankState& mine = at(world, rank);
    check_received(mine, rank);
    bool const last = mine.begun == static_cast<int>(exchanges_.size());
    if (between_ == Between::nothing || !mine.core.done() || last || mine.barriers == mine.begun) return;
    mine.barriers = mine.begun;
    mine.step = 0;
    mine.in_barrier = true;
    pass_barrier(world, rank);
  }

  /// A rank that is done has received all that was sent to it.
  void check_received(RankState const& mine, int rank) {
    if (!mine.core.done()) return;
    std::ptrdiff_t sent = 0;
    for (auto const& targets : exchanges_[static_cast<std::size_t>(mine.begun - 1)]) {
      sent += std::count(targets.begin(), targets.end(), rank);
    }
    if (mine.core.state().received == sent) return;
    fault(fmt::format("rank {} ends exchange {} with {} messages of {}", rank, mine.begun, mine.core.state().received,
                      sent));
  }

  void check_end(NetworkState& world) {
    ++result_.ends;
    for (int rank = 0; rank < ranks_; ++rank) {
      RankState const& mine = at(world, rank);
      if (mine.core.done() && mine.begun == static_cast<int>(exchanges_.size())) continue;
      fault(fmt::format("rank {} hangs in exchange {} after {} events", rank, mine.begun, world.events));
    }
    for (auto const& source : world.data) {
      for (auto const& way : source) {
        if (!way.empty()) fault("a message is left over");
      }
    }
    for (auto const& source : world.signals) {
      for (auto const& way : source) {
        if (!way.empty()) fault("a signal is left over");
      }
    }
  }

  ExchangeRules rules_;
  std::vector<Targets> const& exchanges_;
  int tags_;
  Between between_;
  int ranks_;
  std::vector<NetworkState> open_;
  std::unordered_set<std::string> seen_;
  Explored result_;
};

}  // namespace

Explored explore(ExchangeRules rules, std::vector<Targets> const& exchanges, int tags, Between between) {
  return Explorer(rules, exchanges, tags, between).run();
}

}  // namespace rondo::mpi::testing

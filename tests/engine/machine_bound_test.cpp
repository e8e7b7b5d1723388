// No schedule beats the bound of a machine: random promises kept by random and by direct schedules, on random machines
// of every kind, timed in exact fractions and by the native engine.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/ids.hpp"
#include "native_schedules.hpp"
#include "optimum/network_bound.hpp"
#include "platform/network.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"

namespace rondo::testing {
namespace {

/// A promise, and the messages of a schedule that keeps it.
struct Kept {
  Collective promise;
  std::vector<std::int64_t> sizes;  ///< of the blocks, by origin, then by number
  std::vector<PlannedMessage> messages;
};

constexpr int most_numbers = 8;

std::int64_t size_of(Kept const& kept, Content const& content) {
  return kept.sizes[at(content.origin.value) * most_numbers + content.block.value];
}

std::vector<std::int64_t> random_sizes(Random& random, int ranks, bool equal_by_number) {
  std::vector<std::int64_t> sizes;
  std::int64_t const equal = random.below(4) == 0 ? 0 : random.between(1, 6000);
  bool const same = random.below(2) == 0;
  for (int r = 0; r < ranks; ++r) {
    for (int k = 0; k < most_numbers; ++k) {
      std::int64_t const own = same ? equal : random.between(0, 6000);
      sizes.push_back(equal_by_number && r > 0 ? sizes[at(k)] : own);
    }
  }
  return sizes;
}

/// What ranks know while messages go round: of each block whole or of each number the contributions that are joined.
class Gossip {
 public:
  /// Only pairs that are linked talk.
  Gossip(Kept& kept, std::function<bool(int, int)> linked)
      : kept_(kept), linked_(std::move(linked)), ranks_(ranks(kept.promise)) {
    for (int r = 0; r < ranks_; ++r) {
      for (Content const& each : held(kept.promise, Rank(r))) {
        bool const joined = joins(each.block);
        known_[{r, joined ? Content{Rank(0), each.block} : each}].insert(each.origin.value);
      }
    }
    for (int r = 0; r < ranks_; ++r) {
      for (Owed const& each : owed(kept.promise, Rank(r))) {
        for (std::size_t i = 0; i < each.contributions(); ++i) {
          Content const content = each.contribution(i);
          wanted_[{r, joins(content.block) ? Content{Rank(0), content.block} : content}].insert(content.origin.value);
        }
      }
    }
  }

  /// Messages between random pairs until everybody has what he is owed.
  void spread(Random& random) {
    for (; !is_kept(); ++round_) {
      auto const before = known_;
      for (int source = 0; source < ranks_; ++source) {
        if (random.below(4) == 0) continue;
        auto const target = static_cast<int>(random.below(at(ranks_)));
        if (target == source || !linked_(source, target)) continue;
        bool const all = random.below(2) == 0;
        send(source, target, before, [&](auto const&) { return all || random.below(2) == 0; });
      }
    }
  }

  /// Whoever has a block sends it to those that want it, at once; of a reduction every rank to everybody who is owed.
  void send_directly() {
    auto const before = known_;
    for (int source = 0; source < ranks_; ++source) {
      for (int target = 0; target < ranks_; ++target) {
        if (target == source || !linked_(source, target)) continue;
        send(source, target, before, [&](Content const& content) { return wants(target, content); });
      }
    }
    ++round_;
  }

  bool is_kept() const {
    return std::ranges::all_of(wanted_, [&](auto const& each) {
      auto const found = known_.find(each.first);
      return found != known_.end() && std::ranges::includes(found->second, each.second);
    });
  }

 private:
  using Key = std::pair<int, Content>;
  using Known = std::map<Key, std::set<int>>;

  bool joins(BlockId block) {
    for (int r = 0; r < ranks_; ++r) {
      for (Owed const& each : owed(kept_.promise, Rank(r))) {
        if (each.contributions() > 1 && each.block == block) return true;
      }
    }
    return false;
  }

  bool wants(int rank, Content const& content) const {
    auto const found = wanted_.find({rank, content});
    if (found == wanted_.end()) return false;
    auto const have = known_.find({rank, content});
    return have == known_.end() || !std::ranges::includes(have->second, found->second);
  }

  template <typename Choose>
  void send(int source, int target, Known const& before, Choose const& choose) {
    std::int64_t bytes = 0;
    bool any = false;
    for (auto const& [key, what] : before) {
      if (key.first != source || !choose(key.second)) continue;
      std::set<int>& there = known_[{target, key.second}];
      if (std::ranges::includes(there, what)) continue;
      there.insert(what.begin(), what.end());
      bytes += size_of(kept_, {Rank(*what.begin()), key.second.block});
      any = true;
    }
    if (any) kept_.messages.push_back({source, target, round_, round_, bytes});
  }

  Kept& kept_;
  std::function<bool(int, int)> linked_;
  int ranks_, round_ = 1;
  Known known_, wanted_;
};

StatedPromise random_promise(Random& random, int ranks) {
  StatedPromise promise;
  promise.held.resize(at(ranks));
  promise.owed.resize(at(ranks));
  std::uint32_t const numbers = static_cast<std::uint32_t>(random.between(1, 3));
  for (int r = 0; r < ranks; ++r) {
    for (std::uint32_t k = 0; k < numbers; ++k) {
      if (random.below(3) == 0) continue;
      Content const content{Rank(r), BlockId(k)};
      promise.held[at(r)].push_back(content);
      int const other = static_cast<int>(random.below(at(ranks)));
      if (other != r && random.below(4) == 0) promise.held[at(other)].push_back(content);  // a second holder
      for (int to = 0; to < ranks; ++to) {
        if (random.below(2) == 0) promise.owed[at(to)].emplace_back(content);
      }
    }
  }
  return promise;
}

Collective random_collective(Random& random, int ranks) {
  using enum ClassicalCollective;
  auto const kind = one_of<ClassicalCollective>(
      random, {bcast, gather, scatter, allgather, alltoall, reduce, reduce_scatter, allreduce, scan, exscan});
  int const chosen = static_cast<int>(random.below(4));
  if (chosen == 0) return random_promise(random, ranks);
  bool const many = kind == scatter || kind == alltoall || kind == reduce_scatter;
  if (many && ranks > most_numbers) return random_promise(random, ranks);
  return Classical{.collective = kind, .ranks = ranks, .root = Rank(static_cast<int>(random.below(at(ranks))))};
}

bool has_reductions(Collective const& promise) {
  for (int r = 0; r < ranks(promise); ++r) {
    auto const all = owed(promise, Rank(r));
    if (std::ranges::any_of(all, [](Owed const& each) { return each.contributions() > 1; })) return true;
  }
  return false;
}

Kept random_kept(Random& random, Platform const& platform) {
  auto const carried = static_cast<int>(ranks(platform));
  int const p = random.below(4) == 0 ? std::max(1, carried - 1) : carried;
  Kept kept{random_collective(random, p), {}, {}};
  kept.sizes = random_sizes(random, p, has_reductions(kept.promise));
  Routes const routes(platform);
  Gossip gossip(kept, [&](int a, int b) {
    return !platform.neighbors_only || routes.hops(host_of(platform, Rank(a)), host_of(platform, Rank(b))) <= 1;
  });
  if (random.below(2) == 0) gossip.send_directly();
  gossip.spread(random);
  return kept;
}

std::optional<optimum::NetworkBound> bound_of(Kept const& kept, Platform const& platform) {
  auto const size = [&](Content const& content) { return size_of(kept, content); };
  auto const demand = optimum::demand_of(kept.promise, size, false, 1 << 20);
  Network const network = *network_of(platform, ranks(kept.promise));
  return optimum::network_bound(network, *demand, optimum::better_sides(network, *demand),
                                optimum::find_lengths(network, *demand));
}

Platform any_machine(Random& random) {
  int const kind = static_cast<int>(random.below(8));
  Platform platform = kind % 2 == 0 ? random_machine(random) : random_flow_machine(random);
  if (kind >= 4) platform = with_insides(random, platform);
  bool const grid = std::holds_alternative<Ring>(platform.topology) ||
                    std::holds_alternative<TorusMachine>(platform.topology) ||
                    std::holds_alternative<MeshMachine>(platform.topology);
  platform.neighbors_only = grid && platform.routing.failed.empty() && random.below(2) == 0;
  if (random.below(12) > 0) return platform;
  platform.timing = TimingModel::loggp;
  std::vector<Seconds> const times{Seconds(0), 300_ns, 1_us, 77_ns};
  std::vector<Seconds> const bytes{Seconds(0), Seconds(1e-9), Seconds(6e-9), Seconds(2e-7)};
  platform.loggp = {one_of(random, times), one_of(random, times), one_of(random, times),
                    one_of(random, bytes), one_of(random, bytes), one_of<Bytes>(random, {0_B, 1000_B, 1_MiB})};
  return platform;
}

/// In exact fractions where these do not take long, else by the engine.
double finish_ns(Kept const& kept, Platform const& platform) {
  int const p = ranks(kept.promise);
  constexpr std::size_t few = 40;
  if (platform.timing == TimingModel::loggp || kept.messages.size() > few) {
    return 1e9 * testing::simulate_native(schedule_of(p, kept.messages), platform).makespan.value;
  }
  auto const ends = platform.timing == TimingModel::flow ? reference_flow_finish(p, kept.messages, platform)
                                                         : reference_finish(p, kept.messages, platform);
  return *std::ranges::max_element(ends);
}

struct Tried {
  int half = 0, met = 0;  ///< of the times, that are at most twice the bound, and that are the bound
  std::map<std::string, int> by;
};

void expect_no_better(std::uint64_t seed, Tried& tried) {
  Random random(seed);
  Platform const platform = any_machine(random);
  Kept const kept = random_kept(random, platform);
  auto const bound = bound_of(kept, platform);
  if (kept.messages.empty()) {
    EXPECT_FALSE(bound && bound->seconds > 0)
        << "seed " << seed << ": " << bound->by << bound->cut.value_or("") << kept.promise.index();
    return;
  }
  double const time = finish_ns(kept, platform);
  double const least = bound ? 1e9 * bound->seconds : 0;
  ASSERT_LE(least, time * (1 + 1e-9)) << "seed " << seed << ": " << bound->by << ", " << bound->cut.value_or("");
  if (!bound) return;
  ++tried.by[bound->by];
  if (least >= time * (1 - 1e-9)) ++tried.met;
  if (2 * least >= time) ++tried.half;
}

void expect_bounds_hold(std::uint64_t first, int count) {
  Tried tried;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    expect_no_better(seed, tried);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
  // Some schedules take no longer, random as they are.
  EXPECT_GT(tried.met, 0);
  EXPECT_GT(tried.half, count / 50);
  for (char const* by : {"rounds", "port", "cut", "volume", "lengths"}) EXPECT_GT(tried.by[by], 0) << by;
}

TEST(MachineBound, is_beaten_by_no_random_schedule) { expect_bounds_hold(1, 1000 / test::sampled); }

TEST(LongMachineBound, is_beaten_by_none_of_thirty_thousand_random_schedules) {
  expect_bounds_hold(10'000, 30'000 / test::thinned);
}

}  // namespace
}  // namespace rondo::testing

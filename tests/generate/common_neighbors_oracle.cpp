#include "common_neighbors_oracle.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace rondo::oracle {
namespace {

using namespace generate;
using Set = std::set<Rank>;

Set without(Set const& from, Set const& what) {
  Set rest;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::inserter(rest, rest.end()));
  return rest;
}

Set common(Set const& a, Set const& b) {
  Set both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

/// What a rank knows.
struct Process {
  Set targets;  ///< O_a
  Set friends;  ///< F of Algorithm 1
  Set f;        ///< F of Algorithm 2
  Set hears;    ///< the friends that are neither paired nor terminal
  std::optional<Rank> choice, previous;
  bool paired = false, terminal = false;
  bool runs() const { return !paired && !terminal; }
};

class Oracle {
 public:
  Oracle(ProcessGraph const& graph, CommonNeighbors const& options) : graph_(graph), options_(options) {
    pattern.combining = options.combining;
    for (int r = 0; r < graph.ranks(); ++r) {
      std::vector<Rank> const targets = graph.distinct_targets(Rank(r));
      all_[Rank(r)].targets = Set(targets.begin(), targets.end());
      sends_[Rank(r)] = 0;
    }
    for (auto& [r, process] : all_) pattern.setup.build += size(process.targets);
    find_friends();
    for (auto& [r, process] : all_) {
      pattern.friends += size(process.friends);
      pattern.most_friends = std::max(pattern.most_friends, static_cast<int>(process.friends.size()));
      if (process.friends.empty())
        pattern.setup.notify += size(process.targets);
      else
        loop_.insert(r);
    }
    pattern.friends /= 2;
  }

  void algorithm1() {
    while (!loop_.empty()) iterate();
    for (auto& [r, process] : all_) {
      sends_[r] += static_cast<int>(process.targets.size());
      pattern.messages += sends_[r];
      pattern.max_sends = std::max(pattern.max_sends, sends_[r]);
    }
  }

  CombiningPattern pattern;

 private:
  static std::int64_t size(Set const& set) { return static_cast<std::int64_t>(set.size()); }

  void find_friends() {
    for (auto& [r, process] : all_) {
      process.friends.clear();
      for (auto& [other, its] : all_) {
        weights_[{r, other}] = static_cast<int>(common(process.targets, its.targets).size());
        if (other != r && weights_[{r, other}] >= options_.theta) process.friends.insert(other);
      }
    }
  }

  Rank heaviest(Rank p, Set const& candidates) {
    auto const key = [&](Rank q) {
      return std::pair(weights_[{p, q}], options_.tie == FriendTie::highest ? q.value : -q.value);
    };
    return *std::max_element(candidates.begin(), candidates.end(), [&](Rank a, Rank b) { return key(a) < key(b); });
  }

  void iterate() {
    Iteration& iteration = pattern.iterations.emplace_back();
    iteration.pairing_rounds = algorithm2();
    std::map<Rank, Set> removed;
    for (Rank const r : loop_) {
      pattern.setup.notify += size(all_[r].targets);
      if (all_[r].paired && r < *all_[r].choice) iteration.pairs.push_back(divide(r, *all_[r].choice, removed));
    }
    for (auto& [r, set] : removed) all_[r].targets = without(all_[r].targets, set);
    for (Rank const r : loop_) {
      for (Rank const target : all_[r].targets) {
        ++pattern.setup.update;
        pattern.setup.update_by_done += loop_.contains(target) ? 0 : 1;
      }
    }
    find_friends();
    Set staying;
    for (Rank const r : loop_) {
      if (all_[r].friends.empty())
        pattern.setup.notify += size(all_[r].targets);
      else
        staying.insert(r);
    }
    loop_ = staying;
  }

  Pair divide(Rank low, Rank high, std::map<Rank, Set>& removed) {
    Pair pair{low, high, {}, {}};
    Set const both = common(all_[low].targets, all_[high].targets);
    std::size_t const half = options_.half == Half::floor ? both.size() / 2 : (both.size() + 1) / 2;
    for (Rank const n : both) (pair.low_onloads.size() < half ? pair.low_onloads : pair.high_onloads).push_back(n);
    for (Rank const r : {low, high}) {
      Rank const other = r == low ? high : low;
      auto const& onloads = r == low ? pair.low_onloads : pair.high_onloads;
      auto const targets = graph_.distinct_targets(r);
      pattern.savable_messages += std::count(targets.begin(), targets.end(), other);
      sends_[r] += 1;
      if (options_.combining == Combining::single) {
        sends_[r] += static_cast<int>(onloads.size());
        removed[r] = both;
      } else {
        removed[r] = without(both, Set(onloads.begin(), onloads.end()));
      }
    }
    return pair;
  }

  int algorithm2() {
    for (Rank const p : loop_) {
      Process& process = all_[p];
      process.f = process.hears = process.friends;
      process.paired = process.terminal = false;
    }
    for (int round = 1;; ++round) {
      for (Rank const p : loop_) all_[p].previous = all_[p].choice;
      for (Rank const p : loop_) {
        if (all_[p].runs()) choose(p, round == 1);
      }
      announce();
      if (std::none_of(loop_.begin(), loop_.end(), [&](Rank p) { return all_[p].runs(); })) return round;
    }
  }

  void choose(Rank p, bool first) {
    Process& process = all_[p];
    if (first) {
      process.choice = heaviest(p, process.f);
      return;
    }
    Rank const old = *process.previous;
    if (all_[old].runs() && p < old) return;
    Set suitors;
    for (Rank const g : options_.suitors == Suitors::active ? process.hears : process.f) {
      if (g < p && all_[g].previous == p) suitors.insert(g);
    }
    if (!suitors.empty()) {
      process.choice = heaviest(p, suitors);
      return;
    }
    process.f.erase(old);
    process.choice = process.f.empty() ? std::nullopt : std::optional(heaviest(p, process.f));
  }

  void announce() {
    Set leaving;
    for (Rank const p : loop_) {
      Process& process = all_[p];
      if (!process.runs()) continue;
      pattern.setup.pairing += 2 * size(process.hears);
      pattern.setup.pairing_printed += 2 * size(process.f);
      bool const mutual = process.choice && all_[*process.choice].runs() && all_[*process.choice].choice == p;
      if (mutual || !process.choice) leaving.insert(p);
    }
    for (Rank const p : leaving) (all_[p].choice ? all_[p].paired : all_[p].terminal) = true;
    for (Rank const p : loop_) {
      all_[p].f = without(all_[p].f, leaving);
      all_[p].hears = without(all_[p].hears, leaving);
    }
  }

  ProcessGraph const& graph_;
  CommonNeighbors options_;
  std::map<Rank, Process> all_;
  std::map<Rank, int> sends_;
  std::map<std::pair<Rank, Rank>, int> weights_;  ///< numbers of common neighbors, in this iteration
  Set loop_;
};

}  // namespace

CombiningPattern common_neighbors(ProcessGraph const& graph, CommonNeighbors const& options) {
  Oracle oracle(graph, options);
  oracle.algorithm1();
  return oracle.pattern;
}

}  // namespace rondo::oracle

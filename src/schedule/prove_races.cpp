// Checks that tasks which touch a cell, or which meet in a channel, do so in a settled order.
//
// Two tasks on one chain are in order. For all other pairs the requirements of their own rank are examined first:
// for each task, how far the tasks that happen before it reach down each chain of its rank. The pairs that are left can
// only be ordered by way of other ranks. For these the same is computed through the whole graph, for 16 chains at a
// time.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/ids.hpp"
#include "schedule/prove_parts.hpp"

namespace rondo::proof {

/// Greedy: a requirement extends a chain if neither of its tasks is used yet.
Chains chains_of(TaskGraph const& graph) {
  std::size_t const tasks = graph.tasks.size();
  std::vector<std::uint32_t> next(tasks, no_task), before(tasks, no_task);
  for (Requirement const& each : graph.requirements) {
    if (each.until != Until::finish || each.task == each.on) continue;
    if (before[each.task] != no_task || next[each.on] != no_task) continue;
    before[each.task] = each.on;
    next[each.on] = each.task;
  }
  Chains chains{std::vector<std::uint32_t>(tasks), std::vector<std::uint32_t>(tasks), {0}};
  std::uint32_t count = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (std::uint32_t task = graph.first[at(rank)]; task < graph.first[at(rank) + 1]; ++task) {
      if (before[task] != no_task) continue;
      std::uint32_t place = 0;
      for (std::uint32_t each = task; each != no_task; each = next[each]) {
        chains.of[each] = count;
        chains.place[each] = place++;
      }
      ++count;
    }
    chains.first.push_back(count);
  }
  return chains;
}

namespace {

/// For each task of a rank, how many tasks of each of the rank's chains happen before it or are the task itself, as the
/// requirements of the rank alone order them.
class ClocksOfRank {
 public:
  /// Requirements that wait for a start do not order the accesses of the two tasks.
  ClocksOfRank(TaskGraph const& graph, Chains const& chains) : graph_(graph), chains_(chains) {
    std::vector<Arrow> all;
    for (Requirement const& each : graph.requirements) {
      if (each.until == Until::finish) all.push_back({each.task, each.on});
    }
    before_ = arrows(all, graph.tasks.size());
  }

  /// Drops the pairs that are in order. All pairs must be of one rank; `sorted` has its tasks in the order in which
  /// they happen.
  void drop_ordered(Rank rank, std::span<std::uint32_t const> sorted, std::vector<Pair>& pairs) {
    std::uint32_t const first_task = graph_.first[at(rank)], first_chain = chains_.first[at(rank)];
    std::size_t const width = chains_.first[at(rank) + 1] - first_chain;
    constexpr std::size_t most_entries = std::size_t{1} << 28;
    if (width * sorted.size() > most_entries) return;
    clocks_.assign(width * sorted.size(), 0);
    auto const clock = [&](std::uint32_t task) { return clocks_.data() + (task - first_task) * width; };
    for (std::uint32_t const task : sorted) {
      std::uint32_t* const task_clock = clock(task);
      for (std::uint32_t const on : before_.of(task)) {
        std::uint32_t const* const other = clock(on);
        for (std::size_t i = 0; i < width; ++i) task_clock[i] = std::max(task_clock[i], other[i]);
      }
      task_clock[chains_.of[task] - first_chain] = chains_.place[task] + 1;
    }
    std::erase_if(pairs, [&](Pair const& each) {
      return clock(each.behind)[chains_.of[each.before] - first_chain] > chains_.place[each.before];
    });
  }

 private:
  TaskGraph const& graph_;
  Chains const& chains_;
  Arrows before_;
  std::vector<std::uint32_t> clocks_;
};

/// The tasks of each rank in the order of the sequence.
std::vector<std::uint32_t> by_rank(TaskGraph const& graph, Order const& order) {
  std::vector<std::uint32_t> rank_of(graph.tasks.size()), result(graph.tasks.size());
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    std::fill(rank_of.begin() + graph.first[at(rank)], rank_of.begin() + graph.first[at(rank) + 1],
              static_cast<std::uint32_t>(rank));
  }
  std::vector<std::uint32_t> next(graph.first.begin(), graph.first.end() - 1);
  for (std::uint32_t const node : order.sequence) {
    if (node < rank_of.size()) result[next[rank_of[node]]++] = node;
  }
  return result;
}

/// Drops the pairs that the requirements of their rank order.
std::vector<Pair> not_in_order_at_home(TaskGraph const& graph, Order const& order, Chains const& chains,
                                       std::vector<Pair> const& pairs) {
  std::vector<std::uint32_t> const sorted = by_rank(graph, order);
  ClocksOfRank clocks(graph, chains);
  std::vector<Pair> left;
  for (std::size_t begin = 0; begin < pairs.size();) {
    Rank const rank = graph.rank_of(pairs[begin].before);
    std::uint32_t const first = graph.first[at(rank)], end_task = graph.first[at(rank) + 1];
    std::size_t end = begin;
    while (end < pairs.size() && pairs[end].before < end_task) ++end;
    std::vector<Pair> of_rank(pairs.begin() + std::ptrdiff_t(begin), pairs.begin() + std::ptrdiff_t(end));
    clocks.drop_ordered(rank, std::span(sorted).subspan(first, end_task - first), of_rank);
    left.insert(left.end(), of_rank.begin(), of_rank.end());
    begin = end;
  }
  return left;
}

/// Walks through the whole graph and computes, for each node, how far the nodes before it reach down some chains.
class ReachTable {
 public:
  static constexpr std::size_t width = 16;
  ReachTable(Order const& order, Chains const& chains)
      : order_(order), chains_(chains), slot_(chain_count(chains), width) {}

  /// Drops the pairs that are in order, and adds the others to `left`. The first tasks of the pairs lie on at most
  /// `width` chains.
  void drop_ordered(std::span<Pair const> pairs, std::vector<Pair>& left) {
    std::uint32_t begin = no_task, end = 0;
    std::vector<std::uint32_t> used;
    for (Pair const& each : pairs) {
      std::uint32_t const chain = chains_.of[each.before];
      if (slot_[chain] == width) {
        slot_[chain] = static_cast<std::uint8_t>(used.size());
        used.push_back(chain);
      }
      begin = std::min(begin, order_.place[each.before]);
      end = std::max(end, order_.place[each.behind]);
    }
    carry(begin, end);
    for (Pair const& each : pairs) {
      std::uint32_t const place = order_.place[each.behind];
      bool const reached =
          place >= begin && reach_[place - begin][slot_[chains_.of[each.before]]] > chains_.place[each.before];
      if (!reached) left.push_back(each);
    }
    for (std::uint32_t const chain : used) slot_[chain] = width;
  }

 private:
  using Reach = std::array<std::uint32_t, width>;

  static std::size_t chain_count(Chains const& chains) { return chains.first.back(); }

  /// Computes, for nodes in their order, how far along each of 16 chains the tasks before them reach.
  void carry(std::uint32_t begin, std::uint32_t end) {
    if (end < begin) end = begin;
    reach_.assign(end - begin + 1, Reach{});
    for (std::uint32_t i = begin; i <= end; ++i) {
      std::uint32_t const node = order_.sequence[i];
      Reach& node_reach = reach_[i - begin];
      if (node < chains_.of.size() && slot_[chains_.of[node]] != width) {
        node_reach[slot_[chains_.of[node]]] = chains_.place[node] + 1;
      }
      if (node_reach == Reach{}) continue;
      for (std::uint32_t const after : order_.after.of(node)) {
        std::uint32_t const place = order_.place[after];
        if (place > end) continue;
        Reach& other = reach_[place - begin];
        for (std::size_t k = 0; k < width; ++k) other[k] = std::max(other[k], node_reach[k]);
      }
    }
  }

  Order const& order_;
  Chains const& chains_;
  std::vector<std::uint8_t> slot_;  ///< by chain; width: not followed
  std::vector<Reach> reach_;
};

}  // namespace

/// Removes all pairs that are ordered: first by their chain, then within the rank, then through the whole graph.
std::vector<Pair> not_in_order(TaskGraph const& graph, Order const& order, Chains const& chains,
                               std::vector<Pair> pairs) {
  std::erase_if(pairs, [&](Pair const& each) { return chains.in_order(each.before, each.behind); });
  if (pairs.empty()) return pairs;
  std::stable_sort(pairs.begin(), pairs.end(), [](Pair a, Pair b) { return a.before < b.before; });
  pairs = not_in_order_at_home(graph, order, chains, pairs);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](Pair a, Pair b) { return chains.of[a.before] < chains.of[b.before]; });
  std::vector<Pair> left;
  ReachTable wave(order, chains);
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t end = begin, followed = 0;
    for (std::uint32_t last = no_task; end < pairs.size(); ++end) {
      std::uint32_t const chain = chains.of[pairs[end].before];
      if (chain != last && ++followed > ReachTable::width) break;
      last = chain;
    }
    wave.drop_ordered(std::span(pairs).subspan(begin, end - begin), left);
    begin = end;
  }
  std::sort(left.begin(), left.end(),
            [](Pair a, Pair b) { return a.before != b.before ? a.before < b.before : a.behind < b.behind; });
  return left;
}

namespace {

/// A task that touches a cell.
struct Access {
  std::uint32_t task;
  bool writes;
};

/// By cell the tasks that touch it, in the order of the sequence.
struct Accesses {
  std::vector<std::uint32_t> first;
  std::vector<Access> all;

  /// Sorts all accesses by cell, by counting.
  Accesses(BlockGraph const& graph, Order const& order) : first(std::size_t{graph.cell_count} + 1, 0) {
    each_access(graph, order, [&](std::uint32_t cell, Access) { ++first[cell + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    all.resize(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    each_access(graph, order, [&](std::uint32_t cell, Access access) { all[next[cell]++] = access; });
  }

  /// Calls `take` for all accesses, in the order of tasks.
  template <typename Take>
  static void each_access(BlockGraph const& graph, Order const& order, Take const& take) {
    for (std::uint32_t const task : order.sequence) {
      if (task >= graph.effects.size()) continue;
      for (std::uint32_t const cell : graph.reads(task)) take(cell, {task, false});
      for (std::uint32_t const cell : graph.writes(task)) take(cell, {task, true});
    }
  }
};

/// Pairs of tasks that touch one cell and one of which writes it. Not all such pairs are listed, but if those listed
/// are in order, then all are.
std::vector<Pair> conflicts(Accesses const& accesses, Chains const& chains) {
  std::vector<Pair> pairs;
  auto const add = [&](std::uint32_t before, std::uint32_t behind) {
    if (before != behind && !chains.in_order(before, behind)) pairs.push_back({before, behind});
  };
  for (std::size_t cell = 0; cell + 1 < accesses.first.size(); ++cell) {
    std::uint32_t written = no_task;
    std::size_t read_from = accesses.first[cell];  // reads since then are not yet followed by a write
    for (std::size_t i = read_from; i < accesses.first[cell + 1]; ++i) {
      Access const& each = accesses.all[i];
      if (written != no_task) add(written, each.task);
      if (!each.writes) continue;
      for (; read_from < i; ++read_from) add(accesses.all[read_from].task, each.task);
      read_from = i + 1;
      written = each.task;
    }
  }
  return pairs;
}

/// Messages that follow each other in a channel, as pairs at both ends.
std::vector<Pair> neighbors_in_channels(BlockGraph const& graph, Order const& order, Chains const& chains) {
  std::vector<Pair> pairs;
  std::array<std::vector<std::uint32_t>, 2> last;
  last.fill(std::vector<std::uint32_t>(order.channels.count, no_task));
  for (std::uint32_t task = 0; task < graph.effects.size(); ++task) {
    std::uint32_t const channel = order.channels.of[task];
    if (channel == no_channel || graph.effects[task].count == 0) continue;
    std::uint32_t& before = last[graph.tasks.tasks[task].kind == TaskKind::send ? 0 : 1][channel];
    if (before != no_task && !chains.in_order(before, task)) pairs.push_back({before, task});
    before = task;
  }
  return pairs;
}

/// Drops pairs of tasks with the same requirements. They start at the same time and are posted in their order.
void drop_those_that_start_together(TaskGraph const& graph, std::vector<Pair>& pairs) {
  if (pairs.empty()) return;
  std::vector<Arrow> all;
  for (Requirement const& each : graph.requirements)
    all.push_back({each.task, 2 * each.on + (each.until == Until::start ? 1 : 0)});
  Arrows const required = arrows(all, graph.tasks.size());
  auto const sorted = [&](std::uint32_t task) {
    auto const of = required.of(task);
    std::vector<std::uint32_t> result(of.begin(), of.end());
    std::sort(result.begin(), result.end());
    return result;
  };
  std::erase_if(pairs, [&](Pair const& each) {
    auto const waits_for = required.of(each.behind);
    bool const starts_behind = std::find(waits_for.begin(), waits_for.end(), 2 * each.before + 1) != waits_for.end();
    return starts_behind || sorted(each.before) == sorted(each.behind);
  });
}

/// The cell that a pair conflicts about: the first one that both tasks touch and one of them writes.
std::uint32_t cell_of(BlockGraph const& graph, Pair const& pair) {
  for (auto const& [writer, other] : {pair, Pair{pair.behind, pair.before}}) {
    for (std::uint32_t const cell : graph.writes(writer)) {
      for (auto const& cells : {graph.reads(other), graph.writes(other)}) {
        if (std::find(cells.begin(), cells.end(), cell) != cells.end()) return cell;
      }
    }
  }
  return Effect::none;
}

}  // namespace

/// Reports each pair of tasks once.
void check_races(BlockGraph const& graph, Order const& order, Faults& faults) {
  TaskGraph const& tasks = graph.tasks;
  Chains const chains = chains_of(tasks);
  std::vector<Pair> raced = not_in_order(tasks, order, chains, conflicts(Accesses(graph, order), chains));
  raced.erase(std::unique(raced.begin(), raced.end(),
                          [](Pair a, Pair b) { return a.before == b.before && a.behind == b.behind; }),
              raced.end());
  for (Pair const& pair : raced) {
    faults.add(race, pair.behind, [&] {
      std::uint32_t const cell = cell_of(graph, pair);
      return fmt::format("{} and {} touch {} without order between them, and one of them writes it",
                         name_of(graph, pair.before), name_of(graph, pair.behind),
                         graph.name_of(tasks.rank_of(pair.behind), cell));
    });
  }
  std::vector<Pair> posted = neighbors_in_channels(graph, order, chains);
  drop_those_that_start_together(tasks, posted);
  for (Pair const& pair : not_in_order(tasks, order, chains, std::move(posted))) {
    faults.add(race, pair.behind, [&] {
      return fmt::format(
          "{} and {} share a channel without order between them, so that it is not settled which "
          "message each of them is",
          name_of(graph, pair.before), name_of(graph, pair.behind));
    });
  }
}

}  // namespace rondo::proof

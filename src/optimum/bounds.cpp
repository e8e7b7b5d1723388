// Finds lower bounds of rounds and critical blocks by counting. Each Argument names the block, the rank or the set for
// which it holds, so that a person can check it.

#include "optimum/bounds.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace rondo::optimum {
namespace {

using std::size_t;

int rounded_up(int a, int b) { return (a + b - 1) / b; }

/// Returns the least r for which start * (ports + 1)^r >= goal.
int growth(int start, int goal, int ports) {
  int rounds = 0;
  for (std::int64_t have = start; have < goal; have *= ports + 1) ++rounds;
  return rounds;
}

/// Keeps the better of two arguments, the first one if they are equal.
void improve(Argument& best, Argument const& other) {
  if (other.at_least > best.at_least) best = other;
}

/// Bounds by single blocks. After a round at most ports + 1 times as many ranks have a block as before, and a block
/// needs a round for each hop.
void by_block(Argument& best, Question const& question, std::vector<std::vector<int>> const& far) {
  for (size_t i = 0; i < question.blocks.size(); ++i) {
    Block const& block = question.blocks[i];
    int const start = static_cast<int>(block.held.size());
    int const goal = start + static_cast<int>(block.wanted.size());
    improve(best, {.by = "doubling", .at_least = growth(start, goal, question.ports), .block = static_cast<int>(i)});
    for (int const to : block.wanted) {
      int nearest = far[static_cast<size_t>(block.held.front())][static_cast<size_t>(to)];
      for (int const from : block.held)
        nearest = std::min(nearest, far[static_cast<size_t>(from)][static_cast<size_t>(to)]);
      improve(best, {.by = "distance", .at_least = nearest, .block = static_cast<int>(i), .rank = to});
    }
  }
}

/// Bounds by the number of ranks whose blocks a rank wants. After a round a rank can have blocks of at most ports + 1
/// times as many ranks as before. Blocks that several ranks hold are left out.
void by_hearing(Argument& best, Question const& question) {
  std::vector<std::set<int>> heard(static_cast<size_t>(question.ranks));
  for (Block const& block : question.blocks) {
    if (block.held.size() > 1) continue;
    for (int const to : block.wanted) heard[static_cast<size_t>(to)].insert(block.held.front());
  }
  for (int r = 0; r < question.ranks; ++r) {
    int const goal = 1 + static_cast<int>(heard[static_cast<size_t>(r)].size());
    improve(best, {.by = "hearing", .at_least = growth(1, goal, question.ports), .rank = r});
  }
}

/// Bounds by the blocks of one holder, sorted by the number of ranks that want them, the largest first. One of the
/// first n blocks leaves the holder in round ceil(n / (k C)) or later, with k ports and C blocks in a message. From
/// this round on it has to reach at least as many ranks as want the n-th block.
void by_departures(Argument& best, Question const& question, int message_blocks) {
  std::map<int, std::vector<int>> of;
  for (size_t i = 0; i < question.blocks.size(); ++i) {
    if (question.blocks[i].held.size() == 1) of[question.blocks[i].held.front()].push_back(static_cast<int>(i));
  }
  for (auto& [rank, blocks] : of) {
    auto const targets = [&](int i) { return static_cast<int>(question.blocks[static_cast<size_t>(i)].wanted.size()); };
    std::ranges::stable_sort(blocks, [&](int a, int b) { return targets(a) > targets(b); });
    for (size_t n = 1; n <= blocks.size(); ++n) {
      int const leaves = rounded_up(static_cast<int>(n), question.ports * message_blocks);
      int const rounds = leaves - 1 + growth(1, 1 + targets(blocks[n - 1]), question.ports);
      if (rounds <= best.at_least) continue;
      best = {.by = "departures", .at_least = rounds, .rank = rank};
      best.set.assign(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(n));
    }
  }
}

/// Returns how many messages can enter a set of ranks in a round: at most as many as its ranks can receive, as the
/// others can send, and as the links between them can carry.
int entering(Question const& question, std::vector<bool> const& inside) {
  auto const of = [&](bool side) { return static_cast<int>(std::ranges::count(inside, side)) * question.ports; };
  int most = std::min(of(true), of(false));
  if (!question.links) return most;
  std::vector<int> in(inside.size()), out(inside.size());
  for (Link const& each : *question.links) {
    auto const from = static_cast<size_t>(each.from), to = static_cast<size_t>(each.to);
    if (inside[from] || !inside[to]) continue;
    out[from] += each.width;
    in[to] += each.width;
  }
  int received = 0, sent = 0;
  for (size_t r = 0; r < inside.size(); ++r) {
    received += std::min(in[r], question.ports);
    sent += std::min(out[r], question.ports);
  }
  return std::min({most, received, sent});
}

/// Counts the blocks that a rank of the set wants and that no rank of the set holds.
int blocks_wanted(Question const& question, std::vector<bool> const& inside) {
  auto const in = [&](int rank) { return inside[static_cast<size_t>(rank)]; };
  int blocks = 0;
  for (Block const& block : question.blocks) {
    blocks += std::ranges::any_of(block.wanted, in) && std::ranges::none_of(block.held, in) ? 1 : 0;
  }
  return blocks;
}

/// Lists the sets of ranks that are tried. Up to 12 ranks these are all sets. Otherwise they are single ranks, the
/// first r ranks for each r, if there are links also balls of radius 1 to 8 around each rank, and all complements.
std::vector<std::vector<bool>> sets(Question const& question, std::vector<std::vector<int>> const& far) {
  auto const p = static_cast<size_t>(question.ranks);
  std::vector<std::vector<bool>> result;
  if (p <= 12) {
    for (unsigned mask = 1; mask + 1 < (1U << p); ++mask) {
      std::vector<bool>& set = result.emplace_back(p);
      for (size_t r = 0; r < p; ++r) set[r] = ((mask >> r) & 1U) != 0;
    }
    return result;
  }
  auto const add = [&](auto const& inside) {
    std::vector<bool> set(p), others(p);
    for (size_t r = 0; r < p; ++r) others[r] = !(set[r] = inside(r));
    if (std::ranges::find(set, true) == set.end() || std::ranges::find(set, false) == set.end()) return;
    result.push_back(set);
    result.push_back(others);
  };
  for (size_t r = 0; r < p; ++r) {
    for (int radius = 0; radius <= (question.links ? 8 : 0); ++radius) {
      add([&](size_t other) { return far[r][other] <= radius; });
    }
    if (r > 0) add([&](size_t other) { return other < r; });
  }
  return result;
}

/// Bounds by cuts, if each message carries `message_blocks` blocks.
void by_cuts(Argument& best, Question const& question, std::vector<std::vector<int>> const& far, int message_blocks) {
  for (std::vector<bool> const& inside : sets(question, far)) {
    int const blocks = blocks_wanted(question, inside);
    int const messages = entering(question, inside);
    if (blocks == 0 || messages == 0) continue;  // if nothing can enter, by_block finds an unreachable rank
    int const rounds = rounded_up(blocks, messages * message_blocks);
    if (rounds <= best.at_least) continue;
    best = {.by = "cut", .at_least = rounds, .blocks = blocks, .messages = messages};
    for (size_t r = 0; r < inside.size(); ++r) {
      if (inside[r]) best.set.push_back(static_cast<int>(r));
    }
  }
}

}  // namespace

std::vector<std::vector<int>> hops(Question const& question) {
  auto const p = static_cast<size_t>(question.ranks);
  std::vector<std::vector<int>> far(p, std::vector<int>(p, question.links ? unreachable : 1));
  for (size_t r = 0; r < p; ++r) far[r][r] = 0;
  if (!question.links) return far;
  std::vector<std::vector<int>> next(p);
  for (Link const& each : *question.links) next[static_cast<size_t>(each.from)].push_back(each.to);
  for (size_t r = 0; r < p; ++r) {
    std::vector<int> queue{static_cast<int>(r)};
    for (size_t k = 0; k < queue.size(); ++k) {
      auto const at = static_cast<size_t>(queue[k]);
      for (int const to : next[at]) {
        if (far[r][static_cast<size_t>(to)] != unreachable) continue;
        far[r][static_cast<size_t>(to)] = far[r][at] + 1;
        queue.push_back(to);
      }
    }
  }
  return far;
}

Argument rounds_bound(Question const& question, std::optional<int> message_blocks) {
  Argument best{.by = "nothing"};
  std::vector<std::vector<int>> const far = hops(question);
  by_block(best, question, far);
  by_hearing(best, question);
  if (message_blocks) {
    by_departures(best, question, *message_blocks);
    by_cuts(best, question, far, *message_blocks);
  }
  return best;
}

Argument critical_bound(Question const& question) {
  Argument best{.by = "nothing"};
  std::vector<std::vector<int>> const far = hops(question);
  // Every round with a message adds at least one critical block, so a bound of rounds also holds for critical blocks.
  by_block(best, question, far);
  by_hearing(best, question);
  by_cuts(best, question, far, 1);
  return best;
}

}  // namespace rondo::optimum

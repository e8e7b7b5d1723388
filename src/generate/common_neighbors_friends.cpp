#include "generate/common_neighbors_friends.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include "base/index.hpp"

namespace rondo::generate {
namespace {

using List = ActiveEdges::List;

List values(std::vector<Rank> const& ranks) {
  List list;
  list.reserve(ranks.size());
  for (Rank const rank : ranks) list.push_back(rank.value);
  return list;
}

/// Removes the ascending `removed` from the ascending `list`.
void subtract(List& list, List const& removed) {
  if (removed.empty()) return;
  auto next = removed.begin();
  std::erase_if(list, [&](std::int32_t rank) {
    while (next != removed.end() && *next < rank) ++next;
    return next != removed.end() && *next == rank;
  });
}

/// The same edges, grouped by target instead of by source.
std::vector<List> transposed(std::vector<List> const& by_source) {
  std::vector<List> by_target(by_source.size());
  for (std::size_t source = 0; source < by_source.size(); ++source) {
    for (std::int32_t const target : by_source[source])
      by_target[at(target)].push_back(static_cast<std::int32_t>(source));
  }
  return by_target;
}

std::uint32_t count_common(std::uint64_t const* a, std::uint64_t const* b, std::size_t words) {
  std::uint32_t common = 0;
  for (std::size_t w = 0; w < words; ++w) common += static_cast<std::uint32_t>(std::popcount(a[w] & b[w]));
  return common;
}

using CountCommon = std::uint32_t (*)(std::uint64_t const*, std::uint64_t const*, std::size_t);

// Counts a word with one instruction instead of a call. A program for all x86-64 processors must ask before it uses the
// instruction.
#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("popcnt"))) std::uint32_t count_common_popcnt(std::uint64_t const* a, std::uint64_t const* b,
                                                                    std::size_t words) {
  std::uint64_t common = 0;
  for (std::size_t w = 0; w < words; ++w) common += static_cast<std::uint64_t>(__builtin_popcountll(a[w] & b[w]));
  return static_cast<std::uint32_t>(common);
}
CountCommon const fastest_count = __builtin_cpu_supports("popcnt") != 0 ? count_common_popcnt : count_common;
#else
CountCommon const fastest_count = count_common;
#endif

}  // namespace

ActiveEdges::ActiveEdges(ProcessGraph const& graph) {
  auto const p = static_cast<std::size_t>(graph.ranks());
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    targets_.push_back(values(graph.distinct_targets(Rank(r))));
    sources_.push_back(values(graph.distinct_sources(Rank(r))));
  }
  // From this density on, the bits take no more memory than the lists.
  if (64 * static_cast<std::size_t>(count()) < p * p) return;
  words_ = (p + 63) / 64;
  bits_.assign(p * words_, 0);
  for (std::size_t r = 0; r < p; ++r) {
    for (std::int32_t const target : targets_[r])
      bits_[r * words_ + at(target) / 64] |= std::uint64_t{1} << (target % 64);
  }
}

List ActiveEdges::common_targets(std::int32_t a, std::int32_t b) const {
  List common;
  std::set_intersection(targets(a).begin(), targets(a).end(), targets(b).begin(), targets(b).end(),
                        std::back_inserter(common));
  return common;
}

std::int64_t ActiveEdges::count() const {
  std::int64_t edges = 0;
  for (List const& targets : targets_) edges += static_cast<std::int64_t>(targets.size());
  return edges;
}

void ActiveEdges::remove(std::vector<List> const& removed) {
  std::vector<List> const by_target = transposed(removed);
  for (std::size_t r = 0; r < removed.size(); ++r) {
    subtract(targets_[r], removed[r]);
    subtract(sources_[r], by_target[r]);
    if (words_ == 0) continue;
    for (std::int32_t const target : removed[r]) {
      bits_[r * words_ + at(target) / 64] &= ~(std::uint64_t{1} << (target % 64));
    }
  }
}

/// Counts how often each rank occurs in the lists that are added.
class FriendTable::Tally {
 public:
  explicit Tally(int ranks) : counts_(static_cast<std::size_t>(ranks), 0) {}

  void add(List const& list) {
    for (std::int32_t const rank : list) ++counts_[at(rank)];
    lists_.push_back(&list);
    added_ += list.size();
  }
  std::uint32_t operator[](std::int32_t rank) const { return counts_[at(rank)]; }
  /// The ranks other than `self` with a count of at least `least`, in ascending order.
  std::vector<Friend> at_least(std::uint32_t least, std::int32_t self) const {
    std::vector<Friend> found;
    auto const take = [&](std::int32_t rank) {
      if (counts_[at(rank)] >= least && rank != self) found.push_back({counts_[at(rank)], rank});
    };
    if (few()) {
      List ranks;
      for (List const* list : lists_) ranks.insert(ranks.end(), list->begin(), list->end());
      std::sort(ranks.begin(), ranks.end());
      ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
      for (std::int32_t const rank : ranks) take(rank);
    } else {
      for (std::size_t rank = 0; rank < counts_.size(); ++rank) take(static_cast<std::int32_t>(rank));
    }
    return found;
  }
  void clear() {
    if (few()) {
      for (List const* list : lists_) {
        for (std::int32_t const rank : *list) counts_[at(rank)] = 0;
      }
    } else {
      std::fill(counts_.begin(), counts_.end(), 0);
    }
    lists_.clear();
    added_ = 0;
  }

 private:
  /// Whether it is cheaper to go through the lists again than through all ranks.
  bool few() const { return 16 * added_ < counts_.size(); }

  std::vector<std::uint32_t> counts_;
  std::vector<List const*> lists_;
  std::size_t added_ = 0;
};

FriendTable::FriendTable(ActiveEdges const& active, int theta)
    : theta_(static_cast<std::uint32_t>(theta)), friends_(static_cast<std::size_t>(active.ranks())) {
  Tally tally(active.ranks());
  for (std::int32_t r = 0; r < active.ranks(); ++r) {
    std::size_t entries = 0;
    for (std::int32_t const target : active.targets(r)) entries += active.sources(target).size();
    if (active.words() > 0 && friends_.size() * active.words() < entries) {
      for (std::int32_t other = 0; other < active.ranks(); ++other) {
        if (other != r) friends_[at(r)].push_back({0, other});
      }
      recount(active, r);
      continue;
    }
    for (std::int32_t const target : active.targets(r)) tally.add(active.sources(target));
    friends_[at(r)] = tally.at_least(theta_, r);
    tally.clear();
  }
}

std::int64_t FriendTable::count() const {
  std::int64_t friendships = 0;
  for (auto const& friends : friends_) friendships += static_cast<std::int64_t>(friends.size());
  return friendships;
}

/// Counts common targets by bits, which is faster for ranks with many targets.
void FriendTable::recount(ActiveEdges const& active, std::int32_t rank) {
  for (Friend& each : friends_[at(rank)]) {
    each.common = fastest_count(active.bits(rank), active.bits(each.rank), active.words());
  }
  drop_strangers(rank);
}

void FriendTable::drop_strangers(std::int32_t rank) {
  std::erase_if(friends_[at(rank)], [&](Friend const& each) { return each.common < theta_; });
}

void FriendTable::update(ActiveEdges const& active, std::vector<List> const& removed) {
  // Ranks r and other lose a common target if r gave it up and the other still had it, or if the other gave it up.
  std::vector<List> const removed_by = transposed(removed);
  Tally lost(active.ranks());
  for (std::int32_t r = 0; r < active.ranks(); ++r) {
    if (friends_[at(r)].empty()) continue;
    std::size_t entries = 0;
    for (std::int32_t const target : removed[at(r)])
      entries += active.sources(target).size() + removed_by[at(target)].size();
    for (std::int32_t const target : active.targets(r)) entries += removed_by[at(target)].size();
    if (active.words() > 0 && friends_[at(r)].size() * active.words() < entries) {
      recount(active, r);
      continue;
    }
    for (std::int32_t const target : removed[at(r)]) {
      lost.add(active.sources(target));
      lost.add(removed_by[at(target)]);
    }
    for (std::int32_t const target : active.targets(r)) lost.add(removed_by[at(target)]);
    for (Friend& each : friends_[at(r)]) each.common -= lost[each.rank];
    lost.clear();
    drop_strangers(r);
  }
}

}  // namespace rondo::generate

// Counts the common targets of ranks. Every graph has sorted lists of edges; a dense graph also has a bit matrix. The
// cheaper of two ways is chosen for each rank: to count the common bits of two rows of the matrix, or to tally the
// sources of the rank's targets.

#include "generate/common_neighbors_friends.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/ids.hpp"

namespace rondo::generate {
namespace {

using RankList = ActiveEdges::RankList;

RankList rank_numbers(std::vector<Rank> const& ranks) {
  RankList list;
  list.reserve(ranks.size());
  for (Rank const rank : ranks) list.push_back(rank.value);
  return list;
}

/// Removes the ascending `removed` from the ascending `list`.
void subtract(RankList& list, RankList const& removed) {
  if (removed.empty()) return;
  auto next = removed.begin();
  std::erase_if(list, [&](std::int32_t rank) {
    while (next != removed.end() && *next < rank) ++next;
    return next != removed.end() && *next == rank;
  });
}

/// The same edges, grouped by target instead of by source.
std::vector<RankList> transposed(std::vector<RankList> const& by_source) {
  std::vector<RankList> by_target(by_source.size());
  for (std::size_t source = 0; source < by_source.size(); ++source) {
    for (std::int32_t const target : by_source[source])
      by_target[at(target)].push_back(static_cast<std::int32_t>(source));
  }
  return by_target;
}

std::uint32_t count_common_bits(std::uint64_t const* a, std::uint64_t const* b, std::size_t words) {
  std::uint32_t common = 0;
  for (std::size_t w = 0; w < words; ++w) common += static_cast<std::uint32_t>(std::popcount(a[w] & b[w]));
  return common;
}

using CountCommon = std::uint32_t (*)(std::uint64_t const*, std::uint64_t const*, std::size_t);

#if defined(__x86_64__) && defined(__GNUC__)
/// count_common_bits with the instruction POPCNT. Compilers do not emit it by default, because the oldest x86-64
/// processors lack it. The initializer of `count_common` asks once whether this processor has it.
__attribute__((target("popcnt"))) std::uint32_t count_common_popcnt(std::uint64_t const* a, std::uint64_t const* b,
                                                                    std::size_t words) {
  std::uint32_t common = 0;
  for (std::size_t w = 0; w < words; ++w) common += static_cast<std::uint32_t>(__builtin_popcountll(a[w] & b[w]));
  return common;
}
CountCommon const count_common = __builtin_cpu_supports("popcnt") != 0 ? count_common_popcnt : count_common_bits;
#else
CountCommon const count_common = count_common_bits;
#endif

/// The index of the word that holds the bit of an edge, in a matrix with `words` words in each row.
std::size_t word_index(std::size_t source, std::int32_t target, std::size_t words) {
  return source * words + at(target) / 64;
}
std::uint64_t mask_of(std::int32_t target) { return std::uint64_t{1} << (target % 64); }

/// Whether the bit matrix needs fewer steps for a rank than a tally. The matrix needs words() steps for each candidate.
/// The tally needs one step for each entry of its lists. False if there is no matrix.
bool bits_are_cheaper(ActiveEdges const& active, std::size_t candidates, std::size_t entries) {
  return active.words() > 0 && candidates * active.words() < entries;
}

}  // namespace

/// Stores the edges as sorted lists. A dense graph also gets a bit matrix.
ActiveEdges::ActiveEdges(ProcessGraph const& graph) {
  auto const p = static_cast<std::size_t>(graph.ranks());
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    targets_.push_back(rank_numbers(graph.distinct_targets(Rank(r))));
    sources_.push_back(rank_numbers(graph.distinct_sources(Rank(r))));
  }
  // An edge takes 64 bits in the two lists, and the matrix takes p * p bits. From this density on it is not larger.
  if (64 * static_cast<std::size_t>(count()) < p * p) return;
  words_ = (p + 63) / 64;
  bits_.assign(p * words_, 0);
  for (std::size_t r = 0; r < p; ++r) {
    for (std::int32_t const target : targets_[r]) bits_[word_index(r, target, words_)] |= mask_of(target);
  }
}

/// Both lists are sorted.
RankList ActiveEdges::common_targets(std::int32_t a, std::int32_t b) const {
  RankList common;
  std::set_intersection(targets(a).begin(), targets(a).end(), targets(b).begin(), targets(b).end(),
                        std::back_inserter(common));
  return common;
}

std::int64_t ActiveEdges::count() const {
  std::int64_t edges = 0;
  for (RankList const& targets : targets_) edges += static_cast<std::int64_t>(targets.size());
  return edges;
}

/// Removes edges, by source, from the lists of both ends and from the matrix.
void ActiveEdges::remove(std::vector<RankList> const& removed) {
  std::vector<RankList> const by_target = transposed(removed);
  for (std::size_t r = 0; r < removed.size(); ++r) {
    subtract(targets_[r], removed[r]);
    subtract(sources_[r], by_target[r]);
    if (words_ == 0) continue;
    for (std::int32_t const target : removed[r]) bits_[word_index(r, target, words_)] &= ~mask_of(target);
  }
}

/// Counts how often each rank occurs in the lists that are added.
class FriendTable::Tally {
 public:
  explicit Tally(int ranks) : counts_(static_cast<std::size_t>(ranks), 0) {}

  void add(RankList const& list) {
    for (std::int32_t const rank : list) ++counts_[at(rank)];
    lists_.push_back(&list);
    entries_ += list.size();
  }
  std::uint32_t operator[](std::int32_t rank) const { return counts_[at(rank)]; }
  /// The ranks other than `self` with a count of at least `theta`, in ascending order.
  std::vector<Friend> ranks_with_at_least(std::uint32_t theta, std::int32_t self) const {
    std::vector<Friend> found;
    auto const take = [&](std::int32_t rank) {
      if (counts_[at(rank)] >= theta && rank != self) found.push_back({counts_[at(rank)], rank});
    };
    if (is_sparse()) {
      RankList ranks;
      for (RankList const* list : lists_) ranks.insert(ranks.end(), list->begin(), list->end());
      std::sort(ranks.begin(), ranks.end());
      ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
      for (std::int32_t const rank : ranks) take(rank);
    } else {
      for (std::size_t rank = 0; rank < counts_.size(); ++rank) take(static_cast<std::int32_t>(rank));
    }
    return found;
  }
  /// Sets all counts to 0; a sparse tally only visits the counts that it has touched.
  void clear() {
    if (is_sparse()) {
      for (RankList const* list : lists_) {
        for (std::int32_t const rank : *list) counts_[at(rank)] = 0;
      }
    } else {
      std::fill(counts_.begin(), counts_.end(), 0);
    }
    lists_.clear();
    entries_ = 0;
  }

 private:
  /// Whether it is cheaper to sort the entries of the lists than to visit the counts of all ranks. The factor 16 is a
  /// guess. It affects only the running time.
  bool is_sparse() const { return 16 * entries_ < counts_.size(); }

  std::vector<std::uint32_t> counts_;
  std::vector<RankList const*> lists_;  ///< the added lists, so clear() need not visit all ranks
  std::size_t entries_ = 0;             ///< the sum of their lengths
};

/// Counts for each rank how many targets it has in common with every other rank, in the cheaper of the two ways.
FriendTable::FriendTable(ActiveEdges const& active, int theta)
    : theta_(static_cast<std::uint32_t>(theta)), friends_(static_cast<std::size_t>(active.ranks())) {
  Tally tally(active.ranks());
  for (std::int32_t r = 0; r < active.ranks(); ++r) {
    std::size_t entries = 0;
    for (std::int32_t const target : active.targets(r)) entries += active.sources(target).size();
    if (bits_are_cheaper(active, friends_.size(), entries)) {
      // Every other rank is a candidate. recount() drops those below theta.
      for (std::int32_t other = 0; other < active.ranks(); ++other) {
        if (other != r) friends_[at(r)].push_back({0, other});
      }
      recount(active, r);
      continue;
    }
    for (std::int32_t const target : active.targets(r)) tally.add(active.sources(target));
    friends_[at(r)] = tally.ranks_with_at_least(theta_, r);
    tally.clear();
  }
}

std::int64_t FriendTable::count() const {
  std::int64_t friendships = 0;
  for (auto const& friends : friends_) friendships += static_cast<std::int64_t>(friends.size());
  return friendships;
}

/// Counts the common targets of `rank` and its candidates from the bit matrix, and drops the candidates below theta.
void FriendTable::recount(ActiveEdges const& active, std::int32_t rank) {
  for (Friend& candidate : friends_[at(rank)]) {
    candidate.common = count_common(active.bits(rank), active.bits(candidate.rank), active.words());
  }
  drop_below_theta(rank);
}

void FriendTable::drop_below_theta(std::int32_t rank) {
  std::erase_if(friends_[at(rank)], [&](Friend const& candidate) { return candidate.common < theta_; });
}

/// The caller has called `active.remove(removed)`. Ranks r and s lose a common target t in two cases. First, r gave t
/// up, and s still has t or gave it up too. Second, r keeps t, and s gave it up.
void FriendTable::update(ActiveEdges const& active, std::vector<RankList> const& removed) {
  std::vector<RankList> const former_sources = transposed(removed);  // by target: the ranks that gave it up
  Tally lost(active.ranks());
  for (std::int32_t r = 0; r < active.ranks(); ++r) {
    std::vector<Friend>& friends = friends_[at(r)];
    if (friends.empty()) continue;
    std::vector<RankList const*> lists;
    for (std::int32_t const target : removed[at(r)]) {
      lists.push_back(&active.sources(target));
      lists.push_back(&former_sources[at(target)]);
    }
    for (std::int32_t const target : active.targets(r)) lists.push_back(&former_sources[at(target)]);
    std::size_t entries = 0;
    for (RankList const* list : lists) entries += list->size();
    if (bits_are_cheaper(active, friends.size(), entries)) {
      recount(active, r);
      continue;
    }
    for (RankList const* list : lists) lost.add(*list);
    for (Friend& candidate : friends) candidate.common -= lost[candidate.rank];
    lost.clear();
    drop_below_theta(r);
  }
}

}  // namespace rondo::generate

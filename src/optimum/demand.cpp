// Counts the bytes that have to cross the boundary of each part of the ranks. Demands that concern all ranks are
// counted without a loop over pairs.

#include "optimum/demand.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "optimum/question.hpp"

namespace rondo::optimum {
namespace {

/// Sums bytes by part. The part -1 (no part) is ignored.
class Sums {
 public:
  explicit Sums(int parts) : bytes_(at(parts), 0), touched_(at(parts), 0) {}

  void add(int part, std::int64_t bytes) {
    if (part < 0) return;
    bytes_[at(part)] = checked_sum(bytes_[at(part)], bytes);
    ++touched_[at(part)];
  }
  /// Adds bytes to all parts except one, in constant time.
  void add_to_all_but(int part, std::int64_t bytes) {
    of_all_ = checked_sum(of_all_, bytes);
    ++touched_by_all_;
    if (part < 0) return;
    bytes_[at(part)] -= bytes;
    --touched_[at(part)];
  }
  /// Returns the sum of each part. -1 for a part to which nothing was added, not even 0 bytes, and for a part with no
  /// rank or with all ranks.
  std::vector<std::int64_t> sums(std::vector<int> const& sizes, int ranks) const {
    std::vector<std::int64_t> result;
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      bool const proper = sizes[i] > 0 && sizes[i] < ranks;
      bool const touched = proper && touched_[i] + touched_by_all_ > 0;
      result.push_back(touched ? checked_sum(bytes_[i], of_all_) : -1);
    }
    return result;
  }

 private:
  std::vector<std::int64_t> bytes_;    ///< by part; to be added to of_all_
  std::vector<std::int64_t> touched_;  ///< by part: how often bytes were added; to be added to touched_by_all_
  std::int64_t of_all_ = 0, touched_by_all_ = 0;
};

/// Counts the bytes of all items and pairs that leave and enter each part.
class Counter {
 public:
  Counter(Demand const& demand, std::span<int const> part_of, int parts)
      : demand_(demand), part_of_(part_of), sizes_(at(parts), 0), out_(parts), in_(parts) {
    for (int const part : part_of) {
      if (part >= 0) ++sizes_[at(part)];
    }
  }

  /// Called once.
  Crossing count() {
    for (Item const& item : demand_.items) add(item);
    for (Pair const& pair : demand_.pairs) {
      int const from = part_of_[at(pair.from)], to = part_of_[at(pair.to)];
      if (from == to) continue;
      out_.add(from, pair.bytes);
      in_.add(to, pair.bytes);
    }
    if (demand_.each_pair) {
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        std::int64_t const pairs = std::int64_t{sizes_[i]} * (demand_.ranks - sizes_[i]);
        out_.add(static_cast<int>(i), checked_product(pairs, *demand_.each_pair));
        in_.add(static_cast<int>(i), checked_product(pairs, *demand_.each_pair));
      }
    }
    return {out_.sums(sizes_, demand_.ranks), in_.sums(sizes_, demand_.ranks)};
  }

 private:
  /// Finds the part in which all these ranks lie; unset if they lie in several parts.
  std::optional<int> only_part(RankSet const& ranks) const {
    if (ranks.all) return std::nullopt;
    int const part = part_of_[at(ranks.listed.front())];
    for (int const rank : ranks.listed) {
      if (part_of_[at(rank)] != part) return std::nullopt;
    }
    return part;
  }

  /// An item crosses the boundary of a part at most once in each direction, however many of its requirements cross it.
  /// Items that concern all ranks are handled apart, without a loop over all parts.
  void add(Item const& item) {
    if (item.owed.size() == 1) {
      Requirement const& only = item.owed.front();
      if (!item.joined && only.to.all && only.from.listed.size() == 1) return from_one_to_all(only, item.bytes);
      if (item.joined && only.from.all) return from_all(only, item.bytes);
    }
    std::set<int> out, in;
    for (Requirement const& each : item.owed) item.joined ? joined(each, out, in) : copied(each, out, in);
    for (int const part : out) out_.add(part, item.bytes);
    for (int const part : in) in_.add(part, item.bytes);
  }

  /// A block of one rank leaves the part of this rank and enters all others.
  void from_one_to_all(Requirement const& each, std::int64_t bytes) {
    int const part = part_of_[at(each.from.listed.front())];
    out_.add(part, bytes);
    in_.add_to_all_but(part, bytes);
  }

  /// A reduction of all ranks leaves every part that has contributions and not all targets, and enters every part with
  /// a target.
  void from_all(Requirement const& each, std::int64_t bytes) {
    std::optional<int> const part = only_part(each.to);
    out_.add_to_all_but(part.value_or(-1), bytes);
    if (each.to.all) return in_.add_to_all_but(-1, bytes);
    std::set<int> parts;
    for (int const rank : each.to.listed) parts.insert(part_of_[at(rank)]);
    for (int const to : parts) in_.add(to, bytes);
  }

  /// Lists the parts in which these ranks lie; -1 stands for ranks in no part.
  std::set<int> parts_of(RankSet const& ranks) const {
    std::set<int> parts;
    if (ranks.all) {
      parts.insert(part_of_.begin(), part_of_.end());
    } else {
      for (int const rank : ranks.listed) parts.insert(part_of_[at(rank)]);
    }
    return parts;
  }

  /// A copied block has to enter each part that wants it and has no holder, and to leave the part of its only holders.
  void copied(Requirement const& each, std::set<int>& out, std::set<int>& in) const {
    std::set<int> const from = parts_of(each.from), to = parts_of(each.to);
    if (from.size() == 1 && (to.size() > 1 || to != from)) out.insert(*from.begin());
    for (int const part : to) {
      if (!from.contains(part)) in.insert(part);
    }
  }

  /// A contribution has to leave its part, unless all its targets are in that part.
  void joined(Requirement const& each, std::set<int>& out, std::set<int>& in) const {
    std::set<int> const from = parts_of(each.from), to = parts_of(each.to);
    for (int const part : from) {
      if (to.size() > 1 || !to.contains(part)) out.insert(part);
    }
    for (int const part : to) {
      if (from.size() > 1 || !from.contains(part)) in.insert(part);
    }
  }

  Demand const& demand_;
  std::span<int const> part_of_;  ///< by rank; -1: in no part
  std::vector<int> sizes_;        ///< by part: its ranks
  Sums out_, in_;
};

RankSet one(int rank) { return {false, {rank}}; }
RankSet all() { return {true, {}}; }
std::uint32_t number(int i) { return static_cast<std::uint32_t>(i); }

/// Adds a block that `from` has and `to` is owed. A rank already has its own block.
void add_pair(Demand& demand, int from, int to, std::int64_t bytes) {
  if (from != to) demand.pairs.push_back({from, to, bytes});
}

/// Makes the demand of a scan or an exscan. A rank is owed the contributions of all ranks before it. It is enough to
/// require the contribution of rank r at rank r + 1: a part with rank r and without rank r + 1 has to send a vector,
/// and a part with rank r + 1 and without rank r has to receive one.
Item scan(int ranks, std::int64_t bytes) {
  Item item{.bytes = bytes, .joined = true, .owed = {}};
  for (int r = 0; r + 1 < ranks; ++r) item.owed.push_back({one(r), one(r + 1)});
  return item;
}

/// Adds the blocks and vectors of a collective on all ranks, which are not cut into pieces.
void add_classical(Demand& demand, Classical const& promise, BytesOf const& bytes) {
  int const p = promise.ranks, root = promise.root.value;
  std::int64_t const vector = bytes({promise.root, BlockId(0)});
  auto const joined = [&](RankSet to, std::int64_t size) {
    demand.items.push_back({.bytes = size, .joined = true, .owed = {{all(), std::move(to)}}});
  };
  switch (promise.collective) {
    case ClassicalCollective::bcast:
      demand.items.push_back({.bytes = vector, .joined = false, .owed = {{one(root), all()}}});
      return;
    case ClassicalCollective::gather:
      for (int r = 0; r < p; ++r) add_pair(demand, r, root, bytes({Rank(r), BlockId(0)}));
      return;
    case ClassicalCollective::scatter:
      for (int r = 0; r < p; ++r) add_pair(demand, root, r, bytes({promise.root, BlockId(number(r))}));
      return;
    case ClassicalCollective::allgather:
      for (int r = 0; r < p; ++r) {
        demand.items.push_back({.bytes = bytes({Rank(r), BlockId(0)}), .joined = false, .owed = {{one(r), all()}}});
      }
      return;
    case ClassicalCollective::alltoall:
      for (int s = 0; s < p; ++s) {
        for (int t = 0; t < p; ++t) add_pair(demand, s, t, bytes({Rank(s), BlockId(number(t))}));
      }
      return;
    case ClassicalCollective::reduce:
      return joined(one(root), vector);
    case ClassicalCollective::reduce_scatter:
      for (int r = 0; r < p; ++r) joined(one(r), bytes({Rank(0), BlockId(number(r))}));
      return;
    case ClassicalCollective::scan:
    case ClassicalCollective::exscan:
      demand.items.push_back(scan(p, vector));
      return;
    case ClassicalCollective::allreduce:
    case ClassicalCollective::barrier:
      return joined(all(), vector);
  }
}

/// Makes the demand of any promise, slot by slot.
class Reader {
 public:
  Reader(Collective const& promise, BytesOf const& bytes, std::int64_t most)
      : promise_(promise), bytes_(bytes), most_(most), holders_(holders(promise)) {}

  /// Unset if the promise owes more than `most` contributions.
  std::optional<Demand> read() {
    int const p = ranks(promise_);
    for (int r = 0; r < p; ++r) {
      for (Owed const& owed : rondo::owed(promise_, Rank(r))) {
        if (!owed.nobodys() && !take(owed, r)) return std::nullopt;
      }
    }
    Demand demand{.ranks = p, .items = {}, .pairs = {}};
    for (auto& [content, to] : whole_) add_whole(demand, content, std::move(to));
    for (auto& [block, item] : joined_) {
      // If blocks under the same number are also owed as they are, some of these bytes are counted already.
      if (!numbers_.contains(block) && !item.owed.empty()) demand.items.push_back(std::move(item));
    }
    return demand;
  }

 private:
  /// Notes what a slot of `rank` is owed. Returns false if there are too many contributions by now.
  bool take(Owed const& owed, int rank) {
    seen_ += static_cast<std::int64_t>(owed.contributions());
    if (seen_ > most_) return false;
    if (auto const whole = owed.whole()) {
      whole_[*whole].push_back(rank);
      numbers_.insert(whole->block.value);
      return true;
    }
    Item& item = joined_.try_emplace(owed.block.value, Item{.bytes = -1, .joined = true, .owed = {}}).first->second;
    RankSet from;
    for (std::size_t i = 0; i < owed.contributions(); ++i) {
      // A contribution that several ranks hold may come from any of them, so it adds nothing to the bound.
      auto const found = holders_.find(owed.contribution(i));
      if (found == holders_.end() || found->second.size() != 1) continue;
      from.listed.push_back(found->second.front());
      std::int64_t const bytes = bytes_(owed.contribution(i));
      item.bytes = item.bytes < 0 ? bytes : std::min(item.bytes, bytes);
    }
    if (!from.listed.empty()) item.owed.push_back({std::move(from), one(rank)});
    return true;
  }

  /// Adds a block that the ranks `to` are owed as it is. A block that no rank holds is left out.
  void add_whole(Demand& demand, Content const& content, std::vector<int> to) const {
    auto const found = holders_.find(content);
    if (found == holders_.end()) return;
    std::vector<int> const& from = found->second;
    if (from.size() == 1 && to.size() == 1) return add_pair(demand, from.front(), to.front(), bytes_(content));
    Item item{.bytes = bytes_(content), .joined = false, .owed = {}};
    item.owed.push_back({{false, from}, {false, std::move(to)}});
    demand.items.push_back(std::move(item));
  }

  Collective const& promise_;
  BytesOf const& bytes_;
  std::int64_t most_, seen_ = 0;                 ///< contributions: how many may be read, how many were
  std::map<Content, std::vector<int>> holders_;  ///< by block: the ranks that hold it at the start
  std::map<Content, std::vector<int>> whole_;    ///< by block: the ranks that are owed it as it is
  std::map<std::uint32_t, Item> joined_;         ///< by block number: the reductions of blocks with this number
  std::set<std::uint32_t> numbers_;              ///< of blocks that somebody is owed as they are
};

}  // namespace

Crossing crossing(Demand const& demand, std::span<int const> part_of, int parts) {
  return Counter(demand, part_of, parts).count();
}

std::optional<Demand> demand_of(Collective const& promise, BytesOf const& bytes, bool equal, std::int64_t most) {
  auto const* classical = std::get_if<Classical>(&promise);
  if (classical == nullptr) return Reader(promise, bytes, most).read();
  std::int64_t const p = classical->ranks;
  Demand demand{.ranks = classical->ranks, .items = {}, .pairs = {}};
  if (classical->collective == ClassicalCollective::alltoall && equal) {
    demand.each_pair = bytes({Rank(0), BlockId(0)});
    return demand;
  }
  if (classical->collective == ClassicalCollective::alltoall && p * p > most) return std::nullopt;
  add_classical(demand, *classical, bytes);
  return demand;
}

}  // namespace rondo::optimum

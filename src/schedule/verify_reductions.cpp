// Computes fingerprints (verify_reductions.hpp), and answers questions about wrong reductions from the log of joins.

#include "schedule/verify_reductions.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_set>

namespace rondo::verification {
/// Counts add up; beyond the limit the content is overfull. The shape is only computed if the same bits are promised.
FullContent Fingerprints::join(FullContent const& left, FullContent const& right) {
  FullContent result;
  result.count = sum_of_counts(left.count, right.count);
  if (result.count == too_many) {
    result.content = overfull;
    return result;
  }
  std::uint64_t const first = value(left.content);
  std::uint64_t const shifted = rules_.ordered ? product(first, powers_[right.count]) : first;
  result.content = joined_bit | sum(shifted, value(right.content));
  if (rules_.same_bits) result.mark.shape = shape(left, right, result.count);
  return result;
}

/// Of contents that are owed nowhere it is never asked for.
std::uint64_t Fingerprints::shape(FullContent const& left, FullContent const& right, Count count) {
  if (count > longest_) return 0;
  std::uint64_t const second = rules_.ordered ? right_[count] : left_[count];
  return product(sum(left_[count], left.mark.shape), sum(second, right.mark.shape));
}

/// The fingerprint of what a slot is owed. For a range of ranks it comes from prefix sums.
Packed Fingerprints::owed(Owed const& owed) {
  if (owed.nobodys()) return nothing;
  if (auto const block = owed.whole()) return pack(*block);
  if (owed.listed.empty()) {
    auto const first = static_cast<std::size_t>(owed.first), last = static_cast<std::size_t>(owed.last);
    return joined_bit | product(owed_range(first, last), weights_.of_name(owed.block));
  }
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < owed.listed.size(); ++i) all = append(all, weights_.of(pack(owed.contribution(i))));
  return joined_bit | all;
}

/// The fingerprint of the join of these ranks' contributions, for a block of weight 1.
std::uint64_t Fingerprints::owed_range(std::size_t first, std::size_t last) {
  if (range_.first == first && range_.last == last) return range_.value;
  while (up_to_.size() <= last) {
    auto const rank = static_cast<std::uint32_t>(up_to_.size() - 1);
    up_to_.push_back(append(up_to_.back(), weights_.of_rank(rank)));
  }
  std::uint64_t const before = up_to_[first];
  std::uint64_t const shifted = rules_.ordered ? product(before, powers_[static_cast<Count>(last - first)]) : before;
  range_ = {first, last, difference(up_to_[last], shifted)};
  return range_.value;
}

Counts contributions_of(Owed const& owed) {
  Counts counts;
  for (std::size_t i = 0; i < owed.contributions(); ++i) ++counts[owed.contribution(i)];
  return counts;
}

Differences differences(Counts const& owed, Counts const& entered, bool idempotent) {
  Differences result;
  for (auto const& [contribution, asked] : owed) {
    auto const found = entered.find(contribution);
    std::int64_t const times = found == entered.end() ? 0 : found->second;
    if (times < (idempotent ? 1 : asked)) result.missing.push_back(contribution);
    if (times > asked && !idempotent) result.doubled.push_back(contribution);
  }
  for (auto const& each : entered) {
    if (owed.count(each.first) == 0) result.foreign.push_back(each.first);
  }
  return result;
}

std::uint32_t JoinLog::note(Packed result, Join const& join) {
  joins_.push_back(join);
  auto const number = static_cast<std::uint32_t>(joins_.size());
  if (result != overfull) numbers_.emplace(result, number);
  return number;
}

std::vector<std::uint32_t> JoinLog::making(Part const& content) const {
  std::vector<std::uint32_t> open, found;
  std::unordered_set<std::uint32_t> seen;
  auto const visit = [&](Part const& each) {
    if (each.made != 0 && seen.insert(each.made).second) open.push_back(each.made);
  };
  visit(content);
  while (!open.empty()) {
    found.push_back(open.back());
    open.pop_back();
    visit(join(found.back()).left);
    visit(join(found.back()).right);
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  return found;
}

/// How often each contribution enters a content: times go down from the last join to the first.
Counts JoinLog::contributions(Part const& content) const {
  Counts result;
  std::unordered_map<std::uint32_t, std::int64_t> times;
  auto const enters = [&](Part const& part, std::int64_t often) {
    // A fault may double a contribution in every round.
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4;
    std::int64_t& count = part.made == 0 ? result[unpack(part.content)] : times[part.made];
    count = std::min(most, count + often);
  };
  enters(content, 1);
  for (std::uint32_t const number : making(content)) {
    std::int64_t const often = times[number];
    enters(join(number).left, often);
    enters(join(number).right, often);
  }
  return result;
}

/// The first join after which a contribution is in its result more than `most` times.
std::uint32_t JoinLog::first_excess(Part const& content, Content contribution, std::int64_t most) const {
  std::unordered_map<std::uint32_t, std::int64_t> times;
  auto const often = [&](Part const& part) {
    return part.made == 0 ? std::int64_t{part.content == pack(contribution)} : times[part.made];
  };
  std::vector<std::uint32_t> const numbers = making(content);
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    std::int64_t const sum = often(join(*number).left) + often(join(*number).right);
    if (sum > most) return *number;
    times[*number] = sum;
  }
  return 0;
}

/// The first join whose operands are no consecutive ranges of what is owed.
std::uint32_t JoinLog::first_disorder(Part const& content, Owed const& owed) const {
  using Range = std::pair<std::int64_t, std::int64_t>;
  std::unordered_map<Packed, Range> places;
  for (std::size_t i = 0; i < owed.contributions(); ++i) {
    auto const place = static_cast<std::int64_t>(i);
    places[pack(owed.contribution(i))] = {place, place + 1};
  }
  std::unordered_map<std::uint32_t, Range> ranges;
  auto const range = [&](Part const& part) { return part.made == 0 ? places[part.content] : ranges[part.made]; };
  std::vector<std::uint32_t> const numbers = making(content);
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    Range const left = range(join(*number).left);
    Range const right = range(join(*number).right);
    if (left.second != right.first) return *number;
    ranges[*number] = {left.first, right.second};
  }
  return 0;
}

Content JoinLog::first(Part content) const {
  while (content.made != 0) content = join(content.made).left;
  return unpack(content.content);
}

}  // namespace rondo::verification

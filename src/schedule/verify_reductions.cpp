#include "schedule/verify_reductions.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_set>

namespace rondo::verification {
namespace {

constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const s = a + b;
  return s >= prime ? s - prime : s;
}

constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  Wide const wide = static_cast<Wide>(a) * b;
  return sum(static_cast<std::uint64_t>(wide & prime), static_cast<std::uint64_t>(wide >> 61));
}

/// splitmix64's finalizer: every bit of the result depends on every bit of `x`.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

constexpr std::uint64_t seed = 0x243f6a8885a308d3ull;  // the first digits of pi
constexpr std::uint64_t point = mixed(seed) % prime;

constexpr std::uint64_t number(Packed block) { return mixed(mixed(block + seed) + seed) % prime; }

}  // namespace

Mark Fingerprints::mark_of(Packed block) const {
  return {rules_.ordered ? point : 0, rules_.same_bits ? mixed(number(block)) : 0};
}

std::uint64_t Fingerprints::value(Packed content) const {
  return is_block(content) ? number(content) : content & ~joined_bit;
}

std::uint64_t Fingerprints::append(std::uint64_t value, Packed block) const {
  return sum(rules_.ordered ? product(value, point) : value, number(block));
}

Packed Fingerprints::join(Packed left, Packed right, Mark const& of_left, Mark const& of_right, Mark& mark) const {
  std::uint64_t const first = value(left);
  if (rules_.same_bits) {
    bool const swap = !rules_.ordered && of_right.shape < of_left.shape;
    std::uint64_t const a = swap ? of_right.shape : of_left.shape;
    std::uint64_t const b = swap ? of_left.shape : of_right.shape;
    mark.shape = mixed(mixed(a + seed) + b);
  }
  if (!rules_.ordered) return joined_bit | sum(first, value(right));
  mark.power = product(of_left.power, of_right.power);
  return joined_bit | sum(product(first, of_right.power), value(right));
}

Packed Fingerprints::owed(Owed const& owed) {
  if (owed.nobodys()) return nothing;
  if (auto const block = owed.whole()) return pack(*block);
  if (!owed.listed.empty()) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < owed.listed.size(); ++i) all = append(all, pack(owed.contribution(i)));
    return joined_bit | all;
  }
  Sum& range = ranges_[pack({Rank(owed.first), owed.block})];
  if (range.last <= owed.first || range.last > owed.last) range = {owed.first, 0};
  for (; range.last < owed.last; ++range.last) range.value = append(range.value, pack({Rank(range.last), owed.block}));
  return joined_bit | range.value;
}

std::uint32_t JoinLog::note(Packed result, Join const& join) {
  joins_.push_back(join);
  auto const number = static_cast<std::uint32_t>(joins_.size());
  numbers_.emplace(result, number);
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

std::map<Content, std::int64_t> JoinLog::contributions(Part const& content) const {
  std::map<Content, std::int64_t> result;
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

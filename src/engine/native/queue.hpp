#pragma once

// The event queue of the native engine. A simulation never schedules an event before the present. A radix heap relies
// on this, and is fast because of it.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/instant.hpp"

namespace rondo::native {

/// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990): a monotone queue of values by time. Values are pushed at times
/// that are not before the last one taken, and all values of the next moment are taken at once. The key of a time is
/// its bit pattern: non-negative doubles have the order of their bits. Bucket b > 0 holds the times whose key differs
/// from the key of the last time in bit b - 1 and in no higher bit. tests/bench compares it with other queues.
template <typename Value>
class RadixHeap {
 public:
  bool empty() const { return size_ == 0; }

  void push(Instant time, Value value) {
    std::uint64_t const key = std::bit_cast<std::uint64_t>(time.value);
    std::size_t const b = bucket(key);
    buckets_[b].push_back({key, time.rest, value});
    filled_ |= std::uint64_t{1} << b;
    ++size_;
  }

  /// Removes all values of the next moment, appends them to `values`, and returns the first time of the moment. The
  /// order of the values depends only on the calls, never on addresses. The queue must not be empty.
  Instant take(std::vector<Value>& values) {
    auto const b = static_cast<std::size_t>(std::countr_zero(filled_));
    if (b != 0) spread(b);
    float rest = buckets_[0].front().rest;
    for (Entry const& entry : buckets_[0]) rest = entry.rest < rest ? entry.rest : rest;
    Instant const first(std::bit_cast<double>(last_), rest);
    take_bucket(0, values);
    take_rest_of_moment(std::bit_cast<std::uint64_t>(moment_end(first)), values);
    return first;
  }

 private:
  struct Entry {
    std::uint64_t key;
    float rest;
    Value value;
  };

  std::size_t bucket(std::uint64_t key) const { return static_cast<std::size_t>(std::bit_width(key ^ last_)); }

  /// Makes the least time of bucket b the last one. Its entries then move to lower buckets.
  void spread(std::size_t b) {
    std::vector<Entry>& from = buckets_[b];
    std::uint64_t smallest = from.front().key;
    for (Entry const& entry : from) smallest = entry.key < smallest ? entry.key : smallest;
    last_ = smallest;
    for (Entry const& entry : from) {
      std::size_t const into = bucket(entry.key);
      buckets_[into].push_back(entry);
      filled_ |= std::uint64_t{1} << into;
    }
    from.clear();
    filled_ &= ~(std::uint64_t{1} << b);
  }

  void take_bucket(std::size_t b, std::vector<Value>& values) {
    for (Entry const& entry : buckets_[b]) values.push_back(entry.value);
    size_ -= buckets_[b].size();
    buckets_[b].clear();
    filled_ &= ~(std::uint64_t{1} << b);
  }

  /// Takes the times up to `last`. All times in the buckets below the bucket of `last` belong to them, some in that
  /// bucket, and none above.
  void take_rest_of_moment(std::uint64_t last, std::vector<Value>& values) {
    std::size_t const border = bucket(last);
    std::uint64_t const within = (std::uint64_t{2} << border) - 1;
    while ((filled_ & within) != 0) {
      auto const b = static_cast<std::size_t>(std::countr_zero(filled_));
      if (b == border) return take_up_to(last, values);
      take_bucket(b, values);
    }
  }

  /// Takes those times of the bucket of `last` that are not after it.
  void take_up_to(std::uint64_t last, std::vector<Value>& values) {
    std::size_t const b = bucket(last);
    std::vector<Entry>& from = buckets_[b];
    std::size_t kept = 0;
    for (Entry const& entry : from) {
      if (entry.key <= last) {
        values.push_back(entry.value);
      } else {
        from[kept++] = entry;
      }
    }
    size_ -= from.size() - kept;
    from.resize(kept);
    if (kept == 0) filled_ &= ~(std::uint64_t{1} << b);
  }

  std::array<std::vector<Entry>, 64> buckets_;  ///< keys have 63 bits
  std::uint64_t filled_ = 0;
  std::size_t size_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace rondo::native

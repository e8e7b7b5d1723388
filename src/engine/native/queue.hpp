#pragma once

// The event queue of the native engine. A simulation never schedules an event before the present, and the radix heap
// here is fast because it relies on that.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/native/clock.hpp"

namespace rondo::native {

/// A radix heap [Ahuja, Mehlhorn, Orlin, Tarjan 1990]: a monotone queue of values by time. Values are pushed at times
/// not before the last one taken, and all values of the next time are taken at once. Bucket b > 0 holds the times whose
/// highest bit that differs from the last time is bit b - 1. tests/bench compares it with other queues.
template <typename Value>
class RadixHeap {
 public:
  bool empty() const { return size_ == 0; }

  void push(Ticks time, Value value) {
    std::size_t const b = bucket(time);
    buckets_[b].push_back({time, value});
    filled_ |= std::uint64_t{1} << b;
    ++size_;
  }

  /// Removes all values of the least time, appends them to `values` in an order that depends on nothing but the calls,
  /// and returns the time. The queue is not empty.
  Ticks take(std::vector<Value>& values) {
    auto const b = static_cast<std::size_t>(std::countr_zero(filled_));
    if (b != 0) spread(b);
    for (Entry const& entry : buckets_[0]) values.push_back(entry.value);
    size_ -= buckets_[0].size();
    buckets_[0].clear();
    filled_ &= ~std::uint64_t{1};
    return last_;
  }

 private:
  struct Entry {
    Ticks time;
    Value value;
  };

  std::size_t bucket(Ticks time) const {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(time ^ last_)));
  }

  /// Makes the least time of bucket b the last one; its entries then belong to lower buckets.
  void spread(std::size_t b) {
    std::vector<Entry>& from = buckets_[b];
    Ticks least = from.front().time;
    for (Entry const& entry : from) least = entry.time < least ? entry.time : least;
    last_ = least;
    for (Entry const& entry : from) {
      std::size_t const into = bucket(entry.time);
      buckets_[into].push_back(entry);
      filled_ |= std::uint64_t{1} << into;
    }
    from.clear();
    filled_ &= ~(std::uint64_t{1} << b);
  }

  std::array<std::vector<Entry>, 64> buckets_;  ///< times are not negative: 63 bits
  std::uint64_t filled_ = 0;
  std::size_t size_ = 0;
  Ticks last_ = 0;
};

}  // namespace rondo::native

#pragma once

// The priority queues of the native engine.
// RadixHeap holds events. A simulation never schedules an event before the present, and the radix heap is fast
// because of it. IndexedHeap can change the time of an entry that waits, which std::priority_queue cannot.
// Proposals serves ports.cpp alone: most proposals come at once and are sorted; later ones go into a heap.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// A heap of task numbers whose keys (times) can be changed: each entry has four children, and the heap knows the place
/// of each number. FluidTimes uses it for the ends of flows, which change with their rates.
class IndexedHeap {
 public:
  bool empty() const { return heap_.empty(); }
  Instant least_time() const { return {heap_.front().time, heap_.front().rest}; }
  std::uint32_t least() const { return heap_.front().number; }

  /// Adds the number, or changes its time.
  void set(std::uint32_t number, Instant time) {
    Entry const entry{time.value, time.rest, number};
    if (number >= place_.size()) place_.resize(number + 1, absent);
    if (place_[number] == absent) {
      heap_.push_back(entry);
      return rise(heap_.size() - 1, entry);
    }
    std::size_t const place = place_[number];
    if (entry < heap_[place]) return rise(place, entry);
    sink(place, entry);
  }

  /// The last entry takes the place of the removed one, and moves up or down from there.
  void remove(std::uint32_t number) {
    std::size_t const place = place_[number];
    place_[number] = absent;
    Entry const last = heap_.back();
    heap_.pop_back();
    if (place == heap_.size()) return;
    if (last < heap_[place]) return rise(place, last);
    sink(place, last);
  }

 private:
  static constexpr std::uint32_t absent = 0xffff'ffff;
  struct Entry {
    double time;
    float rest;
    std::uint32_t number;
    friend bool operator<(Entry a, Entry b) {
      if (a.time != b.time) return a.time < b.time;
      return a.rest != b.rest ? a.rest < b.rest : a.number < b.number;
    }
  };

  /// A heap with four children for each entry, which is flatter than a binary one.
  void put(std::size_t place, Entry entry) {
    heap_[place] = entry;
    place_[entry.number] = static_cast<std::uint32_t>(place);
  }
  void rise(std::size_t place, Entry entry) {
    for (; place > 0 && entry < heap_[(place - 1) / 4]; place = (place - 1) / 4) put(place, heap_[(place - 1) / 4]);
    put(place, entry);
  }
  /// Moves an entry down to its place.
  void sink(std::size_t place, Entry entry) {
    while (true) {
      std::size_t const first = 4 * place + 1;
      if (first >= heap_.size()) break;
      std::size_t smallest = first;
      for (std::size_t child = first + 1; child < heap_.size() && child < first + 4; ++child) {
        if (heap_[child] < heap_[smallest]) smallest = child;
      }
      if (!(heap_[smallest] < entry)) break;
      put(place, heap_[smallest]);
      place = smallest;
    }
    put(place, entry);
  }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> place_;  ///< by number
};

/// The ranks that propose a message, by the priority of the message, lowest number first. Most proposals are known
/// before the first one is taken, and are nearly sorted then. So these are a sorted list, and only the others are in a
/// heap.
class Proposals {
 public:
  bool empty() const { return next_ == first_.size() && later_.empty(); }
  /// Adds a proposal; lower priorities are taken first.
  void add(std::uint32_t priority, std::uint32_t proposer) {
    std::uint64_t const proposal = std::uint64_t{priority} << 32 | proposer;
    if (!begun_) return first_.push_back(proposal);
    later_.push_back(proposal);
    std::push_heap(later_.begin(), later_.end(), std::greater<>());
  }

  /// Sorts the proposals so far. From now on proposals are added between takes, until all have been taken.
  void begin() {
    begun_ = true;
    auto const unsorted = std::is_sorted_until(first_.begin(), first_.end());
    later_.assign(unsorted, first_.end());
    std::make_heap(later_.begin(), later_.end(), std::greater<>());
    first_.erase(unsorted, first_.end());
  }

  bool is_best(std::uint32_t priority) const {
    return (next_ == first_.size() || priority < first_[next_] >> 32) &&
           (later_.empty() || priority < later_.front() >> 32);
  }

  /// Removes the proposal with the lowest priority.
  std::uint32_t take() {
    std::uint64_t best;
    if (later_.empty() || (next_ < first_.size() && first_[next_] < later_.front())) {
      best = first_[next_++];
    } else {
      std::pop_heap(later_.begin(), later_.end(), std::greater<>());
      best = later_.back();
      later_.pop_back();
    }
    return static_cast<std::uint32_t>(best);
  }

  /// All proposals have been taken; the next ones may be collected.
  void end() {
    first_.clear();
    next_ = 0;
    begun_ = false;
  }

 private:
  std::vector<std::uint64_t> first_;  ///< sorted after begin(); those from `next_` on have not been taken
  std::size_t next_ = 0;
  std::vector<std::uint64_t> later_;  ///< a heap
  bool begun_ = false;
};

}  // namespace rondo::native

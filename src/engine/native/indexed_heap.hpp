#pragma once

// A priority queue in which the time of an entry may change while it waits. std::priority_queue cannot do this.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/instant.hpp"

namespace rondo::native {

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

}  // namespace rondo::native

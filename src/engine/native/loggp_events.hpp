#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/native/queue.hpp"

namespace rondo::native {

/// A task of its rank, or the first byte of a send's message that arrives at its target.
struct Event {
  std::uint64_t sequence = 0;
  std::uint32_t task = 0;
  bool arrival = false;
  friend bool operator>(Event const& a, Event const& b) { return a.sequence > b.sequence; }
};

/// Events by time, those of one time by sequence. One may be added at the time of the last one taken.
class Events {
 public:
  bool empty() const { return now_.empty() && later_.empty(); }
  Ticks time() const { return time_; }

  void add(Ticks time, Event const& event) {
    if (time > time_) return later_.push(time, event);
    now_.push_back(event);
    std::push_heap(now_.begin(), now_.end(), std::greater<>());
  }

  /// What take would return, if it has the time of the last one taken.
  Event const* next_of_same_time() const { return now_.empty() ? nullptr : &now_.front(); }

  Event take() {
    if (now_.empty()) {
      time_ = later_.take(now_);
      std::make_heap(now_.begin(), now_.end(), std::greater<>());
    }
    std::pop_heap(now_.begin(), now_.end(), std::greater<>());
    Event const event = now_.back();
    now_.pop_back();
    return event;
  }

 private:
  Ticks time_ = 0;
  std::vector<Event> now_;  ///< a heap
  RadixHeap<Event> later_;
};

/// From when on the parts of all ranks are free.
class Parts {
 public:
  Parts(std::int32_t ranks, std::size_t each) : each_(each), free_(static_cast<std::size_t>(ranks) * each, 0) {}
  Ticks& operator()(std::int32_t rank, std::uint8_t part) { return free_[index(rank) + part]; }
  Ticks last(std::int32_t rank) const {
    auto const begin = free_.begin() + static_cast<std::ptrdiff_t>(index(rank));
    return *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(each_));
  }

 private:
  std::size_t index(std::int32_t rank) const { return static_cast<std::size_t>(rank) * each_; }
  std::size_t each_;
  std::vector<Ticks> free_;
};

}  // namespace rondo::native

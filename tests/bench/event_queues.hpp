#pragma once

// Event queues to compare RadixHeap with; all hand out the values of the least time together.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::bench {

using Ticks = std::int64_t;

template <typename Value>
class FourAryHeap {
 public:
  bool empty() const { return heap_.empty(); }

  void push(Ticks time, Value value) {
    std::size_t i = heap_.size();
    heap_.push_back({time, value});
    while (i > 0 && time < heap_[(i - 1) / 4].time) {
      heap_[i] = heap_[(i - 1) / 4];
      i = (i - 1) / 4;
    }
    heap_[i] = {time, value};
  }

  Ticks take(std::vector<Value>& values) {
    Ticks const time = heap_.front().time;
    while (!heap_.empty() && heap_.front().time == time) {
      values.push_back(heap_.front().value);
      pop();
    }
    return time;
  }

 private:
  struct Entry {
    Ticks time;
    Value value;
  };

  void pop() {
    Entry const last = heap_.back();
    heap_.pop_back();
    std::size_t i = 0;
    for (std::size_t child = 1; child < heap_.size(); child = 4 * i + 1) {
      std::size_t least = child;
      std::size_t const end = std::min(child + 4, heap_.size());
      for (std::size_t j = child + 1; j < end; ++j) least = heap_[j].time < heap_[least].time ? j : least;
      if (last.time <= heap_[least].time) break;
      heap_[i] = heap_[least];
      i = least;
    }
    if (!heap_.empty()) heap_[i] = last;
  }

  std::vector<Entry> heap_;
};

/// A calendar queue [Brown 1988] of fixed size: days of `width` ticks in a year of `days`. The width has to fit the
/// distances of events, which only the caller can know.
template <typename Value>
class Calendar {
 public:
  Calendar(std::size_t days, Ticks width) : days_(days), width_(width) {}
  bool empty() const { return size_ == 0; }

  void push(Ticks time, Value value) {
    days_[static_cast<std::size_t>(time / width_) % days_.size()].push_back({time, value});
    ++size_;
  }

  Ticks take(std::vector<Value>& values) {
    for (;; ++today_) {
      std::vector<Entry>& day = days_[static_cast<std::size_t>(today_) % days_.size()];
      Ticks least = (today_ + 1) * width_;
      Ticks const end = least;
      for (Entry const& entry : day) least = std::min(least, entry.time);
      if (least < end) return take_from(day, least, values);
    }
  }

 private:
  struct Entry {
    Ticks time;
    Value value;
  };

  Ticks take_from(std::vector<Entry>& day, Ticks time, std::vector<Value>& values) {
    std::size_t kept = 0;
    for (Entry const& entry : day) {
      if (entry.time == time) {
        values.push_back(entry.value);
      } else {
        day[kept++] = entry;
      }
    }
    size_ -= day.size() - kept;
    day.resize(kept);
    return time;
  }

  std::vector<std::vector<Entry>> days_;
  Ticks width_;
  Ticks today_ = 0;
  std::size_t size_ = 0;
};

}  // namespace rondo::bench

#pragma once

// A priority queue of proposals for ports.cpp alone. Most come at once and are sorted; later ones go into a heap.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace rondo::native {

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

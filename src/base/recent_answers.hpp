#pragma once

// The last answers to questions that take long: the points of a sweep often ask the same one again.

#include <cstddef>
#include <deque>
#include <utility>

namespace rondo {

/// Keeps the last few answers. Questions are compared by ==.
template <typename Question, typename Answer>
class RecentAnswers {
 public:
  /// The answer to the question, which `find` works out if it is not kept. The reference is valid until the next call.
  template <typename Find>
  Answer const& get(Question question, Find find) {
    for (auto const& [asked, answer] : known_) {
      if (asked == question) return answer;
    }
    Answer answer = find(question);
    if (known_.size() == most) known_.pop_front();
    return known_.emplace_back(std::move(question), std::move(answer)).second;
  }

 private:
  static constexpr std::size_t most = 16;
  std::deque<std::pair<Question, Answer>> known_;  ///< the latest last
};

}  // namespace rondo

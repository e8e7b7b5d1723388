#pragma once

// Optima of a question: bounds by counting first, then a search by a SAT solver from the bound upwards. Whatever stops
// it, what is known until then is an answer.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "optimum/bounds.hpp"
#include "optimum/moves.hpp"

namespace rondo::optimum {

/// What is minimised.
enum class Goal : std::uint8_t { rounds, critical_blocks };

/// How a refutation is known: the lower bound is one more than what it refutes.
struct Refutation {
  Limits limits;            ///< there is no schedule within these
  bool merged = false;      ///< of the merged question
  std::int64_t lemmas = 0;  ///< of its proof; 0: none was written
};

/// One question and its answer.
struct Answer {
  Goal goal = Goal::rounds;
  std::optional<int> message_blocks = {};  ///< as asked; unset: any number
  std::optional<int> rounds = {};          ///< of the schedule, or those asked for
  int at_least = 0;
  std::optional<int> at_most = {};         ///< unset: no schedule within these rounds is known
  Argument counted = {};                   ///< the bound by counting
  std::optional<Refutation> refuted = {};  ///< a better one
  Moves moves = {};                        ///< the best schedule known; empty: none, or there is nothing to send
  std::string stopped = {};  ///< why the search came to no end: "timeout", "interrupted", "memory", "size" (of the
                             ///< formula), "proof" (too long), "file" (the proof's could not be written); else empty
};

struct SearchOptions {
  std::optional<int> rounds = {};          ///< schedules of at most so many; unset: the fewest
  std::optional<int> message_blocks = {};  ///< of at most so many blocks a message
  /// Whether to stop now, and why; empty: go on.
  std::function<std::string()> stop = [] { return std::string(); };
  /// A new, empty file for the proof of what may be a refutation, asked for in the first answer alone; unset: none.
  std::function<std::FILE*()> begin_proof = {};
  /// The file that was begun last holds the proof of the answer's refutation.
  std::function<void()> keep_proof = {};
  std::int64_t most_lemmas = 1'000'000;  ///< of a proof; a refutation that takes more is not believed
};

/// More clauses are not searched.
inline constexpr double most_clauses = 3e7;

/// The answers, the one that was asked for first. Without `rounds` that is the fewest rounds, and behind it come the
/// least critical blocks in these rounds and in more, until more rounds would save none. With `rounds` it is the least
/// critical blocks in so many, or, where there is no such schedule, how many rounds it takes at least. Calls `take`
/// with each when it is known.
void search(Question const& question, SearchOptions const& options, std::function<void(Answer const&)> const& take);

}  // namespace rondo::optimum

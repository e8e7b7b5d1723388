#pragma once

// Answers a question: first by bounds that are counted, then by a search with a SAT solver from the bound upwards.
// If the search is stopped, the results so far are an answer, too.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "optimum/bounds.hpp"
#include "optimum/moves.hpp"
#include "optimum/question.hpp"

namespace rondo::optimum {

/// Whether the formula has a solution; unknown if the solver stopped.
enum class Verdict : std::uint8_t { possible, impossible, unknown };

/// The result of a call.
struct Solved {
  Verdict verdict = Verdict::unknown;
  Moves moves = {};  ///< the messages of a solution, if one is possible
  /// Why the verdict is unknown: the reason that `stop` returned, "size" (too many clauses), "memory", or empty after
  /// the limit of conflicts.
  std::string stopped = {};
};

/// Decides by CaDiCaL whether a schedule within the limits exists. If none exists, `proof` gets the proof as DRAT text,
/// unless it is null. The verdict is unknown if the solver stops: when `stop` returns a reason, after so many conflicts
/// (unset: any number), for a formula that is too large, and if the memory does not suffice.
Solved solve(Question const& question, Limits const& limits, std::function<std::string()> const& stop, std::FILE* proof,
             std::optional<int> conflicts = {});

/// What is minimised.
enum class Goal : std::uint8_t { rounds, critical_blocks };

/// How it is known that there is no smaller value: the lower bound is one more than the refuted value.
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

/// The limits of a search, and what it is told.
struct SearchOptions {
  std::optional<int> rounds = {};          ///< schedules of at most so many; unset: the fewest
  std::optional<int> message_blocks = {};  ///< of at most so many blocks a message
  std::vector<Moves> known = {};           ///< schedules of messages of at most so many blocks, as upper bounds
  /// Whether to stop now, and why; empty to go on.
  std::function<std::string()> stop = [] { return std::string(); };
  /// Makes a new, empty file for the proof of a possible refutation. It is called for the first answer alone; unset for
  /// no proofs.
  std::function<std::FILE*()> begin_proof = {};
  /// Reports that the last such file has the proof of the answer's refutation.
  std::function<void()> keep_proof = {};
  std::int64_t most_lemmas = 1'000'000;  ///< of a proof; a refutation that takes more is not believed
};

/// A lower bound of the rounds, with messages of any size. For each number of rounds the solver may run into so many
/// conflicts; if that is enough, the bound is the fewest rounds.
int least_rounds(Question const& question, int conflicts);

/// Formulas with more clauses are not searched.
inline constexpr double most_clauses = 3e7;

/// The answers, beginning with the one that was asked for. Without `rounds` that is the fewest rounds; after it come
/// the fewest critical blocks in these rounds and in more, until more rounds would save none. With `rounds` it is the
/// fewest critical blocks in so many rounds, or, if there is no such schedule, the least number of rounds. Calls `take`
/// with each answer as soon as it is known.
void search(Question const& question, SearchOptions const& options, std::function<void(Answer const&)> const& take);

}  // namespace rondo::optimum

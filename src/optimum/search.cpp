// Searches from the lower bound upwards: the first limit that the solver does not refute is the optimum. The solver
// is CaDiCaL, which is used nowhere else. It writes its proof (DRAT) to a file while it works.

#include "optimum/search.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <new>

#include "base/error.hpp"

namespace rondo::optimum {
namespace {

/// Lets the solver ask whether it has to stop. The first reason is kept, and `stop` is not called again after it.
class Stop : public CaDiCaL::Terminator {
 public:
  explicit Stop(std::function<std::string()> const& stop) : stop_(stop) {}
  bool terminate() override {
    if (why_.empty()) why_ = stop_();
    return !why_.empty();
  }
  std::string const& why() const { return why_; }

 private:
  std::function<std::string()> const& stop_;
  std::string why_;
};

/// Thrown to stop while a formula is built.
struct Stopped {};

/// Hands the formula to a solver and runs it. Throws Stopped if the reason to stop comes while the formula is built.
Solved solve_in_memory(Formula& formula, Stop& stop, std::FILE* proof, std::optional<int> conflicts) {
  CaDiCaL::Solver solver;
  solver.set("quiet", 1);
  if (proof != nullptr) {
    solver.set("binary", 0);
    solver.trace_proof(proof, "proof");
  }
  // To build millions of clauses takes seconds, so the reason to stop is asked for meanwhile.
  constexpr std::int64_t clauses_between_checks = 1 << 14;
  std::int64_t clauses = 0;
  formula.write([&](std::span<int const> clause) {
    if (++clauses % clauses_between_checks == 0 && stop.terminate()) throw Stopped();
    for (int const literal : clause) solver.add(literal);
    solver.add(0);
  });
  solver.connect_terminator(&stop);
  if (conflicts) solver.limit("conflicts", *conflicts);
  int const result = stop.terminate() ? 0 : solver.solve();
  solver.disconnect_terminator();
  if (proof != nullptr) solver.close_proof_trace();
  // CaDiCaL returns 10 if the formula is satisfiable, 20 if it is not, and 0 if it was stopped.
  if (result == 20) return {Verdict::impossible};
  if (result != 10) return {Verdict::unknown, {}, stop.why()};
  return {Verdict::possible, formula.moves([&](int variable) { return solver.val(variable) > 0; })};
}

}  // namespace

Solved solve(Question const& question, Limits const& limits, std::function<std::string()> const& stop, std::FILE* proof,
             std::optional<int> conflicts) {
  Formula formula(question, limits);
  if (formula.clauses_about() > most_clauses) return {Verdict::unknown, {}, "size"};
  Stop terminator(stop);
  try {
    return solve_in_memory(formula, terminator, proof, conflicts);
  } catch (Stopped const&) {
    return {Verdict::unknown, {}, terminator.why()};
  } catch (std::bad_alloc const&) {
    return {Verdict::unknown, {}, "memory"};
  }
}

namespace {

/// The number of lines of a proof that add a clause; unset if the file could not be written or read completely.
std::optional<std::int64_t> lemma_count(std::FILE* proof) {
  if (std::fflush(proof) != 0 || std::ferror(proof) != 0) return std::nullopt;
  std::rewind(proof);
  std::int64_t lemmas = 0;
  bool begins = true;
  for (int c = std::fgetc(proof); c != EOF; c = std::fgetc(proof)) {
    if (begins && c != 'd') ++lemmas;
    begins = c == '\n';
  }
  if (std::ferror(proof) != 0) return std::nullopt;
  return lemmas;
}

class Search {
 public:
  Search(Question const& question, SearchOptions const& options)
      : question_(question), options_(options), merged_(merged(question)) {}

  Answer fewest_rounds(std::optional<int> most_rounds) {
    Answer answer{.goal = Goal::rounds, .message_blocks = options_.message_blocks};
    answer.counted = rounds_bound(question_, options_.message_blocks);
    answer.at_least = answer.counted.at_least;
    for (Moves const& each : options_.known) offer(answer, each, rounds_of);
    offer(answer, greedy(question_, options_.message_blocks), rounds_of);
    while (answer.at_least < *answer.at_most && (!most_rounds || answer.at_least <= *most_rounds)) {
      Limits const limits{.rounds = answer.at_least, .message_blocks = options_.message_blocks};
      bool const any_size = !limits.message_blocks;
      Solved const solved = tried(answer, any_size ? merged_.question : question_, limits);
      if (solved.verdict == Verdict::unknown) break;
      if (solved.verdict == Verdict::possible) {
        offer(answer, needed(question_, solved.moves, any_size ? &merged_.parts : nullptr), rounds_of);
        expects(answer.at_most == answer.at_least, "a model is a schedule of the rounds asked for");
      } else {
        answer.refuted->merged = any_size;
        ++answer.at_least;
      }
    }
    answer.rounds = answer.at_most;
    return answer;
  }

  /// `known` is a schedule of at most so many rounds.
  Answer least_critical(int rounds, Moves const& known) {
    Answer answer{.goal = Goal::critical_blocks, .message_blocks = options_.message_blocks, .rounds = rounds};
    answer.counted = critical_bound(question_);
    answer.at_least = answer.counted.at_least;
    offer(answer, known, critical_of);
    for (Moves const& each : options_.known) {
      if (rounds_of(each) <= rounds) offer(answer, each, critical_of);
    }
    while (answer.at_least < *answer.at_most) {
      Limits const limits{
          .rounds = rounds, .message_blocks = options_.message_blocks, .critical_blocks = *answer.at_most - 1};
      Solved const solved = tried(answer, question_, limits);
      if (solved.verdict == Verdict::unknown) break;
      if (solved.verdict == Verdict::possible) {
        offer(answer, needed(question_, solved.moves), critical_of);
      } else {
        answer.at_least = *answer.at_most;
      }
    }
    return answer;
  }

  /// Proofs are made for the first answer alone.
  void end_of_first() { first_ = false; }

 private:
  /// Takes a schedule if it is better than the one in the answer.
  static void offer(Answer& answer, Moves moves, int (*size)(Moves const&)) {
    int const other = size(moves);
    if (answer.at_most && *answer.at_most <= other) return;
    answer.at_most = other;
    answer.moves = std::move(moves);
  }

  /// Solves one formula. Only the first refutation is kept as a proof.
  Solved tried(Answer& answer, Question const& question, Limits const& limits) {
    std::FILE* const proof = options_.begin_proof && first_ ? options_.begin_proof() : nullptr;
    Solved solved = solve(question, limits, options_.stop, proof);
    if (solved.verdict == Verdict::impossible) {
      std::optional<std::int64_t> const lemmas = proof != nullptr ? lemma_count(proof) : 0;
      if (!lemmas) {
        solved = {Verdict::unknown, {}, "file"};
      } else if (*lemmas > options_.most_lemmas) {
        solved = {Verdict::unknown, {}, "proof"};
      } else {
        answer.refuted = Refutation{limits, false, *lemmas};
        if (proof != nullptr) options_.keep_proof();
      }
    }
    answer.stopped = solved.stopped;
    return solved;
  }

  Question const& question_;
  SearchOptions const& options_;
  Merged merged_;
  bool first_ = true;
};

}  // namespace

int least_rounds(Question const& question, int conflicts) {
  int rounds = rounds_bound(question, {}).at_least;
  if (rounds >= unreachable) return rounds;
  Question const asked = merged(question).question;
  auto const go_on = [] { return std::string(); };
  for (int const most = rounds_of(greedy(asked, {})); rounds < most; ++rounds) {
    Limits const limits{.rounds = rounds};
    if (solve(asked, limits, go_on, nullptr, conflicts).verdict != Verdict::impossible) break;
  }
  return rounds;
}

void search(Question const& question, SearchOptions const& options, std::function<void(Answer const&)> const& take) {
  Search search(question, options);
  Answer const fewest = search.fewest_rounds(options.rounds);
  if (!options.rounds || *fewest.at_most > *options.rounds) {
    take(fewest);
    search.end_of_first();
    if (options.rounds) return;
  }
  int const counted = critical_bound(question).at_least;
  int least = critical_of(fewest.moves) + 1;
  Moves known = fewest.moves;
  // A non-empty round carries a block, so that all rounds past the number of critical blocks are empty.
  int const first = std::min(options.rounds.value_or(*fewest.at_most), std::max(1, critical_of(fewest.moves)));
  for (int rounds = first; rounds <= std::max(1, least); ++rounds) {
    Answer const answer = search.least_critical(rounds, known);
    if (*answer.at_most < least) take(answer);
    search.end_of_first();
    if (options.rounds || *answer.at_most <= counted || !answer.stopped.empty()) return;
    least = *answer.at_most;
    known = answer.moves;
  }
}

}  // namespace rondo::optimum

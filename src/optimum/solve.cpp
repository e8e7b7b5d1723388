// Calls the SAT solver CaDiCaL, which is used nowhere else. The solver writes its proof (DRAT) to a file while it
// works.

#include "optimum/solve.hpp"

#include <cadical.hpp>
#include <new>

#include "optimum/search.hpp"

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

}  // namespace rondo::optimum

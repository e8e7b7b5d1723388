// Calls CaDiCaL, the only use of it. The derivation (DRAT) goes to a file while the solver works.

#include "optimum/solve.hpp"

#include <cadical.hpp>
#include <new>

#include "optimum/search.hpp"

namespace rondo::optimum {
namespace {

/// Lets the solver ask whether it has to stop.
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

Solved solve_in_memory(Formula& formula, Stop& stop, std::FILE* proof, std::optional<int> conflicts) {
  CaDiCaL::Solver solver;
  solver.set("quiet", 1);
  if (proof != nullptr) {
    solver.set("binary", 0);
    solver.trace_proof(proof, "proof");
  }
  // Building millions of clauses takes seconds, so that the time is checked meanwhile.
  constexpr std::int64_t clauses_between_looks = 1 << 14;
  std::int64_t clauses = 0;
  formula.write([&](std::span<int const> clause) {
    if (++clauses % clauses_between_looks == 0 && stop.terminate()) throw Stopped();
    for (int const literal : clause) solver.add(literal);
    solver.add(0);
  });
  solver.connect_terminator(&stop);
  if (conflicts) solver.limit("conflicts", *conflicts);
  int const result = stop.terminate() ? 0 : solver.solve();
  solver.disconnect_terminator();
  if (proof != nullptr) solver.close_proof_trace();
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

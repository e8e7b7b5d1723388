#pragma once

// What each family of collectives answers for its problems, for plan.cpp to visit. The problems are resolved
// (resolve.hpp).

#include "generate/generate.hpp"
#include "problem/problem.hpp"
#include "run/families/plan.hpp"
#include "theory/predict.hpp"

namespace rondo {

Plan plan_for(problem::Isomorphic const& problem, theory::MachineCost const& cost);
Plan plan_for(problem::Intergroup const& problem, theory::MachineCost const& cost);
Plan plan_for(problem::Neighbor const& problem, theory::MachineCost const& cost);
Plan plan_for(problem::Classical const& problem, theory::MachineCost const& cost);
Plan plan_for(problem::SparseOnGraph const& problem, theory::MachineCost const& cost);
Plan plan_for(problem::SparseExchange const& problem, theory::MachineCost const& cost);
Plan plan_for(problem::GraphProgram const& problem, theory::MachineCost const& cost);
Plan plan_for(problem::Bisection const& problem, theory::MachineCost const& cost);
Plan plan_for(problem::UserProgram const& problem, theory::MachineCost const& cost);
Plan plan_for(problem::Custom const& problem, theory::MachineCost const& cost);
Plan plan_for(problem::Workload const& workload, theory::MachineCost const& cost);
/// The plan for a schedule that is read already.
Plan plan_for(problem::Custom const& problem, ScheduleFile file, theory::MachineCost const& cost);

/// What all other families answer: the schedule, the promise that it keeps, and theory.
template <typename Problem>
Plan plan_for(Problem const& problem, theory::MachineCost const& cost) {
  return SchedulePlan{generate::promise(problem), generate::generate(problem), theory::predict(problem, cost)};
}

/// alpha and beta of the machine. A machine without the linear model has no alpha and beta: it gets placeholders, and
/// what is computed from them is thrown away.
theory::LinearCost linear_cost(Platform const& machine);

/// The names that claims may use of the problem, beside those of any.
Names names_for(problem::Problem const& problem, theory::MachineCost const& cost, Seconds poll);

/// Throws InputError, which names the file, for a program that is not linked with librondo_mpi.
void expect_library(problem::UserProgram const& problem, std::string const& file);

/// Throws InputError for a program that cannot be built.
void expect_program(problem::UserProgram const& problem);

}  // namespace rondo

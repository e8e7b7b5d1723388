#pragma once

// The functions that every family of collectives provides for its problems; plan.cpp calls them. The problems are
// resolved already (resolve.hpp).

#include "generate/generate.hpp"
#include "problem/problem.hpp"
#include "run/families/plan.hpp"
#include "theory/predict.hpp"

namespace rondo {

/// One overload for each family, so that std::visit over a problem finds its plan at compile time.
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

/// The plan of all other families: the schedule, the promise that it keeps, and theory.
template <typename Problem>
Plan plan_for(Problem const& problem, theory::MachineCost const& cost) {
  return SchedulePlan{generate::promise(problem), generate::generate(problem), theory::predict(problem, cost)};
}

/// alpha and beta of the machine. A machine without the linear model gets placeholders, and everything that is computed
/// from them is thrown away.
theory::LinearCost linear_cost(Platform const& machine);

/// A lower bound of the cost of any message, under linear timing.
theory::LinearCost cheapest_cost(Platform const& machine);

/// The names of this problem that claims may use, besides those that every problem has.
Names names_for(problem::Problem const& problem, theory::MachineCost const& cost, Seconds poll);

/// Throws InputError, which names the file, for a program that is not linked with librondo_mpi.
void expect_library(problem::UserProgram const& problem, std::string const& file);

/// Throws InputError for a program that cannot be built.
void expect_program(problem::UserProgram const& problem);

}  // namespace rondo

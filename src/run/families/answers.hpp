#pragma once

// What each family of collectives answers for its kinds of problems, for plan.cpp to visit; and what they share.

#include "run/families/plan.hpp"
#include "theory/theory.hpp"

namespace rondo {

Plan plan_for(scenario::IsomorphicAlltoallProblem const& problem, scenario::Scenario const& scenario);
Plan plan_for(scenario::IsomorphicAllgatherProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::IsomorphicAlltoallProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::IsomorphicAllgatherProblem const& problem, scenario::Scenario const& scenario);

Plan plan_for(scenario::IntergroupAllgatherProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::IntergroupAllgatherProblem const& problem, scenario::Scenario const& scenario);

Plan plan_for(scenario::NeighborAllgatherProblem const& problem, scenario::Scenario const& scenario);
Plan plan_for(scenario::NeighborAlltoallProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::NeighborAllgatherProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::NeighborAlltoallProblem const& problem, scenario::Scenario const& scenario);

/// Throw InputError for what only the problem as a whole shows: /collective/block_sizes that do not fit it, a program
/// that cannot be built.
template <typename Problem>
void validate(Problem const& /*problem*/, scenario::Scenario const& /*scenario*/) {}
template <>
void validate(scenario::IsomorphicAlltoallProblem const& problem, scenario::Scenario const& scenario);
template <>
void validate(scenario::IntergroupAllgatherProblem const& problem, scenario::Scenario const& scenario);
template <>
void validate(scenario::NeighborAllgatherProblem const& problem, scenario::Scenario const& scenario);
template <>
void validate(scenario::NeighborAlltoallProblem const& problem, scenario::Scenario const& scenario);
template <>
void validate(scenario::ProgramProblem const& problem, scenario::Scenario const& scenario);

Plan plan_for(scenario::SparseExchangeProblem const& problem, scenario::Scenario const& scenario);
Plan plan_for(scenario::IndependentSetProblem const& problem, scenario::Scenario const& scenario);
Plan plan_for(scenario::ColoringProblem const& problem, scenario::Scenario const& scenario);
Plan plan_for(scenario::BisectionProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::SparseExchangeProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::IndependentSetProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::ColoringProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::BisectionProblem const& problem, scenario::Scenario const& scenario);

Plan plan_for(scenario::SparseCollectiveProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::SparseCollectiveProblem const& problem, scenario::Scenario const& scenario);

Plan plan_for(scenario::ProgramProblem const& problem, scenario::Scenario const& scenario);
Names names_for(scenario::ProgramProblem const& problem, scenario::Scenario const& scenario);

/// The prediction of a program that theory says nothing of.
Prediction unpredicted();

/// alpha and beta of the machine.
theory::LinearCost linear_cost(Platform const& machine);
/// No message costs less: those between ranks of one host count too. For lower bounds.
theory::LinearCost cheapest_cost(Platform const& machine);
/// Whether messages never slow each other down but at the ports of their ends.
bool links_unshared(Platform const& machine);
/// Whether any message costs the same before its bytes, however far it goes.
bool distance_is_free(Platform const& machine);

}  // namespace rondo

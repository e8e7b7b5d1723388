#pragma once

// The proof of an optimum as JSON, which tests/certificates/check_optimum.py checks; docs/optima.md describes it.

#include "optimum/search.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

scenario::Json proof_json(scenario::Scenario const& scenario, optimum::Question const& question,
                          Collective const& promise, optimum::Answer const& answer);

/// The formula that a refutation refutes, as DIMACS.
std::string cnf_text(optimum::Question const& question, optimum::Refutation const& refuted);

}  // namespace rondo

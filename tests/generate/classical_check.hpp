#pragma once

// What every collective on all ranks is held to: proof, theory and counts.

#include "problem/classical.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"
#include "theory/predict.hpp"

namespace rondo::test {

/// A fully connected machine with a start-up of 1 us and 1 GB/s.
theory::MachineCost classical_machine(int ports = 1);

/// Fails the test unless the schedule delivers and has the counts that theory says, none below the bounds.
void expect_as_in_theory(problem::Classical const& problem, int ports = 1);

}  // namespace rondo::test

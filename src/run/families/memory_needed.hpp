#pragma once

#include "scenario/scenario.hpp"

namespace rondo {

/// Throws InputError, without the file's name, where it is known beforehand that a point's schedule or simulation does
/// not fit into the memory that there is: nothing that could run is refused, as no more is counted than what is written
/// down at least. Said before any work on the point, which would end by no memory after minutes or hours.
void expect_memory(scenario::Scenario const& scenario);

}  // namespace rondo

#pragma once

// What a scenario will do, said before it does it.

#include <string>

#include "run/points/job.hpp"

namespace rondo {

/// In some lines: the points and what is swept, ranks, machine and engine, messages as theory foretells them, and how
/// long the simulation itself will take, by the rates of docs/performance.md; nothing is generated. Times of programs,
/// and of schedules on graphs that are not made yet, are not foretold.
std::string outlook(Job const& job);

}  // namespace rondo

#pragma once

// Whether a result survives other numbers of the machine: those of a scenario are measured or guessed, and a winner by
// a hair tells little. Each parameter of the machine is moved alone, up and down, then all at once by random factors.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "run/points/job.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// Factors of parameters. A parameter is a time, a bandwidth, or a time per byte of a machine, by its place in it:
/// "latency", "flow/o_send". That of the machine's `pieces` goes with the machine's own one.
struct MachineMove {
  std::string text;                      ///< "latency -10%", or "all at random (3)"
  std::map<std::string, double> factor;  ///< by parameter
};

/// How many moves of all parameters at random there are.
inline constexpr int random_moves = 10;

/// All moves of these machines' parameters by this part of their values: each down and up, then all at random within.
/// Throws InputError, without a place, where no machine states a parameter that is not 0.
std::vector<MachineMove> moves_of(std::vector<scenario::Json> const& machines, double part, std::uint64_t seed);
void move(scenario::Json& machine, MachineMove const& by);

/// Judges claims that say `robust` on moved machines too, `jobs` points at a time: one whose status is another one
/// there fails, and its detail says which moves turn it. Points are told to `say` before they run.
void judge_robustness(Job const& job, PointOptions const& options, int jobs, std::vector<Judgement>& judgements,
                      std::function<void(std::string const&)> const& say);

}  // namespace rondo

#pragma once

// Examines whether verdicts and decisions survive wrong numbers. The numbers in a scenario are measured or
// guessed, so a small difference between two algorithms says little. For claims and choices, each parameter of the
// machine is moved alone, down and up; then all parameters are multiplied by random factors. For a search, the
// sizes are found at which the two fastest algorithms lie within each other's intervals.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "run/points/job.hpp"
#include "run/points/run.hpp"
#include "run/points/simulations.hpp"
#include "run/points/tune.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// Factors for parameters. A parameter is a time, a bandwidth, or a time per byte of a machine, named by its place:
/// "latency", "flow/o_send". Parameters in the machine's `pieces` are moved together with the machine's own.
struct MachineMove {
  std::string text;                      ///< "latency -10%", or "all at random (3)"
  std::map<std::string, double> factor;  ///< by parameter
};

/// How often all parameters are moved at random.
inline constexpr int random_moves = 10;

/// All moves of these machines' parameters by this share of their values: each one down and up, then all at random
/// within the share. Throws InputError, without a place, if no machine has a parameter other than 0.
std::vector<MachineMove> moves_of(std::vector<scenario::Json> const& machines, double part, std::uint64_t seed);
/// Multiplies the parameters of a machine in place. Parameters without a factor stay.
void move(scenario::Json& machine, MachineMove const& by);

/// Also judges claims with `robust` on moved machines, `jobs` points at a time. If the status of a claim changes there,
/// the claim fails, and its detail names the moves that change it. Claims that fail already are left out. Calls `say`
/// with a text before the points of a part run. The random moves come from the seed of the scenario.
void judge_robustness(Job const& job, PointOptions const& options, int jobs, std::vector<Judgement>& judgements,
                      std::function<void(std::string const&)> const& say);

/// The sizes of the search's grid at which the algorithm of the range and the fastest other one cannot be
/// distinguished, if a true time can lie anywhere between t / (1 + part) and t * (1 + part) for a prediction t.
/// Neighboring sizes with the same two algorithms are one entry. Algorithms that are as fast as the chosen one in the
/// whole range do not count as others.
std::vector<Undecided> undecided(Decisions const& decisions, double part, Simulations& search);

}  // namespace rondo

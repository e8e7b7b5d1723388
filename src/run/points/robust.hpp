#pragma once

// Examines whether a claim also holds for other numbers of the machine. The numbers in a scenario are measured or
// guessed, so a small difference between two algorithms says little. Each parameter of the machine is moved alone, down
// and up; then all parameters are multiplied by random factors.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "run/points/job.hpp"
#include "run/points/run.hpp"
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

}  // namespace rondo

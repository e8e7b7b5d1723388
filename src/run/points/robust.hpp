#pragma once

// Examines whether a result survives other numbers of the machine. The numbers in a scenario are measured or
// guessed, so that a narrow victory says little. Each parameter of the machine is moved alone, up and down; then all
// are multiplied by random factors.

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
void move(scenario::Json& machine, MachineMove const& by);

/// Judges claims that say `robust` on moved machines too, `jobs` points at a time. A claim whose status changes there
/// fails, and its detail names the moves that change it. `say` is told about points before they run.
void judge_robustness(Job const& job, PointOptions const& options, int jobs, std::vector<Judgement>& judgements,
                      std::function<void(std::string const&)> const& say);

}  // namespace rondo

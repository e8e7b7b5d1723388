#pragma once

// Compares the rules of a file with the best algorithm of the same library, by simulation on a machine.

#include "run/rules/decide.hpp"

namespace rondo {

/// The options of the command.
struct CheckRulesOptions {
  scenario::Json machine;            ///< the value of /machine in a scenario
  std::string machine_file;          ///< its name in messages
  std::vector<int> ranks = {};       ///< the numbers of ranks at which rules are examined
  std::vector<Bytes> segments = {};  ///< for the compared algorithms, in addition to those of the rules
  TuneOptions tuning = {};
};

/// A rule at a number of ranks, at the examined size at which its ratio is largest.
struct RuleCost {
  std::string collective;
  std::string place;      ///< of the rule in the file
  int ranks = 0;          ///< 0: Rondo does not have the collective
  Bytes size{0};          ///< as the library counts it; of a rule without times, the smallest size of the rule
  std::string algorithm;  ///< the name of the simulated algorithm; of a rule without times, the name in the rule
  std::string note = {};  ///< why there are no times; empty if there are
  bool misfit = false;    ///< the library's algorithm is not for these ranks
  Seconds time{0};        ///< with the algorithm of the rule
  Seconds best_time{0};   ///< with the best algorithm
  std::string best = {};  ///< the name of the best algorithm
  /// Returns how many times longer the rule takes than the best algorithm. Only with times.
  double ratio() const { return time.value / best_time.value; }
};

/// Simulates the rules that apply to one of the numbers of ranks, and all other algorithms of the library. Returns the
/// costs. A rule that holds at none of the examined sizes is left out. A collective that Rondo does not have is listed
/// once. Throws InputError and TuneFailure.
std::vector<RuleCost> check_rules(Rules const& rules, CheckRulesOptions const& options);

/// Prints the costs as a table.
std::string costs_table(std::vector<RuleCost> const& costs);

}  // namespace rondo

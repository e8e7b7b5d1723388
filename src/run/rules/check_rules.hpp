#pragma once

// Compares the rules of a file with the best algorithm of the same library, by simulation on a machine.

#include "run/rules/decide.hpp"

namespace rondo {

/// The options of the command.
struct CheckRulesOptions {
  scenario::Json machine;    ///< as a scenario holds it
  std::string machine_file;  ///< for messages
  std::vector<int> ranks = {};
  std::vector<Bytes> segments = {};  ///< for the compared algorithms, in addition to those of the rules
  TuneOptions tuning = {};
};

/// A rule at a number of ranks, at that examined size at which it costs most.
struct RuleCost {
  std::string collective, place;
  int ranks = 0;
  Bytes size{0};          ///< the library's
  std::string algorithm;  ///< the name of its candidate
  std::string note = {};  ///< why there are no times
  bool misfit = false;    ///< the library's algorithm is not for so many ranks
  Seconds time{0}, best_time{0};
  std::string best = {};
  double ratio() const { return time.value / best_time.value; }
};

/// The rules that apply to one of the numbers of ranks, in the order of the file. Throws InputError, TuneFailure.
std::vector<RuleCost> check_rules(Rules const& rules, CheckRulesOptions const& options);

std::string costs_table(std::vector<RuleCost> const& costs);

}  // namespace rondo

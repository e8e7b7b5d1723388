#pragma once

// Judges the claims of a scenario's `expect` over the records of its points (docs/claims.md).
//
// A claim is evaluated once for each combination of the axes other than its `across` (and `over`). In a combination,
// the records of the `across` values lie side by side, and these values are the names of variables (torus.rounds,
// straightforward.time). The problem's own names are known too.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "run/families/expression.hpp"
#include "run/points/record.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// A point with what became of it.
struct PointResult {
  scenario::Point point;
  Record record;
  Names problem;
  bool was_run = true;   ///< false: only its place in the sweep is known
  std::string row = {};  ///< the record as a line of JSON (record.hpp), if another process wrote it; otherwise empty
};

struct Judgement {
  enum class Status : std::uint8_t {
    holds,        ///< at every combination where `when` holds
    fails,        ///< at some
    idle,         ///< `when` holds nowhere: the claim says nothing, which is no success
    unjudged,     ///< a point that it reads has no result
    refuted,      ///< its verdict says that it does not hold, and at some combination it does not
    explained,    ///< the same
    unexplained,  ///< the same
    wrong,        ///< the claim itself has no meaning at some combination, such as a name without a value there
    lacking,      ///< points that it compares were not to be run; what could be judged holds
  };
  std::string claim;
  Status status = Status::holds;
  int judged = 0;         ///< combinations evaluated
  int passed = 0;         ///< those among them where it holds
  int not_run = 0;        ///< points that it compares and that were not to be run
  int without_value = 0;  ///< those among them where an operand has no value: neither it nor its contrary is found
  /// For a claim that fails or cannot be judged: the first such combination, with the values read. For a claim that
  /// holds: the fault of the first invalid schedule that it concerns.
  std::string detail;
  std::vector<std::string> failures = {};  ///< where they are asked for: each combination where it fails, as in detail
  std::set<int> validity_read = {};        ///< the points whose .delivered or .violations it read
};

/// Throws InputError `FILE: /expect/0/that: ...` for errors that no result can change: a syntax error, an unknown name,
/// an algorithm that is not in the sweep, `across` values that cannot be names. `results` may hold records without
/// values (before anything is run).
void check_claims(std::vector<scenario::Claim> const& claims, std::vector<PointResult> const& results,
                  std::string const& file);

/// Whether a judgement lists each combination where its claim fails, or tells the first.
enum class Failures : std::uint8_t { first, all };

/// One judgement for each claim, in order. If a claim cannot be evaluated, its detail has the error, `FILE: /expect/0:
/// ...`, and all other claims are judged.
std::vector<Judgement> judge(std::vector<scenario::Claim> const& claims, std::vector<PointResult> const& results,
                             std::string const& file, Failures failures = Failures::first);

}  // namespace rondo

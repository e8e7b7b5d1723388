#pragma once

// The best algorithm of a problem on a machine for each range of block sizes.
//
// The native engine finds the ranges (run/points/best_ranges.hpp). At each cut-off, SMPI simulates both algorithms at
// the last size of the lower range and at the first size of the upper range. It confirms the cut-off if the lower
// algorithm is no slower at the first of these sizes, and the upper one no slower at the second. SMPI is not asked if
// two algorithms cross several times and differ by less than the tolerance. If the native engine refuses the problem
// (MPI programs), SMPI searches alone, which takes longer. If SMPI refuses it (LogGP), cut-offs stay unconfirmed.
//
// If ranks share hosts, compositions of collectives (compositions.hpp) are tried too. At each size of the grid, the
// search simulates those whose lower bounds do not exclude a win, the most promising first. The winners join the
// algorithms, by the names hierarchical#1 and so on, or ring*4 for four rings.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "problem/classical.hpp"
#include "run/points/best_ranges.hpp"
#include "run/points/job.hpp"
#include "run/points/run.hpp"
#include "run/points/shard.hpp"
#include "run/points/simulations.hpp"

namespace rondo {

/// The options of a search.
struct TuneOptions {
  std::vector<std::string> algorithms =
      {};  ///< the candidates; empty: all algorithms of the collective that accept the problem
  SizeSearch sizes{.from = Bytes(1), .to = Bytes(1 << 20), .tolerance = 0.02};
  std::vector<Bytes> segments = {};  ///< segment sizes for compositions, which are also tried without segments
  /// The engine that searches alone; unset: native, with SMPI's confirmation if both can.
  std::optional<scenario::Engine> engine = {};
  PointOptions points = {};             ///< a schedule is proved, if at all, at the smallest size
  std::optional<double> robust = {};    ///< the part by which the machine's numbers are moved
  std::optional<double> interval = {};  ///< the part by which a true time may differ from its prediction
  int jobs = 1;
  Part part = {};  ///< the problems to decide: every n-th one, or those of certain points
  std::function<void(std::string const&)> say = [](std::string const&) {};  ///< called with a line of progress
  SearchWatch watch = {};
};

/// An algorithm that could not be chosen, and the reason.
struct LeftOut {
  std::string algorithm, why;
};

/// The end of a range and the beginning of the next one, with the times of both algorithms on both sides.
struct CutOff {
  Bytes last;  ///< the largest size of the range below
  std::string below, above;
  struct Times {
    Seconds below, above;
  };
  Times at_last, behind;  ///< searched: at `last`, and at one byte more
  /// Whether SMPI confirms it; unset if SMPI is not asked.
  std::optional<bool> confirmed = {};
  std::optional<Times> smpi_at_last = {}, smpi_behind = {};
  std::string error = {};  ///< why SMPI has no times
  /// How often the two algorithms cross while they differ by no more than the tolerance, and between which sizes. 1:
  /// only here, and the cut-off is exact to the byte.
  int crossings = 1;
  Bytes cross_from{0}, cross_to{0};
};

/// Whether a choice survives other numbers of the machine (robust.hpp), examined at a size in the middle of its range.
struct Robustness {
  /// A move by which another algorithm becomes faster by more than the tolerance.
  struct Turn {
    std::string move, algorithm;
    double gain;  ///< the part of its time by which the chosen one is slower
  };
  Bytes at;
  std::size_t moves = 0;
  std::vector<Turn> turns = {};
};

/// The fastest algorithm at a size that is not a composition.
struct BestFlat {
  std::string algorithm;
  Seconds time;
};

/// A range of sizes with its algorithm.
struct Choice {
  /// The larger one of time over bound at both ends; unset if nothing is known, or if the bound is 0.
  std::optional<double> gap() const;

  Bytes from, to;
  std::string algorithm;
  Seconds time_at_from, time_at_to;
  std::optional<Seconds> bound_at_from = {}, bound_at_to = {};  ///< no schedule is faster
  std::vector<std::string> as_fast = {};  ///< other algorithms with the same time at every checked size
                                          ///< alone
  std::optional<BestFlat> flat_at_from = {}, flat_at_to = {};  ///< where compositions are tried beside flat ones
  std::optional<Robustness> robustness = {};                   ///< if it is wanted
};

/// Sizes at which predictions do not show which of two algorithms is faster (robust.hpp).
struct Undecided {
  Bytes from, to;
  std::string chosen, rival;
  Bytes probe;               ///< a size between them, at which a measurement would decide
  Seconds time, rival_time;  ///< predicted there
};

/// A composition among the algorithms, with its name.
struct NamedComposition {
  std::string name;  ///< "hierarchical#1", or "ring*4" of so many rings
  problem::Classical problem;
};

/// Figures about the search for compositions.
struct CompositionTally {
  std::size_t simulated = 0;          ///< compositions at a size
  std::vector<Bytes> cut_short = {};  ///< sizes at which there were too many that bounds did not exclude
};

/// All decisions for one problem.
struct Decisions {
  std::string scenario, title, collective, version;
  int p = 0;
  std::size_t number = 1, of = 1;                            ///< this problem among those of its scenario
  std::vector<std::pair<std::string, scenario::Json>> axes;  ///< the sweep's axes except algorithm and block
  scenario::Json machine, problem;                           ///< as the scenario states them
  scenario::Engine engine = scenario::Engine::native;        ///< which searched
  std::string engine_because = {};  ///< why not the native engine, or why SMPI confirms nothing
  SizeSearch sizes;
  std::vector<std::string> algorithms;  ///< to choose from
  std::vector<LeftOut> left_out;
  std::vector<NamedComposition> compositions = {};
  std::optional<CompositionTally> tally = {};            ///< unset if no compositions were searched
  std::vector<Choice> choices;                           ///< one a range, ascending
  std::vector<CutOff> cut_offs;                          ///< between the ranges
  std::optional<std::vector<Undecided>> undecided = {};  ///< where it is asked for
  Statistic by = Statistic::mean;                        ///< of `replications` simulations each
  int replications = 1;
  bool confirmed() const;  ///< whether SMPI confirmed every cut-off that it was asked about
};

/// The points of a job that differ in more than algorithm, block and engine, each once and in order.
std::vector<scenario::Point> problems_of(Job const& job);

/// Those of these points that are in the part.
std::vector<scenario::Point> problems_in(Job const& job, Part const& part);

/// Decides for each problem of the job in the part. A sweep over anything but /algorithm and /block makes several
/// problems, in its order; these two, /engine and the job's claims are ignored. Throws InputError for an algorithm that
/// the collective does not have, or that was asked for by name and does not apply, and TuneFailure.
std::vector<Decisions> tune(Job const& job, TuneOptions const& options);

}  // namespace rondo

#pragma once

// Makes rules for a library from simulations on a machine.

#include "run/points/tune.hpp"
#include "run/rules/rules.hpp"

namespace rondo {

/// The options of `rondo tune` with a library's format.
struct DecideOptions {
  RulesFormat format = RulesFormat::ompi;
  TuneOptions tuning = {};
  std::vector<Bytes> segments = {};  ///< segment sizes to try, in addition to no segments
};

/// The name and options of an algorithm in a scenario and in a library's rule. `fan` is 0 for the library's own one.
Candidate candidate_of(LibraryAlgorithm const& algorithm, Bytes segment, int fan = 0);
/// The algorithms that a library can use for the collective on so many ranks, with segments of these sizes if it has
/// segments.
std::vector<std::pair<LibraryAlgorithm const*, Bytes>> offered(LibraryCollective const& collective, int ranks,
                                                               std::vector<Bytes> const& segments);
/// The sizes that are examined; for a barrier only 0.
std::vector<Bytes> sizes_of(LibraryCollective const& collective, SizeSearch const& search);
/// The scenario without the options of candidates, for the engine of the options, or for the native one if possible.
scenario::Json for_candidates(scenario::Json document, std::string const& file, TuneOptions const& options);

/// The rules for the collectives and numbers of ranks of all jobs. The rules for a number of ranks apply up to the next
/// stated number. Below the least number, between two, and above the greatest one, no algorithm is chosen that accepts
/// only some numbers of ranks. NCCL's rules are for the stated numbers alone. Throws InputError if the library lacks a
/// scenario's collective, or if a collective has the same number of ranks twice; TuneFailure.
Rules decide_rules(std::vector<Job> const& jobs, DecideOptions const& options);

}  // namespace rondo

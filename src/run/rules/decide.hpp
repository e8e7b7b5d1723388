#pragma once

// Rules for a library, from simulations on a machine.

#include "run/points/tune.hpp"
#include "run/rules/rules.hpp"

namespace rondo {

struct DecideOptions {
  RulesFormat format = RulesFormat::ompi;
  TuneOptions tuning = {};
  std::vector<Bytes> segments = {};  ///< tried, beside one segment for all, where an algorithm of the library has them
};

/// What the scenario and a library's rule say of an algorithm. `fan`: other than the library's own, if not 0.
Candidate candidate_of(LibraryAlgorithm const& algorithm, Bytes segment, int fan = 0);
/// The algorithms that a library may take for the collective on so many ranks, in segments of these sizes where it has
/// them.
std::vector<std::pair<LibraryAlgorithm const*, Bytes>> offered(LibraryCollective const& collective, int ranks,
                                                               std::vector<Bytes> const& segments);
/// The sizes that are looked at; a barrier's is 0.
std::vector<Bytes> sizes_of(LibraryCollective const& collective, SizeSearch const& search);
/// The scenario without what candidates say of it, for an engine: that of the options, or native where it can.
scenario::Json for_candidates(scenario::Json document, std::string const& file, TuneOptions const& options);

/// The rules of all jobs' collectives and numbers of ranks, those of a number of ranks up to the next one stated. Below
/// the least, between two and above the greatest number no algorithm is chosen that takes only some numbers of ranks.
/// NCCL's are for the stated numbers alone. Throws InputError where a scenario's collective is none of the library's,
/// or a collective has the same number of ranks twice; TuneFailure.
Rules decide_rules(std::vector<Job> const& jobs, DecideOptions const& options);

}  // namespace rondo

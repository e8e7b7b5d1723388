#pragma once

// The results of `rondo prove` in all its output formats.

#include <string>
#include <vector>

#include "run/points/prove.hpp"

namespace rondo {

/// "FILE: proved: allgather on 8 ranks, 3 rounds, 56 moves" or "FILE: NOT PROVED: ...", as one line. The line of a
/// proved schedule may end with "; needs buffered sends".
std::string proof_summary(Proved const& proved);
/// Why it needs buffered sends, in one line; empty if it does not, or is not proved.
std::string needs_buffers_text(Proved const& proved);

/// The results as JUnit XML: a suite and a case for each file. A broken promise is a failure; a file that is no
/// schedule, cannot be read or took too long is an error.
std::string proof_junit(std::vector<Proved> const& all);

/// The results as SARIF 2.1.0 [OASIS, Static Analysis Results Interchange Format]: one result for each finding, with
/// the name of the fault as its rule, and rank and round as its logical location.
std::string proof_sarif(std::vector<Proved> const& all);

}  // namespace rondo

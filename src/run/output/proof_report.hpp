#pragma once

#include <string>
#include <vector>

#include "run/points/prove.hpp"

namespace rondo {

/// "FILE: proved: allgather on 8 ranks, 3 rounds, 56 moves" or "FILE: NOT PROVED: ...": a line by itself. What is
/// proved may end in "; needs buffered sends".
std::string proof_summary(Proved const& proved);
/// Why it needs buffered sends, in a line; empty if it needs none, or is not proved.
std::string needs_buffers_text(Proved const& proved);

/// As JUnit XML: a suite and a case for each file. What does not keep its promise is a failure, what is no schedule,
/// cannot be read or came to no end an error.
std::string proof_junit(std::vector<Proved> const& all);

/// As SARIF 2.1.0 [OASIS, Static Analysis Results Interchange Format]: a result for each finding, with the name of its
/// fault as the rule and rank and round as its logical location.
std::string proof_sarif(std::vector<Proved> const& all);

}  // namespace rondo

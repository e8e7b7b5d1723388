#pragma once

// The table of claims with their verdicts and corrections, in Markdown, for papers and reviews.

#include <string>
#include <vector>

#include "run/points/job.hpp"

namespace rondo {

/// The claims of a scenario as Markdown: its title, source and file name, and a line for each claim with its verdict
/// ("corrected" if it holds although its source says otherwise) and its correction. `judgements` are those of
/// job.claims, in order.
std::string claims_markdown(Job const& job, std::vector<Judgement> const& judgements);

}  // namespace rondo

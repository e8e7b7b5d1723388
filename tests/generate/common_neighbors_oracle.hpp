#pragma once

#include "generate/common_neighbors.hpp"

namespace rondo::oracle {

/// generate::common_neighbors without the fallback of cumulative patterns, read off the pseudo-code line by line with
/// a set for each set of the text: slow, and with nothing in common with what it judges.
generate::CombiningPattern common_neighbors(ProcessGraph const& graph, problem::CommonNeighbors const& options);

}  // namespace rondo::oracle

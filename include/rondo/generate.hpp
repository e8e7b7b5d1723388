#pragma once

// The schedules that Rondo knows: pure functions from a problem to a Schedule, each with the place in the paper that it
// follows, and the decompositions of neighborhoods that some of them need. This header belongs to the stable set for
// C++ users, which docs/library.md describes.

#include "decomposition/additive_basis.hpp"
#include "decomposition/routes.hpp"
#include "decomposition/steiner_steps.hpp"
#include "generate/generate.hpp"

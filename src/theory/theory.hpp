#pragma once

// One include for all of theory: closed forms and lower bounds, derived from the problem alone. Nothing in this layer
// sees a generator or a schedule, so that theory and schedules check each other.

#include "theory/bounds.hpp"
#include "theory/cost.hpp"
#include "theory/isomorphic.hpp"

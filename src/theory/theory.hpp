#pragma once

// Closed forms and lower bounds, derived from the problem alone: nothing here sees a generator or a schedule.

#include "theory/bounds.hpp"
#include "theory/cost.hpp"
#include "theory/isomorphic.hpp"

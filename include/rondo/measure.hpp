#pragma once

// The counts of a schedule, taken from its messages alone: rounds, volumes, messages and ports. This header belongs to
// the stable set for C++ users, which docs/library.md describes.

#include "schedule/measure.hpp"

#pragma once

// A schedule as a value: what every rank sends, receives and copies in each round (Schedule, Program), how one is
// written by hand (ProgramBuilder), and what a collective promises to deliver (Collective). This header belongs to the
// stable set for C++ users, which docs/library.md describes.

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

#pragma once

// The proof that a schedule keeps a promise: verify replays it symbolically and lists every violation with its rank,
// round and block. This header belongs to the stable set for C++ users, which docs/library.md describes.

#include "schedule/verify.hpp"

#pragma once

// The collective calls of a user program as tables for people, one table per point.

#include <string>

#include "run/points/record.hpp"

namespace rondo {

/// The calls in a record's `profile`, the longest time first: a heading that names the point, and a table of at most 20
/// rows. Empty if the record has no profile.
std::string profile_table(Record const& record, bool markdown);

}  // namespace rondo

#pragma once

// The collective calls of a user program as tables for a person, one a point.

#include <string>

#include "run/points/record.hpp"

namespace rondo {

/// The calls in a record's `profile`, the longest time first: a heading that names the point, and a table of at most 20
/// rows. Empty where the record has none.
std::string profile_table(Record const& record, bool markdown);

}  // namespace rondo

#pragma once

// What is said of records that another version of the program wrote: their numbers may be others than this one gives.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace rondo {

/// How many records each version wrote.
using RecordsByVersion = std::map<std::string, std::size_t>;

/// "by the older version 0.1.0", "by the newer version 0.3.0", "by another build, 0.2.0+g21c2c6c"; `own` is the version
/// of this program.
std::string by_version(std::string_view version, std::string_view own);

/// "2 by the older version 0.1.0, 1 by another build, 0.2.0+g21c2c6c": all but those of this program, empty without
/// such records.
std::string by_other_versions(RecordsByVersion const& records);

/// Where a person finds what became of the numbers.
inline constexpr char const* where_results_changed = "results that changed are named in CHANGELOG.md";

/// "2 of 6 records are by the older version 0.1.0; results that changed are named in CHANGELOG.md"; empty where all are
/// by this program.
std::string remark_on_versions(RecordsByVersion const& records);

}  // namespace rondo

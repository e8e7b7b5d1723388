#pragma once

// Remarks on records that another version of the program wrote, because this version may give other numbers.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace rondo {

/// How many records each version has written.
using RecordsByVersion = std::map<std::string, std::size_t>;

/// "by the older version 0.1.0", "by the newer version 0.3.0", "by another build, 0.2.0+g21c2c6c". `own` is the version
/// of this program. Only major, minor and patch decide which version is older.
std::string by_version(std::string_view version, std::string_view own);

/// "2 by the older version 0.1.0, 1 by another build, 0.2.0+g21c2c6c": all records but those of this program. Names up
/// to four versions, then the number of records of all others: "3 by 2 more". Empty if there are no such records.
std::string by_other_versions(RecordsByVersion const& records);

/// Tells where people find out which numbers have changed.
inline constexpr char const* where_results_changed = "results that changed are named in CHANGELOG.md";

/// "2 of 6 records are by the older version 0.1.0; results that changed are named in CHANGELOG.md"; empty if all are by
/// this program.
std::string remark_on_versions(RecordsByVersion const& records);

}  // namespace rondo

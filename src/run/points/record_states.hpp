#pragma once

// The origin of a record: the version of the program that wrote it, and the state of the scenario from which it was
// made. The state is everything that the points of one sweep have in common. Records of one scenario in two states
// (another latency, engine or number of points, a changed file) belong to two sweeps. Remarks name records that
// another version wrote, because this version may give other numbers.

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "run/points/record.hpp"

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

/// The state of a scenario as far as a record tells it.
struct RecordState {
  std::optional<int> points;                ///< how many points the sweep has; unset if the record does not say
  std::string engine;                       ///< empty if it is swept, or if it is unknown whether it is
  nlohmann::ordered_json common = nullptr;  ///< the embedded scenario with null for swept values, without the states of
                                            ///< files and without /engine; null: the record does not say what was swept
  std::set<std::string> swept = {};         ///< the pointers of the sweep
  std::map<std::string, std::string> files = {};  ///< by name, the checksum of each file that was read, or ""
};

/// The state in an embedded scenario. `swept` has the pointers of its sweep, and perhaps those of other sweeps;
/// `points` is 0 if their number is unknown.
RecordState state_of(nlohmann::ordered_json const& expanded, std::string const& engine, int points,
                     std::set<std::string> const& swept);
/// The state in a record, with the pointers that the record itself says are swept.
RecordState state_of(Record const& record);

/// The first difference between two states, with the value of the first one first, such as
/// "/machine/latency: \"2us\" and \"1us\"". It may also be the number of points, the engine or the checksum of a file.
/// A number, engine or file that only one of the records states is no difference. Empty if the records may belong to
/// one sweep.
std::string difference(RecordState const& first, RecordState const& second);

/// The scenario in a record without /inputs and the checksums, which are the states of its files.
nlohmann::ordered_json without_files(nlohmann::ordered_json expanded);

}  // namespace rondo

#pragma once

// Continues a results file: which of its records belong to points that are to be run, and what the file contains
// then.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "run/points/job.hpp"
#include "run/points/record_states.hpp"
#include "run/points/results_file.hpp"
#include "run/points/run.hpp"

namespace rondo {

/// A point that is to be run, with the names that its record will have.
struct PendingPoint {
  std::string scenario;
  int point = 0;
  int points = 0;                 ///< points of its sweep
  std::string key;                ///< record_key
  std::string key_without_files;  ///< the same of its scenario without the states of files
  RecordFacts facts;
};

/// The rows of a file that count for the due points, and the counts of dropped ones by reason.
struct Resumption {
  std::string header;                           ///< of the file
  std::map<std::size_t, std::string> by_point;  ///< the rows that are taken over, by the number of their point
  std::size_t due = 0;                          ///< points that are to be run
  std::size_t rows = 0;                         ///< all rows of the file
  RecordsByVersion versions;                    ///< by the version that wrote them
  RecordsByVersion dropped_versions;            ///< other versions that wrote dropped records
  std::size_t other_version = 0;                ///< left out: written by another version
  std::size_t failed = 0;                       ///< left out: failed
  std::size_t unproved = 0;                     ///< left out: simulated without the proof that is asked for now
  std::size_t other_files = 0;  ///< left out: made from files that have changed since, or that they do not name
  std::size_t no_point = 0;     ///< left out: their point is not due, or has its record already
  std::string dropped_rows;     ///< the rows without an error that were left out, as they were

  std::size_t dropped() const { return other_version + failed + unproved + other_files + no_point; }
  /// The file from now on: its header, then the records taken over in the order of their points.
  std::string text() const;
  /// Whether the records of the other points follow after the existing ones.
  bool ends_in_order() const { return by_point.empty() || by_point.rbegin()->first + 1 == by_point.size(); }
};

/// The points of a job, in order.
std::vector<PendingPoint> due_points(Job const& job);

/// Whether points with an error in their record are run again, or whether such records count as others do.
enum class WithError : std::uint8_t { run_again, accepted };

/// The conditions under which a record stands for a point.
struct Condition {
  WithError with_error = WithError::run_again;
  Proof proof = Proof::automatic;  ///< a record with less of a proof than this gives is left out
};

/// Takes over the records of this version that stand for one of the points, with the names and numbers that the points
/// have now. Throws InputError if one of them contradicts its point (contradiction in run/points/compare.hpp).
Resumption resumption(ResultsFile const& file, std::vector<PendingPoint> const& due, Condition wanted);

/// The results in a file for the points of a job, in order, without the names of the problem. Throws InputError if it
/// is no such file, and if a point has no record of this version with such a proof.
std::vector<PointResult> stored_results(std::string const& path, Job const& job, Proof proof);

/// "2 of 5 records are left out: 1 by the older version 0.1.0, 1 that failed; results that changed are named in
/// CHANGELOG.md"
std::string what_is_left_out(Resumption const& file);

}  // namespace rondo

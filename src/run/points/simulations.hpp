#pragma once

// The times of algorithms at block sizes, for one problem on one machine and one engine. A point is run when its record
// is first asked for; Simulations::run runs several points at a time. Records are remembered.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/points/job.hpp"
#include "run/points/run.hpp"

namespace rondo {

/// A simulation that a decision needs has failed, or a stored record does not belong to its point.
class TuneFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An algorithm with the options that belong to its name.
struct Candidate {
  std::string name;                                   ///< its name among the candidates
  std::string algorithm;                              ///< the value of /algorithm
  scenario::Json options = scenario::Json::object();  ///< members of /collective, beside those of the problem
};

/// The memory of earlier searches, and the receivers of progress; each of them may be empty.
struct SearchWatch {
  /// The record of a point that was simulated earlier with at least this proof, by its record_key; unset if there is
  /// none.
  std::function<std::optional<Record>(std::string const& key, Proof proof)> known = {};
  /// Called after each simulated point.
  std::function<void(PointResult const&)> simulated = {};
  /// Called before the first and after each simulation of a call of run(): how many are done, and how many are due.
  std::function<void(std::size_t done, std::size_t of)> progress = {};
};

/// The scenario `document` in the form in which `engine` simulates one call of its collective: with this engine,
/// without keys that the engine refuses, and without the setup of a neighborhood collective.
scenario::Json on_engine(scenario::Json document, scenario::Engine engine);
/// The error with which the engine refuses on_engine(document, engine), whose errors name `file`; empty if it accepts
/// it.
std::string refusal(scenario::Json const& document, std::string const& file, scenario::Engine engine);

/// The records of candidates at block sizes. A record is made when it is first asked for.
class Simulations {
 public:
  using Key = std::pair<std::string, std::int64_t>;  ///< name of a candidate, block

  /// For points of the scenario `document`, of which run() simulates `jobs` at a time. Errors name `file`.
  Simulations(scenario::Json document, std::string file, std::vector<Candidate> const& candidates, PointOptions options,
              int jobs, SearchWatch watch = {});

  /// Adds a candidate, or replaces the one with its name.
  void add(Candidate const& candidate) { candidates_[candidate.name] = candidate; }
  /// Renames a candidate and the records that are known about it. There must be such a candidate, and no other one may
  /// have the new name.
  void rename(std::string const& from, std::string const& to);

  /// Runs those of these points that have no record yet. Throws InputError if a scenario with such a candidate or block
  /// is refused when it is parsed, and TuneFailure if a record from SearchWatch::known contradicts its point. A point
  /// that a generator refuses, or whose simulation fails, has a record with an error.
  void run(std::vector<Key> const& wanted);
  /// The record of a point, which is run if it has none. Throws as run().
  Record const& at(std::string const& candidate, Bytes block);
  /// The time of a point by the statistic of the options. Throws as run(), and TuneFailure if the record has an error
  /// or no time.
  Seconds time(std::string const& candidate, Bytes block);
  /// The least of the lower bounds on the time in the records of this block, which holds for all candidates. Records
  /// with an error are skipped. Unset if no other record has a bound.
  std::optional<Seconds> bound(Bytes block) const;

 private:
  /// The axes of a sweep over these points. They advance together.
  scenario::Json points_of(std::vector<Key> const& keys) const;
  /// Takes over the records that SearchWatch::known has. Returns the points of the job that must be simulated.
  std::vector<std::size_t> unknown(Job const& job, std::vector<Key> const& keys);

  scenario::Json document_;
  std::string file_;
  std::map<std::string, Candidate> candidates_;
  PointOptions options_;
  int jobs_;
  SearchWatch watch_;
  std::map<Key, Record> records_;
};

}  // namespace rondo

#pragma once

// The times of algorithms at block sizes, for one problem on one machine and one engine. Points are run when they
// are asked for, several at a time if that is known in advance, and their results are remembered.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/points/job.hpp"
#include "run/points/run.hpp"

namespace rondo {

/// A simulation that a decision needs has failed.
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
  /// The record of a point that was simulated earlier with at least this proof, by its record_key.
  std::function<std::optional<Record>(std::string const& key, Proof proof)> known = {};
  std::function<void(PointResult const&)> simulated = {};  ///< called after each simulated point
  std::function<void(std::size_t done, std::size_t of)> progress =
      {};  ///< called with the number of done and due simulations
};

/// The scenario `document` in the form in which `engine` simulates one call of its collective.
scenario::Json on_engine(scenario::Json document, scenario::Engine engine);
/// The reason why the engine cannot; empty if it can.
std::string refusal(scenario::Json const& document, std::string const& file, scenario::Engine engine);

/// The records of candidates at block sizes. A record is made when it is first asked for.
class Simulations {
 public:
  using Key = std::pair<std::string, std::int64_t>;  ///< name of a candidate, block

  /// Simulates points of the scenario `document`, `jobs` at a time.
  Simulations(scenario::Json document, std::string file, std::vector<Candidate> const& candidates, PointOptions options,
              int jobs, SearchWatch watch = {});

  void add(Candidate const& candidate) { candidates_[candidate.name] = candidate; }
  /// Renames a candidate and the results that are known about it. No other candidate may have the new name.
  void rename(std::string const& from, std::string const& to);

  /// Runs those of these points that are not known yet. Throws InputError if the machine or the generator refuses one.
  void run(std::vector<Key> const& wanted);
  Record const& at(std::string const& candidate, Bytes block);
  /// Throws TuneFailure where the record has no time.
  Seconds time(std::string const& candidate, Bytes block);
  /// The least bound that any record of this block states, which therefore holds for all candidates; unset if there is
  /// none.
  std::optional<Seconds> bound(Bytes block) const;

 private:
  scenario::Json points_of(std::vector<Key> const& keys) const;
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

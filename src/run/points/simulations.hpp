#pragma once

// Times of algorithms at block sizes: one problem on one machine by one engine, whose points are run when asked for,
// several at a time where that is known before, and remembered.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/points/job.hpp"

namespace rondo {

/// A simulation that a decision needs has failed.
class TuneFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An algorithm with what it needs said beside its name.
struct Candidate {
  std::string name;                                   ///< what it is called among the candidates
  std::string algorithm;                              ///< the word of /algorithm
  scenario::Json options = scenario::Json::object();  ///< members of /collective, beside those of the problem
};

/// What a search knows from before, and who is told of what it does; any of them may be empty.
struct SearchWatch {
  /// The record of a point, by its record_key, that was simulated before with no less of a proof.
  std::function<std::optional<Record>(std::string const& key, Proof proof)> known = {};
  std::function<void(PointResult const&)> simulated = {};  ///< told of each point that is simulated now
  std::function<void(std::size_t done, std::size_t of)> progress =
      {};  ///< told how far those are that are known to be due
};

/// The scenario `document` as `engine` simulates a call of its collective.
scenario::Json on_engine(scenario::Json document, scenario::Engine engine);
/// Why it cannot; empty: it can.
std::string refusal(scenario::Json const& document, std::string const& file, scenario::Engine engine);

class Simulations {
 public:
  using Key = std::pair<std::string, std::int64_t>;  ///< name of a candidate, block

  /// Simulates points of the scenario `document`, `jobs` at a time.
  Simulations(scenario::Json document, std::string file, std::vector<Candidate> const& candidates, PointOptions options,
              int jobs, SearchWatch watch = {});

  void add(Candidate const& candidate) { candidates_[candidate.name] = candidate; }
  /// Gives a candidate, and what is known of it, another name, which no other has.
  void rename(std::string const& from, std::string const& to);

  /// Runs what is not known yet of these. Throws InputError for what the machine or the generator refuses.
  void run(std::vector<Key> const& wanted);
  Record const& at(std::string const& candidate, Bytes block);
  /// Throws TuneFailure where the record has no time.
  Seconds time(std::string const& candidate, Bytes block);
  /// The least bound of the time that a record of this block states, so that it holds for all candidates; unset: none.
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

#pragma once

// The prover by itself, for schedules in files of any format that is known: whether each keeps its promise, and where
// it does not. A new format is a file that proves it and a row of provable_formats().

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "scenario/promise.hpp"
#include "scenario/scenario.hpp"
#include "schedule/verify.hpp"

namespace rondo {

/// What is wrong with a schedule, and where.
struct ProofFinding {
  std::string rule;     ///< the name of the fault: "lost block"
  std::string text;     ///< one line that names fault, rank, round and block
  std::string place;    ///< "rank 3, round 2", or a line of the file; empty: none by itself
  bool broken = false;  ///< whether the schedule is none at all, rather than one that delivers something else
};

/// What came of proving one schedule.
struct Proved {
  std::string file;
  std::string format;
  std::string promise;  ///< the name of what was promised; empty where nothing was
  int ranks = 0;
  std::int64_t rounds = 0;
  std::int64_t tasks = 0;         ///< in the place of rounds, where tasks wait for each other instead
  std::int64_t moves = 0;         ///< blocks sent and copied, all ranks
  std::optional<bool> delivered;  ///< unset where nothing was promised
  std::int64_t violations = 0;    ///< all of them, of which `findings` are the first
  std::vector<ProofFinding> findings;
  /// Whether it comes to its end only if sends are buffered; unset where it is not proved.
  std::optional<bool> needs_buffered_sends = {};
  std::string waits = {};  ///< why it does not end with synchronous sends: a circular wait, in one line
  std::string refused;     ///< why it could not be read; empty: it could
  std::string failed;      ///< why the proof came to no end: a timeout, too little memory; empty: it came

  bool proved() const { return refused.empty() && failed.empty() && violations == 0 && delivered.value_or(true); }
};

struct ProveOptions {
  std::string promise;  ///< the file with the promise; empty: in the schedule's file or beside it
  Seconds timeout{0};   ///< real time for each file; 0: any
  /// The new file that gets what convinced the prover (schedule/certificate.hpp), if the schedule is proved; empty:
  /// none.
  std::string certificate = {};
  bool force = false;  ///< replace an existing certificate
};

/// A format of files with schedules.
struct ProvableFormat {
  char const* name;
  /// Whether a file is of this format, by its name and its first few kilobytes.
  bool (*knows)(std::string_view file, std::string_view head);
  /// Throws InputError for what is no such file.
  Proved (*prove)(std::string const& file, ProveOptions const& options);
};
std::span<ProvableFormat const> provable_formats();

/// Proves one file; what is wrong with it is part of the answer, and nothing is thrown for it.
Proved prove(std::string const& file, ProveOptions const& options);

/// The promise of a schedule: the one that the options name, or else the one in its file (null: none), or else that of
/// the file beside it, with .promise.json in the place of its ending. Throws InputError where there is none.
problem::Promise promise_beside(std::string const& file, scenario::Json const& inside,
                                scenario::PromiseSetting const& setting, ProveOptions const& options);
/// The promise that promise_beside finds; unset where there is none.
std::optional<problem::Promise> find_promise(std::string const& file, scenario::Json const& inside,
                                             scenario::PromiseSetting const& setting, ProveOptions const& options);

/// What verify found, as findings.
void add_verdict(Proved& proved, Verdict const& verdict);

}  // namespace rondo

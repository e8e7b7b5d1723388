#pragma once

// The prover for schedules in files of any known format: whether each keeps its promise, and where it does not. A
// new format takes a file that proves it, and a row of `formats` in prove.cpp.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "scenario/promise.hpp"
#include "scenario/scenario.hpp"
#include "schedule/verify.hpp"

namespace rondo {

/// A fault of a schedule, and where it is.
struct ProofFinding {
  std::string rule;     ///< the name of the fault: "lost block"
  std::string text;     ///< one line that names fault, rank, round and block
  std::string place;    ///< "rank 3, round 2", or a line of the file; empty: none by itself
  bool broken = false;  ///< the schedule is malformed; otherwise it delivers something else
};

/// The result of proving one schedule.
struct Proved {
  std::string file;
  std::string format;
  std::string promise;  ///< the name of the promise; empty if there is none
  int ranks = 0;
  std::int64_t rounds = 0;
  std::int64_t tasks = 0;         ///< for graphs of tasks, which have no rounds
  std::int64_t moves = 0;         ///< blocks sent and copied, all ranks
  std::optional<bool> delivered;  ///< unset without a promise
  std::int64_t violations = 0;    ///< all of them, of which `findings` are the first
  std::vector<ProofFinding> findings;
  /// Whether it ends only if sends are buffered; unset if it is not proved.
  std::optional<bool> needs_buffered_sends = {};
  std::string waits = {};  ///< why it does not end with synchronous sends: a circular wait, in one line
  std::string refused;     ///< why it could not be read; empty: it could
  std::string failed;      ///< why the proof came to no end: a timeout, too little memory; empty: it came

  bool proved() const { return refused.empty() && failed.empty() && violations == 0 && delivered.value_or(true); }
};

/// The options of `rondo prove`.
struct ProveOptions {
  std::string promise;  ///< the file with the promise; empty: in the schedule's file or beside it
  Seconds timeout{0};   ///< real time for each file; 0: any
  /// The new file for the certificate (schedule/certificate.hpp) of a proved schedule; empty for none.
  std::string certificate = {};
  bool force = false;  ///< replace an existing certificate
};

/// Proves one file. Faults of the schedule are part of the answer and not thrown.
Proved prove(std::string const& file, ProveOptions const& options);

/// The promise of a schedule: the one in the options, otherwise the one in its file (null: none), otherwise the one in
/// the file beside it whose name ends with .promise.json instead. Throws InputError if there is none.
problem::Promise promise_beside(std::string const& file, scenario::Json const& inside,
                                scenario::PromiseSetting const& setting, ProveOptions const& options);
/// The promise that promise_beside finds; unset where there is none.
std::optional<problem::Promise> find_promise(std::string const& file, scenario::Json const& inside,
                                             scenario::PromiseSetting const& setting, ProveOptions const& options);

/// Adds the faults that verify has found, as findings.
void add_verdict(Proved& proved, Verdict const& verdict);

}  // namespace rondo

#pragma once

// The base class of everything that SMPI simulates here: schedules, tasks, collectives of MPI libraries and programs of
// users differ in what a rank does, but all are started, timed and checked in the same way.

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "engine/engine.hpp"
#include "engine/noise.hpp"
#include "engine/smpi/machine.hpp"

namespace rondo {

/// Leaves a rank whose program has ended as no program should; the simulation is a failure with this text.
class ProgramExit : public std::runtime_error {
 public:
  explicit ProgramExit(std::string const& text, Failure failure = Failure::exited)
      : std::runtime_error(text), failure_(failure) {}
  Failure failure() const { return failure_; }

 private:
  Failure failure_;
};

/// The MPI programs of all ranks of one simulation, as actors of one process, and when each started and finished.
class RankPrograms {
 public:
  RankPrograms(int ranks, SmpiMachine const& machine) : machine_(machine), progress_(static_cast<std::size_t>(ranks)) {}
  RankPrograms(RankPrograms const&) = delete;
  RankPrograms& operator=(RankPrograms const&) = delete;
  virtual ~RankPrograms() = default;

  /// What a rank does from MPI_Init to MPI_Finalize; to be called in its actor.
  virtual void run(Rank rank) = 0;
  /// Whether the bytes of messages are copied.
  virtual bool moves_payload() const { return true; }
  /// What it is that a rank sends to itself.
  virtual ToItself to_itself() const { return ToItself::message; }
  /// Once all have finished: what each rank leaves, if anything.
  virtual std::vector<std::vector<std::byte>> results() { return {}; }
  /// Whether wrong_data() knows what should have been moved.
  virtual bool verifies_payload() const { return false; }
  /// Once all have finished: what is wrong with the data that was moved, if anything.
  virtual std::optional<std::string> wrong_data() { return std::nullopt; }

  /// What the machine's noise is for these programs.
  virtual Noise noise(Platform const& platform, EngineOptions const& options) const { return {platform, options}; }
  /// Before any starts: how much later than at its start each rank comes; empty: not at all.
  void set_arrival(std::vector<Seconds> arrival) { arrival_ = std::move(arrival); }
  /// Once all have finished: makespan, finish times, messages, bytes and logged messages from the first start on.
  Timing timing() const;
  /// The first ranks that have not finished, and where each waits.
  virtual std::string waiting() const;

 protected:
  /// All ranks start at the same simulated time.
  void start(Rank rank);
  /// In the actor of the rank, at that time: it waits until the rank comes.
  void await_arrival(Rank rank) const;
  void finish(Rank rank);
  /// For a rank to keep up to date, if it goes in rounds.
  int& round(Rank rank) { return progress(rank).round; }
  /// Where a rank waits, as " in round 3"; nothing where that is not known.
  virtual std::string place_of(Rank rank) const;

 private:
  struct Progress {
    double start = 0;
    double finish = 0;
    int round = 0;
    bool finished = false;
  };

  Progress& progress(Rank rank) { return progress_[static_cast<std::size_t>(rank.value)]; }

  SmpiMachine const& machine_;
  std::vector<Progress> progress_;
  std::vector<Seconds> arrival_;
  bool started_ = false;
  std::int64_t messages_before_ = 0;
  std::size_t passages_before_ = 0;
  Bytes bytes_before_;
};

}  // namespace rondo

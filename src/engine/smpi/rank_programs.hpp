#pragma once

// The base class of all programs that SMPI simulates here: schedules, tasks, collectives of MPI libraries, and user
// programs. They differ in the work of a rank; they are started, timed and checked in the same way. run_smpi() is the
// simulation itself, inside the child process: it sets up SimGrid and SMPI, runs the programs of all ranks, and
// reports the result.

#include <cstddef>
#include <functional>
#include <memory>
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

/// Thrown to leave a rank whose program has ended in a wrong way. The simulation fails with this text.
class ProgramExit : public std::runtime_error {
 public:
  explicit ProgramExit(std::string const& text, Failure failure = Failure::exited)
      : std::runtime_error(text), failure_(failure) {}
  Failure failure() const { return failure_; }

 private:
  Failure failure_;
};

/// The MPI programs of all ranks of one simulation, as actors of one process, with their start and finish times.
class RankPrograms {
 public:
  /// Keeps a reference to the machine.
  RankPrograms(int ranks, SmpiMachine const& machine) : machine_(machine), progress_(static_cast<std::size_t>(ranks)) {}
  RankPrograms(RankPrograms const&) = delete;
  RankPrograms& operator=(RankPrograms const&) = delete;
  virtual ~RankPrograms() = default;

  /// The work of a rank from MPI_Init to MPI_Finalize. It is called in the actor of the rank.
  virtual void run(Rank rank) = 0;
  /// Whether the bytes of messages are copied.
  virtual bool moves_payload() const { return true; }
  /// The meaning of a message of a rank to itself.
  virtual SelfMessage self_message() const { return SelfMessage::message; }
  /// The results by rank; empty if the programs have none. Called when all ranks have finished.
  virtual std::vector<std::vector<std::byte>> results() { return {}; }
  /// Whether wrong_data() knows the expected data.
  virtual bool verifies_payload() const { return false; }
  /// Describes wrong data; nothing if all data are right or unknown. Called when all ranks have finished.
  virtual std::optional<std::string> wrong_data() { return std::nullopt; }

  /// The noise of the machine for these programs.
  virtual Noise noise(Platform const& platform, EngineOptions const& options) const { return {platform, options}; }
  /// Sets how much later than the start each rank arrives; empty: none is late. Called before any rank starts.
  void set_arrival(std::vector<Seconds> arrival) { arrival_ = std::move(arrival); }
  /// Makespan, finish times, messages, bytes and logged messages, counted from the first start. Throws
  /// ContractViolation unless all ranks have finished and have started at the same time.
  Timing timing() const;
  /// Names up to four ranks that have not finished, with the places where they wait, for the error of a deadlock.
  virtual std::string waiting() const;

 protected:
  /// Notes the start of a rank. All ranks must start at the same simulated time.
  void start(Rank rank);
  /// Called in the actor of the rank after start(): the rank waits until it arrives.
  void await_arrival(Rank rank) const;
  /// Notes the time at which a rank finishes.
  void finish(Rank rank);
  /// Called by ranks that work in rounds at the begin of each round.
  void set_round(Rank rank, int round) { progress(rank).round = round; }
  /// Where a rank waits, such as " in round 3"; "" if it is unknown.
  virtual std::string place_of(Rank rank) const;

  SmpiMachine const& machine_;

 private:
  /// How far a rank is.
  struct Progress {
    double start = 0;   ///< simulated seconds
    double finish = 0;  ///< simulated seconds; counts only if `finished`
    int round = 0;      ///< counted from 1; 0: unknown
    bool finished = false;
  };

  Progress& progress(Rank rank) { return progress_[static_cast<std::size_t>(rank.value)]; }

  std::vector<Progress> progress_;  ///< by rank
  std::vector<Seconds> arrival_;    ///< by rank; empty: none is late
  bool started_ = false;            ///< whether any rank has started
  // What the machine had counted when the first rank started:
  std::int64_t messages_before_ = 0;
  std::size_t times_before_ = 0;
  Bytes bytes_before_;
};

/// Makes the programs of a simulation after its machine has been built. The reference to the machine stays valid.
using MakePrograms = std::function<std::unique_ptr<RankPrograms>(SmpiMachine& machine)>;

/// The settings of SMPI that programs need.
struct SmpiSettings {
  int stack_kib = 64;      ///< stack size of a rank; at least 64 is used, and 1024 with AddressSanitizer
  Bytes buffered{0};       ///< standard sends of up to this size do not wait for their receivers
  Seconds wtime{0};        ///< the time that a call of MPI_Wtime takes
  bool computing = false;  ///< whether computing takes time (engine/programs/computing.hpp)
  bool world = false;      ///< whether MPI_COMM_WORLD is a real communicator; else it is a placeholder
  /// Settings such as "smpi/coll-selector:mpich". If there are any, the collectives are set up again with them.
  std::vector<std::string> collectives = {};
  /// Set for user programs, which run under a keeper (process/run_in_child.hpp). simulation.cpp calls it in the child
  /// before run_smpi, with the private folder of the work.
  std::function<void(std::string const& folder)> enter = {};
};

/// The work of the child: simulates the programs on SimGrid/SMPI, and writes `ready` and one answer to the descriptor
/// `answer` (engine/answer.hpp). Call it once in a process, because SimGrid's clock and state cannot be reset. Throws
/// InputError if the platform cannot carry the ranks, or if `make` throws it. Ends the process itself.
[[noreturn]] void run_smpi(int ranks, MakePrograms const& make, SmpiSettings const& settings, Platform const& platform,
                           EngineOptions const& options, int answer);

}  // namespace rondo

#pragma once

// The interface of the two engines, SimGrid/SMPI and Rondo's native one: the options of a simulation, what comes out of
// it, and the functions that simulate a schedule or a task graph. Callers need to know nothing else of an engine.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "platform/platform.hpp"
#include "schedule/collective.hpp"
#include "schedule/parts.hpp"
#include "schedule/schedule.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

/// How the SMPI engine treats payload. verified: every byte is moved and checked against its origin. timing: the same
/// messages, but no payload is kept or copied. automatic: verified while the payload of all ranks is at most
/// `most_verified_payload`, else timing.
enum class Payload : std::uint8_t { automatic, verified, timing };

/// The bound of Payload::automatic: bytes of all buffers of all ranks, and bytes moved by all messages.
inline constexpr Bytes most_verified_buffers = Bytes(std::int64_t{256} << 20);
inline constexpr Bytes most_verified_traffic = Bytes(std::int64_t{1} << 30);

/// Whether an engine keeps the times of every message (Timing::passages).
enum class Log : std::uint8_t { none, messages };

struct EngineOptions {
  Payload payload = Payload::automatic;
  Seconds timeout{0};  ///< limit on the wall time of one simulation; 0 means no limit
  Log log = Log::none;
  bool calls = false;  ///< whether the collective calls of a user program are noted
  /// When each rank comes, from which times count; empty: all at 0. A rank does nothing before, nor does its CPU.
  std::vector<Seconds> arrival = {};
  /// What the machine's noise is drawn by.
  std::uint64_t seed = 1, replication = 0;
};

/// How a simulation ended without a result.
/// exited: a rank of a program returned something else than 0, or ended before MPI_Finalize.
/// unreceived: a program ended with messages that nobody had received.
/// overflow: times are more than a number can hold.
enum class Failure : std::uint8_t { deadlock, crash, timeout, out_of_memory, wrong_data, exited, unreceived, overflow };
std::string to_string(Failure failure);

/// When one message passed, from the first start of the operation on: how long it held a send port of its source and a
/// receive port of its target (under LogGP: their NICs). Under linear timing both are held together; under flow timing
/// both last from when the message goes off until its receive ends.
struct Passage {
  Rank source, target;
  Bytes bytes;
  Seconds send_start, send_end;
  Seconds receive_start, receive_end;
};

/// One call of MPI that a rank of a user program made, or a step of a workload.
struct CallSpan {
  Rank rank;
  std::string name;  ///< "MPI_Allreduce", or that of the step
  Seconds start, end;
};

/// The calls of one collective on one group of ranks.
struct CollectiveCalls {
  std::string call;          ///< "MPI_Allreduce"
  std::string communicator;  ///< "world", its ranks in MPI_COMM_WORLD such as "0-3" or "0,4,...,12", or "two groups"
  int ranks = 0;
  std::int64_t calls = 0;  ///< by the rank that makes most
  Bytes bytes;             ///< that the rank hands over which has most: its send buffers, what it gets of a scatter
  Seconds time;            ///< in these calls, the mean over the ranks
  Seconds longest;         ///< the same of the rank that is longest in them
};

struct Timing {
  /// The last finish, from the first start on, or from 0 where EngineOptions::arrival says when ranks come; without
  /// start-up and final checks.
  Seconds makespan;
  std::int64_t messages = 0;  ///< counted by the engine as it carried them
  Bytes bytes;                ///< payload of those messages, without envelopes
  bool payload_verified = false;
  std::vector<Seconds> finish;  ///< when each rank finishes, likewise; one entry may stand for all
  Seconds wall;                 ///< real time the simulation took
  Bytes peak_memory;            ///< most memory its process had resident
  /// With Log::messages, the passage of every message; messages between the same two ranks (of one tag) are in posting
  /// order.
  std::vector<Passage> passages = {};
  /// With Log::messages, the calls of a user program, or what ranks do in the steps of a workload, by rank and start.
  std::vector<CallSpan> calls = {};
};

/// What a simulation came to: a result (its Timing, or more), or a reported failure; never a zero for a failure.
template <typename Result>
struct Outcome {
  std::optional<Result> result;
  Failure failure{};         ///< meaningful without a result
  std::string error;         ///< one line; empty with a result
  std::string printed = {};  ///< for programs, the end of what the ranks wrote to stdout and stderr
};

/// Runs the schedule as an MPI program on SimGrid/SMPI inside a child process. `collective` names the contents that
/// verified payload is checked against. A deadlock, a crash of the child, a time-out or a lack of memory is an Outcome
/// without timing. Throws InputError when the platform cannot carry it (more ranks than hosts, unreadable file).
Outcome<Timing> simulate_smpi(Schedule const& schedule, Collective const& collective, Platform const& platform,
                              EngineOptions const& options);

/// Runs the tasks as MPI programs on SimGrid/SMPI, without payload and without telling NICs apart; under flow timing
/// CPUs carry them out, and no call of MPI. Throws InputError for what SMPI does not carry: a rank that sends to
/// itself, and but for flow timing a calculation on a platform file or of more than 1000 s.
Outcome<Timing> simulate_smpi(TaskGraph const& graph, Platform const& platform, EngineOptions const& options);

/// Computes the time of the schedule under the platform's timing model, without payload and without SimGrid, which only
/// reads platform files, in a child process. Under linear timing, when several messages can start at a time, the one
/// that was ready first (both ends posted) starts first, then the one whose sender posted first, then that of the lower
/// source, then the one earlier among its sender's sends. Where a proof of symmetry makes all ranks finish together,
/// `finish` has a single entry for all. Ranks left waiting are a Failure::deadlock that names a smallest circular wait.
/// Throws InputError when the platform cannot carry it.
Outcome<Timing> simulate_native(Schedule const& schedule, Platform const& platform, EngineOptions const& options);

/// Times a graph of tasks. Under linear timing a calculation holds its CPU, sends and receives hold the ports of their
/// rank whatever their NIC. With TimingModel::loggp, schedules too are timed as tasks, and times equal those of
/// LogGOPSim; a rank's finish is then the time from which on its CPUs are free. Under flow timing CPU 0 of a rank posts
/// and takes its messages besides calculating, and other CPUs only calculate.
Outcome<Timing> simulate_native(TaskGraph const& graph, Platform const& platform, EngineOptions const& options);

/// Time the parts of ranks. `finish` has an entry a part; arrivals are of ranks. Without payload. SMPI throws
/// InputError on a platform file. Under LogGP parts are timed as tasks, and passages are between ranks.
Outcome<Timing> simulate_smpi(Parts const& parts, Platform const& platform, EngineOptions const& options);
Outcome<Timing> simulate_native(Parts const& parts, Platform const& platform, EngineOptions const& options);

/// The machine that knows whose the parts are.
Platform with_parts(Platform platform, Parts const& parts);

}  // namespace rondo

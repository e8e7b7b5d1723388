#pragma once

// The interface of the two engines, SimGrid/SMPI and Rondo's native one: the options of a simulation, what comes out
// of it, and the functions that simulate a schedule or a task graph. Callers need to know nothing else of an engine.
// FileRoutes is the content of a SimGrid platform file that the native engine needs. SimGrid reads the file once, in
// a child process, and returns the routes between the pairs of hosts that talk.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "platform/platform.hpp"
#include "problem/run_options.hpp"
#include "schedule/collective.hpp"
#include "schedule/parts.hpp"
#include "schedule/schedule.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

/// The bounds of Payload::automatic: the bytes of all buffers of all ranks, and the bytes that all messages move.
inline constexpr Bytes most_verified_buffers = Bytes(std::int64_t{256} << 20);
/// Up to this traffic payload is moved and checked by default; more would dominate the time of a simulation.
inline constexpr Bytes most_verified_traffic = Bytes(std::int64_t{1} << 30);

/// Whether an engine keeps the times of every message (Timing::message_times).
enum class Log : std::uint8_t { none, messages };

/// The options of one simulation.
struct EngineOptions {
  Payload payload = Payload::automatic;
  Seconds timeout{0};  ///< limit on the wall time of one simulation; 0 means no limit
  Log log = Log::none;
  bool calls = false;  ///< whether the collective calls of a user program are noted
  /// The time at which each rank arrives. Empty: all ranks arrive at 0. Before it arrives, a rank and its CPU do
  /// nothing.
  std::vector<Seconds> arrival = {};
  /// The seed and the number of the replication from which the machine's noise is drawn.
  std::uint64_t seed = 1, replication = 0;
};

/// How a simulation ended without a result.
/// exited: a rank of a program returned another value than 0, or ended before MPI_Finalize.
/// unreceived: a program ended with messages that no rank had received.
/// overflow: a time is larger than a double can hold.
enum class Failure : std::uint8_t { deadlock, crash, timeout, out_of_memory, wrong_data, exited, unreceived, overflow };
/// The failure as errors of records begin with it: "deadlock".
std::string to_string(Failure failure);

/// The times of one message, counted from the first start of the operation: how long it occupied a send port of its
/// source and a receive port of its target (under LogGP: their NICs). Under linear timing it occupies both ports
/// together. Under flow timing both intervals last from the departure of the message until its receive ends.
struct MessageTimes {
  Rank source, target;
  Bytes bytes;
  Seconds send_start, send_end;
  Seconds receive_start, receive_end;
};

/// One call of MPI that a rank of a user program made, or a step of a workload.
struct CallSpan {
  Rank rank;
  std::string name;  ///< "MPI_Allreduce", or the name of the step
  Seconds start, end;
};

/// The calls of one collective on one group of ranks.
struct CollectiveCalls {
  std::string call;          ///< "MPI_Allreduce"
  std::string communicator;  ///< "world", its ranks in MPI_COMM_WORLD such as "0-3" or "0,4,...,12", or "two groups"
  int ranks = 0;
  std::int64_t calls = 0;  ///< calls of the rank with the most
  Bytes bytes;             ///< bytes of the rank with the most: of its send buffers, and the data that it gets from a
                           ///< scatter
  Seconds time;            ///< in these calls, the mean over the ranks
  Seconds longest;         ///< the time of the rank that spends most time in them
};

/// The result of a simulation.
struct Timing {
  /// The time of the last finish. It is counted from the first start, or from 0 if EngineOptions::arrival is given. It
  /// excludes the start of the simulation and the final checks.
  Seconds makespan;
  std::int64_t messages = 0;  ///< counted by the engine as it carried them
  Bytes bytes;                ///< payload of those messages, without envelopes
  bool payload_verified = false;
  std::vector<Seconds>
      finish;         ///< when each rank finishes, counted as makespan is; a single entry stands for all ranks
  Seconds wall;       ///< real time the simulation took
  Bytes peak_memory;  ///< the largest resident memory of its process
  /// With Log::messages, the times of every message. Messages between the same two ranks (and with the same tag) are
  /// in posting order.
  std::vector<MessageTimes> message_times = {};
  /// With Log::messages, the calls of a user program, or the steps of a workload at each rank, sorted by rank and
  /// start.
  std::vector<CallSpan> calls = {};
};

/// The end of a simulation: a result (its Timing, or more), or a reported failure. A failure never appears as a zero.
template <typename Result>
struct Outcome {
  std::optional<Result> result;
  Failure failure{};         ///< meaningful without a result
  std::string error;         ///< one line; empty with a result
  std::string printed = {};  ///< for programs, the end of the output that the ranks wrote to stdout and stderr
};

/// Runs the schedule as an MPI program on SimGrid/SMPI inside a child process. `collective` names the contents that
/// verified payload is checked against. A deadlock, a crash of the child, a time-out or a lack of memory is an Outcome
/// without timing. Throws InputError when the platform cannot carry it (more ranks than hosts, unreadable file).
Outcome<Timing> simulate_smpi(Schedule const& schedule, Collective const& collective, Platform const& platform,
                              EngineOptions const& options);

/// Runs the tasks as MPI programs on SimGrid/SMPI, without payload and without distinguishing NICs. Under flow timing,
/// Rondo's model of CPUs carries the tasks out instead of calls of MPI. Throws InputError for tasks that SMPI cannot
/// carry: a rank that sends to itself, and, except under flow timing, a calculation on a platform file or of more than
/// 1000 s.
Outcome<Timing> simulate_smpi(TaskGraph const& graph, Platform const& platform, EngineOptions const& options);

/// Computes the time of the schedule under the platform's timing model, without payload. SimGrid is only used to read a
/// platform file, in a child process. Under linear timing several messages may be able to start at the same time. Then
/// the message that was ready first (both ends posted) starts first. Ties are broken by the time at which the sender
/// posted, then by the lower source, then by the order of the sender's sends. If a proof of symmetry shows that all
/// ranks finish together, `finish` has a single entry for all. If ranks are left waiting, the result is a
/// Failure::deadlock that names a smallest circular wait. Throws InputError if the platform cannot carry the schedule.
Outcome<Timing> simulate_native(Schedule const& schedule, Platform const& platform, EngineOptions const& options);

/// Times a graph of tasks. Under linear timing a calculation occupies its CPU; sends and receives occupy the ports of
/// their rank, whichever NIC they name. With TimingModel::loggp, schedules too are timed as tasks, and times equal
/// those of LogGOPSim; the finish of a rank is then the time from which its CPUs are free. Under flow timing CPU 0 of a
/// rank posts and takes its messages and also calculates; other CPUs only calculate.
Outcome<Timing> simulate_native(TaskGraph const& graph, Platform const& platform, EngineOptions const& options);

/// Time the parts of ranks (schedule/parts.hpp), without payload. `finish` has one entry for each part, but arrival
/// times belong to ranks. The SMPI engine throws InputError on a platform file. Under LogGP parts are timed as tasks,
/// and logged messages are between ranks.
Outcome<Timing> simulate_smpi(Parts const& parts, Platform const& platform, EngineOptions const& options);
Outcome<Timing> simulate_native(Parts const& parts, Platform const& platform, EngineOptions const& options);

/// The same machine with a placement of parts: each part is on the host of its rank.
Platform with_parts(Platform platform, Parts const& parts);

/// The links of the file that messages share, and the routes over them. If the machine itself gives latency and
/// bandwidth, the links between a host and the network are left out: each belongs to one host and has the machine's
/// bandwidth.
struct FileRoutes {
  struct Route {
    std::uint32_t first = 0, length = 0;  ///< in `links`
    double narrowest = 0;  ///< of its fat pipes, whose messages do not slow each other down, in bytes per second
    double latency = 0;    ///< the sum over all links, in seconds
    double bandwidth = 0;  ///< of a message alone on all links, in bytes per second
  };
  std::vector<double> capacities;  ///< bytes per second, by the number of a link
  std::vector<std::uint32_t> links;
  std::unordered_map<std::uint64_t, Route> routes;  ///< by `pair`

  static std::uint64_t pair(int from, int to) {
    return std::uint64_t{static_cast<std::uint32_t>(from)} << 32 | static_cast<std::uint32_t>(to);
  }
  /// The route between two hosts, which must be one of the pairs that read_routes was given.
  Route const& route_of(int from, int to) const { return routes.at(pair(from, to)); }
  void append(int from, int to, std::vector<std::uint32_t>& into) const {
    Route const& found = route_of(from, to);
    into.insert(into.end(), links.begin() + found.first, links.begin() + found.first + found.length);
  }
};

/// Reads the platform's file. Throws InputError if SimGrid cannot read it; if it has fewer hosts than ranks, links of
/// wireless networks, or pairs whose route has no links; and, if the machine gives latency and bandwidth, if a host has
/// no up link and down link of its own.
Outcome<FileRoutes> read_routes(Platform const& platform, int ranks, std::vector<std::pair<int, int>> const& pairs,
                                Seconds timeout);

}  // namespace rondo

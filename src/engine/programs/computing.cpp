// Measures the CPU time of each rank between MPI calls and lets SimGrid pass that time. Calls that poll (MPI_Test) come
// any number of times, so they only divide a span, and a replay does not count them.

#include "engine/programs/computing.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <smpi/smpi.h>
#include <sys/time.h>
#include <xbt/xbt_os_time.h>

#include <algorithm>
#include <ctime>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Host.hpp>
#include <utility>

#include "engine/smpi/actors.hpp"

namespace rondo {

namespace {

/// The clock of a rank: its measured spans, or its place in those that are replayed.
struct Clock {
  bool runs = false;
  std::int64_t since = 0;   ///< of the CPU's clock, in nanoseconds
  int calls = 0;            ///< of MPI's functions that the rank is in, one within another
  double due = 0;           ///< seconds that have been computed and have not passed in the simulation
  double shown = 0;         ///< to SMPI, which lets them pass
  ComputedSpan span{0, 0};  ///< that has not ended
  std::size_t spans = 0;    ///< that have ended
};

Computing const* computing = nullptr;  // null: computing takes no time
std::vector<Clock> clocks;             // by rank
ComputedSpans computed;

std::int64_t cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{1000000000} * time.tv_sec + time.tv_nsec;
}

/// What the clock itself takes.
std::int64_t cost_of_clock() {
  static std::int64_t const minimum = [] {
    std::int64_t shortest = 1000000;
    for (int i = 0; i < 100; ++i) {
      std::int64_t const before = cpu_time();
      shortest = std::min(shortest, cpu_time() - before);
    }
    return shortest;
  }();
  return minimum;
}

Clock* clock_here() {
  int const rank = clocks.empty() ? -1 : rank_here();
  return rank < 0 ? nullptr : &clocks[static_cast<std::size_t>(rank)];
}

bool replays() { return !computing->measured.empty(); }

void run(Clock& clock) {
  clock.runs = true;
  if (!replays()) clock.since = cpu_time();
}

/// The nanoseconds that the rank has computed since its clock began to run.
double part_of_span(Clock& clock, std::size_t rank) {
  if (!replays()) {
    std::int64_t const part = std::max(cpu_time() - clock.since - cost_of_clock(), std::int64_t{0});
    clock.span.nanoseconds += part;
    return static_cast<double>(part);
  }
  auto const& spans = computing->measured[rank];
  if (clock.spans >= spans.size()) return 0;  // other_than_measured() tells
  ComputedSpan const& span = spans[clock.spans];
  return static_cast<double>(span.nanoseconds) / static_cast<double>(span.parts);
}

/// Whether a span goes on after a call that polls, or ends.
enum class Entry : std::uint8_t { polls, goes_on };

/// The rank enters a call of MPI.
void halt(Clock& clock, Entry entry) {
  if (!clock.runs) return;
  auto const rank = static_cast<std::size_t>(&clock - clocks.data());
  clock.due += part_of_span(clock, rank) * 1e-9 / computing->speed;
  clock.runs = false;
  ++clock.span.parts;
  if (entry == Entry::polls) return;
  ++clock.spans;
  if (!replays()) computed[rank].push_back(clock.span);
  clock.span = {0, 0};
}

void enter(Clock* clock, Entry entry) {
  if (clock != nullptr && clock->calls++ == 0) halt(*clock, entry);
}

void leave(Clock* clock) {
  if (clock != nullptr && --clock->calls == 0) run(*clock);
}

/// As long as it lives, the rank is in a call that may be made any number of times.
class Polling {
 public:
  Polling() { enter(clock_here(), Entry::polls); }
  ~Polling() { leave(clock_here()); }
  Polling(Polling const&) = delete;
  Polling& operator=(Polling const&) = delete;
};

/// SMPI's own function of that name.
template <typename Function>
Function* smpi_function(Function* /*mine*/, char const* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Lets the time pass. The rank may be in a call of MPI already.
void pass(double seconds) {
  if (seconds <= 0) return;
  Clock* const clock = clock_here();
  enter(clock, Entry::goes_on);
  double const speed = simgrid::s4u::Host::current()->get_speed();
  simgrid::s4u::this_actor::execute(seconds * speed);
  tell_resumed();
  leave(clock);
}

}  // namespace

/// From now on the time between MPI calls of a rank counts as calculation, if the user wants that.
void simulate_computing(int ranks, Computing const& wanted) {
  computing = &wanted;
  if (!wanted.takes_time) return;
  clocks.resize(static_cast<std::size_t>(ranks));
  computed.resize(clocks.size());
  cost_of_clock();
}

ComputedSpans const& computed_spans() { return computed; }

/// The difference between a replay and its measurement; empty if the rank made as many calls.
std::string other_than_measured(int rank) {
  auto const r = static_cast<std::size_t>(rank);
  if (clocks.empty() || !replays() || computing->measured[r].size() == clocks[r].spans) return "";
  return fmt::format("rank {} made {} calls of MPI that do not poll, and {} when its computing was measured", rank,
                     clocks[r].spans, computing->measured[r].size());
}

}  // namespace rondo

// SMPI stops this clock at the beginning of each call of MPI, lets the time pass that it shows, and starts it at the
// end. These take the place of its functions.
extern "C" {

void xbt_os_threadtimer_start(xbt_os_timer_t) {
  rondo::tell_resumed();
  rondo::Clock* const clock = rondo::clock_here();
  if (clock != nullptr && clock->calls == 0) rondo::run(*clock);
}

/// Replaces SimGrid's function, which would measure the time of the thread and not that of the rank.
void xbt_os_threadtimer_stop(xbt_os_timer_t) {
  rondo::Clock* const clock = rondo::clock_here();
  if (clock == nullptr) return;
  if (clock->calls == 0) rondo::halt(*clock, rondo::Entry::goes_on);
  clock->shown = std::exchange(clock->due, 0);
}

double xbt_os_timer_elapsed(const_xbt_os_timer_t) {
  rondo::Clock const* const clock = rondo::clock_here();
  return clock == nullptr ? 0 : clock->shown;
}

void smpi_execute(double seconds) { rondo::pass(seconds); }
void smpi_execute_benched(double seconds) { rondo::pass(seconds); }
void smpi_execute_flops(double flops) {
  double const host_speed = simgrid::s4u::Host::current()->get_speed();
  double const speed = rondo::computing == nullptr ? 0 : rondo::computing->flops;
  rondo::pass(flops / (speed > 0 ? speed : host_speed));
}

// librondo_mpi in a program calls these where its functions begin and end: its own work takes no time.

[[gnu::visibility("default")]] void rondo_library_begins(int polls) {
  rondo::enter(rondo::clock_here(), polls != 0 ? rondo::Entry::polls : rondo::Entry::goes_on);
}
[[gnu::visibility("default")]] void rondo_library_ends() { rondo::leave(rondo::clock_here()); }

// These take the place of SMPI's, as blocking_calls.cpp says.

#define RONDO_POLLS(RESULT, NAME, PARAMETERS, ARGUMENTS)          \
  [[gnu::visibility("default")]] RESULT NAME PARAMETERS {         \
    static auto* const smpi = rondo::smpi_function(&NAME, #NAME); \
    rondo::Polling const here;                                    \
    return smpi ARGUMENTS;                                        \
  }
RONDO_POLLS(double, PMPI_Wtime, (), ())
RONDO_POLLS(int, PMPI_Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
RONDO_POLLS(int, PMPI_Testany, (int n, MPI_Request* all, int* which, int* flag, MPI_Status* status),
            (n, all, which, flag, status))
RONDO_POLLS(int, PMPI_Testall, (int n, MPI_Request* all, int* flag, MPI_Status* statuses), (n, all, flag, statuses))
RONDO_POLLS(int, PMPI_Testsome, (int n, MPI_Request* all, int* done, int* which, MPI_Status* statuses),
            (n, all, done, which, statuses))
RONDO_POLLS(int, PMPI_Iprobe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
            (source, tag, comm, flag, status))
RONDO_POLLS(int, PMPI_Request_get_status, (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status))
RONDO_POLLS(int, smpi_gettimeofday, (timeval * time, struct timezone* zone), (time, zone))
RONDO_POLLS(int, smpi_clock_gettime, (clockid_t clock, timespec* time), (clock, time))
#undef RONDO_POLLS

}  // extern "C"

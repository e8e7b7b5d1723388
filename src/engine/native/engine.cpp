// simulate_native, as its caller sees it: checks, the fastest part that is exact, and its end as an Outcome.

#include <fmt/format.h>
#include <sys/resource.h>

#include <new>

#include "base/error.hpp"
#include "engine/native/run.hpp"

namespace rondo {

namespace native {

Deadline::Deadline(Seconds timeout) {
  if (timeout <= Seconds(0)) return;
  end_ = std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(timeout.value));
}

void Deadline::check() const {
  if (end_ && std::chrono::steady_clock::now() > *end_) throw TimedOut("timeout");
}

namespace {

void check_platform(int ranks, Platform const& platform) {
  if (auto const* file = std::get_if<PlatformFile>(&platform.topology)) {
    throw InputError(fmt::format("{}: a platform file runs on the engine \"smpi\" only", file->path));
  }
  if (shares_bandwidth(platform)) {
    throw InputError(fmt::format("{} run on the engine \"smpi\" only",
                                 platform.ranks_per_host > 1 ? "several ranks on a host" : "shared links"));
  }
  if (platform.ports < 1) throw InputError(fmt::format("a machine has at least one port, got {}", platform.ports));
  if (hosts(platform) < ranks) {
    throw InputError(fmt::format("{} ranks need a host each, the machine has {}", ranks, hosts(platform)));
  }
}

using Result = std::variant<Run, Deadlock>;

Result run(TaskGraph const& graph, Platform const& platform, Deadline const& deadline, Log log) {
  if (platform.timing == TimingModel::loggp) return time_tasks_loggp(graph, platform.loggp, deadline, log);
  return time_tasks(graph, platform, deadline, log);
}

/// Each message for itself.
Result run_whole(Schedule const& schedule, Platform const& platform, Deadline const& deadline, Log log) {
  if (platform.timing == TimingModel::loggp) {
    return time_tasks_loggp(lower(schedule), platform.loggp, deadline, log);
  }
  return time_with_events(schedule, platform, deadline, log);
}

Result run(Schedule const& schedule, Platform const& platform, Deadline const& deadline, Log log) {
  if (log == Log::messages) return run_whole(schedule, platform, deadline, log);
  if (platform.timing == TimingModel::loggp) {
    if (auto symmetric = time_representative_loggp(schedule, platform.loggp, deadline)) return std::move(*symmetric);
  } else {
    if (auto symmetric = time_representative(schedule, platform)) return std::move(*symmetric);
    if (auto rounds = time_one_ported_rounds(schedule, platform, deadline)) return std::move(*rounds);
  }
  return run_whole(schedule, platform, deadline, log);
}

Bytes peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return Bytes(std::int64_t{usage.ru_maxrss} * 1024);
}

Timing timing_of(Run run, Seconds wall) {
  Timing timing;
  timing.makespan = run.makespan;
  timing.messages = run.messages;
  timing.bytes = Bytes(run.bytes);
  timing.finish = std::move(run.finish);
  timing.passages = std::move(run.passages);
  timing.wall = wall;
  timing.peak_memory = peak_memory();
  return timing;
}

template <typename Work>
Outcome<Timing> simulate(Work const& work, Platform const& platform, EngineOptions const& options) {
  auto const start = std::chrono::steady_clock::now();
  try {
    Result result = run(work, platform, Deadline(options.timeout), options.log);
    if (auto* deadlock = std::get_if<Deadlock>(&result)) {
      return {std::nullopt, Failure::deadlock, std::move(deadlock->error)};
    }
    Seconds const wall(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return {timing_of(std::get<Run>(std::move(result)), wall), {}, ""};
  } catch (TimedOut const&) {
    return {std::nullopt, Failure::timeout, fmt::format("timeout after {}", print(options.timeout))};
  } catch (SizesDiffer const& fault) {
    return {std::nullopt, Failure::crash, fault.what()};
  } catch (std::bad_alloc const&) {
    return {std::nullopt, Failure::out_of_memory, "out of memory"};
  }
}

}  // namespace

}  // namespace native

Outcome<Timing> simulate_native(Schedule const& schedule, Platform const& platform, EngineOptions const& options) {
  native::check_platform(schedule.ranks, platform);
  return native::simulate(schedule, platform, options);
}

Outcome<Timing> simulate_native(TaskGraph const& graph, Platform const& platform, EngineOptions const& options) {
  native::check_platform(graph.ranks(), platform);
  return native::simulate(graph, platform, options);
}

}  // namespace rondo

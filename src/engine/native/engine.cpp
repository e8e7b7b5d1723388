// simulate_native: it checks the platform, chooses the fastest method that is exact for the input, and turns its end
// into an Outcome.

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <type_traits>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "engine/native/messages.hpp"
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

using Result = std::variant<Run, Deadlock>;

int ranks_of(TaskGraph const& graph) { return graph.ranks(); }
int ranks_of(Schedule const& schedule) { return schedule.ranks; }
int ranks_of(Parts const& parts) { return parts.ranks; }

using Pairs = std::vector<std::pair<int, int>>;

/// The pairs of ranks, or of parts, that send to each other; ranks that send to themselves only if `with_itself`.
Pairs pairs_of(TaskGraph const& graph, bool with_itself) {
  Pairs pairs;
  for (std::int32_t rank = 0; rank < graph.ranks(); ++rank) {
    for (Task const& task : graph.of(Rank(rank))) {
      bool const sends = task.kind == TaskKind::send && task.peer >= 0 && task.peer < graph.ranks();
      if (sends && (with_itself || task.peer != rank)) pairs.emplace_back(rank, task.peer);
    }
  }
  return pairs;
}

/// The pairs of ranks that talk, for which routes of a platform file are read.
Pairs pairs_of(Schedule const& schedule, bool with_itself) {
  Pairs pairs;
  Peers const peers(schedule);
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) {
        std::int32_t const peer = peers(rank, send);
        if (peer != nobody && (with_itself || peer != rank)) pairs.emplace_back(rank, peer);
      }
    }
  }
  return pairs;
}

Pairs pairs_of(Parts const& parts, bool with_itself) { return pairs_of(parts.schedule, with_itself); }

Result run(TaskGraph const& graph, Platform const& platform, FlowLinks const* flow_links, Terms const& terms) {
  if (platform.timing == TimingModel::flow) return time_tasks_with_cpus(graph, platform, *flow_links, terms);
  if (platform.timing == TimingModel::loggp) return time_tasks_loggp(graph, platform.loggp, terms);
  return time_tasks(graph, platform, flow_links, terms);
}

/// Times every message of every rank, without shortcuts.
Result run_whole(Schedule const& schedule, Platform const& platform, FlowLinks const* flow_links, Terms const& terms) {
  if (platform.timing == TimingModel::loggp) return time_tasks_loggp(lower(schedule), platform.loggp, terms);
  if (platform.timing == TimingModel::flow) return time_with_cpus(schedule, platform, *flow_links, terms);
  return time_with_events(schedule, platform, flow_links, terms);
}

/// Rounds of one-ported exchanges have a shortcut, which keeps no log, has no noise, and shares no links.
Result run(Schedule const& schedule, Platform const& platform, FlowLinks const* flow_links, Terms const& terms) {
  bool const whole = terms.log == Log::messages || terms.noise != nullptr || flow_links != nullptr ||
                     platform.timing == TimingModel::loggp;
  if (!whole) {
    if (auto rounds = time_one_ported_rounds(schedule, platform, terms)) return std::move(*rounds);
  }
  return run_whole(schedule, platform, flow_links, terms);
}

/// Times one rank in place of all, if all ranks do the same. The methods are tried in turn; each returns nothing if it
/// does not apply.
std::optional<Run> time_one_of_all(Schedule const& schedule, Platform const& platform, Deadline const& deadline) {
  if (platform.timing == TimingModel::loggp) return time_representative_loggp(schedule, platform.loggp, deadline);
  if (auto run = time_representative_on_links(schedule, platform, deadline)) return run;
  if (auto run = time_representative_with_cpus(schedule, platform, deadline)) return run;
  return shares_bandwidth(platform) ? std::nullopt : time_representative(schedule, platform);
}

/// A schedule that is not stored as isomorphic may still look the same from every rank of a torus.
std::optional<Run> time_symmetric(Schedule const& schedule, Platform const& platform, Deadline const& deadline) {
  if (schedule.isomorphic()) return time_one_of_all(schedule, platform, deadline);
  // With several ranks on a host, or the routes of a file, the machine looks different from each rank.
  if (platform.ranks_per_host > 1 || std::holds_alternative<PlatformFile>(platform.topology)) return std::nullopt;
  auto const seen_from_each = relative(schedule);
  return seen_from_each ? time_one_of_all(*seen_from_each, platform, deadline) : std::nullopt;
}

/// Parts need an event queue: the faster methods know only ranks.
Result run(Parts const& parts, Platform const& platform, FlowLinks const* flow_links, Terms terms) {
  terms.parts = &parts;
  if (platform.timing == TimingModel::loggp) {
    PartTasks lowered = lower(parts);
    if (terms.noise != nullptr) lowered = terms.noise->on_calculations(std::move(lowered), parts);
    return time_tasks_loggp(lowered.tasks, platform.loggp, terms, lowered.first_of_part);
  }
  return run_whole(parts.schedule, platform, flow_links, terms);
}

Bytes peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return Bytes(std::int64_t{usage.ru_maxrss} * 1024);
}

bool is_finite(Run const& run) {
  auto const finite = [](Seconds time) { return std::isfinite(time.value); };
  return finite(run.makespan) && std::all_of(run.finish.begin(), run.finish.end(), finite);
}

/// The result of any method in the form of all engines.
Timing timing_of(Run run, Seconds wall) {
  Timing timing;
  timing.makespan = run.makespan;
  timing.messages = run.messages;
  timing.bytes = Bytes(run.bytes);
  timing.finish = std::move(run.finish);
  timing.message_times = std::move(run.message_times);
  timing.wall = wall;
  timing.peak_memory = peak_memory();
  return timing;
}

/// The start-up and bandwidth of each route of a platform file whose machine gives no latency and bandwidth.
class CostsOfFileRoutes : public FileRouteCosts {
 public:
  explicit CostsOfFileRoutes(FileRoutes const& routes) : routes_(routes) {}
  RouteCost between(int from, int to) const override {
    FileRoutes::Route const& route = routes_.route_of(from, to);
    return {Seconds(route.latency), BytesPerSecond(route.bandwidth)};
  }

 private:
  FileRoutes const& routes_;
};

/// How many hosts of a platform file are read: one for each rank, or, if jobs are placed by a list, all hosts up to the
/// last one in it.
int hosts_read(Platform const& platform, int ranks) {
  auto const* list = std::get_if<ListPlacement>(&platform.placement);
  return list == nullptr ? ranks : 1 + *std::ranges::max_element(list->host_of);
}

/// Unset if there is no noise that affects this work. Noise of calculations only affects parts and tasks.
template <typename Work>
std::optional<Noise> noise_of(Work const& work, Platform const& platform, EngineOptions const& options) {
  std::optional<Noise> noise;
  if (!platform.noise.any()) return noise;
  if constexpr (std::is_same_v<Work, Parts>) {
    // Under LogGP parts are lowered to tasks of ranks, so their noise is that of tasks.
    noise.emplace(platform, options, platform.timing == TimingModel::loggp ? nullptr : &work);
  } else {
    noise.emplace(platform, options);
    if (std::is_same_v<Work, Schedule> && !noise->on_messages()) noise.reset();
  }
  return noise;
}

/// Runs the work with the links that messages share, which are read from a platform file if there is one. LogGP shares
/// no links.
template <typename Work>
Result run_on(Work const& work, Platform const& platform, FileRoutes const* file, EngineOptions const& options) {
  std::optional<Noise> const noise = noise_of(work, platform, options);
  if constexpr (std::is_same_v<Work, Schedule>) {
    // Symmetric schedules are timed first, because numbered links need memory for every link.
    if (options.log == Log::none && options.arrival.empty() && !noise) {
      if (auto run = time_symmetric(work, platform, Deadline(options.timeout))) return std::move(*run);
    }
  }
  std::optional<FlowLinks> flow_links;
  if (platform.timing != TimingModel::loggp && shares_bandwidth(platform))
    flow_links.emplace(platform, file, hosts_read(platform, ranks_of(work)));
  Terms const terms{Deadline(options.timeout), options.log, options.arrival, noise ? &*noise : nullptr};
  if constexpr (std::is_same_v<Work, TaskGraph>) {
    if (noise) return run(noise->on_calculations(work), platform, flow_links ? &*flow_links : nullptr, terms);
  }
  return run(work, platform, flow_links ? &*flow_links : nullptr, terms);
}

/// Simulates in this process. It first reads the routes of a platform file in a child process, for the pairs that talk
/// only.
template <typename Work>
Outcome<Timing> simulate(Work const& work, Platform const& platform, EngineOptions const& options) {
  if (platform.ports < 1) throw InputError(fmt::format("a machine has at least one port, got {}", platform.ports));
  expect_room(platform, ranks_of(work));
  expects(options.arrival.empty() || std::ssize(options.arrival) == ranks_of(work), "an arrival of each rank, or none");
  auto const start = std::chrono::steady_clock::now();
  try {
    std::optional<FileRoutes> routes;
    std::optional<Platform> with_costs;
    if (std::holds_alternative<PlatformFile>(platform.topology)) {
      auto pairs = pairs_of(work, has_file_numbers(platform));
      for (auto& [from, to] : pairs) from = host_of(platform, Rank(from)), to = host_of(platform, Rank(to));
      std::sort(pairs.begin(), pairs.end());
      pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
      Outcome<FileRoutes> read = read_routes(platform, hosts_read(platform, ranks_of(work)), pairs, options.timeout);
      if (!read.result) return {std::nullopt, read.failure, std::move(read.error)};
      routes = std::move(*read.result);
      with_costs = platform;
      std::get<PlatformFile>(with_costs->topology).route_costs = std::make_shared<CostsOfFileRoutes>(*routes);
    }
    Result result = run_on(work, with_costs ? *with_costs : platform, routes ? &*routes : nullptr, options);
    if (auto* deadlock = std::get_if<Deadlock>(&result)) {
      return {std::nullopt, Failure::deadlock, std::move(deadlock->error)};
    }
    if (!is_finite(std::get<Run>(result))) {
      return {std::nullopt, Failure::overflow, "the simulated times are more than a number can hold"};
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
  return native::simulate(schedule, platform, options);
}

Outcome<Timing> simulate_native(TaskGraph const& graph, Platform const& platform, EngineOptions const& options) {
  return native::simulate(graph, platform, options);
}

Outcome<Timing> simulate_native(Parts const& parts, Platform const& platform, EngineOptions const& options) {
  return native::simulate(parts, with_parts(platform, parts), options);
}

}  // namespace rondo

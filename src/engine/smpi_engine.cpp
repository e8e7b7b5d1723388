// simulate_smpi, as its caller sees it: checks, one child process, and its end translated into an Outcome.

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <fstream>
#include <new>
#include <system_error>

#include "base/error.hpp"
#include "engine/answer.hpp"
#include "engine/child_process.hpp"
#include "engine/engine.hpp"
#include "engine/failure.hpp"
#include "engine/payload.hpp"
#include "engine/smpi_run.hpp"

namespace rondo {

namespace {

bool verifies(Payload payload, Schedule const& schedule) {
  if (payload == Payload::automatic) return small_enough_to_verify(schedule);
  return payload == Payload::verified;
}

void check_platform(Schedule const& schedule, Platform const& platform) {
  if (auto const* file = std::get_if<PlatformFile>(&platform.topology)) {
    std::ifstream stream(file->path);
    if (!stream || stream.peek() == std::ifstream::traits_type::eof()) {
      throw InputError(fmt::format("{}: expected a readable SimGrid platform file", file->path));
    }
    if (platform.ranks_per_host > 1) {
      throw InputError(
          fmt::format("{}: expected one rank a host on a platform file, got {}", file->path, platform.ranks_per_host));
    }
  } else if (ranks(platform) < schedule.ranks) {
    throw InputError(
        platform.ranks_per_host > 1
            ? fmt::format("{} ranks, the machine carries {}", schedule.ranks, ranks(platform))
            : fmt::format("{} ranks need a host each, the machine has {}", schedule.ranks, hosts(platform)));
  }
}

/// Memory that ran out cannot be allocated for a message about it.
void install_out_of_memory_report(int answer) {
  static int descriptor = -1;
  descriptor = answer;
  std::set_new_handler([] {
    send_failure(descriptor, Failure::out_of_memory, "out of memory");
    std::_Exit(0);
  });
}

void be_simulation(Schedule const& schedule, Collective const& collective, Platform const& platform, bool verified,
                   int answer) {
  install_out_of_memory_report(answer);
  try {
    run_smpi(schedule, collective, platform, verified, answer);
  } catch (InputError const& error) {
    send_refusal(answer, error.what());
  } catch (std::exception const& error) {
    // Without `ready` the parent takes these last words for what is wrong with the platform file.
    fmt::print(stderr, "{}\n", error.what());
    std::fflush(stderr);
    std::_Exit(1);
  }
}

/// SimGrid's reader of platform files throws, or aborts the process, before the machine is ready.
void refuse_broken_file(Platform const& platform, ChildEnd const& end, Outcome const& outcome) {
  auto const* file = std::get_if<PlatformFile>(&platform.topology);
  if (file == nullptr || outcome.failure != Failure::crash) return;
  throw InputError(fmt::format("{}: SimGrid does not read it: {}", file->path, last_words(end.printed)));
}

Outcome outcome_of(ChildEnd const& end, Platform const& platform, Seconds timeout) {
  auto received = receive(end.answer);
  if (!received.answer || end.timed_out) {
    Outcome outcome = failure_of(end, timeout);
    if (!received.ready) refuse_broken_file(platform, end, outcome);
    return outcome;
  }
  if (auto const* refused = std::get_if<Refused>(&*received.answer)) throw InputError(refused->error);
  if (auto* failed = std::get_if<Failed>(&*received.answer)) {
    return {std::nullopt, failed->failure, excerpt(failed->error, 400)};
  }
  return {std::get<Timing>(std::move(*received.answer)), {}, {}};
}

}  // namespace

Outcome simulate_smpi(Schedule const& schedule, Collective const& collective, Platform const& platform,
                      EngineOptions const& options) {
  expects(schedule.ranks > 0 && platform.ports > 0, "at least one rank and one port");
  expects(ranks(collective) == schedule.ranks, "as many ranks in the collective as in the schedule");
  check_platform(schedule, platform);
  bool const verified = verifies(options.payload, schedule);
  auto const begin = std::chrono::steady_clock::now();
  auto const work = [&](int answer) { be_simulation(schedule, collective, platform, verified, answer); };
  ChildEnd end;
  try {
    end = run_in_child(work, options.timeout);
  } catch (std::system_error const& error) {
    bool const memory = error.code() == std::errc::not_enough_memory;
    return {std::nullopt, memory ? Failure::out_of_memory : Failure::crash,
            fmt::format("no process for the simulation: {}", error.what())};
  }
  Outcome outcome = outcome_of(end, platform, options.timeout);
  if (outcome.timing) {
    outcome.timing->wall = Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    outcome.timing->peak_memory = end.peak_memory;
  }
  return outcome;
}

}  // namespace rondo

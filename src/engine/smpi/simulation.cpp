#include "engine/smpi/simulation.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <fstream>
#include <new>
#include <system_error>

#include "base/error.hpp"
#include "engine/answer.hpp"
#include "engine/child_process.hpp"
#include "engine/failure.hpp"

namespace rondo {

namespace {

void check_platform(int programs, Platform const& platform) {
  if (auto const* file = std::get_if<PlatformFile>(&platform.topology)) {
    std::ifstream stream(file->path);
    if (!stream || stream.peek() == std::ifstream::traits_type::eof()) {
      throw InputError(fmt::format("{}: expected a readable SimGrid platform file", file->path));
    }
    if (platform.ranks_per_host > 1) {
      throw InputError(
          fmt::format("{}: expected one rank a host on a platform file, got {}", file->path, platform.ranks_per_host));
    }
  } else if (ranks(platform) < programs) {
    throw InputError(platform.ranks_per_host > 1
                         ? fmt::format("{} ranks, the machine carries {}", programs, ranks(platform))
                         : fmt::format("{} ranks need a host each, the machine has {}", programs, hosts(platform)));
  }
}

void check_log(Platform const& platform) {
  if (auto const* file = std::get_if<PlatformFile>(&platform.topology)) {
    throw InputError(
        fmt::format("{}: expected a machine of our own to follow its messages, as SimGrid does not tell when "
                    "a message that waits for a port of a platform file starts",
                    file->path));
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

void be_simulation(int ranks, MakePrograms const& make, SmpiSettings const& settings, Platform const& platform, Log log,
                   int answer) {
  install_out_of_memory_report(answer);
  try {
    run_smpi(ranks, make, settings, platform, log, answer);
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
void refuse_broken_file(Platform const& platform, ChildEnd const& end, Failed const& failed) {
  auto const* file = std::get_if<PlatformFile>(&platform.topology);
  if (file == nullptr || failed.failure != Failure::crash) return;
  throw InputError(fmt::format("{}: SimGrid does not read it: {}", file->path, last_words(end.printed)));
}

Outcome<ProgramRun> failed(Failed failure) { return {std::nullopt, failure.failure, std::move(failure.error), {}}; }

Outcome<ProgramRun> outcome_of(ChildEnd const& end, Platform const& platform, Seconds timeout) {
  auto received = receive(end.answer);
  if (!received.answer || end.timed_out) {
    Failed failure = failure_of(end, timeout);
    if (!received.ready) refuse_broken_file(platform, end, failure);
    return failed(std::move(failure));
  }
  if (auto const* refused = std::get_if<Refused>(&*received.answer)) throw InputError(refused->error);
  if (auto const* found = std::get_if<Failed>(&*received.answer)) {
    return failed({found->failure, excerpt(found->error, 400)});
  }
  return {ProgramRun{std::get<Timing>(std::move(*received.answer)), std::move(received.results)}, {}, {}, {}};
}

}  // namespace

Outcome<ProgramRun> simulate_in_child(int ranks, MakePrograms const& make, Platform const& platform,
                                      EngineOptions const& options, SmpiSettings const& settings) {
  expects(ranks > 0 && platform.ports > 0, "at least one rank and one port");
  check_platform(ranks, platform);
  if (options.log == Log::messages) check_log(platform);
  auto const begin = std::chrono::steady_clock::now();
  ChildEnd end;
  try {
    end = run_in_child([&](int answer) { be_simulation(ranks, make, settings, platform, options.log, answer); },
                       options.timeout);
  } catch (std::system_error const& error) {
    bool const memory = error.code() == std::errc::not_enough_memory;
    return failed({memory ? Failure::out_of_memory : Failure::crash,
                   fmt::format("no process for the simulation: {}", error.what())});
  }
  Outcome<ProgramRun> outcome = outcome_of(end, platform, options.timeout);
  outcome.printed = std::move(end.printed);
  if (outcome.result) {
    Timing& timing = outcome.result->timing;
    timing.wall = Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    timing.peak_memory = end.peak_memory;
  }
  return outcome;
}

Outcome<Timing> timing_of(Outcome<ProgramRun> outcome) {
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  return {std::move(outcome.result->timing), {}, {}};
}

}  // namespace rondo

// Starts the child, waits for it, and turns its end into an Outcome. simulate_program() runs an MPI program of
// Rondo's own in every rank.

#include "engine/smpi/simulation.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <chrono>
#include <exception>
#include <new>
#include <simgrid/s4u.hpp>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "engine/answer.hpp"
#include "engine/smpi/rank_programs.hpp"
#include "process/run_in_child.hpp"
#include "process/say.hpp"

namespace rondo {

namespace {

/// The machine of the simulation that this process runs.
SmpiMachine* machine_here = nullptr;

constexpr int acknowledgement_tag = 1001;

class DynamicPrograms;
/// The programs of that simulation.
DynamicPrograms const* programs_here = nullptr;

/// Runs one function in every rank, and collects the bytes that the ranks leave.
class DynamicPrograms : public RankPrograms {
 public:
  DynamicPrograms(int ranks, RankProgram const& program, SmpiMachine& machine)
      : RankPrograms(ranks, machine),
        program_(program),
        results_(static_cast<std::size_t>(ranks)),
        ready_(simgrid::s4u::Barrier::create(static_cast<unsigned>(ranks))) {
    machine_here = &machine;
    programs_here = this;
  }

  void run(Rank rank) override {
    MPI_Init(nullptr, nullptr);
    // MPI_COMM_WORLD is a placeholder here, on which some calls do not work, so it is duplicated. This needs messages,
    // and ranks finish it at different times. They start together after a barrier that takes no simulated time.
    MPI_Comm world = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    ready_->wait();
    start(rank);
    program_(world, results_[static_cast<std::size_t>(rank.value)]);
    finish(rank);
    MPI_Comm_free(&world);
    MPI_Finalize();
  }
  void come(Rank rank) const { await_arrival(rank); }
  SelfMessage self_message() const override { return SelfMessage::copy; }
  std::vector<std::vector<std::byte>> results() override { return std::move(results_); }

 private:
  RankProgram const& program_;
  std::vector<std::vector<std::byte>> results_;
  simgrid::s4u::BarrierPtr ready_;
};

}  // namespace

/// A message of the rank to itself takes the time of a message from another rank, as an acknowledgement does.
mpi::Acknowledgement begin_acknowledgement(MPI_Comm world, Rank from) {
  static char byte = 0;
  int self = 0;
  MPI_Comm_rank(world, &self);
  mpi::Acknowledgement result{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Isend(&byte, 1, MPI_BYTE, self, acknowledgement_tag, world, &result.send);
  // The message starts when it is matched, so the start-up is announced before the receive.
  machine_here->carry_acknowledgement(Rank(self), from);
  MPI_Irecv(&byte, 1, MPI_BYTE, self, acknowledgement_tag, world, &result.receive);
  return result;
}

void await_arrival(MPI_Comm world) {
  int self = 0;
  MPI_Comm_rank(world, &self);
  programs_here->come(Rank(self));
}

Outcome<ProgramRun> simulate_program(int ranks, RankProgram const& program, Platform const& platform,
                                     EngineOptions const& options) {
  auto const make = [&](SmpiMachine& machine) { return std::make_unique<DynamicPrograms>(ranks, program, machine); };
  return simulate_in_child(ranks, make, platform, options);
}

namespace {

/// The number of ranks of the programs, which may be parts of ranks.
int ranks_of(int programs, Platform const& platform) {
  return platform.rank_of_part.empty() ? programs : platform.rank_of_part.back() + 1;
}

/// The report must exist before memory runs out, because none could be allocated for it then.
void install_out_of_memory_report(int answer_pipe) {
  static int descriptor = -1;
  descriptor = answer_pipe;
  std::set_new_handler([] {
    send_failure(descriptor, Failure::out_of_memory, "out of memory");
    std::_Exit(0);
  });
}

/// A process that the program forks would continue the simulation, and both processes would answer.
void install_fork_report(int answer_pipe) {
  static int descriptor = -1;
  descriptor = answer_pipe;
  pthread_atfork(
      [] {
        send_failure(descriptor, Failure::exited, "a rank forked, and a simulation cannot follow two processes");
        std::_Exit(0);
      },
      nullptr, nullptr);
}

/// The work of the child, and the report of an exception that leaves it.
void be_child(std::function<void(int answer_pipe)> const& work, int answer_pipe) {
  install_out_of_memory_report(answer_pipe);
  try {
    work(answer_pipe);
  } catch (InputError const& error) {
    send_refusal(answer_pipe, error.what());
  } catch (std::exception const& error) {
    // Before `ready`, the parent takes this text for the fault of the platform file.
    say("{}\n", error.what());
    std::_Exit(1);
  }
}

/// The text with the user's file name instead of that of the copy in memory (file.cpp), which has the same lines:
/// "/proc/self/fd/7:12" becomes "FILE:12".
std::string with_name(std::string text, std::string const& file) {
  static constexpr std::string_view in_memory = "/proc/self/fd/";
  for (auto begin = text.find(in_memory); begin != std::string::npos;
       begin = text.find(in_memory, begin + file.size())) {
    auto const end = text.find_first_not_of("0123456789", begin + in_memory.size());
    text.replace(begin, end - begin, file);
  }
  return text;
}

/// If the child crashed before the machine was ready, SimGrid's reader could not read the platform file: it throws, or
/// aborts the process.
void refuse_broken_file(Platform const& platform, ChildEnd const& end, Failed const& failed) {
  auto const* file = std::get_if<PlatformFile>(&platform.topology);
  if (file == nullptr || failed.failure != Failure::crash) return;
  std::string const reason = with_name(last_meaningful_line(end.printed), file->path);
  throw InputError(fmt::format("{}: SimGrid does not read it{}{}", file->path,
                               reason.empty() ? ", and does not say why" : ": ", reason));
}

/// The limits on the output of user programs, which count whatever the program answers.
std::optional<Failed> wrote_too_much(ChildEnd const& end) {
  if (end.printed_too_much) return Failed{Failure::exited, "it printed more than " + print(Limits().printed)};
  if (end.answered_too_much) return Failed{Failure::exited, "it answered more than " + print(Limits().answer)};
  return std::nullopt;
}

Outcome<ProgramRun> failed(Failed failure) { return {std::nullopt, failure.failure, std::move(failure.error), {}}; }

Outcome<ProgramRun> outcome_of(ChildEnd const& end, Platform const& platform, Seconds timeout) {
  if (auto const fault = wrote_too_much(end)) return failed(*fault);
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
  if (end.left > 0) {
    return failed({Failure::exited, "it left " + counted(end.left, "process", "processes") + " behind"});
  }
  return {ProgramRun{std::get<Timing>(std::move(*received.answer)), std::move(received.results)}, {}, {}, {}};
}

/// Runs the child under a keeper if it runs code of others, which may start processes.
ChildEnd ended(std::function<void(int answer_pipe)> const& work, SmpiSettings const& settings, Seconds timeout) {
  if (!settings.enter) return run_in_child(work, timeout);
  auto const enter_and_work = [&](int answer_pipe, std::string const& folder) {
    settings.enter(folder);
    install_fork_report(answer_pipe);
    work(answer_pipe);
  };
  return run_under_keeper({enter_and_work}, timeout);
}

}  // namespace

Outcome<ProgramRun> run_simgrid_in_child(std::function<void(int answer_pipe)> const& work, Platform const& platform,
                                         Seconds timeout, SmpiSettings const& settings) {
  auto const begin = std::chrono::steady_clock::now();
  ChildEnd end;
  try {
    end = ended([&](int answer_pipe) { be_child(work, answer_pipe); }, settings, timeout);
  } catch (std::system_error const& error) {
    bool const memory = error.code() == std::errc::not_enough_memory;
    return failed({memory ? Failure::out_of_memory : Failure::crash,
                   fmt::format("no process for the simulation: {}", error.what())});
  }
  Outcome<ProgramRun> outcome = outcome_of(end, platform, timeout);
  outcome.printed = std::move(end.printed);
  if (outcome.result) {
    Timing& timing = outcome.result->timing;
    timing.wall = Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    timing.peak_memory = end.peak_memory;
  }
  return outcome;
}

Outcome<ProgramRun> simulate_in_child(int ranks, MakePrograms const& make_programs, Platform const& platform,
                                      EngineOptions const& options, SmpiSettings const& settings) {
  expects(ranks > 0 && platform.ports > 0, "at least one rank and one port");
  expect_room(platform, ranks_of(ranks, platform));
  expects(options.arrival.empty() || std::ssize(options.arrival) == ranks, "an arrival of each rank, or none");
  auto const work = [&](int answer_pipe) { run_smpi(ranks, make_programs, settings, platform, options, answer_pipe); };
  return run_simgrid_in_child(work, platform, options.timeout, settings);
}

Outcome<Timing> timing_of(Outcome<ProgramRun> outcome) {
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  return {std::move(outcome.result->timing), {}, {}};
}

}  // namespace rondo

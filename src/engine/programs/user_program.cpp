// Runs a user's program: each rank loads a copy of the shared object and calls its main. exit() ends one rank by an
// exception, abort ends the simulation.

#include "engine/programs/user_program.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <simgrid/Exception.hpp>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Barrier.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/permissions.hpp"
#include "base/text.hpp"
#include "engine/answer.hpp"
#include "engine/programs/blocking_calls.hpp"
#include "engine/programs/call_notes.hpp"
#include "engine/programs/computing.hpp"
#include "engine/programs/host_calls.hpp"
#include "engine/programs/rank_state.hpp"
#include "engine/smpi/actors.hpp"
#include "engine/smpi/rank_programs.hpp"
#include "engine/smpi/simulation.hpp"

// SimGrid's library exports this function, but no installed header declares it.
namespace simgrid::smpi {
/// SimGrid's type, which its headers do not declare.
struct s_mpi_coll_description_t {
  std::string name;
  std::string description;
  void* coll;
};
namespace colls {
std::vector<s_mpi_coll_description_t>* get_smpi_coll_descriptions(std::string const& name);
}
}  // namespace simgrid::smpi

namespace {

/// Thrown to leave a rank in the middle of its program.
struct ExitCalled {
  int code;
};

}  // namespace

namespace {

/// The rank that called MPI_Abort first, and its code. The ranks of a simulation are actors of one process.
std::string aborted;

}  // namespace

// These replace SMPI's functions, which do not report the caller and the code.
extern "C" int PMPI_Abort(MPI_Comm comm, int code) {
  if (aborted.empty()) {
    char const* const rank = simgrid::s4u::Actor::self()->get_property("rank");
    aborted = fmt::format("rank {} called MPI_Abort with code {}", rank == nullptr ? "?" : rank, code);
  }
  static auto const smpi_abort = reinterpret_cast<int (*)(MPI_Comm, int)>(::dlsym(RTLD_NEXT, "PMPI_Abort"));
  return smpi_abort(comm, code);
}
extern "C" int MPI_Abort(MPI_Comm comm, int code) { return PMPI_Abort(comm, code); }

// smpicc replaces exit() by this function. It replaces SMPI's own, which does not report the code.
extern "C" [[noreturn, gnu::visibility("default")]] void smpi_exit(int code) { throw ExitCalled{code}; }

namespace rondo {

namespace {

/// The facts about the machine that librondo_mpi reads, as variables of its environment.
UserProgram::Settings facts_of(Platform const& machine) {
  return {{"RONDO_NEIGHBOR_STARTUPS", machine.timing == TimingModel::linear ? "serialised" : "overlapping"},
          {"RONDO_NEIGHBOR_LATENCY", print(machine.latency)},
          {"RONDO_NEIGHBOR_BANDWIDTH", print(machine.bandwidth)}};
}

/// Prepares the process for the program: its environment, working directory, and standard input and output.
void settle(UserProgram const& program, Platform const& machine) {
  std::vector<std::string> rondo_variables;
  for (char** each = environ; *each != nullptr; ++each) {
    std::string const variable = *each;
    if (variable.starts_with("RONDO_")) rondo_variables.push_back(variable.substr(0, variable.find('=')));
  }
  for (std::string const& name : rondo_variables) ::unsetenv(name.c_str());
  for (auto const& [name, value] : facts_of(machine)) ::setenv(name.c_str(), value.c_str(), 1);
  for (auto const& [name, value] : program.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (!program.folder.empty() && ::chdir(program.folder.c_str()) != 0) {
    throw std::system_error(errno, std::generic_category(), program.folder);
  }
  char const* const input = program.input.empty() ? "/dev/null" : program.input.c_str();
  int const given = ::open(input, O_RDONLY | O_CLOEXEC);
  if (given < 0) throw std::system_error(errno, std::generic_category(), input);
  ::dup2(given, STDIN_FILENO);
  // Each line is written at once, so that output before a crash is not lost.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

using Main = std::function<int(int, char**)>;

/// The function with which a loaded program begins. smpiff and smpif90 turn a Fortran program into a subroutine.
Main main_of(void* copy) {
  if (void* const main = ::dlsym(copy, "main")) return reinterpret_cast<int (*)(int, char**)>(main);
  auto const program = reinterpret_cast<void (*)()>(::dlsym(copy, "user_main_"));
  auto const set_arguments = reinterpret_cast<void (*)(int, char**)>(::dlsym(copy, "_gfortran_set_args"));
  return [program, set_arguments](int count, char** words) {
    if (set_arguments != nullptr) set_arguments(count, words);
    program();
    return 0;
  };
}

/// Makes the functions of this library that replace SMPI's visible to programs, even if Python loaded the library
/// privately.
void show_to_programs() {
  Dl_info here;
  void* const inside = reinterpret_cast<void*>(&settle);
  if (::dladdr(inside, &here) != 0) ::dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

/// Loads one more copy of the program, which has its own variables.
void* loaded_copy(ProgramImage const& image, std::string const& folder, Rank rank) {
  std::string const file = fmt::format("{}/{}.so", folder, rank.value);
  image.write(file);
  void* const copy = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
  std::string const why = copy == nullptr ? ::dlerror() : "";
  ::unlink(file.c_str());
  if (copy == nullptr) throw std::runtime_error("the program cannot be loaded: " + why);
  return copy;
}

/// The ranks of a user program, each of which runs its own copy of the program.
class UserPrograms : public RankPrograms {
 public:
  /// `folder` belongs to this simulation alone.
  UserPrograms(int ranks, UserProgram const& program, Platform const& platform, SmpiMachine const& machine,
               std::string folder, EngineOptions const& options)
      : RankPrograms(ranks, machine),
        program_(program),
        folder_(std::move(folder)),
        ranks_(ranks),
        states_(ranks, *program.image, program.input.empty() ? RankStates::Input::none : RankStates::Input::of_rank_0),
        ended_(simgrid::s4u::Barrier::create(static_cast<unsigned>(ranks))) {
    settle(program, platform);
    show_to_programs();
    note_blocking_calls(ranks);
    note_hosts(ranks, platform);
    note_disks(ranks, platform);
    note_calls(ranks, options.log);
    if (program.computing) simulate_computing(ranks, *program.computing);
    notes_ = options.calls || options.log == Log::messages;
    call_when_resumed([this](Rank rank) { states_.enter(rank); });
  }

  /// Loads a copy of the program for the rank and calls its main.
  void run(Rank rank) override {
    states_.enter(rank);
    void* const copy = loaded_copy(*program_.image, folder_, rank);
    copies_.emplace_back(rank, copy);
    states_.loaded(copy);
    start(rank);
    started_ = machine_.now();
    await_arrival(rank);
    states_.enter(rank);  // others have run while it waited
    int const code = call(main_of(copy), rank);
    states_.flush();
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (code != 0) throw ProgramExit(fmt::format("rank {} returned {}", rank.value, code));
    if (finalized == 0) throw ProgramExit(fmt::format("rank {} returned without MPI_Finalize", rank.value));
    if (std::string const other = other_than_measured(rank.value); !other.empty()) throw ProgramExit(other);
    finish(rank);
    // SimGrid takes back a send for which an actor does not wait as soon as the actor ends. So all actors stay until
    // rank 0 has looked for unreceived messages.
    regions_ = timed_regions(machine_.now());
    ended_->wait();
    if (std::string const left = rank == Rank(0) ? unreceived_messages() : ""; !left.empty()) {
      throw ProgramExit(left, Failure::unreceived);
    }
    ended_->wait();
  }

  SelfMessage self_message() const override { return SelfMessage::copy; }

  std::string waiting() const override {
    return fmt::format("{}; sends of more than {} wait for their receivers", RankPrograms::waiting(),
                       print(program_.buffered));
  }

  std::string place_of(Rank rank) const override { return blocking_call(rank); }

  /// The bytes that each rank has sent, and the notes. Programs first run their destructors and print what they have
  /// buffered, as at the end of a process.
  std::vector<std::vector<std::byte>> results() override {
    for (auto const& [rank, copy] : copies_) {
      states_.enter(rank);
      ::dlclose(copy);
      states_.flush();
    }
    std::vector<std::vector<std::byte>> all;
    for (int rank = 0; rank < ranks_; ++rank) {
      std::int64_t const sent = machine_.sent(Rank(rank)).value;
      std::memcpy(all.emplace_back(sizeof sent).data(), &sent, sizeof sent);
    }
    std::string const notes = computed_lines() + (notes_ ? notes_in_lines() : regions_line());
    std::transform(notes.begin(), notes.end(), std::back_inserter(all.emplace_back()),
                   [](char c) { return static_cast<std::byte>(c); });
    return all;
  }

 private:
  std::string regions_line() const { return regions_ ? fmt::format("timed {}\n", regions_->value) : ""; }

  /// The measured calculations as text, by which the child sends them.
  std::string computed_lines() const {
    std::string lines;
    for (auto const& spans : computed_spans()) {
      append(lines, "computed {}", spans.size());
      for (ComputedSpan const& each : spans) append(lines, " {} {}", each.nanoseconds, each.parts);
      lines += '\n';
    }
    return lines;
  }

  /// Results travel as bytes, so the notes are lines of text; with_notes() reads them.
  std::string notes_in_lines() const {
    std::string lines = regions_line();
    for (CollectiveCalls const& each : collective_calls()) {
      lines += fmt::format("sum {} {} {} {} {} {} {}\n", each.call, each.ranks, each.calls, each.bytes.value,
                           each.time.value, each.longest.value, each.communicator);
    }
    for (CallSpan const& each : call_spans(started_)) {
      lines += fmt::format("call {} {} {} {}\n", each.rank.value, each.name, each.start.value, each.end.value);
    }
    return lines;
  }

  /// Calls main with arguments of its own, since programs may change them.
  int call(Main const& main, Rank rank) const {
    std::vector<std::string> words{program_.name};
    words.insert(words.end(), program_.arguments.begin(), program_.arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    try {
      return main(static_cast<int>(words.size()), argv.data());
    } catch (ExitCalled const& exit) {
      return exit.code;
    } catch (simgrid::ForcefulKillException const&) {
      std::fflush(nullptr);
      throw ProgramExit(aborted.empty() ? fmt::format("rank {} was killed", rank.value) : aborted);
    }
  }

  UserProgram const& program_;
  std::string folder_;
  int ranks_;
  RankStates states_;
  std::vector<std::pair<Rank, void*>> copies_;  ///< handles from dlopen
  simgrid::s4u::BarrierPtr ended_;              ///< reached when the programs of all ranks have ended
  bool notes_ = false;                          ///< whether notes of calls are asked for
  Seconds started_;
  std::optional<Seconds> regions_ = {};  ///< the time of the regions that MPI_Pcontrol marks
};

/// What SMPI has to know before it starts.
SmpiSettings settings_of(UserProgram const& program) {
  auto const stack_kib = static_cast<int>((program.stack.value + 1023) / 1024);
  SmpiSettings settings{.stack_kib = stack_kib,
                        .buffered = program.buffered,
                        .wtime = program.wtime,
                        .computing = program.computing && program.computing->takes_time,
                        .world = true};
  settings.collectives.push_back("smpi/coll-selector:" + program.selector);
  for (auto const& [collective, algorithm] : program.algorithms) {
    settings.collectives.push_back(fmt::format("smpi/{}:{}", collective, algorithm));
  }
  return settings;
}

/// Advice on a program that calls functions that SMPI lacks, and is not linked with librondo_mpi.
std::string advice(ProgramImage const& image) {
  if (image.lacks().empty()) return "";
  return fmt::format(
      "; it calls {}, which SMPI does not have: link it with -Wl,--whole-archive librondo_mpi.a "
      "-Wl,--no-whole-archive -Wl,-Bsymbolic-functions -lstdc++ -lm",
      image.lacks());
}

/// The most bytes that any rank sent.
Bytes most_sent(ProgramRun const& run) {
  Bytes most;
  for (auto const& result : run.results) {
    std::int64_t sent = 0;
    std::memcpy(&sent, result.data(), sizeof sent);
    most = std::max(most, Bytes(sent));
  }
  return most;
}

/// Splits the results: first those of the ranks, then the text that notes_in_lines() wrote.
UserProgramRun with_notes(ProgramRun run, EngineOptions const& options) {
  UserProgramRun result{.timing = std::move(run.timing), .most_sent = Bytes(0)};
  std::vector<std::byte> const bytes = std::move(run.results.back());
  run.results.pop_back();
  result.most_sent = most_sent(run);
  std::istringstream lines(std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size()));
  for (std::string kind; lines >> kind;) {
    if (kind == "computed") {
      std::size_t spans = 0;
      lines >> spans;
      auto& all = result.computed.emplace_back(spans);
      for (ComputedSpan& each : all) lines >> each.nanoseconds >> each.parts;
    }
    if (kind == "timed") lines >> result.timing.makespan.value;
    if (kind == "sum") {
      CollectiveCalls sum;
      lines >> sum.call >> sum.ranks >> sum.calls >> sum.bytes.value >> sum.time.value >> sum.longest.value;
      std::getline(lines >> std::ws, sum.communicator);
      if (options.calls) result.profile.push_back(std::move(sum));
    }
    if (kind == "call") {
      CallSpan span{};
      lines >> span.rank.value >> span.name >> span.start.value >> span.end.value;
      result.timing.calls.push_back(std::move(span));
    }
  }
  return result;
}

}  // namespace

/// Throws InputError if programs may not be run, or if the machine's timing cannot run them.
Outcome<UserProgramRun> simulate_user_program(int ranks, UserProgram const& program, Platform const& platform,
                                              EngineOptions const& options) {
  expect_programs_allowed();
  if (platform.timing == TimingModel::flow && platform.flow.match > Seconds(0)) {
    throw InputError(
        fmt::format("nobody says when a program posts a receive: expected flow timing with \"match\" 0s, got {}",
                    print(platform.flow.match)));
  }
  std::string folder;
  SmpiSettings settings = settings_of(program);
  settings.enter = [&](std::string const& entered) { folder = entered; };
  auto const make = [&](SmpiMachine const& machine) {
    return std::make_unique<UserPrograms>(ranks, program, platform, machine, folder, options);
  };
  Outcome<ProgramRun> outcome = simulate_in_child(ranks, make, platform, options, settings);
  if (outcome.result) return {with_notes(std::move(*outcome.result), options), {}, {}, outcome.printed};
  std::string const words = outcome.failure == Failure::exited ? last_meaningful_line(outcome.printed) : "";
  return {std::nullopt, outcome.failure, outcome.error + (words.empty() ? "" : ": " + words) + advice(*program.image),
          outcome.printed};
}

/// The names of SMPI's algorithms for a collective.
std::vector<std::string> collective_algorithms(std::string const& collective) {
  std::vector<std::string> names;
  for (auto const& each : *simgrid::smpi::colls::get_smpi_coll_descriptions(collective)) {
    // In SimGrid 3.32, impi gives wrong results on communicators of some sizes, and automatic waits forever.
    if (each.name != "impi" && each.name != "automatic") names.push_back(each.name);
  }
  return names;
}

}  // namespace rondo

// The program rondo: builds the parser, runs the chosen command, and turns exceptions into messages and exit codes. A
// command catches only a few failures of its own, such as NotConverged and TuneFailure, or puts the name of an option
// before the text of an InputError. All other exceptions come here, so every command reports wrong input in the same
// form.

#include <fmt/format.h>

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/pages.hpp"
#include "cli/usage.hpp"
#include "json/pointer.hpp"
#include "process/descriptor.hpp"
#include "process/say.hpp"

namespace {

using namespace rondo::cli;

/// The hint for an unknown command: the command that does what the word means in similar programs, a command with a
/// similar name, or `run` if the word is a file.
std::string command_hint(std::string const& word, std::vector<std::string> const& commands) {
  if (word == "help" || word == "version") return rondo::did_you_mean({"--" + word});
  static std::map<std::string, std::string> const others{
      {"verify", "prove"}, {"plot", "report"},    {"draw", "show"},        {"simulate", "run"},
      {"test", "check"},   {"validate", "check"}, {"optimize", "tune"},    {"convert", "export"},
      {"init", "new"},     {"calibrate", "fit"},  {"describe", "explain"}, {"join", "merge"}};
  if (auto const found = others.find(word); found != others.end()) return rondo::did_you_mean({found->second});
  std::error_code ignored;
  if (std::filesystem::is_regular_file(word, ignored)) return rondo::did_you_mean({"run " + rondo::excerpt(word)});
  return rondo::did_you_mean(word, commands);
}

/// Throws InputError with a hint if the word is not a command.
void expect_command(CLI::App const& app, std::string const& word) {
  std::vector<std::string> commands;
  for (CLI::App const* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (std::ranges::find(commands, word) != commands.end()) return;
  throw rondo::InputError(fmt::format("rondo: expected one of the commands {}, got \"{}\"{}",
                                      rondo::listed(commands, ", "), rondo::excerpt(word),
                                      command_hint(word, commands)));
}

/// The process in which end_without_memory prints its message. The parent of a forked process reports for it, so that
/// process prints nothing.
pid_t own_process = 0;

/// The terminate handler. If memory runs out while an exception unwinds the stack, the program cannot go on, because
/// the JSON library allocates memory even in destructors. The handler then prints the message that main() prints for
/// std::bad_alloc.
[[noreturn]] void end_without_memory() {
  if (getpid() == own_process && std::current_exception() != nullptr) {
    try {
      std::rethrow_exception(std::current_exception());
    } catch (std::bad_alloc const&) {
      rondo::write_all(STDERR_FILENO, "rondo: out of memory\n");
      _exit(failed_point);
    } catch (...) {
    }
  }
  std::abort();
}

/// Flushes standard output. Throws std::system_error if it cannot be written, for example because the disk is full.
void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw std::system_error(errno, std::generic_category());
  }
}

/// Refuses empty names of files: a shell turns "$FILE" into nothing if there is no such variable.
void expect_names_of_files(CLI::App& app) {
  auto const is_name = [](std::string const& word) {
    return std::string(word.empty() ? "expected the name of a file, got \"\"" : "");
  };
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_type_name() == "FILE") option->check(CLI::Validator(is_name, ""));
    }
  }
}

/// Prints an error in the input. If standard error is a terminal, it adds the page of docs/ that helps.
int say_bad_input(rondo::InputError const& error, std::string const& command, std::string const& pointer) {
  rondo::say("{}{}\n", rondo::printable(error.what()), page_for_people(command, pointer));
  return bad_input;
}

/// Parses the command line and runs its command. Returns the exit code.
int run(int argc, char** argv) {
  int exit_code = fine;
  CLI::App app{"Rondo: simulates the schedules of collective operations, proves them and times them", "rondo"};
  app.set_version_flag("--version", std::string(rondo::version()));
  app.formatter(std::make_shared<WrappedHelp>());
  app.require_subcommand(1);
  add_run(app, exit_code);
  add_merge(app, exit_code);
  add_tune(app, exit_code);
  add_check_rules(app, exit_code);
  add_fit(app, exit_code);
  add_check(app, exit_code);
  add_prove(app, exit_code);
  add_optimum(app, exit_code);
  add_report(app, exit_code);
  add_show(app, exit_code);
  add_export(app, exit_code);
  add_list(app, exit_code);
  add_new(app, exit_code);
  add_explain(app, exit_code);
  add_schema(app, exit_code);
  add_completion(app, exit_code);
  add_man(app, exit_code);
  add_examples(app);
  expect_names_of_files(app);
  // CLI11 would report a misspelled command as a missing one.
  if (argc > 1 && argv[1][0] != '-') expect_command(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (CLI::CallForHelp const& help) {
    return app.exit(help);
  } catch (CLI::CallForAllHelp const& help) {
    return app.exit(help);
  } catch (CLI::CallForVersion const& asked) {
    return app.exit(asked);
  } catch (CLI::ParseError const& error) {
    rondo::say("{}\n", failure_text(error, app, {argv + 1, argv + argc}));
    return bad_input;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  rondo::open_standard_streams();
  own_process = getpid();
  std::string const command = argc > 1 ? argv[1] : "";
  std::set_terminate(end_without_memory);
  // An interruption leaves nothing to clean up: each record is written by one call, and the processes of simulations
  // end with their parent.
  rondo::install_interrupt_handler(interrupted);
  // Without these signals a write to a closed pipe, or past the limit on file sizes, returns an error, which is
  // reported with the name of the file.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    int const exit_code = run(argc, argv);
    flush_output();
    return exit_code;
  } catch (std::system_error const& error) {
    // The reader of the pipe has closed it, as head does. The exit code is that of the signal, and nothing is printed.
    if (error.code().value() == EPIPE) return 128 + SIGPIPE;
    rondo::say("standard output: cannot be written: {}\n", error.code().message());
    return bad_input;
  } catch (rondo::ReadFailure const& error) {
    rondo::say("{}\n", rondo::printable(error.what()));
    return failed_point;
  } catch (rondo::scenario::PlacedError const& error) {
    return say_bad_input(error, command, error.pointer());
  } catch (rondo::InputError const& error) {
    return say_bad_input(error, command, "");
  } catch (std::bad_alloc const&) {
    rondo::say("rondo: out of memory\n");
    return failed_point;
  } catch (std::exception const& error) {
    rondo::say("rondo: this is a bug of rondo: {}\n", rondo::printable(error.what()));
    return failed_point;
  }
}

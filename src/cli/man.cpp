// `rondo man`: the manual page rondo(1). Its commands and options come from the parser; the text around them is here.

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/command_descriptions.hpp"
#include "cli/commands.hpp"

namespace rondo::cli {
namespace {

/// A text in which nothing is a request or an escape of roff, and in which hyphens can be copied.
std::string roff(std::string const& text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (char const c : text) {
    if (c == '-')
      result += "\\-";
    else if (c == '\\')
      result += "\\e";
    else
      result += c;
  }
  return result;
}

std::string value_of(OptionDescription const& option) {
  if (option.choices.empty()) return option.value;
  return listed(option.choices, "|");
}

/// The paragraph of an option or argument, in the macros of man(7): its name in bold, its value in italics.
std::string entry(OptionDescription const& option) {
  std::string const value = value_of(option);
  std::string text = fmt::format(".TP\n.BR \"{}\"", roff(option.name));
  if (!option.name.starts_with('-')) text = fmt::format(".TP\n.I {}", roff(option.name));
  if (option.name.starts_with('-') && !value.empty())
    text = fmt::format(".TP\n.BI \"{} \" \"{}\"", roff(option.name), roff(value));
  text += "\n" + roff(option.description);
  if (!option.name.starts_with('-') && !option.choices.empty()) text += roff(": " + value);
  if (!option.preset.empty()) text += roff("; by default " + option.preset);
  return text + (option.repeats && option.name.starts_with('-') ? "; may be given several times" : "") + ".\n";
}

/// The section of a command: its arguments, its options, its example.
std::string section(CommandDescription const& command) {
  std::string text = fmt::format(".SS \"rondo {}", command.name);
  for (OptionDescription const& argument : command.arguments)
    text += fmt::format(" {}{}", roff(argument.name), argument.repeats ? "..." : "");
  text += "\"\n" + roff(command.description) + ".\n";
  for (OptionDescription const& argument : command.arguments) text += entry(argument);
  for (OptionDescription const& option : command.options) text += entry(option);
  if (!command.example.empty()) text += fmt::format(".PP\nExample:\n.B {}\n", roff(command.example));
  return text;
}

constexpr char const* description = R"(.SH DESCRIPTION
A scenario, a JSON file, names a collective operation, an algorithm and a machine.
Rondo generates the schedule, proves symbolically that every block is in its place at the end, once, counts its rounds,
volumes and redundant receives, runs it as an MPI program on a simulated machine (SMPI on SimGrid) or on its own engine, and puts the simulated
time beside the cost model and lower bounds.
Records go to standard output, everything else to standard error.
)";

constexpr char const* closing = R"(.SH "EXIT STATUS"
.TP
.B 0
Fine.
.TP
.B 1
A claim does not hold, or SMPI does not confirm a cut\-off of
.BR "rondo tune" .
.TP
.B 2
Bad usage or a bad scenario, or a file or standard output that cannot be written: a full disk, a limit on the size of
files. The records written before are whole, and
.B \-\-resume
continues them.
.TP
.B 3
An invalid schedule, a deadlock or a failed simulation.
.TP
.B 130
Interrupted; a file of results holds what was done, and
.B \-\-resume
continues it.
.SH ENVIRONMENT
.TP
.B RONDO_ALLOW_PROGRAMS
Set to 1, as
.BR \-\-allow\-programs .
Programs are code: one that a scenario names does whatever you may.
.TP
.BR SLURM_ARRAY_TASK_ID ", " SLURM_ARRAY_TASK_COUNT ", " SLURM_ARRAY_TASK_MIN ", " SLURM_ARRAY_TASK_STEP
In a task of a Slurm job array,
.B rondo run
runs the shard of that task, unless
.B \-\-shard
says another.
.SH EXAMPLES
.nf
rondo run scenarios/quickstart.json
rondo run \-\-jobs 2 \-\-format csv \-\-output results.csv \-\-resume sweep.json
rondo check \-\-allow\-programs scenarios/claims
rondo tune \-\-from 1B \-\-to 64KiB scenarios/quickstart.json
.fi
.SH "SEE ALSO"
.BR smpirun (1),
and the README.md that is installed with Rondo.
)";

}  // namespace

std::string manual_page(CLI::App const& app) {
  std::string text = fmt::format(".TH RONDO 1 \"\" \"rondo {}\" \"User Commands\"\n", roff(std::string(version())));
  text += ".SH NAME\nrondo \\- simulate the schedules of collective operations, prove them and time them\n";
  text += ".SH SYNOPSIS\n.B rondo\n.I command\n.RI [ options ]\n.I arguments\n.br\n.B rondo \\-\\-version\n";
  text += description;
  text += ".SH COMMANDS\n";
  for (CommandDescription const& command : commands_of(app)) text += section(command);
  return text + closing;
}

void add_man(CLI::App& app, int& exit_code) {
  app.add_subcommand("man", "print the manual page")->callback([&app, &exit_code] {
    fmt::print("{}", manual_page(app));
    exit_code = fine;
  });
}

}  // namespace rondo::cli

// `rondo fit`: estimates the parameters of a machine from the output of a benchmark (fit/), and writes the machine as
// JSON, with the source of the numbers.

#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/usage.hpp"
#include "fit/measured.hpp"
#include "process/say.hpp"
#include "run/points/atomic_file.hpp"

namespace rondo::cli {
namespace {

struct FitArguments {
  std::string data;
  std::string output;
  bool loggp = false;
  bool force = false;
  int hosts = 2;
};

/// A guard against a wrong file name: no benchmark writes 1 GiB.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

/// Chooses the fit by the data: rondo-measure's own output has several parts; Netgauge has round trips, which LogGP
/// needs;
/// OSU, Intel MPI Benchmarks and CSV have one-way times, to which latency and bandwidth are fitted.
fit::FittedMachine machine_of(FitArguments const& arguments) {
  std::string const text = read_file(arguments.data, most_bytes);
  fit::Origin const origin{arguments.data, arguments.hosts};
  bool const is_measured = fit::is_measured(text);
  if (is_measured && !arguments.loggp) return fit_measured(fit::read_measured(text, arguments.data), origin);
  fit::Format const format = is_measured ? fit::Format::pairs : fit::format_of(text, arguments.data);
  bool const round_trips = format == fit::Format::netgauge;
  if (round_trips != arguments.loggp) {
    throw InputError(fmt::format("{}: expected {}", arguments.data,
                                 arguments.loggp
                                     ? "round trips of Netgauge with --loggp, since one-way times do not tell L, o "
                                       "and g apart, got one-way times"
                                     : "--loggp with round trips of Netgauge, got none"));
  }
  if (round_trips) return fit_loggp(fit::read_round_trips(text, arguments.data), origin);
  fit::Samples const samples = fit::read_samples(text, format, arguments.data);
  for (std::string const& warning : samples.warnings) say("{}\n", printable(warning));
  return fit_linear(samples, origin);
}

int fit_machine(FitArguments const& arguments) {
  note_input(arguments.data);
  expect_writable(arguments.output, arguments.force);
  try {
    fit::FittedMachine const machine = machine_of(arguments);
    write_atomically(arguments.output, machine.json, arguments.force);
    for (std::string const& line : machine.source) fmt::print("{}\n", printable(line));
    return fine;
  } catch (fit::NotConverged const& failure) {
    say("{}: the fit did not converge: {}; nothing is written\n", printable(arguments.data), failure.what());
    return failed_point;
  }
}

}  // namespace

void add_fit(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<FitArguments>();
  CLI::App* command = app.add_subcommand("fit", "estimate a machine's parameters from measured times");
  command
      ->add_option(
          "DATA", arguments->data,
          "what rondo-measure wrote, text of OSU's latency test, of Intel MPI Benchmarks' PingPong or of Netgauge, or "
          "CSV with columns lat and size")
      ->required();
  command
      ->add_option("--output", arguments->output,
                   "write the machine to this new file, which appears only when it is complete")
      ->type_name("FILE")
      ->required();
  command->add_flag("--loggp", arguments->loggp, "the parameters of LogGP, from the output of `netgauge -x loggp`");
  command->add_option("--hosts", arguments->hosts, "the number of hosts of the machine, which is fully connected")
      ->check(from_to(1, 16777216))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--force", arguments->force, "replace an existing output file");
  command->callback([arguments, &exit_code] { exit_code = fit_machine(*arguments); });
}

}  // namespace rondo::cli

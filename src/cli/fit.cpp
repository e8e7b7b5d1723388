#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/inputs.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/usage.hpp"
#include "fit/measured.hpp"
#include "process/say.hpp"
#include "run/points/whole_file.hpp"

namespace rondo::cli {
namespace {

struct FitWords {
  std::string data;
  std::string output;
  bool loggp = false;
  bool force = false;
  int hosts = 2;
};

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

fit::FittedMachine machine_of(FitWords const& words) {
  std::string const text = read_file(words.data, most_bytes);
  fit::Origin const origin{words.data, words.hosts};
  bool const is_measured = fit::is_measured(text);
  if (is_measured && !words.loggp) return fit_measured(fit::read_measured(text, words.data), origin);
  fit::Format const format = is_measured ? fit::Format::pairs : fit::format_of(text, words.data);
  bool const round_trips = format == fit::Format::netgauge;
  if (round_trips != words.loggp) {
    throw InputError(fmt::format("{}: expected {}", words.data,
                                 words.loggp
                                     ? "round trips of Netgauge with --loggp, since one-way times do not tell L, o "
                                       "and g apart, got one-way times"
                                     : "--loggp with round trips of Netgauge, got none"));
  }
  if (round_trips) return fit_loggp(fit::read_round_trips(text, words.data), origin);
  fit::Samples const samples = fit::read_samples(text, format, words.data);
  for (std::string const& warning : samples.warnings) say("{}\n", printable(warning));
  return fit_linear(samples, origin);
}

int fit_machine(FitWords const& words) {
  note_input(words.data);
  expect_writable(words.output, words.force);
  try {
    fit::FittedMachine const machine = machine_of(words);
    write_whole(words.output, machine.json, words.force);
    for (std::string const& line : machine.source) fmt::print("{}\n", printable(line));
    return fine;
  } catch (fit::NotConverged const& failure) {
    say("{}: the fit did not converge: {}; nothing is written\n", printable(words.data), failure.what());
    return failed_point;
  }
}

}  // namespace

void add_fit(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<FitWords>();
  CLI::App* command = app.add_subcommand("fit", "estimate a machine's parameters from measured times");
  command
      ->add_option(
          "DATA", words->data,
          "what rondo-measure wrote, text of OSU's latency test, of Intel MPI Benchmarks' PingPong or of Netgauge, or "
          "CSV with columns lat and size")
      ->required();
  command
      ->add_option("--output", words->output,
                   "write the machine to this new file, which appears only when it is complete")
      ->type_name("FILE")
      ->required();
  command->add_flag("--loggp", words->loggp, "the parameters of LogGP, from the output of `netgauge -x loggp`");
  command->add_option("--hosts", words->hosts, "the number of hosts of the machine, which is fully connected")
      ->check(from_to(1, 16777216))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--force", words->force, "replace an existing output file");
  command->callback([words, &exit_code] { exit_code = fit_machine(*words); });
}

}  // namespace rondo::cli

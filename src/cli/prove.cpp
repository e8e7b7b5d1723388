// `rondo prove`: proves that schedules in files keep their promises: Rondo's own format, GOAL, MSCCL XML and Chakra
// traces. A file may come from any program.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "process/say.hpp"
#include "run/output/proof_report.hpp"
#include "run/points/atomic_file.hpp"

namespace rondo::cli {
namespace {

struct ProveArguments {
  std::vector<std::string> files;
  std::string promise, timeout, junit, sarif, certificate;
  bool force = false;
  bool quiet = false;
};

/// The exit code. Wrong input is the most serious result, then a faulty schedule, then a broken promise.
int exit_of(Proved const& proved) {
  if (!proved.refused.empty()) return bad_input;
  if (proved.proved()) return fine;
  bool const broken = std::ranges::any_of(proved.findings, [](ProofFinding const& each) { return each.broken; });
  return broken || !proved.failed.empty() ? failed_point : claim_fails;
}

int worse(int a, int b) {
  if (a == bad_input || b == bad_input) return bad_input;
  return std::max(a, b);
}

/// Prints the result for a file, and the first findings.
void print(Proved const& proved, bool quiet) {
  /// A schedule with one error often has thousands that follow from it.
  constexpr std::size_t most_shown = 10;
  std::string const summary = printable(proof_summary(proved));
  if (!proved.refused.empty()) return say("{}\n", summary);
  if (quiet && proved.proved()) return;
  fmt::print("{}\n", summary);
  if (std::string const why = needs_buffers_text(proved); !why.empty()) fmt::print("  {}\n", printable(why));
  // The summary contains the first one.
  for (std::size_t i = 1; i < std::min(proved.findings.size(), most_shown); ++i) {
    fmt::print("  {}\n", printable(proved.findings[i].text));
  }
}

void expect_once(std::vector<std::string> const& files) {
  std::set<std::string> seen;
  for (std::string const& file : files) {
    if (seen.insert(file).second) continue;
    throw InputError(fmt::format("{}: expected each file once, it is named twice", excerpt(file, 1000)));
  }
}

/// Proves the files one by one. Returns the most serious exit code.
int prove_files(ProveArguments const& arguments) {
  expect_once(arguments.files);
  for (std::string const& file : arguments.files) note_input(file);
  if (!arguments.promise.empty()) note_input(arguments.promise);
  for (std::string const& file : {arguments.junit, arguments.sarif}) {
    if (!file.empty()) expect_writable(file, true);
  }
  if (!arguments.certificate.empty()) {
    if (arguments.files.size() > 1) {
      throw InputError(fmt::format("--certificate: expected one FILE, which it is of, got {}", arguments.files.size()));
    }
    expect_writable(arguments.certificate, arguments.force);
  }
  ProveOptions const options{.promise = arguments.promise,
                             .timeout = timeout_of(arguments.timeout),
                             .certificate = arguments.certificate,
                             .force = arguments.force};
  std::vector<Proved> all;
  int exit_code = fine;
  for (std::string const& file : arguments.files) {
    all.push_back(prove(file, options));
    print(all.back(), arguments.quiet);
    exit_code = worse(exit_code, exit_of(all.back()));
  }
  if (!arguments.junit.empty()) write_atomically(arguments.junit, proof_junit(all), true);
  if (!arguments.sarif.empty()) write_atomically(arguments.sarif, proof_sarif(all), true);
  return exit_code;
}

}  // namespace

void add_prove(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ProveArguments>();
  CLI::App* command = app.add_subcommand("prove", "prove that schedules in files keep their promises");
  command
      ->add_option("FILE", arguments->files, "files of schedules, each with its promise inside or in a file beside it")
      ->required();
  command->add_option("--promise", arguments->promise, "a file with the promise of all schedules")->type_name("FILE");
  command->add_option("--timeout", arguments->timeout, "the real time that the proof of a file may take, such as 10s")
      ->type_name("TIME");
  command->add_option("--junit", arguments->junit, "also write the results to this file, as JUnit XML XML")
      ->type_name("FILE");
  command->add_option("--sarif", arguments->sarif, "also write the results to this file, as SARIF")->type_name("FILE");
  command
      ->add_option("--certificate", arguments->certificate,
                   "write the evidence of the proof to this new file, for an independent checker")
      ->type_name("FILE");
  command->add_flag("--force", arguments->force, "replace an existing certificate");
  command->add_flag("--quiet", arguments->quiet, "do not print schedules that are proved");
  command->callback([arguments, &exit_code] { exit_code = prove_files(*arguments); });
}

}  // namespace rondo::cli

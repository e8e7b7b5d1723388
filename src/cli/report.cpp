// `rondo report`: one HTML file with tables and diagrams of results and verdicts (run/output/report.hpp).

#include "run/output/report.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "process/say.hpp"
#include "run/points/atomic_file.hpp"

namespace rondo::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> files;
  std::string output;
  bool force = false;
};

int report(ReportArguments const& arguments) {
  for (std::string const& file : arguments.files) note_input(file);
  expect_writable(arguments.output, arguments.force);
  ReportInput const input = read_report_input(arguments.files);
  for (std::string const& remark : input.remarks) say("{}\n", printable(remark));
  write_atomically(arguments.output, report_html(input), arguments.force);
  return fine;
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "write results, and claims with their verdicts, as one HTML file");
  command->add_option("RESULTS", arguments->files, "CSV or JSON lines of run, or JSON lines of check --format jsonl")
      ->required();
  command->add_option("--output", arguments->output, "the new HTML file, which appears only when it is complete")
      ->type_name("FILE")
      ->required();
  command->add_flag("--force", arguments->force, "replace an existing output file");
  command->callback([arguments, &exit_code] { exit_code = report(*arguments); });
}

}  // namespace rondo::cli

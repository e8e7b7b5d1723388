// `rondo report`: one HTML file with tables and diagrams of results and verdicts (run/output/report.hpp).

#include "run/output/report.hpp"

#include <memory>

#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "process/say.hpp"

namespace rondo::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> files;
  OutputFile output;
};

int report(ReportArguments const& arguments) {
  for (std::string const& file : arguments.files) note_input(file);
  arguments.output.expect_writable();
  ReportInput const input = read_report_input(arguments.files);
  for (std::string const& remark : input.remarks) say("{}\n", printable(remark));
  arguments.output.write(report_html(input));
  return fine;
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "write results, and claims with their verdicts, as one HTML file");
  command->add_option("RESULTS", arguments->files, "CSV or JSON lines of run, or JSON lines of check --format jsonl")
      ->required();
  add_output_options(*command, arguments->output, "the new HTML file, which appears only when it is complete")
      ->required();
  command->callback([arguments, &exit_code] { exit_code = report(*arguments); });
}

}  // namespace rondo::cli

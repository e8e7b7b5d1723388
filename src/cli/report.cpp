#include "run/output/report.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/inputs.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "process/say.hpp"
#include "run/points/whole_file.hpp"

namespace rondo::cli {
namespace {

struct ReportWords {
  std::vector<std::string> files;
  std::string output;
  bool force = false;
};

int report(ReportWords const& words) {
  for (std::string const& file : words.files) note_input(file);
  expect_writable(words.output, words.force);
  ReportInput const input = read_report_input(words.files);
  for (std::string const& remark : input.remarks) say("{}\n", printable(remark));
  write_whole(words.output, report_html(input), words.force);
  return fine;
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<ReportWords>();
  CLI::App* command = app.add_subcommand("report", "write results, and claims with their verdicts, as one HTML file");
  command->add_option("RESULTS", words->files, "CSV or JSON lines of run, or JSON lines of check --format jsonl")
      ->required();
  command->add_option("--output", words->output, "the new HTML file, which appears only when it is complete")
      ->type_name("FILE")
      ->required();
  command->add_flag("--force", words->force, "replace an existing output file");
  command->callback([words, &exit_code] { exit_code = report(*words); });
}

}  // namespace rondo::cli

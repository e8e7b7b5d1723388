// `rondo merge`: joins the outputs of shards, which several processes or hosts wrote, into the output that one run
// would have written. Exit code 1 if points are missing.

#include <memory>

#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "process/say.hpp"
#include "run/output/decisions.hpp"
#include "run/points/results_file.hpp"

namespace rondo::cli {
namespace {

struct MergeArguments {
  std::vector<std::string> files;
  OutputFile output;
};

/// Decisions of `tune` in the form in which results are merged.
Merged as_merged(MergedDecisions decisions) {
  bool const whole = decisions.missing.empty();
  return {std::move(decisions.text), std::move(decisions.missing), whole};
}

int merge(MergeArguments const& arguments) {
  for (std::string const& file : arguments.files) note_input(file);
  arguments.output.expect_writable();
  bool const decides = holds_decisions(arguments.files.front());
  auto const [text, remarks, whole] = decides ? as_merged(merged_decisions(arguments.files)) : merged(arguments.files);
  for (std::string const& remark : remarks) say("{}\n", printable(remark));
  arguments.output.write(text);
  return whole ? fine : claim_fails;
}

}  // namespace

void add_merge(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App* command =
      app.add_subcommand("merge", "join the results or decisions of shards, in the order of their points");
  command->add_option("RESULTS", arguments->files, "results as CSV or JSON lines, or decisions of tune --format json")
      ->required();
  add_output_options(*command, arguments->output, "write to this new file");
  command->callback([arguments, &exit_code] { exit_code = merge(*arguments); });
}

}  // namespace rondo::cli

// `rondo merge`: joins the outputs of shards, which several processes or hosts wrote, into the output that one run
// would have written. Exit code 1 if points are missing.

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "process/say.hpp"
#include "run/output/decisions.hpp"
#include "run/points/atomic_file.hpp"
#include "run/points/results_file.hpp"

namespace rondo::cli {
namespace {

struct MergeArguments {
  std::vector<std::string> files;
  std::string output;
  bool force = false;
};

/// Decisions of `tune` in the form in which results are merged.
Merged as_merged(MergedDecisions decisions) {
  bool const whole = decisions.missing.empty();
  return {std::move(decisions.text), std::move(decisions.missing), whole};
}

int merge(MergeArguments const& arguments) {
  for (std::string const& file : arguments.files) note_input(file);
  if (!arguments.output.empty()) expect_writable(arguments.output, arguments.force);
  bool const decides = holds_decisions(arguments.files.front());
  auto const [text, remarks, whole] = decides ? as_merged(merged_decisions(arguments.files)) : merged(arguments.files);
  for (std::string const& remark : remarks) say("{}\n", printable(remark));
  if (arguments.output.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(arguments.output, text, arguments.force);
  }
  return whole ? fine : claim_fails;
}

}  // namespace

void add_merge(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App* command =
      app.add_subcommand("merge", "join the results or decisions of shards, in the order of their points");
  command->add_option("RESULTS", arguments->files, "results as CSV or JSON lines, or decisions of tune --format json")
      ->required();
  command->add_option("--output", arguments->output, "write to this new file")->type_name("FILE");
  command->add_flag("--force", arguments->force, "replace an existing output file");
  command->callback([arguments, &exit_code] { exit_code = merge(*arguments); });
}

}  // namespace rondo::cli

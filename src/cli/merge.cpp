#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/inputs.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "process/say.hpp"
#include "run/output/decisions.hpp"
#include "run/points/results_file.hpp"
#include "run/points/whole_file.hpp"

namespace rondo::cli {
namespace {

struct MergeWords {
  std::vector<std::string> files;
  std::string output;
  bool force = false;
};

Merged as_merged(MergedDecisions decisions) {
  bool const whole = decisions.missing.empty();
  return {std::move(decisions.text), std::move(decisions.missing), whole};
}

int merge(MergeWords const& words) {
  for (std::string const& file : words.files) note_input(file);
  if (!words.output.empty()) expect_writable(words.output, words.force);
  bool const decides = holds_decisions(words.files.front());
  auto const [text, remarks, whole] = decides ? as_merged(merged_decisions(words.files)) : merged(words.files);
  for (std::string const& remark : remarks) say("{}\n", printable(remark));
  if (words.output.empty()) {
    fmt::print("{}", text);
  } else {
    write_whole(words.output, text, words.force);
  }
  return whole ? fine : claim_fails;
}

}  // namespace

void add_merge(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<MergeWords>();
  CLI::App* command =
      app.add_subcommand("merge", "join the results or decisions of shards, in the order of their points");
  command->add_option("RESULTS", words->files, "results as CSV or JSON lines, or decisions of tune --format json")
      ->required();
  command->add_option("--output", words->output, "write to this new file")->type_name("FILE");
  command->add_flag("--force", words->force, "replace an existing output file");
  command->callback([words, &exit_code] { exit_code = merge(*words); });
}

}  // namespace rondo::cli

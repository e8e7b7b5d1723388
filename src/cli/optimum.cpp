// `rondo optimum`: searches the fewest rounds, and then the fewest critical blocks, of any schedule that keeps the
// promise of a point. It can write the best schedule, and a proof (CNF and DRAT) that other programs check.

#include "run/points/optimum.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/usage.hpp"
#include "run/output/text_table.hpp"
#include "run/points/atomic_file.hpp"

namespace rondo::cli {
namespace {

struct OptimumArguments {
  std::string file;
  std::size_t point = 1;
  std::optional<int> rounds, message_blocks;
  int pieces = 1;
  std::string format = "table";
  std::string output, proof;
  bool force = false;
  PointArguments points;
};

/// A signal handler may only set such a variable. The search reads it between its steps, so that it ends with the best
/// answer that it knows.
volatile std::sig_atomic_t asked_to_end = 0;
void ask_to_end(int /*signal*/) { asked_to_end = 1; }

/// The reason to stop: the time since this call is over, or Ctrl-C was pressed.
std::function<std::string()> stop_after(Seconds timeout) {
  using Clock = std::chrono::steady_clock;
  auto const end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout.value));
  return [end]() -> std::string {
    if (asked_to_end != 0) return "interrupted";
    return Clock::now() >= end ? "timeout" : "";
  };
}

/// Prints answers: as JSON one by one, as a table at the end.
class Lines {
 public:
  explicit Lines(bool json) : json_(json), rows_{optimum_columns()} {}
  void add(OptimumLine const& line) {
    if (json_) {
      fmt::print("{}\n", optimum_json(line));
      std::fflush(stdout);
    } else {
      rows_.push_back(optimum_cells(line));
    }
  }
  void end() const {
    if (!json_) fmt::print("{}", text_table(rows_));
  }

 private:
  bool json_;
  Cells rows_;
};

void expect_files(OptimumArguments const& arguments) {
  if (!arguments.output.empty()) expect_writable(arguments.output, arguments.force);
  if (arguments.proof.empty()) return;
  for (char const* const ending : {"", ".cnf", ".drat"}) expect_writable(arguments.proof + ending, arguments.force);
}

/// Writes the schedule, and the proof with its formula and its derivation. --force removes files of an older proof:
/// they would not belong to this one.
void write_files(OptimumArguments const& arguments, OptimumFiles files) {
  if (!arguments.output.empty()) write_atomically(arguments.output, files.schedule, arguments.force);
  if (arguments.proof.empty()) return;
  for (auto const& [ending, text] : {std::pair(".cnf", &files.cnf), {".drat", &files.drat}}) {
    if (!text->empty()) {
      write_atomically(arguments.proof + ending, *text, arguments.force);
    } else if (arguments.force) {
      std::filesystem::remove(arguments.proof + ending);  // of another proof, which is replaced
    }
  }
  write_atomically(arguments.proof, files.proof.dump() + "\n", arguments.force);
}

int find_optimum(OptimumArguments const& arguments) {
  arguments.points.permit();
  note_input(arguments.file);
  expect_files(arguments);
  scenario::Scenario const point = chosen_point(arguments.file, arguments.point, arguments.points);
  Seconds const timeout = arguments.points.options().timeout;
  OptimumOptions const options{.rounds = arguments.rounds,
                               .message_blocks = arguments.message_blocks,
                               .pieces = arguments.pieces,
                               .stop = stop_after(timeout > Seconds(0) ? timeout : Seconds(60)),
                               .proved = !arguments.proof.empty()};
  /// From here on Ctrl-C ends the search and not the program.
  std::signal(SIGINT, ask_to_end);
  std::signal(SIGTERM, ask_to_end);
  Lines lines(arguments.format == "jsonl");
  OptimumFiles files = optimum_of(point, arguments.file, options, [&](OptimumLine const& line) { lines.add(line); });
  lines.end();
  write_files(arguments, std::move(files));
  return fine;
}

}  // namespace

void add_optimum(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<OptimumArguments>();
  CLI::App* command = app.add_subcommand("optimum", "search the fewest rounds and critical blocks, with a proof");
  command->add_option("FILE", arguments->file, "a scenario file; its algorithm and timing are ignored")->required();
  command->add_option("--rounds", arguments->rounds, "the most rounds of a schedule; the fewest possible by default")
      ->check(from_to(1, 1024));
  command
      ->add_option("--message-blocks", arguments->message_blocks, "the most blocks of a message; no limit by default")
      ->check(from_to(1, 1048576));
  command
      ->add_option("--pieces", arguments->pieces,
                   "cut each block in so many pieces; the answers count pieces as blocks")
      ->check(from_to(1, 1048576));
  command
      ->add_option("--timeout", arguments->points.timeout,
                   "the real time that the search may take, such as 10s; 60s by default. The answer is then the best "
                   "that is known.")
      ->type_name("TIME");
  command->add_option("--format", arguments->format, "table, or jsonl: a line for each answer, as soon as it is known")
      ->check(one_of({"table", "jsonl"}))
      ->capture_default_str();
  command->add_option("--output", arguments->output, "write the schedule of the first answer to this new file, as JSON")
      ->type_name("FILE");
  command
      ->add_option("--proof", arguments->proof,
                   "write the proof of the first answer to this new file, with FILE.cnf and FILE.drat beside it")
      ->type_name("FILE");
  command->add_flag("--force", arguments->force, "replace existing files");
  command->add_option("--point", arguments->point, "the number of the point in the sweep")->capture_default_str();
  add_overrides(*command, arguments->points);
  command->callback([arguments, &exit_code] { exit_code = find_optimum(*arguments); });
}

}  // namespace rondo::cli

// The examples at the end of each command's help and of its section in the manual page. They use files of the
// repository, or files that an earlier example has written, so that all of them run one after the other in a checkout.

#include <fmt/format.h>

#include <array>
#include <string>

#include "cli/commands.hpp"

namespace rondo::cli {
namespace {

struct Example {
  char const* command;
  char const* line;
};

constexpr std::array examples{
    Example{"run", "rondo run scenarios/quickstart.json --output results.jsonl"},
    Example{"merge", "rondo merge results.jsonl --output merged.jsonl"},
    Example{"report", "rondo report results.jsonl --output report.html"},
    Example{"new", "rondo new allreduce --output allreduce.json"},
    Example{"explain", "rondo explain allreduce.json"},
    Example{"tune", "rondo tune allreduce.json --format ompi --to 4KiB --output rules.conf"},
    Example{"check-rules",
            "rondo check-rules rules.conf --machine platforms/measured/leonardo.json --ranks 16 --to 4KiB"},
    Example{"fit", "rondo fit pingpong.csv --output machine.json"},
    Example{"check", "rondo check scenarios/claims/proposition-1-shapes.json --junit claims.xml"},
    Example{"show", "rondo show scenarios/quickstart.json --point 2 --rank 0"},
    Example{"export", "rondo export scenarios/quickstart.json --format json --output schedule.json"},
    Example{"prove", "rondo prove schedule.json --junit proofs.xml"},
    Example{"optimum",
            "rondo optimum scenarios/claims/proposition-1-aliasing.json --output best.json --proof best.proof"},
    Example{"list", "rondo list allreduce"},
    Example{"schema", "rondo schema scenario >scenario.schema.json"},
    Example{"completion", "rondo completion bash >rondo.bash"},
    Example{"man", "rondo man >rondo.1"},
};

}  // namespace

void add_examples(CLI::App& app) {
  for (Example const& each : examples) {
    app.get_subcommand(each.command)->footer(fmt::format("Example: {}", each.line));
  }
  app.footer("Example: rondo run scenarios/quickstart.json; each command's --help ends with one of its own");
}

}  // namespace rondo::cli

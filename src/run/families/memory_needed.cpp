#include "run/families/memory_needed.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "process/memory.hpp"
#include "run/families/foretold_counts.hpp"
#include "scenario/words.hpp"

namespace rondo {
namespace {

/// A message is a transfer of 16 B at either end, and a block in it a place of 4 B at its receiver at least.
constexpr double least_of_a_message = 32, least_of_a_block = 4;
/// With the smallest stacks a rank of SMPI took 17 KB where ranks were few, and 31 KB where they were many.
constexpr double least_of_a_rank_on_smpi = 8192;

std::string memory_text(double bytes) {
  for (auto const& [size, unit] : {std::pair(1e15, "PB"), {1e12, "TB"}, {1e9, "GB"}}) {
    if (bytes >= size) return fmt::format("{:.3g} {}", bytes / size, unit);
  }
  return fmt::format("{:.3g} MB", bytes / 1e6);
}

void expect_below(double needed, char const* place, std::string const& what, char const* advice) {
  auto const there = static_cast<double>(most_memory().value);
  if (needed <= there) return;
  throw InputError(
      fmt::format("{}: expected what fits into the memory there is, {}, got {}, which take {} at least; {}", place,
                  memory_text(there), what, memory_text(needed), advice));
}

/// Whether messages carry whole blocks: a block is then moved into as many places.
bool moves_blocks(ClassicalCollective collective) {
  using enum ClassicalCollective;
  return collective == alltoall || collective == allgather || collective == gather || collective == scatter;
}

/// Numbers that are not counted are close; half of them is not too many.
double trusted(double number, bool counted) { return counted ? number : number / 2; }

void expect_memory_for(problem::Classical const& problem) {
  double bytes = 0, messages = 0;
  if (auto const counts = foretold_counts(problem)) {
    messages = counts->messages;
    bytes = trusted(messages, counts->counted) * least_of_a_message;
  }
  bool const equal = !problem.sizes.differ() && problem.sizes.expression.empty();
  if (equal && moves_blocks(problem.collective)) {
    // Blocks of a byte are counted: a larger one may be cut, but is moved as often.
    problem::Classical least = problem;
    least.sizes = {Bytes(1)};
    if (auto const counts = foretold_counts(least))
      bytes += trusted(counts->pieces, counts->counted) * least_of_a_block;
  }
  std::string const what = fmt::format("{} ranks with {:.3g} messages", problem.ranks, messages);
  expect_below(bytes, "/collective/ranks", what,
               "take fewer ranks, or another algorithm (rondo explain FILE foretells)");
}

/// Every receiver gets the block of every sender.
void expect_memory_for(problem::Intergroup const& problem) {
  double const blocks = double{1} * problem.groups.senders() * problem.groups.receivers();
  std::string const what =
      fmt::format("{} senders and {} receivers", problem.groups.senders(), problem.groups.receivers());
  expect_below(blocks * least_of_a_block, "/collective/senders", what, "take fewer of either");
}

template <typename Problem>
void expect_memory_for(Problem const&) {}

}  // namespace

void expect_memory(scenario::Scenario const& scenario) {
  std::visit([](auto const& problem) { expect_memory_for(problem); }, scenario.problem);
  if (scenario.engine != scenario::Engine::smpi) return;
  int const p = ranks(scenario.problem);
  expect_below(p * least_of_a_rank_on_smpi, "/engine", fmt::format("{} ranks on engine smpi", p),
               "take \"native\", or fewer ranks");
}

}  // namespace rondo

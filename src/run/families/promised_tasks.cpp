// Checks tasks of a file against a promise. MSCCL XML does not say how many chunks a block has; the number is found by
// the chunks of the file.

#include "run/families/promised_tasks.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/index.hpp"
#include "run/families/resolve_promise.hpp"
#include "schedule/goal_notes.hpp"

namespace rondo {
namespace {

/// Throws InputError if the file does not say how its tasks move blocks, or has other ranks than the promise.
void expect_provable(TaskFile const& tasks, problem::Promise const& promise, std::string const& file) {
  if (tasks.graph.buffers.empty()) {
    throw InputError(
        fmt::format("{}: a promise needs notes (//@) or tags that say what becomes of blocks, got none", file));
  }
  if (problem::is_benchmark(promise)) {
    throw InputError(fmt::format(
        "{}: promise: expected no \"benchmark\", by which custom schedules alone are timed, got true", file));
  }
  int const promised_ranks = ranks(promise), task_ranks = tasks.graph.tasks.ranks();
  if (promised_ranks != task_ranks)
    throw InputError(fmt::format("{}: {} ranks, and its promise has {}", file, task_ranks, promised_ranks));
}

/// How many chunks of a rank's input buffer belong to each block that the rank is promised to hold; 1 unless the number
/// of chunks is a multiple of that of blocks.
int chunks_of_block(BlockGraph const& graph, Collective const& whole) {
  for (int r = 0; r < graph.tasks.ranks(); ++r) {
    std::size_t const blocks = held(whole, Rank(r)).size();
    std::size_t const chunks = graph.buffers[at(r)][static_cast<std::size_t>(Buffer::send)].slots;
    if (blocks > 0) return chunks % blocks == 0 && chunks > 0 ? static_cast<int>(chunks / blocks) : 1;
  }
  return 1;
}

}  // namespace

/// Notes the promise with the tasks; returns it with all that the file adds, such as numbers of pieces.
problem::Promise add_promise(TaskFile& tasks, problem::Promise const& promise, std::string const& file) {
  expect_provable(tasks, promise, file);
  std::string const where = file + ": promise";
  ResolvedPromise wanted = resolve_promise(promise, where);
  bool const named = !std::holds_alternative<StatedPromise>(promise.of);
  if (tasks.format == TaskFormat::msccl && named && promise.pieces.empty()) {
    problem::Promise cut = promise;
    cut.pieces = {chunks_of_block(tasks.graph, wanted.collective)};
    wanted = resolve_promise(cut, where);
  }
  tasks.promise = std::move(wanted.collective);
  tasks.promise_name = name(promise);
  if (tasks.tagged == 0) return std::move(wanted.promise);
  try {
    tasks.promise = by_tags(*tasks.promise, tasks.tagged);
  } catch (InputError const& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
  return std::move(wanted.promise);
}

namespace {

void add_waiting(TaskVerdict& verdict, TaskFile const& file) {
  if (verdict.violations == 0) verdict.needs_buffered_sends = !ends(file.graph.tasks, Sends::synchronous);
}

}  // namespace

/// Proves tasks with blocks; for tasks without blocks it checks only that sends and receives match and that nobody
/// waits for ever.
TaskVerdict judge(TaskFile const& file) {
  TaskVerdict result;
  if (file.graph.buffers.empty()) {
    TaskFaults faults = check(file.graph.tasks);
    result.violations = faults.count;
    for (std::string& each : faults.first) result.first.push_back({"not runnable", std::move(each)});
    add_waiting(result, file);
    return result;
  }
  TaskProof proof = prove(file.graph, file.promise ? &*file.promise : nullptr, file.slots);
  if (file.promise) result.delivered = proof.valid();
  result.violations = proof.violation_count;
  for (TaskViolation& each : proof.violations) {
    result.first.push_back(
        {rule_of(each), std::move(each.text), each.line, each.fault && breaks(*each.fault), each.rank});
  }
  add_waiting(result, file);
  return result;
}

}  // namespace rondo

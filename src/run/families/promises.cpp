// The sizes of send slots are checked against the promise. MSCCL XML does not say how many chunks a block has; the
// number is found by the chunks of the file.

#include "run/families/promises.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "generate/generate.hpp"
#include "run/families/resolve.hpp"
#include "schedule/goal_notes.hpp"

namespace rondo {
namespace {

std::size_t pieces_of_block(problem::Promise const& promise, Content const& whole) {
  if (promise.pieces.empty()) return 1;
  auto const i = promise.pieces.size() == 1 ? std::size_t{0} : static_cast<std::size_t>(whole.origin.value);
  return static_cast<std::size_t>(promise.pieces[i]);
}

std::size_t program_number(Schedule const& schedule, Rank rank) {
  return schedule.program_of.empty() ? 0 : schedule.program_of[static_cast<std::size_t>(rank.value)];
}

/// Compares the send slots of a rank with its blocks. A block may be cut into pieces, whose sizes must add up.
void expect_bytes(Schedule const& schedule, problem::Promise const& promise, std::vector<Content> const& blocks,
                  Rank rank, std::string const& file) {
  Layout const& layout = schedule.program(rank).layout();
  std::uint32_t slot = 0;
  for (Content const& whole : blocks) {
    Bytes total;
    for (std::size_t k = 0; k < pieces_of_block(promise, whole); ++k, ++slot) {
      if (!layout.holds(send_slot(slot))) return;  // for verify to tell
      total += layout.bytes(send_slot(slot));
    }
    Bytes const expected = bytes(promise, whole);
    if (total == expected) continue;
    throw InputError(fmt::format(
        "{}: /programs/{}/buffers/send: expected {} bytes for block {} of rank {}, as is promised, got {}", file,
        program_number(schedule, rank), expected.value, whole.block.value, whole.origin.value, total.value));
  }
}

}  // namespace

/// Throws InputError that names where the promise stands.
ResolvedPromise resolve_promise(problem::Promise const& promise, std::string const& where) try {
  problem::Promise made = resolved(promise);
  Collective collective = generate::collective_of(made);
  return {std::move(made), std::move(collective)};
} catch (InputError const& refused) {
  std::string const what = refused.what();
  throw InputError(where + (what.starts_with("/") ? "" : ": ") + what);
}

/// Throws InputError unless the schedule has the ranks and the slots of the promise.
void expect_fits(Schedule const& schedule, ResolvedPromise const& promised, std::string const& file) {
  int const p = ranks(promised.collective);
  if (schedule.ranks != p) {
    throw InputError(fmt::format("{}: /ranks: expected {}, those of the promise, got {}", file, p, schedule.ranks));
  }
  problem::Promise whole = promised.promise;
  whole.pieces.clear();
  Collective const uncut = generate::collective_of(whole);
  for (int r = 0; r < p; ++r) expect_bytes(schedule, promised.promise, held(uncut, Rank(r)), Rank(r), file);
}

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
  tasks.promise = at_place(file, [&] { return by_tags(*tasks.promise, tasks.tagged); });
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

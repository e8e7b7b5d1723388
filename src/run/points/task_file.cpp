#include "run/points/task_file.hpp"

#include <fmt/format.h>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "foreign/goal_binary.hpp"
#include "foreign/msccl.hpp"
#include "run/families/promised.hpp"
#include "run/points/prove.hpp"
#include "schedule/goal_notes.hpp"

namespace rondo {

namespace {

constexpr std::uint64_t largest_goal_file = std::uint64_t{32} << 30;

std::string checksum_words(std::uint64_t checksum) { return fmt::format("fnv1a:{:016x}", checksum); }

TaskFile load_goal_file(std::string const& file, std::int64_t most_ranks) {
  std::string const text = read_file(file, largest_goal_file);
  TaskFile result;
  result.checksum = checksum_words(fnv1a(text));
  if (goal_binary::begins(text)) {
    result.graph.tasks = goal_binary::read(text, file, most_ranks);
  } else {
    NotedGraph noted = with_blocks(read_goal_notes(text, file, most_ranks), file);
    result.graph = std::move(noted.graph);
    result.tagged = noted.tagged;
  }
  return result;
}

TaskFile load_msccl(std::string const& file, Bytes chunk, std::int64_t most_ranks) {
  TaskFile result;
  std::uint64_t sum = fnv1a("");
  msccl::Reader reader(file);
  read_pieces(file, [&](std::string_view piece) {
    sum = fnv1a(piece, sum);
    reader.take(piece);
  });
  msccl::Algorithm const algorithm = reader.end();
  if (std::ssize(algorithm.gpus) > most_ranks) {
    throw InputError(fmt::format("{}: <algo ngpus>: expected at most {}, the ranks of the machine, got {}", file,
                                 most_ranks, algorithm.gpus.size()));
  }
  result.checksum = checksum_words(sum);
  result.graph = msccl::tasks(algorithm, chunk);
  result.promise = msccl::promise(algorithm);
  if (result.promise) result.promise_name = word_of(algorithm.kind);
  result.slots = msccl::slots_of(algorithm.protocol);
  return result;
}

}  // namespace

std::optional<TaskFormat> task_format(std::string const& file) {
  if (file.ends_with(".goal") || file.ends_with(".bin")) return TaskFormat::goal;
  if (file.ends_with(".xml")) return TaskFormat::msccl;
  return std::nullopt;
}

TaskFile load_tasks(std::string const& file, TaskFormat format, Bytes chunk, std::int64_t most_ranks) {
  TaskFile result = format == TaskFormat::goal ? load_goal_file(file, most_ranks) : load_msccl(file, chunk, most_ranks);
  result.format = format;
  return result;
}

void add_promise(TaskFile& tasks, problem::Promise const& promise, std::string const& file) {
  if (tasks.graph.buffers.empty()) {
    throw InputError(
        fmt::format("{}: a promise needs notes (//@) or tags that say what becomes of blocks, got none", file));
  }
  int const wanted = ranks(promise), there = tasks.graph.tasks.ranks();
  if (wanted != there) throw InputError(fmt::format("{}: {} ranks, and its promise has {}", file, there, wanted));
  tasks.promise = promised(promise, file + ": promise").collective;
  tasks.promise_name = name(promise);
  if (tasks.tagged == 0) return;
  try {
    tasks.promise = by_tags(*tasks.promise, tasks.tagged);
  } catch (InputError const& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

std::int64_t moves_of(BlockGraph const& graph) {
  std::int64_t moves = 0;
  for (std::size_t i = 0; i < graph.tasks.tasks.size(); ++i) {
    TaskKind const kind = graph.tasks.tasks[i].kind;
    if (graph.buffers.empty()) {
      moves += kind == TaskKind::send ? 1 : 0;
    } else if (kind != TaskKind::receive) {
      moves += graph.effects[i].count;
    }
  }
  return moves;
}

TaskVerdict judge(TaskFile const& file) {
  TaskVerdict result;
  if (file.graph.buffers.empty()) {
    TaskFaults faults = check(file.graph.tasks);
    result.violations = faults.count;
    for (std::string& each : faults.first) result.first.push_back({"not runnable", std::move(each)});
    return result;
  }
  TaskProof proof = prove(file.graph, file.promise ? &*file.promise : nullptr, file.slots);
  if (file.promise) result.delivered = proof.valid();
  result.violations = proof.violation_count;
  for (TaskViolation& each : proof.violations) {
    result.first.push_back({rule_of(each), std::move(each.text), each.line, each.fault && breaks(*each.fault)});
  }
  return result;
}

}  // namespace rondo

#include "run/points/task_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/inputs.hpp"
#include "foreign/chakra.hpp"
#include "foreign/goal_binary.hpp"
#include "foreign/msccl.hpp"
#include "run/families/promised.hpp"
#include "run/points/prove.hpp"
#include "schedule/goal_notes.hpp"

namespace rondo {

namespace {

constexpr std::uint64_t largest_task_file = std::uint64_t{32} << 30;

std::string checksum_words(std::uint64_t checksum) { return fmt::format("fnv1a:{:016x}", checksum); }

TaskFile load_goal_file(std::string const& file, std::int64_t most_ranks) {
  std::string const text = read_file(file, largest_task_file);
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

constexpr std::string_view trace_of_rank_0 = ".0.et";

/// The rank that stands between `begin` and ".et" in a name, as traces are named.
std::optional<std::int64_t> rank_in(std::string_view name, std::string_view begin) {
  if (!name.starts_with(begin) || !name.ends_with(".et") || name.size() < begin.size() + 4) return std::nullopt;
  name.remove_prefix(begin.size());
  name.remove_suffix(3);
  constexpr std::size_t most_digits = 9;
  bool const is_number = name.size() <= most_digits && name.find_first_not_of("0123456789") == name.npos;
  if (!is_number || (name.size() > 1 && name[0] == '0')) return std::nullopt;
  return std::stoll(std::string(name));
}

/// Calls `visit` with the rank and the path of each trace beside that of rank 0.
template <typename Visit>
void each_trace(std::filesystem::path const& first, Visit visit) {
  std::string const name = first.filename().string();
  std::string const begin = name.substr(0, name.size() - 4);
  std::error_code failed;
  std::filesystem::path const folder = first.has_parent_path() ? first.parent_path() : ".";
  for (std::filesystem::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed)) {
    if (auto const rank = rank_in(each->path().filename().string(), begin)) visit(*rank, each->path().string());
  }
}

/// How many ranks there are traces of.
std::int64_t traced_ranks(std::string const& first) {
  std::int64_t last = 0;
  each_trace(first, [&](std::int64_t rank, std::string const&) { last = std::max(last, rank); });
  return last + 1;
}

/// The trace of a rank, by the name of that of rank 0.
std::string trace_of(std::string const& first, std::int64_t rank) {
  return fmt::format("{}{}.et", first.substr(0, first.size() - 4), rank);
}

TaskFile load_chakra(std::string const& file, std::int64_t most_ranks) {
  if (!file.ends_with(trace_of_rank_0)) {
    throw InputError(
        fmt::format("{}: expected the trace of rank 0, NAME.0.et, which stands for those of all ranks", file));
  }
  std::int64_t const ranks = traced_ranks(file);
  auto const name_of_rank = [&](std::int64_t rank) { return trace_of(file, rank); };
  for (std::int64_t rank = 1; rank < ranks; ++rank) {
    if (std::filesystem::exists(name_of_rank(rank))) continue;
    throw InputError(fmt::format("{}: expected the trace of rank {}, for there is {}, got no file", name_of_rank(rank),
                                 rank, name_of_rank(ranks - 1)));
  }
  if (ranks > most_ranks) {
    throw InputError(
        fmt::format("{}: expected traces of at most {} ranks, those of the machine, got {}", file, most_ranks, ranks));
  }
  TaskFile result;
  std::uint64_t sum = fnv1a("");
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::string const bytes = read_file(name_of_rank(rank), largest_task_file);
    sum = fnv1a(bytes, sum);
    chakra::add_rank(result.graph.tasks, bytes, name_of_rank(rank), static_cast<int>(ranks));
  }
  result.checksum = checksum_words(sum);
  return result;
}

}  // namespace

char const* title(TaskFormat format) {
  switch (format) {
    case TaskFormat::goal:
      return "GOAL";
    case TaskFormat::msccl:
      return "MSCCL XML";
    case TaskFormat::chakra:
      return "a Chakra trace";
  }
  return "";
}

std::optional<TaskFormat> task_format(std::string const& file) {
  if (file.ends_with(".goal") || file.ends_with(".bin")) return TaskFormat::goal;
  if (file.ends_with(".xml")) return TaskFormat::msccl;
  if (file.ends_with(".et")) return TaskFormat::chakra;
  return std::nullopt;
}

void note_tasks(std::string const& file) {
  note_input(file);
  if (!file.ends_with(trace_of_rank_0)) return;
  each_trace(file, [](std::int64_t, std::string const& trace) { note_input(trace); });
}

TaskFile load_tasks(std::string const& file, TaskFormat format, Bytes chunk, std::int64_t most_ranks) {
  note_tasks(file);
  TaskFile result = format == TaskFormat::goal    ? load_goal_file(file, most_ranks)
                    : format == TaskFormat::msccl ? load_msccl(file, chunk, most_ranks)
                                                  : load_chakra(file, most_ranks);
  result.format = format;
  return result;
}

void add_promise(TaskFile& tasks, problem::Promise const& promise, std::string const& file) {
  if (tasks.graph.buffers.empty()) {
    throw InputError(
        fmt::format("{}: a promise needs notes (//@) or tags that say what becomes of blocks, got none", file));
  }
  if (problem::is_benchmark(promise)) {
    throw InputError(fmt::format(
        "{}: promise: expected no \"benchmark\", by which custom schedules alone are timed, got true", file));
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

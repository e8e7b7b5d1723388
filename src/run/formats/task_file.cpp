// Reads files of tasks in any format into one form: tasks, requirements, and the blocks that they move.

#include "run/formats/task_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "foreign/chakra.hpp"
#include "foreign/goal_binary.hpp"
#include "foreign/msccl.hpp"
#include "process/say.hpp"
#include "run/formats/trace_collectives.hpp"
#include "schedule/goal_notes.hpp"

namespace rondo {

namespace {

/// Larger GOAL files and traces are refused before they are read. MSCCL XML has no limit here.
constexpr std::uint64_t largest_task_file = std::uint64_t{32} << 30;

std::string checksum_words(std::uint64_t checksum) { return fmt::format("fnv1a:{:016x}", checksum); }

/// Reads GOAL, as text or in LogGOPSim's binary form.
TaskFile load_goal_file(std::string const& file, std::int64_t most_ranks) {
  std::string const text = read_file(file, largest_task_file);
  TaskFile result;
  result.checksum = checksum_words(fnv1a(text));
  // The binary form has no comments, so it cannot say how tasks move blocks.
  if (goal_binary::begins(text)) {
    result.graph.tasks = goal_binary::read(text, file, most_ranks);
  } else {
    NotedGraph noted = with_blocks(read_goal_notes(text, file, most_ranks), file);
    result.graph = std::move(noted.graph);
    result.tagged = noted.tagged;
  }
  return result;
}

/// Makes a remark only once, because a file may be read several times.
void remark_once(std::string const& remark) {
  static std::set<std::string> remarks;
  if (remarks.insert(remark).second) say("{}\n", printable(remark));
}

/// The file is read piece by piece, because XML of many chunks is large.
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
  if (algorithm.copies > 0) {
    remark_once(
        fmt::format("{}: {} <copy> of gpus are passed over, as MSCCL's interpreter does", file, algorithm.copies));
  }
  result.checksum = checksum_words(sum);
  result.graph = msccl::tasks(algorithm, chunk);
  result.promise = msccl::promise(algorithm);
  if (result.promise) result.promise_name = enum_name(algorithm.kind);
  result.slots = msccl::slots_of(algorithm.protocol);
  return result;
}

/// A Chakra trace has a file for each rank. The file of rank 0 stands for all of them.
TaskFile load_chakra(std::string const& file, std::int64_t most_ranks,
                     problem::CollectiveAlgorithms const& algorithms) {
  std::int64_t const ranks = scenario::traced_ranks(file);
  if (ranks == 0) {
    throw InputError(
        fmt::format("{}: expected the trace of rank 0, NAME.0.et, which stands for those of all ranks", file));
  }
  auto const name_of_rank = [&](std::int64_t rank) { return scenario::trace_of(file, rank); };
  // The number of ranks comes from the file with the largest number, so that a missing file is noticed.
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
  chakra::Collectives collectives;
  std::uint64_t sum = fnv1a("");
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::string const bytes = read_file(name_of_rank(rank), largest_task_file);
    sum = fnv1a(bytes, sum);
    chakra::add_rank(result.graph.tasks, bytes, name_of_rank(rank), static_cast<int>(ranks), collectives);
  }
  result.has_collectives = !collectives.nodes.empty();
  if (result.has_collectives) {
    result.graph.tasks = with_collectives(std::move(result.graph.tasks), collectives, file, algorithms);
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

void note_tasks(std::string const& file) { note_inputs(scenario::files_of_tasks(file)); }

/// Notes the files as inputs before they are read.
TaskFile load_tasks(std::string const& file, TaskFormat format, Bytes chunk, std::int64_t most_ranks,
                    problem::CollectiveAlgorithms const& algorithms) {
  note_tasks(file);
  TaskFile result = format == TaskFormat::goal    ? load_goal_file(file, most_ranks)
                    : format == TaskFormat::msccl ? load_msccl(file, chunk, most_ranks)
                                                  : load_chakra(file, most_ranks, algorithms);
  result.format = format;
  return result;
}

void resize_blocks(BlockGraph& graph, Bytes block) {
  for (std::size_t i = 0; i < graph.effects.size(); ++i) {
    Task& task = graph.tasks.tasks[i];
    std::uint32_t const carried = graph.effects[i].count;
    // The amount of a calculation is a time. A message without blocks has a size of its own.
    if (task.kind != TaskKind::calc && carried > 0) task.amount = (std::int64_t{carried} * block).value;
  }
}

std::int64_t moves_of(BlockGraph const& graph) {
  std::int64_t moves = 0;
  for (std::size_t i = 0; i < graph.tasks.tasks.size(); ++i) {
    TaskKind const kind = graph.tasks.tasks[i].kind;
    // A file without notes on blocks tells only its messages. With notes, sends and local copies move blocks.
    if (graph.buffers.empty()) {
      moves += kind == TaskKind::send ? 1 : 0;
    } else if (kind != TaskKind::receive) {
      moves += graph.effects[i].count;
    }
  }
  return moves;
}

}  // namespace rondo

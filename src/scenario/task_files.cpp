// Tells files of tasks by their names, and finds the traces of the other ranks beside that of rank 0.

#include "scenario/task_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace rondo::scenario {
namespace {

constexpr std::string_view trace_of_rank_0 = ".0.et";

/// The rank between `begin` and ".et" in the name of a trace.
std::optional<std::int64_t> rank_in(std::string_view name, std::string_view begin) {
  if (!name.starts_with(begin) || !name.ends_with(".et") || name.size() < begin.size() + 4) return std::nullopt;
  name.remove_prefix(begin.size());
  name.remove_suffix(3);
  constexpr std::size_t most_digits = 9;
  bool const is_number = name.size() <= most_digits && name.find_first_not_of("0123456789") == name.npos;
  if (!is_number || (name.size() > 1 && name[0] == '0')) return std::nullopt;
  return std::stoll(std::string(name));
}

/// The ranks of the traces beside that of rank 0, in ascending order.
std::vector<std::int64_t> ranks_beside(std::filesystem::path const& first) {
  std::string const name = first.filename().string();
  std::string const begin = name.substr(0, name.size() - 4);
  std::error_code failed;
  std::filesystem::path const folder = first.has_parent_path() ? first.parent_path() : ".";
  std::vector<std::int64_t> ranks;
  for (std::filesystem::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed)) {
    if (auto const rank = rank_in(each->path().filename().string(), begin)) ranks.push_back(*rank);
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

}  // namespace

std::optional<TaskFormat> task_format(std::string const& file) {
  if (file.ends_with(".goal") || file.ends_with(".bin")) return TaskFormat::goal;
  if (file.ends_with(".xml")) return TaskFormat::msccl;
  if (file.ends_with(".et")) return TaskFormat::chakra;
  return std::nullopt;
}

std::string trace_of(std::string const& first, std::int64_t rank) {
  return fmt::format("{}{}.et", first.substr(0, first.size() - 4), rank);
}

std::int64_t traced_ranks(std::string const& file) {
  if (!file.ends_with(trace_of_rank_0)) return 0;
  auto const ranks = ranks_beside(file);
  return ranks.empty() ? 1 : ranks.back() + 1;
}

/// All files that belong to one schedule: for Chakra the traces of all ranks, otherwise the file itself.
std::vector<std::string> files_of_tasks(std::string const& file) {
  std::vector<std::string> files{file};
  if (!file.ends_with(trace_of_rank_0)) return files;
  for (std::int64_t const rank : ranks_beside(file)) {
    if (rank > 0) files.push_back(trace_of(file, rank));
  }
  return files;
}

}  // namespace rondo::scenario

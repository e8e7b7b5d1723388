// Expands collectives of Chakra traces. A node becomes a part of a schedule between an empty begin and an end, so that
// requirements of the trace stay valid.

#include "run/formats/trace_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/text.hpp"
#include "generate/classical.hpp"
#include "scenario/load.hpp"
#include "scenario/task_files.hpp"
#include "schedule/verify.hpp"

namespace rondo {
namespace {

using chakra::CollectiveNode;
using problem::Classical;
using problem::ClassicalAlgorithm;

constexpr std::uint8_t no_cpu = 3;  ///< on which nothing waits (foreign/chakra.cpp)

std::vector<std::int32_t> all_ranks(int ranks) {
  std::vector<std::int32_t> all(at(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

using Groups = std::map<std::string, std::vector<std::int32_t>>;

/// The ranks of a process group in `file`.
std::vector<std::int32_t> ranks_in(scenario::Json const& list, std::string const& name, std::string const& file) {
  constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
  bool const fits = list.is_array() && std::ranges::all_of(list, [](scenario::Json const& each) {
                      return each.is_number_integer() && each >= 0 && each <= highest;
                    });
  if (!fits) {
    throw InputError(fmt::format("{}: process group \"{}\": expected a list of ranks, got {}", file, excerpt(name),
                                 excerpt(list.dump())));
  }
  return list.get<std::vector<std::int32_t>>();
}

/// Reads process groups from the text of a metadata node, as PyTorch writes it.
void add_groups(Groups& groups, std::string const& text, int ranks, std::string const& file) {
  // The inputs of a node are a list of one text: ['[{...}]'].
  auto const begin = text.find("[{"), end = text.rfind("}]");
  auto const list = begin == std::string::npos || end == std::string::npos
                        ? scenario::Json()
                        : scenario::Json::parse(text.substr(begin, end + 2 - begin), nullptr, false);
  if (!list.is_array()) {
    throw InputError(
        fmt::format("{}: expected process groups such as [{{\"pg_name\": \"0\", \"ranks\": [0, 1]}}], got {}", file,
                    excerpt(text)));
  }
  for (auto const& each : list) {
    if (!each.is_object() || !each.contains("pg_name") || !each["pg_name"].is_string()) continue;
    auto const name = each["pg_name"].get<std::string>();
    std::vector<std::int32_t> members;
    if (auto const stated = each.find("ranks"); stated != each.end()) members = ranks_in(*stated, name, file);
    groups[name] = members.empty() ? all_ranks(ranks) : std::move(members);
  }
}

std::string groups_beside(std::string const& file) {
  return std::filesystem::path(file).replace_extension().replace_extension(".groups.json").string();
}

/// The process groups of a file of ASTRA-sim, --comm-group-configuration.
void add_file(Groups& groups, std::string const& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  scenario::Json const members_by_group = scenario::load_json(file);
  for (auto const& [name, ranks] : members_by_group.items()) {
    groups[name] = ranks_in(ranks, name, file);
  }
}

/// A collective of a group, with the nodes of all its ranks.
struct GroupCollective {
  std::vector<std::int32_t> ranks;
  std::vector<CollectiveNode const*> nodes;  ///< by place in the group; null: not yet
};

/// The types of et_def.proto, in their order.
ClassicalCollective collective_of(std::uint64_t type) {
  using enum ClassicalCollective;
  constexpr ClassicalCollective known[] = {allreduce, reduce,   allgather,      gather,         scatter,
                                           bcast,     alltoall, reduce_scatter, reduce_scatter, barrier};
  return known[type];
}

/// The algorithm if the scenario names none.
ClassicalAlgorithm usual(ClassicalCollective collective) {
  switch (collective) {
    case ClassicalCollective::allreduce:
    case ClassicalCollective::allgather:
    case ClassicalCollective::reduce_scatter:
      return ClassicalAlgorithm("ring");
    case ClassicalCollective::alltoall:
      return ClassicalAlgorithm("pairwise");
    case ClassicalCollective::barrier:
      return ClassicalAlgorithm("dissemination");
    default:
      return ClassicalAlgorithm("binomial");
  }
}

/// The bytes of a block; if a vector is cut, rounded up.
Bytes block_of(ClassicalCollective collective, std::int64_t bytes, std::int64_t ranks) {
  using enum ClassicalCollective;
  bool const cut = collective == reduce_scatter || collective == alltoall || collective == scatter;
  if (collective == barrier) return Bytes(0);
  return Bytes(cut ? bytes / ranks + (bytes % ranks == 0 ? 0 : 1) : bytes);
}

/// Expands all collectives of a graph.
class Expansion {
 public:
  Expansion(TaskGraph graph, chakra::Collectives const& collectives, std::string const& file,
            problem::CollectiveAlgorithms const& algorithms)
      : old_(std::move(graph)), file_(file), algorithms_(algorithms) {
    add_file(groups_, groups_beside(file));
    for (std::string const& text : collectives.groups) add_groups(groups_, text, old_.ranks(), file);
    match_nodes(collectives.nodes);
  }

  /// Replaces each node of a collective by the rank's messages of its schedule.
  TaskGraph run() && {
    for (Task const& task : old_.tasks) {
      if (task.kind != TaskKind::calc) tags_.insert(task.tag);
    }
    std::map<std::uint32_t, Part> parts;  // by task
    for (GroupCollective const& each : group_collectives_) {
      Schedule const& schedule = schedule_of(each);
      std::uint32_t const tag = free_tag();
      for (std::size_t member = 0; member < each.ranks.size(); ++member) {
        parts[each.nodes[member]->task] = {&schedule, &each, static_cast<std::int32_t>(member), tag};
      }
    }
    write(parts);
    return std::move(new_);
  }

 private:
  /// What a rank does in a collective.
  struct Part {
    Schedule const* schedule = nullptr;
    GroupCollective const* of = nullptr;
    std::int32_t member = 0;
    std::uint32_t tag = 0;
  };

  [[noreturn]] void fail(CollectiveNode const& node, std::string const& what) const {
    throw InputError(
        fmt::format("{}: node {}: {}", scenario::trace_of(file_, node.rank), old_.lines.nodes[node.task], what));
  }

  /// The ranks of a node's process group.
  std::vector<std::int32_t> group_of(CollectiveNode const& node) const {
    if (!node.group) return all_ranks(old_.ranks());
    auto const found = groups_.find(*node.group);
    if (found == groups_.end()) {
      fail(node, fmt::format("pg_name: expected a process group that a METADATA_NODE or {} names, got \"{}\"",
                             groups_beside(file_), excerpt(*node.group)));
    }
    std::vector<std::int32_t> const& ranks = found->second;
    auto sorted = ranks;
    std::ranges::sort(sorted);
    bool const valid = !sorted.empty() && sorted.front() >= 0 && sorted.back() < old_.ranks() &&
                       std::ranges::adjacent_find(sorted) == sorted.end();
    if (!valid) {
      fail(node, fmt::format("pg_name: expected ranks from 0 to {}, each once, in group \"{}\", got {}",
                             old_.ranks() - 1, excerpt(*node.group), excerpt(listed(ranks, ", "))));
    }
    if (std::ranges::find(ranks, node.rank) == ranks.end()) {
      fail(node, fmt::format("pg_name: expected a process group with rank {} in it, got \"{}\"", node.rank,
                             excerpt(*node.group)));
    }
    return ranks;
  }

  /// Finds the nodes of one collective: the k-th node of a group at each of its ranks.
  void match_nodes(std::vector<CollectiveNode> const& nodes) {
    std::map<std::vector<std::int32_t>, std::vector<std::size_t>> collectives_by_group;  // by group: its collectives
    std::map<std::pair<std::vector<std::int32_t>, std::int32_t>, std::size_t> places;
    for (CollectiveNode const& node : nodes) {
      std::vector<std::int32_t> ranks = group_of(node);
      std::size_t const place = places[{ranks, node.rank}]++;
      auto& numbers = collectives_by_group[ranks];
      if (place == numbers.size()) {
        numbers.push_back(group_collectives_.size());
        group_collectives_.push_back({ranks, std::vector<CollectiveNode const*>(ranks.size(), nullptr)});
      }
      GroupCollective& group_collective = group_collectives_[numbers[place]];
      group_collective.nodes[at(std::ranges::find(ranks, node.rank) - ranks.begin())] = &node;
      CollectiveNode const& first =
          **std::ranges::find_if(group_collective.nodes, [](auto* each) { return each != nullptr; });
      if (first.type == node.type && first.bytes == node.bytes) continue;
      fail(node,
           fmt::format("expected comm_type {} and comm_size {}, those of node {} of rank {} in the same collective, "
                       "got {} and {}",
                       first.type, first.bytes, old_.lines.nodes[first.task], first.rank, node.type, node.bytes));
    }
    for (GroupCollective const& each : group_collectives_) {
      auto const missing = std::ranges::find(each.nodes, nullptr);
      if (missing == each.nodes.end()) continue;
      auto const* const present = *std::ranges::find_if(each.nodes, [](auto* node) { return node != nullptr; });
      fail(*present, fmt::format("expected a COMM_COLL_NODE of each rank of the group, rank {} has none for it",
                                 each.ranks[at(missing - each.nodes.begin())]));
    }
  }

  /// The schedule of a collective; each size is made and proved only once.
  Schedule const& schedule_of(GroupCollective const& group_collective) {
    CollectiveNode const& node = *group_collective.nodes.front();
    ClassicalCollective const collective = collective_of(node.type);
    auto const ranks = static_cast<int>(group_collective.ranks.size());
    auto const [found, is_new] = schedules_.try_emplace(std::tuple(collective, ranks, node.bytes));
    if (!is_new) return found->second;
    Classical problem{.collective = collective, .ranks = ranks, .sizes = block_of(collective, node.bytes, ranks)};
    auto const stated = algorithms_.find(collective);
    problem.algorithm = stated == algorithms_.end() ? usual(collective) : stated->second;
    try {
      problem::expect_ranks_fit(problem);
      found->second = generate::generate(problem);
      Verdict const verdict = verify(found->second, generate::promise(problem));
      if (!verdict.valid()) throw InputError(verdict.violations.front().text);
    } catch (InputError const& refused) {
      fail(node, fmt::format("{} by {}: {}", enum_name(problem::kind_of(collective)), enum_name(problem.algorithm),
                             refused.what()));
    }
    return found->second;
  }

  /// The highest tag that nothing else uses.
  std::uint32_t free_tag() {
    std::uint32_t tag = std::numeric_limits<std::uint32_t>::max() - 1;
    if (!tags_.empty() && *tags_.rbegin() == tag) {
      for (auto used = tags_.rbegin(); used != tags_.rend() && *used == tag; ++used) --tag;
    }
    tags_.insert(tag);
    return tag;
  }

  void push(Task const& task, std::uint64_t node) {
    new_.tasks.push_back(task);
    new_.lines.nodes.push_back(node);
  }

  /// Writes the new graph, rank by rank. Requirements on an old task become requirements on its last new one.
  void write(std::map<std::uint32_t, Part> const& parts) {
    std::vector<std::uint32_t> begin, end;  // by old task
    for (std::int32_t rank = 0; rank < old_.ranks(); ++rank) {
      for (std::uint32_t task = old_.first[at(rank)]; task < old_.first[at(rank) + 1]; ++task) {
        begin.push_back(next_task(new_));
        push(old_.tasks[task], old_.lines.nodes[task]);
        if (auto const part = parts.find(task); part != parts.end()) write(part->second, old_.lines.nodes[task]);
        end.push_back(next_task(new_) - 1);
      }
      new_.first.push_back(next_task(new_));
    }
    for (Requirement const& each : old_.requirements) {
      new_.requirements.push_back({begin[each.task], end[each.on], each.until});
    }
  }

  /// Writes the tasks of a part after the task that stands for its node: the first messages wait for that task, and an
  /// empty calculation waits for all of them.
  void write(Part const& part, std::uint64_t node) {
    std::uint32_t const before = next_task(new_) - 1, first = next_task(new_);
    TaskGraph const rounds = lower(*part.schedule, Rank(part.member));
    auto const count = static_cast<std::uint32_t>(rounds.tasks.size());
    std::vector<bool> waits(count, false);
    for (Task task : rounds.tasks) {
      if (task.kind == TaskKind::calc) {
        task.cpu = no_cpu;
      } else {
        task.tag = part.tag;
        task.peer = part.of->ranks[at(task.peer)];
      }
      push(task, node);
    }
    for (Requirement const& each : rounds.requirements) {
      waits[each.task] = true;
      new_.requirements.push_back({first + each.task, first + each.on, each.until});
    }
    push({.cpu = no_cpu}, node);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!waits[i]) new_.requirements.push_back({first + i, before, Until::finish});
      new_.requirements.push_back({first + count, first + i, Until::finish});
    }
    new_.requirements.push_back({first + count, before, Until::finish});
  }

  TaskGraph old_, new_;
  std::string const& file_;
  problem::CollectiveAlgorithms const& algorithms_;
  Groups groups_;
  std::vector<GroupCollective> group_collectives_;
  std::map<std::tuple<ClassicalCollective, int, std::int64_t>, Schedule> schedules_;
  std::set<std::uint32_t> tags_;
};

}  // namespace

TaskGraph with_collectives(TaskGraph graph, chakra::Collectives const& collectives, std::string const& file,
                           problem::CollectiveAlgorithms const& algorithms) {
  return Expansion(std::move(graph), collectives, file, algorithms).run();
}

}  // namespace rondo

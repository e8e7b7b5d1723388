// Reads workloads: steps that are collectives or calculations on groups of ranks. The collective of a step is read as
// if it were the collective of a scenario of its own, whose ranks are the members of one group; errors are then mapped
// back to the step.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/suggest.hpp"
#include "scenario/kinds.hpp"
#include "scenario/promise.hpp"
#include "scenario/validate.hpp"
#include "scenario/workload.hpp"

namespace rondo::scenario {
namespace {

using Groups = std::vector<std::vector<std::int32_t>>;

/// The groups of ranks with the same number, in the order of their first ranks.
template <typename Number>
Groups by_number(int ranks, Number number) {
  Groups groups;
  std::map<std::int64_t, std::size_t> index_of;
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    auto const [group, is_new] = index_of.emplace(number(rank), groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(rank);
  }
  return groups;
}

int integer_up_to(Place const& place, int largest) {
  bool const fits = place.value.is_number_integer() && place.value >= 1 && place.value <= largest;
  if (!fits) throw place.error(fmt::format("expected an integer from 1 to {}, got {}", largest, shown(place.value)));
  return place.integer();
}

/// Extents whose product is the number of ranks.
std::vector<int> extents_of(Place const& place, int ranks) {
  std::vector<int> extents;
  std::int64_t product = 1;
  if (place.value.is_array()) {
    for (int i = 0; i < static_cast<int>(place.value.size()); ++i) {
      extents.push_back(integer_up_to(place.item(i), ranks));
      // Stops at ranks + 1, so the product cannot overflow.
      product = std::min<std::int64_t>(product * extents.back(), std::int64_t{ranks} + 1);
    }
  }
  if (extents.empty() || product != ranks) {
    throw place.error(fmt::format("expected a list of extents whose product is {}, got {}", ranks, shown(place.value)));
  }
  return extents;
}

/// Groups as lists of ranks. No rank may be in two of them.
Groups listed_groups(Place const& place, int ranks) {
  Groups groups;
  std::set<std::int32_t> seen;
  if (place.value.empty()) throw place.error("expected at least one list of ranks, got an empty list");
  for (int g = 0; g < static_cast<int>(place.value.size()); ++g) {
    Place const group = place.item(g);
    if (!group.value.is_array() || group.value.empty()) {
      throw group.error("expected a list of at least one rank, got " + shown(group.value));
    }
    groups.emplace_back();
    for (int i = 0; i < static_cast<int>(group.value.size()); ++i) {
      Place const rank = group.item(i);
      if (!rank.value.is_number_integer() || rank.value < 0 || rank.value >= ranks) {
        throw rank.error(fmt::format("expected a rank from 0 to {}, got {}", ranks - 1, shown(rank.value)));
      }
      groups.back().push_back(rank.integer());
      if (!seen.insert(groups.back().back()).second) {
        throw rank.error(fmt::format("expected each rank once, got {} again", groups.back().back()));
      }
    }
  }
  return groups;
}

Groups one_group(int ranks) {
  Groups one(1);
  one[0].resize(static_cast<std::size_t>(ranks));
  std::iota(one[0].begin(), one[0].end(), 0);
  return one;
}

/// The groups of a step: all ranks, the ranks of each host, rows or columns of a grid, every n-th rank, consecutive
/// ranks of a size, or lists.
Groups read_groups(Place const& place, int first_rank, int ranks, Platform const& machine) {
  if (place.value == "all") return one_group(ranks);
  if (place.value == "hosts") {
    // A platform file has one rank on each host; its hosts are not known yet.
    if (std::holds_alternative<PlatformFile>(machine.topology)) {
      return by_number(ranks, [](std::int32_t rank) { return rank; });
    }
    // Ranks that the machine lacks are refused later (expect_hosts in parse.cpp). Until then any host will do.
    std::int64_t const ranks_of_machine = rondo::ranks(machine) - first_rank;
    return by_number(ranks, [&](std::int32_t rank) {
      return rank < ranks_of_machine ? host_of(machine, Rank(first_rank + rank)) : 0;
    });
  }
  if (place.value.is_array()) return listed_groups(place, ranks);
  static std::vector<std::string> const keys{"rows", "columns", "every", "size"};
  bool const has_one_key = place.value.is_object() && place.value.size() == 1;
  std::string const key = has_one_key ? place.value.begin().key() : "";
  if (std::ranges::find(keys, key) == keys.end()) {
    throw place.error(fmt::format(R"(expected "all", "hosts", an object with one of {}, or lists of ranks, got {}{})",
                                  quoted(keys), shown(place.value), has_one_key ? did_you_mean(key, keys) : ""));
  }
  Place const argument = place[key.c_str()];
  if (key == "every" || key == "size") {
    int const k = integer_up_to(argument, ranks);
    return by_number(ranks, [&](std::int32_t rank) { return key == "every" ? rank % k : rank / k; });
  }
  // Rows run along the last dimension, columns along the first.
  std::vector<int> const extents = extents_of(argument, ranks);
  int const last = extents.back(), stride_of_first = ranks / extents.front();
  return by_number(ranks, [&](std::int32_t rank) { return key == "rows" ? rank / last : rank % stride_of_first; });
}

/// Reads the collective of a step. It makes a scenario of one group (machine, collective, algorithm, block) and reads
/// that, so a step accepts what a scenario accepts.
class StepCollective {
 public:
  StepCollective(Place const& step, Setting const& outer) : step_(step), outer_(outer) {
    for (char const* key : {"algorithm", "block"}) {
      if (step.has(key)) group_scenario_[key] = step.value[key];
    }
    if (!step.has("block") && outer.root.has("block")) group_scenario_["block"] = outer.root.value["block"];
    group_scenario_["machine"] = outer.root.value["machine"];
    group_scenario_["collective"] = step.value["collective"];
    Place const word = step["collective"]["kind"];
    auto const kind = value_of<problem::Kind>(word.text());
    if (kind && !is_promised(*kind)) {
      throw word.error(fmt::format("expected a collective for which Rondo has schedules, got {}", shown(word.value)));
    }
    sized_by_group_ = kind && problem::classical_collective(*kind);
    if (sized_by_group_ && step["collective"].has("ranks")) {
      throw step["collective"]["ranks"].error("expected no \"ranks\", because the group determines them, got " +
                                              shown(step["collective"]["ranks"].value));
    }
  }

  /// Whether all groups of the same size have the same problem. A hierarchy depends on the hosts of a group's ranks.
  bool same_for_all() const { return !step_["collective"].has("hierarchy"); }

  /// The collective of one group. The machine keeps only the ranks of the group, which matters for groups of hosts.
  Problem read(std::vector<std::int32_t> const& group) {
    auto const size = static_cast<int>(group.size());
    if (sized_by_group_) group_scenario_["collective"]["ranks"] = size;
    Platform machine = outer_.machine;
    machine.rank_of_part = group;
    auto const place_of = [&](std::string const& pointer) {
      return pointer.starts_with("/machine") ? pointer : step_.pointer + pointer;
    };
    return read_as_scenario(step_.file, place_of, [&] {
      validate(group_scenario_, step_.file, Extent::whole);
      Place const root{group_scenario_, step_.file, ""};
      Place const collective = root["collective"];
      Bytes const block = root.has("block") ? root["block"].size() : Bytes(0);
      Setting const setting{root, group_scenario_.value("algorithm", ""), block, outer_.seed, machine};
      Problem problem = read_kind(known_value<problem::Kind>(collective["kind"].text()), collective, setting);
      expect_fits(collective, problem, size, block);
      return problem;
    });
  }

 private:
  /// Throws if the collective has another number of ranks than the group, or bytes in a barrier.
  static void expect_fits(Place const& collective, Problem const& problem, int size, Bytes block) {
    if (int const stated = problem::ranks(problem); stated != size) {
      throw collective.error(fmt::format("expected the {} ranks of a group, got {}", size, stated));
    }
    auto const* classical = std::get_if<problem::Classical>(&problem);
    if (classical != nullptr && classical->benchmark) {
      throw collective["benchmark"].error("expected false in a step, got true");
    }
    problem::Kind const collective_kind = kind(problem);
    bool const barrier = collective_kind == problem::Kind::sparse_barrier || collective_kind == problem::Kind::barrier;
    if (barrier && block != Bytes(0)) {
      throw error_at(collective.file, "/block", fmt::format("expected \"0B\" for a barrier, got \"{}\"", print(block)));
    }
  }

  Place step_;
  Setting const& outer_;
  Json group_scenario_;
  bool sized_by_group_ = false;  ///< MPI's collectives get their number of ranks from the group
};

/// Reads a step of the job whose ranks are first_rank .. first_rank + ranks - 1.
problem::WorkloadStep read_step(Place const& place, int first_rank, int ranks, Setting const& setting) {
  problem::WorkloadStep step;
  step.name = place["name"].text();
  step.overlap = place.value.value("overlap", false);
  Groups groups =
      place.has("groups") ? read_groups(place["groups"], first_rank, ranks, setting.machine) : one_group(ranks);
  for (auto& group : groups) {
    for (std::int32_t& rank : group) rank += first_rank;
  }
  if (place.has("collective") == place.has("compute")) {
    throw place.error(fmt::format("expected either \"collective\" or \"compute\", got {}",
                                  place.has("collective") ? "both" : "neither"));
  }
  if (place.has("noise") && !place.has("compute")) {
    throw place["noise"].error("expected no \"noise\" without \"compute\", got " + shown(place["noise"].value));
  }
  if (place.has("compute")) {
    for (char const* key : {"algorithm", "block"}) {
      if (!place.has(key)) continue;
      throw place[key].error(
          fmt::format("expected no \"{}\" beside \"compute\", got {}", key, shown(place[key].value)));
    }
    step.computing = place["compute"].unit(parse_seconds);
    for (auto& group : groups) step.groups.push_back({std::move(group), 0});
    return step;
  }
  StepCollective collective(place, setting);
  std::map<std::size_t, std::size_t> problem_of_size;  // by size of group: the index in step.problems
  for (auto& group : groups) {
    auto const [of_size, is_new] = problem_of_size.emplace(group.size(), step.problems.size());
    if (is_new || !collective.same_for_all()) {
      of_size->second = step.problems.size();
      step.problems.push_back(collective.read(group));
    }
    step.groups.push_back({std::move(group), of_size->second});
  }
  return step;
}

/// Names of steps must differ, because "after" and the record refer to them.
void expect_distinct_names(problem::Workload const& workload, Place const& steps) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < workload.steps.size(); ++i) {
    Place const name = steps.item(static_cast<int>(i))["name"];
    if (workload.steps[i].name == enum_name(problem::Kind::workload)) {
      throw name.error("expected a name other than \"workload\", which is the name of the whole");
    }
    if (seen.insert(workload.steps[i].name).second) continue;
    throw name.error(fmt::format("expected each name once, got \"{}\" again", workload.steps[i].name));
  }
}

/// Reads the names of the steps that a step waits for, as their numbers. Throws if steps would wait in a cycle.
void read_after(problem::Workload& workload, Place const& steps) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> number;
  for (auto const& step : workload.steps) {
    number.emplace(step.name, names.size());
    names.push_back(step.name);
  }
  for (std::size_t i = 0; i < workload.steps.size(); ++i) {
    Place const step = steps.item(static_cast<int>(i));
    if (!step.has("after")) continue;
    auto& after = workload.steps[i].after.emplace();
    for (int k = 0; k < static_cast<int>(step["after"].value.size()); ++k) {
      Place const name = step["after"].item(k);
      auto const found = number.find(name.text());
      if (found == number.end()) {
        throw name.error(fmt::format("expected the name of a step, one of {}, got \"{}\"{}", quoted(names),
                                     excerpt(name.text()), did_you_mean(name.text(), names)));
      }
      after.push_back(found->second);
    }
  }
}

/// Throws if steps wait for each other in a cycle, because each of them would begin only after itself.
void expect_no_cycle(problem::Workload const& workload, Place const& steps) {
  auto const cycle = problem::circular_wait(workload);
  if (cycle.empty()) return;
  std::string text;
  for (std::size_t const number : cycle) text += fmt::format("\"{}\" is after ", workload.steps[number].name);
  std::size_t const first = cycle.front();
  Place const step = steps.item(static_cast<int>(first));
  throw step[step.has("after") ? "after" : "name"].error(fmt::format(
      "expected steps that do not wait for each other, got a cycle: {}\"{}\"", text, workload.steps[first].name));
}

/// A workload has either jobs or steps of its own.
Problem read_workload(Place const& collective, Setting const& setting) {
  if (!collective.has("jobs")) return read_steps(collective, 0, setting);
  for (char const* key : {"ranks", "repeat", "steps"}) {
    if (collective.has(key)) {
      throw collective[key].error(
          fmt::format("expected no \"{}\" beside \"jobs\", got {}", key, shown(collective[key].value)));
    }
  }
  return read_jobs(collective["jobs"], setting);
}

}  // namespace

/// The steps of one job, on its ranks. `first_rank` is the job's first rank on the machine.
problem::Workload read_steps(Place const& collective, int first_rank, Setting const& setting) {
  for (char const* key : {"ranks", "steps"}) {
    if (!collective.has(key)) throw collective.error(fmt::format("missing key \"{}\"", key));
  }
  problem::Workload workload;
  workload.ranks = collective["ranks"].integer();
  Place const steps = collective["steps"];
  for (int i = 0; i < static_cast<int>(steps.value.size()); ++i) {
    workload.steps.push_back(read_step(steps.item(i), first_rank, workload.ranks, setting));
  }
  expect_distinct_names(workload, steps);
  read_after(workload, steps);
  problem::WorkloadJob& job = workload.jobs.emplace_back();
  job.ranks = workload.ranks;
  job.steps = workload.steps.size();
  job.repeat = collective.value.value("repeat", 1);
  constexpr std::int64_t most_steps = 1'000'000;
  // Without "repeat" the list has at most 10000 steps, so the key exists here.
  if (std::ssize(workload.steps) * job.repeat > most_steps) {
    throw collective["repeat"].error(fmt::format("expected no more than {} steps in all, got {}", most_steps,
                                                 std::ssize(workload.steps) * job.repeat));
  }
  expect_no_cycle(workload, steps);
  return workload;
}

std::vector<CollectiveKind> workload_kinds() { return {{problem::Kind::workload, workload_schema(), read_workload}}; }

}  // namespace rondo::scenario

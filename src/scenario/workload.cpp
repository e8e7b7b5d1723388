// Reads workloads: steps on groups of ranks.

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

constexpr char const* workload_kind = R"json({
  "kind": "workload",
  "description": "several collectives and calculations on the ranks of one machine, one after the other or side by side",
  "properties": {
    "ranks": {"type": "integer", "minimum": 1, "maximum": 1048576, "description": "p: the number of ranks; required without jobs"},
    "repeat": {"type": "integer", "minimum": 1, "maximum": 100000,
               "description": "how many times the list of steps is carried out; 1 by default"},
    "steps": {
      "type": "array", "title": "a list of 1 to 10000 steps", "minItems": 1, "maxItems": 10000,
      "description": "the list of steps; required without jobs",
      "items": {
        "type": "object", "title": "an object such as {\"name\": \"sum\", \"collective\": {\"kind\": \"allreduce\"}, \"algorithm\": \"ring\"}",
        "required": ["name"], "additionalProperties": false,
        "properties": {
          "name": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "title": "a name of letters, digits and _",
                   "description": "the name of the step in claims and records"},
          "collective": {"type": "object", "title": "an object such as {\"kind\": \"allreduce\"}", "required": ["kind"],
                         "properties": {"kind": {"type": "string"}},
                         "description": "the collective that each group of ranks does, with the keys of a scenario's collective. MPI's collectives have no \"ranks\" here. A step has either collective or compute."},
          "algorithm": {"type": "string", "title": "an algorithm", "description": "the algorithm of the collective"},
          "block": {"type": "string", "title": "a string with a unit such as \"64KiB\"",
                    "description": "the bytes of a block of the collective; the scenario's by default"},
          "compute": {"type": "string", "title": "a string with a unit such as \"50us\"",
                      "description": "the time that the CPU of each rank calculates"},
          "noise": {"description": "random times that are added to the calculations of this step, in the place of the machine's noise/compute"},
          "groups": {"type": ["string", "object", "array"],
                     "title": "\"all\", \"hosts\", {\"rows\": dims}, {\"columns\": dims}, {\"every\": k}, {\"size\": k} or lists of ranks",
                     "description": "the groups of ranks that do the collective separately; all ranks as one group by default"},
          "after": {"type": "array", "title": "a list of names of steps", "items": {"type": "string"},
                    "description": "the names of steps that a rank must end before it begins this one; the last step before it that does not overlap by default"},
          "overlap": {"type": "boolean", "description": "whether ranks begin later steps before this one has ended; false by default"}
        }
      }
    },
    "jobs": {
      "type": "array", "title": "a list of 1 to 10000 jobs", "minItems": 1, "maxItems": 10000,
      "description": "several workloads that run at the same time, each on its own hosts. They replace ranks, repeat and steps.",
      "items": {
        "type": "object", "title": "an object such as {\"name\": \"training\", \"workload\": {\"ranks\": 8, \"steps\": [{\"name\": \"work\", \"compute\": \"20us\"}]}}",
        "required": ["name"], "additionalProperties": false,
        "properties": {
          "name": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "title": "a name of letters, digits and _",
                   "description": "the name of the job in claims and records"},
          "workload": {"type": "object", "title": "an object such as {\"ranks\": 8, \"steps\": [{\"name\": \"work\", \"compute\": \"20us\"}]}",
                       "description": "the workload of the job, with the keys ranks, steps and repeat; give either workload or tasks"},
          "tasks": {"type": "string", "minLength": 1, "title": "the name of a file",
                    "description": "a file of tasks for the ranks: GOAL or a Chakra trace, relative to the scenario's folder. Either all jobs have tasks, or none has."},
          "ranks": {"type": "integer", "minimum": 1, "maximum": 1048576, "description": "the number of ranks of the tasks; required with tasks"},
          "hosts": {"type": ["string", "array"], "title": "\"block\", \"scattered\", \"random\" or a list of hosts",
                    "description": "the hosts that only this job uses; \"block\" by default"},
          "start": {"type": "string", "title": "a string with a unit such as \"50us\"",
                    "description": "the time at which its ranks come; \"0us\" by default"}
        }
      }
    }
  }
})json";

using Groups = std::vector<std::vector<std::int32_t>>;

/// The groups of ranks with the same number, in the order of their first ranks.
template <typename Number>
Groups by_number(int ranks, Number number) {
  Groups groups;
  std::map<std::int64_t, std::size_t> known;
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    auto const [group, is_new] = known.emplace(number(rank), groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(rank);
  }
  return groups;
}

int number_from(Place const& at, int most) {
  bool const fits = at.value.is_number_integer() && at.value >= 1 && at.value <= most;
  if (!fits) throw at.error(fmt::format("expected an integer from 1 to {}, got {}", most, shown(at.value)));
  return at.integer();
}

/// Extents whose product is the number of ranks.
std::vector<int> extents_of(Place const& at, int ranks) {
  std::vector<int> extents;
  std::int64_t product = 1;
  if (at.value.is_array()) {
    for (int i = 0; i < static_cast<int>(at.value.size()); ++i) {
      extents.push_back(number_from(at.item(i), ranks));
      product = std::min<std::int64_t>(product * extents.back(), std::int64_t{ranks} + 1);
    }
  }
  if (extents.empty() || product != ranks) {
    throw at.error(fmt::format("expected a list of extents whose product is {}, got {}", ranks, shown(at.value)));
  }
  return extents;
}

Groups listed_groups(Place const& at, int ranks) {
  Groups groups;
  std::set<std::int32_t> seen;
  if (at.value.empty()) throw at.error("expected one list of ranks or more, got none");
  for (int g = 0; g < static_cast<int>(at.value.size()); ++g) {
    Place const group = at.item(g);
    if (!group.value.is_array() || group.value.empty()) {
      throw group.error("expected a list of one rank or more, got " + shown(group.value));
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

Groups all_of(int ranks) {
  Groups one(1);
  one[0].resize(static_cast<std::size_t>(ranks));
  std::iota(one[0].begin(), one[0].end(), 0);
  return one;
}

Groups read_groups(Place const& at, int first_rank, int ranks, Platform const& machine) {
  if (at.value == "all") return all_of(ranks);
  if (at.value == "hosts") {
    if (std::holds_alternative<PlatformFile>(machine.topology)) {  // which has one rank on each host
      return by_number(ranks, [](std::int32_t rank) { return rank; });
    }
    std::int64_t const there = rondo::ranks(machine) - first_rank;
    return by_number(ranks,
                     [&](std::int32_t rank) { return rank < there ? host_of(machine, Rank(first_rank + rank)) : 0; });
  }
  if (at.value.is_array()) return listed_groups(at, ranks);
  static std::vector<std::string> const known{"rows", "columns", "every", "size"};
  std::string const key = at.value.is_object() && at.value.size() == 1 ? at.value.begin().key() : "";
  if (std::ranges::find(known, key) == known.end()) {
    throw at.error(fmt::format(R"(expected "all", "hosts", an object with one of {}, or lists of ranks, got {}{})",
                               quoted(known), shown(at.value),
                               at.value.is_object() && at.value.size() == 1 ? did_you_mean(key, known) : ""));
  }
  Place const said = at[key.c_str()];
  if (key == "every" || key == "size") {
    int const k = number_from(said, ranks);
    return by_number(ranks, [&](std::int32_t rank) { return key == "every" ? rank % k : rank / k; });
  }
  std::vector<int> const extents = extents_of(said, ranks);
  int const last = extents.back(), below_first = ranks / extents.front();
  return by_number(ranks, [&](std::int32_t rank) { return key == "rows" ? rank / last : rank % below_first; });
}

/// A collective of a step, as the scenario of its group alone, so that one schema serves both.
class StepCollective {
 public:
  StepCollective(Place const& step, Setting const& around) : step_(step), around_(around) {
    for (char const* key : {"algorithm", "block"}) {
      if (step.has(key)) alone_[key] = step.value[key];
    }
    if (!step.has("block") && around.root.has("block")) alone_["block"] = around.root.value["block"];
    alone_["machine"] = around.root.value["machine"];
    alone_["collective"] = step.value["collective"];
    Place const kind = step["collective"]["kind"];
    auto const known = value_of<problem::Kind>(kind.text());
    if (known && !is_promised(*known)) {
      throw kind.error(fmt::format("expected a collective that is a schedule of Rondo's, got {}", shown(kind.value)));
    }
    bool const on_all = known && problem::classical_collective(*known);
    if (on_all && step["collective"].has("ranks")) {
      throw step["collective"]["ranks"].error("expected none, those of the group are taken, got " +
                                              shown(step["collective"]["ranks"].value));
    }
    takes_ranks_ = on_all;
  }

  /// Whether all groups of the same size have the same problem.
  bool same_for_all() const { return !step_["collective"].has("hierarchy"); }

  Problem read(std::vector<std::int32_t> const& group) {
    auto const size = static_cast<int>(group.size());
    if (takes_ranks_) alone_["collective"]["ranks"] = size;
    Platform machine = around_.machine;
    machine.rank_of_part = group;
    auto const place_of = [&](std::string const& pointer) {
      return pointer.starts_with("/machine") ? pointer : step_.pointer + pointer;
    };
    return read_elsewhere(step_.file, place_of, [&] {
      validate(alone_, step_.file, Extent::whole);
      Place const root{alone_, step_.file, ""};
      Place const collective = root["collective"];
      Bytes const block = root.has("block") ? root["block"].size() : Bytes(0);
      Setting const setting{root, alone_.value("algorithm", ""), block, around_.seed, machine};
      Problem problem = read_kind(known_value<problem::Kind>(collective["kind"].text()), collective, setting);
      expect_fits(collective, problem, size, block);
      return problem;
    });
  }

 private:
  static void expect_fits(Place const& collective, Problem const& problem, int size, Bytes block) {
    if (int const stated = problem::ranks(problem); stated != size) {
      throw collective.error(fmt::format("expected the {} ranks of a group, got {}", size, stated));
    }
    auto const* classical = std::get_if<problem::Classical>(&problem);
    if (classical != nullptr && classical->benchmark) {
      throw collective["benchmark"].error("expected false in a step, got true");
    }
    problem::Kind const asked = kind(problem);
    bool const barrier = asked == problem::Kind::sparse_barrier || asked == problem::Kind::barrier;
    if (barrier && block != Bytes(0)) {
      throw error_at(collective.file, "/block", fmt::format("expected \"0B\" for a barrier, got \"{}\"", print(block)));
    }
  }

  Place step_;
  Setting const& around_;
  Json alone_;
  bool takes_ranks_ = false;
};

/// Reads a step of the ranks from `first_rank` on.
problem::WorkloadStep read_step(Place const& at, int first_rank, int ranks, Setting const& setting) {
  problem::WorkloadStep step;
  step.name = at["name"].text();
  step.overlap = at.value.value("overlap", false);
  Groups groups = at.has("groups") ? read_groups(at["groups"], first_rank, ranks, setting.machine) : all_of(ranks);
  for (auto& group : groups) {
    for (std::int32_t& rank : group) rank += first_rank;
  }
  if (at.has("collective") == at.has("compute")) {
    throw at.error(
        fmt::format("expected either \"collective\" or \"compute\", got {}", at.has("collective") ? "both" : "none"));
  }
  if (at.has("noise") && !at.has("compute")) {
    throw at["noise"].error("expected none without \"compute\", got " + shown(at["noise"].value));
  }
  if (at.has("compute")) {
    for (char const* key : {"algorithm", "block"}) {
      if (at.has(key)) throw at[key].error("expected none beside \"compute\", got " + shown(at[key].value));
    }
    step.computing = at["compute"].unit(parse_seconds);
    for (auto& group : groups) step.groups.push_back({std::move(group), 0});
    return step;
  }
  StepCollective collective(at, setting);
  std::map<std::size_t, std::size_t> known;  // by size
  for (auto& group : groups) {
    auto const [of_size, is_new] = known.emplace(group.size(), step.problems.size());
    if (is_new || !collective.same_for_all()) {
      of_size->second = step.problems.size();
      step.problems.push_back(collective.read(group));
    }
    step.groups.push_back({std::move(group), of_size->second});
  }
  return step;
}

void read_after(problem::Workload& workload, Place const& steps) {
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < workload.steps.size(); ++i) {
    Place const name = steps.item(static_cast<int>(i))["name"];
    if (workload.steps[i].name == word_of(problem::Kind::workload)) {
      throw name.error("expected another name than that of the whole, got \"workload\"");
    }
    if (number.emplace(workload.steps[i].name, i).second) continue;
    throw name.error(fmt::format("expected each name once, got \"{}\" again", workload.steps[i].name));
  }
  std::vector<std::string> names;
  for (auto const& step : workload.steps) names.push_back(step.name);
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

/// Throws if steps wait for each other in a circle, because each of them would begin only after itself.
void expect_no_circle(problem::Workload const& workload, Place const& steps) {
  auto const circle = problem::circular_wait(workload);
  if (circle.empty()) return;
  std::string text;
  for (std::size_t const each : circle) text += fmt::format("\"{}\" is after ", workload.steps[each].name);
  std::size_t const first = circle.front();
  Place const step = steps.item(static_cast<int>(first));
  throw step[step.has("after") ? "after" : "name"].error(fmt::format(
      "expected steps that do not wait for each other, got a circle: {}\"{}\"", text, workload.steps[first].name));
}

Problem read_workload(Place const& collective, Setting const& setting) {
  if (!collective.has("jobs")) return read_steps(collective, 0, setting);
  for (char const* key : {"ranks", "repeat", "steps"}) {
    if (collective.has(key)) {
      throw collective[key].error("expected none beside \"jobs\", got " + shown(collective[key].value));
    }
  }
  return read_jobs(collective["jobs"], setting);
}

}  // namespace

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
  read_after(workload, steps);
  problem::WorkloadJob& job = workload.jobs.emplace_back();
  job.ranks = workload.ranks;
  job.steps = workload.steps.size();
  job.repeat = collective.value.value("repeat", 1);
  constexpr std::int64_t most = 1'000'000;
  if (std::ssize(workload.steps) * job.repeat > most) {
    throw collective["repeat"].error(
        fmt::format("expected no more than {} steps in all, got {}", most, std::ssize(workload.steps) * job.repeat));
  }
  expect_no_circle(workload, steps);
  return workload;
}

std::vector<CollectiveKind> workload_kinds() {
  return {{problem::Kind::workload, json_of(workload_kind), read_workload}};
}

}  // namespace rondo::scenario

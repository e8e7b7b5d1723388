// Reads workloads of several jobs that share a machine: the hosts of each job, its steps or its file of tasks, and its
// start. Each job is read like a scenario of its own, with its hosts as the machine.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/file.hpp"
#include "base/random.hpp"
#include "scenario/permitted_input.hpp"
#include "scenario/task_files.hpp"
#include "scenario/validate.hpp"
#include "scenario/workload.hpp"

namespace rondo::scenario {
namespace {

bool has_tasks(Place const& job) { return job.has("tasks"); }

/// The place that states the ranks of a job.
Place ranks_of(Place const& job) { return has_tasks(job) ? job["ranks"] : job["workload"]["ranks"]; }

/// The free hosts of the machine while jobs take theirs.
class FreeHosts {
 public:
  explicit FreeHosts(int hosts) : taken_(static_cast<std::size_t>(hosts), false) {}

  /// Takes the hosts of a list, in the order of the list.
  std::vector<int> take_list(Place const& list, int count) {
    std::vector<int> hosts;
    if (std::ssize(list.value) != count) {
      throw list.error(fmt::format("expected a list of {} hosts, which the ranks of the job need, got {}", count,
                                   list.value.size()));
    }
    for (int i = 0; i < count; ++i) {
      Place const host = list.item(i);
      auto const most = static_cast<int>(taken_.size()) - 1;
      if (!host.value.is_number_integer() || host.value < 0 || host.value > most) {
        throw host.error(fmt::format("expected a host from 0 to {}, got {}", most, shown(host.value)));
      }
      hosts.push_back(host.integer());
      if (taken_[static_cast<std::size_t>(hosts.back())]) {
        throw host.error(fmt::format("expected a host that no job has yet, got {} again", hosts.back()));
      }
      taken_[static_cast<std::size_t>(hosts.back())] = true;
    }
    return hosts;
  }

  /// Takes free hosts by the rule of the word, in ascending order.
  std::vector<int> take(Place const& job, std::string const& word, int count, Random& random) {
    std::vector<int> free = all();
    if (std::ssize(free) < count) {
      throw ranks_of(job).error(
          fmt::format("expected ranks for at most {} hosts, which no other job has, got {} for {}", free.size(),
                      ranks_of(job).integer(), count));
    }
    auto const needed = static_cast<std::size_t>(count);
    std::vector<int> hosts;
    if (word == "random") {
      for (std::size_t i = 0; i < needed; ++i) std::swap(free[i], free[i + random.below(free.size() - i)]);
    }
    for (std::size_t i = 0; i < needed; ++i) {
      hosts.push_back(word == "scattered" ? free[i * free.size() / needed] : free[i]);
    }
    std::ranges::sort(hosts);
    for (int const host : hosts) taken_[static_cast<std::size_t>(host)] = true;
    return hosts;
  }

  std::vector<int> all() const {
    std::vector<int> free;
    for (std::size_t host = 0; host < taken_.size(); ++host) {
      if (!taken_[host]) free.push_back(static_cast<int>(host));
    }
    return free;
  }

 private:
  std::vector<bool> taken_;
};

/// Decides on which hosts the jobs run.
class Hosts {
 public:
  Hosts(Place const& jobs, Setting const& setting)
      : each_(setting.machine.ranks_per_host),
        cyclic_(std::holds_alternative<CyclicPlacement>(setting.machine.placement)),
        free_(hosts_of(jobs, setting.machine)) {
    auto const count = static_cast<int>(jobs.value.size());
    of_job_.resize(static_cast<std::size_t>(count));
    // Jobs with named hosts come first, so that the order of jobs does not decide whether these hosts are free.
    for (int i = 0; i < count; ++i) {
      Place const job = jobs.item(i);
      if (is_list(job)) of_job(i) = free_.take_list(job["hosts"], needed(job));
    }
    for (int i = 0; i < count; ++i) {
      Place const job = jobs.item(i);
      if (is_list(job)) continue;
      std::string const word = job.has("hosts") ? job["hosts"].text() : "block";
      if (word != "block" && std::holds_alternative<PlatformFile>(setting.machine.topology)) {
        throw job["hosts"].error(
            R"(expected "block" or a list of hosts on a platform file, whose hosts are counted later, got )" +
            shown(job["hosts"].value));
      }
      if (word != "block" && word != "scattered" && word != "random") {
        throw job["hosts"].error(fmt::format(R"(expected "block", "scattered", "random" or a list of hosts, got {})",
                                             shown(job["hosts"].value)));
      }
      Random random(setting.seed * 1'000'003 + static_cast<std::uint64_t>(i));
      of_job(i) = free_.take(job, word, needed(job), random);
    }
  }

  /// The host of each rank of a job.
  std::vector<int> of_ranks(int job, int ranks) {
    std::vector<int> const& hosts = of_job(job);
    std::vector<int> result;
    for (int rank = 0; rank < ranks; ++rank) {
      int const place = cyclic_ ? rank % static_cast<int>(hosts.size()) : rank / each_;
      result.push_back(hosts[static_cast<std::size_t>(place)]);
    }
    return result;
  }

 private:
  /// The number of hosts. Those of a platform file are unknown here, so it is the largest number that jobs can
  /// use.
  static int hosts_of(Place const& jobs, Platform const& machine) {
    if (!std::holds_alternative<PlatformFile>(machine.topology)) return hosts(machine);
    std::int64_t most = 0, ranks = 0;
    for (int i = 0; i < static_cast<int>(jobs.value.size()); ++i) {
      Place const job = jobs.item(i);
      ranks += ranks_of(job).integer();
      if (!is_list(job)) continue;
      for (Json const& host : job["hosts"].value) {
        if (host.is_number_integer()) most = std::max(most, host.get<std::int64_t>());
      }
    }
    return static_cast<int>(std::min<std::int64_t>(most + ranks + 1, Torus::most_ranks));
  }

  static bool is_list(Place const& job) { return job.has("hosts") && job["hosts"].value.is_array(); }
  std::vector<int>& of_job(int job) { return of_job_[static_cast<std::size_t>(job)]; }
  int needed(Place const& job) const { return (ranks_of(job).integer() - 1) / each_ + 1; }

  int each_;
  bool cyclic_;
  FreeHosts free_;
  std::vector<std::vector<int>> of_job_;
};

/// A job's workload as the scenario of this job alone, so that one schema serves both.
Json scenario_of(Place const& job, Setting const& setting) {
  Json job_scenario;
  for (char const* key : {"machine", "block"}) {
    if (setting.root.has(key)) job_scenario[key] = setting.root.value[key];
  }
  job_scenario["algorithm"] = enum_name(problem::Kind::workload);
  job_scenario["collective"] = job["workload"].value;
  job_scenario["collective"]["kind"] = job_scenario["algorithm"];
  return job_scenario;
}

/// Reads one job. Places in errors are those in the whole scenario.
template <typename Read>
auto read_job(Place const& job, Setting const& setting, Read read) {
  Json const job_scenario = scenario_of(job, setting);
  auto const place_of = [&](std::string const& pointer) {
    constexpr std::string_view collective_place = "/collective";
    return pointer.starts_with(collective_place) ? job.pointer + "/workload" + pointer.substr(collective_place.size())
                                                 : pointer;
  };
  return read_as_scenario(job.file, place_of, [&] { return read(Place{job_scenario, job.file, ""}); });
}

/// Checks the file of a job that is given by tasks.
void expect_tasks(Place const& job) {
  if (!job.has("ranks")) throw job.error("missing key \"ranks\"");
  std::string const path = named_file(job["tasks"]);
  auto const format = task_format(path);
  if (!format || *format == TaskFormat::msccl) {
    throw job["tasks"].error("expected a file of GOAL (*.goal) or a Chakra trace (*.0.et), got " +
                             shown(job["tasks"].value));
  }
  note_inputs(files_of_tasks(path));
}

/// Refuses keys of the whole that each job states itself.
void expect_jobs(Place const& jobs, Setting const& setting) {
  std::set<std::string> names;
  for (int i = 0; i < static_cast<int>(jobs.value.size()); ++i) {
    Place const job = jobs.item(i), name = job["name"];
    if (name.text() == enum_name(problem::Kind::workload)) {
      throw name.error("expected a name other than \"workload\", which is the name of the whole");
    }
    if (!names.insert(name.text()).second) {
      throw name.error(fmt::format("expected each name once, got \"{}\" again", name.text()));
    }
    if (job.has("workload") == has_tasks(job)) {
      throw job.error(
          fmt::format("expected either \"workload\" or \"tasks\", got {}", has_tasks(job) ? "both" : "none"));
    }
    if (has_tasks(job) != has_tasks(jobs.item(0))) {
      throw job.error("expected all jobs with \"workload\", or all with \"tasks\", got one of each");
    }
    if (has_tasks(job)) {
      expect_tasks(job);
      continue;
    }
    if (job.has("ranks"))
      throw job["ranks"].error("expected no \"ranks\" beside \"workload\", which has its own, got " +
                               shown(job["ranks"].value));
    for (char const* key : {"ranks", "steps"}) {
      if (!job["workload"].has(key)) throw job["workload"].error(fmt::format("missing key \"{}\"", key));
    }
    for (char const* key : {"jobs", "kind"}) {
      if (job["workload"].has(key))
        throw job["workload"][key].error(
            fmt::format("expected no \"{}\" in a job, got {}", key, shown(job["workload"][key].value)));
    }
    read_job(job, setting, [&](Place const& job_scenario) {
      validate(job_scenario.value, job_scenario.file, Extent::whole);
      return true;
    });
  }
}

/// Throws if the jobs have more ranks than the machine, or if ranks are placed by a list of their own.
void expect_machine(Place const& jobs, Setting const& setting) {
  Place const machine = setting.root["machine"];
  if (std::holds_alternative<ListPlacement>(setting.machine.placement)) {
    throw machine["placement"].error(
        R"(expected "block" or "cyclic" for jobs, which have hosts of their own, got a list)");
  }
  std::int64_t ranks = 0;
  for (int i = 0; i < static_cast<int>(jobs.value.size()); ++i) ranks += ranks_of(jobs.item(i)).integer();
  if (std::holds_alternative<PlatformFile>(setting.machine.topology)) return;
  if (ranks > rondo::ranks(setting.machine)) {
    throw jobs.error(fmt::format("expected at most {} ranks in all jobs, those of the machine, got {}",
                                 rondo::ranks(setting.machine), ranks));
  }
}

/// Appends a job: its ranks and steps get the next numbers of the whole.
void add(problem::Workload& whole, problem::Workload job, std::string const& name, Seconds start) {
  problem::WorkloadJob& job_data = job.jobs.front();
  job_data.name = name;
  job_data.start = start;
  job_data.first_rank = whole.ranks;
  job_data.first_step = whole.steps.size();
  for (problem::WorkloadStep& step : job.steps) {
    step.name = name + "." + step.name;
    if (step.after) {
      for (std::size_t& before : *step.after) before += job_data.first_step;
    }
    whole.steps.push_back(std::move(step));
  }
  whole.ranks += job.ranks;
  whole.jobs.push_back(job_data);
}

}  // namespace

/// Reads all jobs, in their order. Hosts that no job has stay idle.
problem::Workload read_jobs(Place const& jobs, Setting const& setting) {
  expect_jobs(jobs, setting);
  expect_machine(jobs, setting);
  Hosts hosts(jobs, setting);
  problem::Workload whole;
  whole.ranks = 0;
  for (int i = 0; i < static_cast<int>(jobs.value.size()); ++i) {
    auto const job_hosts = hosts.of_ranks(i, ranks_of(jobs.item(i)).integer());
    whole.host_of.insert(whole.host_of.end(), job_hosts.begin(), job_hosts.end());
  }
  // The machine places all its ranks, so that the ranks of no job come last. A platform file has only the ranks of
  // jobs.
  std::vector<int> left(static_cast<std::size_t>(rondo::hosts(setting.machine)), setting.machine.ranks_per_host);
  if (!left.empty()) {
    for (int const host : whole.host_of) --left[static_cast<std::size_t>(host)];
  }
  for (std::size_t host = 0; host < left.size(); ++host) {
    whole.host_of.insert(whole.host_of.end(), static_cast<std::size_t>(left[host]), static_cast<int>(host));
  }
  Platform machine = setting.machine;
  machine.placement = ListPlacement{whole.host_of};
  for (int i = 0; i < static_cast<int>(jobs.value.size()); ++i) {
    Place const job = jobs.item(i);
    Seconds const start = job.unit("start", parse_seconds, Seconds(0));
    if (has_tasks(job)) {
      problem::Workload tasks;
      tasks.ranks = job["ranks"].integer();
      tasks.jobs.emplace_back().ranks = tasks.ranks;
      tasks.jobs.front().tasks = named_file(job["tasks"]);
      add(whole, std::move(tasks), job["name"].text(), start);
      continue;
    }
    problem::Workload workload = read_job(job, setting, [&](Place const& job_scenario) {
      return read_steps(job_scenario["collective"], whole.ranks,
                        {job_scenario, setting.algorithm, setting.block, setting.seed, machine});
    });
    add(whole, std::move(workload), job["name"].text(), start);
  }
  return whole;
}

}  // namespace rondo::scenario

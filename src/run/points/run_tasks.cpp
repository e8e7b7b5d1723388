// Turns the simulated run of a program into tasks: a message waits for the events that had ended when it started. The
// result is a schedule that other programs can run, for one machine and one run.

#include "run/points/run_tasks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <queue>

#include "base/ids.hpp"

namespace rondo {
namespace {

/// A send or a receive, with the time for which it occupied its rank.
struct Event {
  Seconds start, end;
  Task task;
};

/// Writes the tasks of one rank.
class RankTasks {
 public:
  explicit RankTasks(TaskGraph& graph) : graph_(graph) {}

  /// Adds the next event of a rank, in the order of starts.
  void add(Event const& event) {
    end_until(event.start);
    std::optional<std::uint32_t> const waits = calculation_before(event.start);
    auto const number = push(event.task);
    if (waits) {
      graph_.requirements.push_back({number, *waits, Until::finish});
    } else {
      require_latest(number);
    }
    on_its_way_.push({event.end, event.start, number});
  }

 private:
  struct Done {
    Seconds end, start;
    std::uint32_t task = 0;
    friend bool operator<(Done const& a, Done const& b) { return a.end > b.end; }  // the earliest end first
  };

  std::uint32_t push(Task const& task) {
    graph_.tasks.push_back(task);
    return static_cast<std::uint32_t>(graph_.tasks.size() - 1);
  }

  /// Ends all events up to this time, and drops those that a later event need not name: others already require them.
  void end_until(Seconds time) {
    while (!on_its_way_.empty() && on_its_way_.top().end <= time) {
      Done const done = on_its_way_.top();
      on_its_way_.pop();
      if (latest_.empty() || done.start > last_start_) {
        last_start_ = done.start;
        last_started_ = done.task;
      }
      last_end_ = std::max(last_end_, done.end);
      latest_.push_back(done);
    }
    // A later task requires those that had ended when it started.
    std::erase_if(latest_, [&](Done const& each) { return each.end <= last_start_ && each.task != last_started_; });
  }

  void require_latest(std::uint32_t task) {
    for (Done const& each : latest_) graph_.requirements.push_back({task, each.task, Until::finish});
  }

  /// The calculation that ends at this time, if there is one.
  std::optional<std::uint32_t> calculation_before(Seconds start) {
    if (calculation_ && start == calculated_until_) return calculation_;
    calculation_.reset();
    std::int64_t const nanoseconds = std::llround((start - last_end_).value * 1e9);
    if (!on_its_way_.empty() || nanoseconds < 1) return std::nullopt;
    calculation_ = push({.amount = nanoseconds});
    calculated_until_ = start;
    require_latest(*calculation_);
    return calculation_;
  }

  TaskGraph& graph_;
  std::priority_queue<Done> on_its_way_;
  std::vector<Done> latest_;  ///< that have ended, but for those that others of them required
  Seconds last_start_{0}, last_end_{0}, calculated_until_{0};
  std::uint32_t last_started_ = 0;
  std::optional<std::uint32_t> calculation_;
};

}  // namespace

/// Messages between two ranks get successive tags, so that each receive names its send.
TaskGraph tasks_of_run(Timeline const& run) {
  std::vector<std::vector<Event>> by_rank(at(run.ranks));
  std::map<std::pair<Rank, Rank>, std::uint32_t> tags;
  for (TimedMessage const& each : run.messages) {
    MessageTimes const& p = each.times;
    std::uint32_t const tag = tags[{p.source, p.target}]++;
    by_rank[at(p.source)].push_back(
        {p.send_start,
         p.send_end,
         {.kind = TaskKind::send, .peer = p.target.value, .tag = tag, .amount = p.bytes.value}});
    by_rank[at(p.target)].push_back(
        {p.receive_start,
         p.receive_end,
         {.kind = TaskKind::receive, .peer = p.source.value, .tag = tag, .amount = p.bytes.value}});
  }
  TaskGraph graph;
  for (std::vector<Event>& events : by_rank) {
    std::ranges::stable_sort(events, {}, &Event::start);
    RankTasks tasks(graph);
    for (Event const& each : events) tasks.add(each);
    graph.first.push_back(static_cast<std::uint32_t>(graph.tasks.size()));
  }
  return graph;
}

TaskGraph run_of(Plan const& plan, scenario::Scenario const& scenario, std::string const& file) {
  constexpr std::int64_t most_messages = 10'000'000;
  return tasks_of_run(timeline_of(plan, scenario, file, most_messages));
}

}  // namespace rondo

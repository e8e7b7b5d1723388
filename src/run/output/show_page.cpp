// The data of the page are the layout of ranks, moves of blocks, times of messages, positions of routers, loads of
// links, and the messages over the busiest link. Limits keep the page small enough for a browser.

#include "run/output/show_page.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/version.hpp"
#include "platform/regular.hpp"
#include "platform/routing.hpp"
#include "run/families/plan.hpp"
#include "run/families/promises.hpp"
#include "run/output/page.hpp"
#include "run/output/show.hpp"
#include "run/points/preview.hpp"
#include "run/points/simulate.hpp"
#include "run/points/traffic.hpp"
#include "schedule/measure.hpp"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

Json grid_layout(Torus const& torus) {
  if (torus.dimensions() == 1) return {{"kind", "ring"}};
  if (torus.dimensions() > 3) return {{"kind", "circle"}};
  return {{"kind", "torus"}, {"extents", torus.extents()}};
}

/// The drawing of a topology, as JSON; null for one that cannot be drawn.
struct LayoutOf {
  Json operator()(TorusMachine const& machine) const { return grid_layout(machine.torus); }
  Json operator()(MeshMachine const& machine) const { return grid_layout(machine.grid); }
  Json operator()(Ring const&) const { return {{"kind", "ring"}}; }
  Json operator()(Dragonfly const& machine) const {
    return {{"kind", "clusters"}, {"sizes", std::vector<int>(at(machine.groups), machine.chassis * machine.routers)}};
  }
  Json operator()(FatTree const& machine) const {
    return {{"kind", "levels"}, {"sizes", regular::switches_by_level(machine)}};
  }
  Json operator()(HyperX const& machine) const {
    int const row = machine.dims.back();
    return {{"kind", "clusters"}, {"sizes", std::vector<int>(at(regular::routers(machine) / row), row)}};
  }
  Json operator()(DragonflyPlus const& machine) const {
    return {{"kind", "clusters"}, {"sizes", std::vector<int>(at(machine.groups), machine.leaves + machine.spines)}};
  }
  Json operator()(SlimFly const& machine) const {
    return {{"kind", "clusters"}, {"sizes", std::vector<int>(at(2 * machine.q), machine.q)}};
  }
  Json operator()(GraphMachine const&) const { return {{"kind", "circle"}}; }
  Json operator()(FullyConnected const&) const { return nullptr; }
  Json operator()(PlatformFile const&) const { return nullptr; }
};

/// The messages over a link, by their places.
std::vector<std::size_t> crossing(BlockMoves const& moves, Platform const& platform, LinkId link) {
  Routes const routes(platform);
  std::vector<std::size_t> result;
  std::vector<LinkId> route;
  for (std::size_t i = 0; i < moves.messages.size(); ++i) {
    BlockMoves::Message const& message = moves.messages[i];
    int const from = host_of(platform, message.source), to = host_of(platform, message.target);
    route.clear();
    if (from != to) routes.append(from, to, route);
    if (std::ranges::find(route, link) != route.end()) result.push_back(i);
  }
  return result;
}

/// What the page of a schedule draws of the links between routers, null where the machine has none, where messages
/// choose their routes as they start, and where there are too many:
///
///   {"layout": {"kind": "ring" | "torus" | "clusters" | "levels" | "circle", "extents": [...] of a torus, "sizes":
///    routers of each group or level}, "routers", "capacity": bytes a second of a cable, "loads": [[FROM, TO, CABLES,
///    BYTES], ...] with envelopes, "busiest": its place in loads, or null if none carries a byte, "crossing": the
///    messages over it, by their place in moves.messages}
Json show_links(LinkLoads const& loads, BlockMoves const& moves, Platform const& platform) {
  Json layout = std::visit(LayoutOf{}, platform.topology);
  if (layout.is_null() || loads.links.empty() || std::ssize(loads.links) > most_shown_links) return nullptr;
  Json rows = Json::array();
  for (LinkLoad const& each : loads.links) rows.push_back({each.ends.from, each.ends.to, each.ends.cables, each.bytes});
  auto const busiest = std::ranges::max_element(loads.links, {}, &LinkLoad::bytes);
  bool const idle = busiest->bytes == 0;
  return {{"layout", std::move(layout)},
          {"routers", routers(platform.topology)},
          {"capacity", platform.link_bandwidth.value_or(platform.bandwidth).value},
          {"loads", std::move(rows)},
          {"busiest", idle ? Json(nullptr) : Json(busiest - loads.links.begin())},
          {"crossing", idle ? Json::array() : Json(crossing(moves, platform, busiest->id))}};
}

int senders_of(problem::Problem const& problem) {
  auto const* intergroup = std::get_if<problem::Intergroup>(&problem);
  return intergroup != nullptr ? intergroup->groups.senders() : 0;
}

/// The torus on which ranks can be drawn; unset if the problem has none.
std::optional<Torus> torus_of(Schedule const& schedule, problem::Problem const& problem) {
  if (schedule.torus) return schedule.torus;
  auto const of_graph = [](problem::GraphSource const& graph) {
    auto const on = problem::on_torus(graph);
    return on ? std::optional(on->torus) : std::nullopt;
  };
  if (auto const* const neighbor = std::get_if<problem::Neighbor>(&problem)) return of_graph(neighbor->graph);
  if (auto const* const sparse = std::get_if<problem::SparseOnGraph>(&problem)) return of_graph(sparse->graph);
  return std::nullopt;
}

Json layout_of(Schedule const& schedule, problem::Problem const& problem) {
  int const senders = senders_of(problem);
  Json layout = {{"kind", senders == 0 ? "circle" : "groups"}};
  if (auto const torus = torus_of(schedule, problem)) {
    layout["kind"] = torus->dimensions() == 1 ? "ring" : torus->dimensions() <= 3 ? "torus" : "circle";
    layout["extents"] = torus->extents();
  }
  layout["senders"] = senders;
  return layout;
}

void expect_small(Schedule const& schedule, Measures const& measures, std::string const& file) {
  expect_at_most(most_shown_ranks, schedule.ranks, "ranks", file);
  expect_at_most(most_shown_messages, measures.messages, "messages", file);
  std::int64_t blocks = 0;
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) blocks += send.count;
    }
  }
  expect_at_most(most_shown_blocks, blocks, "blocks in messages", file);
}

/// The simulated messages of a round between two ranks, in their order.
class Times {
 public:
  explicit Times(Timeline const& timeline) {
    for (TimedMessage const& message : timeline.messages) times_[key(message)].push_back(message.times);
  }
  /// Start of the send and end of the receive; null where there was no run.
  std::pair<Json, Json> take(BlockMoves::Message const& message) {
    auto const found = times_.find({message.round, message.source.value, message.target.value});
    if (found == times_.end() || found->second.empty()) return {nullptr, nullptr};
    MessageTimes const times = found->second.front();
    found->second.pop_front();
    return {times.send_start.value, times.receive_end.value};
  }

 private:
  using Key = std::tuple<int, int, int>;
  static Key key(TimedMessage const& m) { return {m.round, m.times.source.value, m.times.target.value}; }
  std::map<Key, std::deque<MessageTimes>> times_;
};

/// Adds contents and messages in the compact form that the script reads: lists instead of objects.
void add_messages(Json& data, BlockMoves const& moves, Times times) {
  for (auto const& [first, contributions] : moves.contents) {
    Json item = {first.origin.value, first.block.value};
    if (contributions > 1) item.push_back(contributions);
    data["contents"].push_back(std::move(item));
  }
  for (BlockMoves::Message const& m : moves.messages) {
    auto const [start, end] = times.take(m);
    data["messages"].push_back(
        Json::array({m.round, m.source.value, m.target.value, m.bytes.value, m.blocks, m.received, start, end}));
  }
  data["owed"] = moves.owed;
  data["delivered"] = moves.delivered;
}

void add_verdict(Json& data, Schedule const& schedule, Verdict const& verdict) {
  for (Violation const& each : verdict.violations) {
    data["violations"].push_back({{"rank", each.rank.value}, {"round", each.round}, {"text", each.text}});
  }
  data["violation_count"] = verdict.violation_count;
  data["proved"] = verdict.valid();
  if (verdict.valid()) data["proof"] = proof_text(schedule, verdict);
}

/// The timeline of the simulated run. If there is no run, it is empty, and `data` says why. For a program with more
/// messages than are shown, there is nothing to show.
Timeline run_of(Plan const& plan, scenario::Scenario const& scenario, std::string const& file, Json& data) {
  try {
    Timeline timeline = timeline_of(plan, scenario, file, most_shown_messages);
    data["makespan"] = timeline.makespan.value;
    return timeline;
  } catch (NoRun const& why) {
    data["no_run"] = why.what();
  } catch (InputError const& why) {
    if (!std::holds_alternative<SchedulePlan>(plan)) throw;
    data["no_run"] = why.what();
  }
  return {};
}

/// The part that pages of schedules and of programs have in common; all else is empty.
Json begun(scenario::Scenario const& scenario, std::string const& file) {
  return {{"version", version()},
          {"title", scenario.title},
          {"collective", enum_name(kind(scenario.problem))},
          {"algorithm", algorithm(scenario.problem)},
          {"engine", scenario::to_string(scenario.engine)},
          {"file", file},
          {"program", false},
          {"tasks", false},
          {"benchmark", false},
          {"ranks", ranks(scenario.problem)},
          {"rounds", 0},
          {"block_bytes", scenario.block.value},
          {"layout", {{"kind", "circle"}, {"senders", 0}}},
          {"contents", Json::array()},
          {"messages", Json::array()},
          {"steps", Json::array()},
          {"owed", Json::array()},
          {"delivered", Json::array()},
          {"violations", Json::array()},
          {"violation_count", 0},
          {"proved", false},
          {"proof", nullptr},
          {"makespan", nullptr},
          {"no_run", nullptr},
          {"links", nullptr},
          {"expanded", scenario.expanded}};
}

void add_verdict(Json& data, TaskFile const& tasks) {
  TaskVerdict const verdict = judge(tasks);
  for (TaskFinding const& each : verdict.first) {
    data["violations"].push_back({{"rank", each.rank ? each.rank->value : 0}, {"round", 0}, {"text", each.text}});
  }
  data["violation_count"] = verdict.violations;
  data["proved"] = verdict.violations == 0;
  if (verdict.violations == 0) data["proof"] = proof_text(tasks, verdict);
}

/// The data of a program or of tasks: the messages of the run, each as a content of its sender. It is unknown what
/// ranks are owed.
Json program_data(Plan const& plan, scenario::Scenario const& scenario, std::string const& file) {
  Json data = begun(scenario, file);
  if (auto const* const tasks = std::get_if<TaskPlan>(&plan)) {
    data["tasks"] = true;
    add_verdict(data, tasks->tasks);
  }
  data["program"] = true;
  Timeline const timeline = run_of(plan, scenario, file, data);
  for (int rank = 0; rank < ranks(scenario.problem); ++rank) data["contents"].push_back({rank, 0});
  for (TimedMessage const& message : timeline.messages) {
    MessageTimes const& p = message.times;
    data["messages"].push_back(
        Json::array({0, p.source.value, p.target.value, p.bytes.value, Json::array({p.source.value}), true,
                     p.send_start.value, p.receive_end.value}));
  }
  // Bars above the messages show the steps of a workload, or the calls of a program.
  for (auto const* spans : {&timeline.steps, &timeline.calls}) {
    for (CallSpan const& each : *spans) {
      data["steps"].push_back(Json::array({each.rank.value, each.start.value, each.end.value, each.name}));
    }
  }
  data["owed"] = std::vector<int>(static_cast<std::size_t>(ranks(scenario.problem)), 0);
  data["delivered"].push_back(data["owed"]);
  return data;
}

}  // namespace

Json show_data(scenario::Scenario const& scenario, std::string const& file) {
  expect_at_most(most_shown_ranks, ranks(scenario.problem), "ranks", file);  // before a schedule is made
  if (auto const extent = extent_of(scenario); extent && extent->accuracy == Accuracy::counted) {
    expect_at_most(most_shown_messages, extent->messages, "messages", file);
  }
  Plan const plan = plan_of(scenario, file);
  if (!std::holds_alternative<SchedulePlan>(plan)) return program_data(plan, scenario, file);
  SchedulePlan const& chosen = schedule_plan(plan, file);
  Schedule const& schedule = chosen.schedule;
  expect_small(schedule, measure(schedule), file);
  Json data = begun(scenario, file);
  data["benchmark"] = chosen.benchmark;
  data["rounds"] = schedule.rounds();
  data["layout"] = layout_of(schedule, scenario.problem);
  add_verdict(data, schedule, verify(schedule, chosen.collective, machine_limits(scenario.machine, schedule)));
  Timeline const timeline = run_of(plan, scenario, file, data);
  BlockMoves const moves = block_moves(schedule, chosen.collective);
  add_messages(data, moves, Times(timeline));
  data["links"] = show_links(link_loads(schedule, scenario.machine), moves, scenario.machine);
  return data;
}

Shown show_page(scenario::Scenario const& scenario, std::string const& file) {
  Json const data = show_data(scenario, file);
  std::string const title = data["title"].get<std::string>();
  bool const failed = data["program"].get<bool>() && !data["no_run"].is_null();
  return {html_page(title.empty() ? file : title, data, {"page.css", "show.css"},
                    {"page.js", "layout.js", "moment.js", "stage.js", "gantt.js", "links.js", "show.js"}),
          data["proved"].get<bool>() || (data["program"].get<bool>() && !failed),
          failed ? data["no_run"].get<std::string>() : ""};
}

}  // namespace rondo

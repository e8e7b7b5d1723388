// The native engine beside SMPI over the scenarios that Rondo ships, claims included.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "engine/engine.hpp"
#include "run/families/plan.hpp"
#include "run/points/job.hpp"
#include "sanitized.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"

namespace rondo {
namespace {

/// Few points of each scenario, so that all take seconds.
constexpr std::size_t points_of_a_file = test::thinned > 1 ? 2 : 4;
/// Schedules of more ranks take long to make, and have more messages than are compared.
constexpr int most_ranks = 2048;
constexpr std::int64_t most_messages = 15000 / test::thinned;

double seconds(Schedule const& schedule, Platform const& machine, Rank from, Transfer const& transfer) {
  Rank const to = schedule.peer(from, transfer);
  Bytes const bytes = schedule.program(from).bytes(transfer) + machine.envelope;
  return (startup(machine, host_of(machine, from), host_of(machine, to)) + bytes / machine.bandwidth).value;
}

/// Bounds of the simulated time: every order of the messages takes at least `least`, and every order that starts each
/// message as soon as it can start takes at most `most`.
struct Bounds {
  double least = 0, most = 0;
};

/// A rank's ports serve the messages of its round alone. While a message m from s to t waits, all k send ports of s or
/// all k receive ports of t are busy with other messages of the round, S - |m| and R - |m| of work; once all ranks have
/// entered the round it ends within (S + R - 2|m|)/k + |m|. And each round keeps a port of a rank busy for S/k or R/k.
Bounds bounds_of(Schedule const& schedule, Platform const& machine) {
  auto const p = static_cast<std::size_t>(schedule.ranks);
  double const k = machine.ports;
  std::vector<double> busy(p, 0);
  Bounds bounds;
  for (int round = 1; round <= schedule.rounds(); ++round) {
    std::vector<double> sending(p, 0), receiving(p, 0);
    auto const each_message = [&](auto act) {
      for (int r = 0; r < schedule.ranks; ++r) {
        Program const& program = schedule.program(Rank(r));
        if (round > program.rounds()) continue;
        for (Transfer const& send : program.sends(round)) {
          act(static_cast<std::size_t>(r), static_cast<std::size_t>(schedule.peer(Rank(r), send).value),
              seconds(schedule, machine, Rank(r), send));
        }
      }
    };
    each_message([&](std::size_t from, std::size_t to, double time) {
      sending[from] += time;
      receiving[to] += time;
    });
    double longest = 0;
    each_message([&](std::size_t from, std::size_t to, double time) {
      longest = std::max(longest, (sending[from] + receiving[to] - 2 * time) / k + time);
    });
    bounds.most += longest;
    for (std::size_t r = 0; r < p; ++r) busy[r] += std::max(sending[r], receiving[r]) / k;
  }
  bounds.least = *std::max_element(busy.begin(), busy.end());
  return bounds;
}

/// Whether no rank posts more at once than its ports serve.
bool never_waits_for_ports(Schedule const& schedule, Platform const& machine) {
  return schedule.promises.ports != 0 && schedule.promises.ports <= machine.ports;
}

enum class Compared : std::uint8_t { no, equal, bounded };

Compared compare(scenario::Scenario const& scenario, std::string const& file, std::string const& what) {
  Platform const& machine = scenario.machine;
  for (auto const engine : {scenario::Engine::native, scenario::Engine::smpi}) {
    if (!scenario::engine_misfit(engine, machine).empty()) return Compared::no;
  }
  if (ranks(scenario.problem) > most_ranks) return Compared::no;
  // A user program has no schedule, and is not started unasked.
  if (std::holds_alternative<problem::UserProgram>(scenario.problem)) return Compared::no;
  Plan const made = plan_of(scenario, file);
  // Only SMPI runs programs.
  if (std::holds_alternative<ProgramPlan>(made)) return Compared::no;
  auto const& plan = std::get<SchedulePlan>(made);
  if (measure(plan.schedule).messages > most_messages) return Compared::no;
  if (!verify(plan.schedule, plan.collective, allowed_by(machine, plan.schedule)).valid()) return Compared::no;
  Outcome const smpi = simulate_smpi(plan.schedule, plan.collective, machine, {Payload::timing, Seconds(0)});
  Outcome const native = simulate_native(plan.schedule, machine, {});
  if (!smpi.result || !native.result) {
    ADD_FAILURE() << what << ": " << smpi.error << native.error;
    return Compared::no;
  }
  EXPECT_EQ(native.result->messages, smpi.result->messages) << what;
  EXPECT_EQ(native.result->bytes, smpi.result->bytes) << what;
  double const n = native.result->makespan.value, s = smpi.result->makespan.value;
  if (never_waits_for_ports(plan.schedule, machine)) {
    EXPECT_NEAR(n, s, 1e-9 * s) << what;
    return Compared::equal;
  }
  Bounds const bounds = bounds_of(plan.schedule, machine);
  for (double const time : {n, s}) {
    EXPECT_GE(time, bounds.least * (1 - 1e-9)) << what;
    EXPECT_LE(time, bounds.most * (1 + 1e-9)) << what;
  }
  return Compared::bounded;
}

TEST(LongEngines, agree_over_all_scenarios) {
  int equal = 0, bounded = 0;
  std::size_t files = 0;
  for (std::string const& file : scenario_files({RONDO_SOURCE_DIR "/scenarios"})) {
    scenario::Sweep const sweep(scenario::load(file), file);
    std::size_t const stride = (sweep.size() + points_of_a_file - 1) / points_of_a_file;
    bool compared = false;
    for (std::size_t i = 0; i < sweep.size(); i += stride) {
      Compared const kind = compare(scenario::parse(sweep[i], file), file, fmt::format("{}: point {}", file, i + 1));
      equal += kind == Compared::equal ? 1 : 0;
      bounded += kind == Compared::bounded ? 1 : 0;
      compared = compared || kind != Compared::no;
    }
    files += compared ? 1 : 0;
  }
  EXPECT_GE(files, 20u);
  EXPECT_GE(equal, 40 / test::thinned);
  EXPECT_GE(bounded, 1);
}

}  // namespace
}  // namespace rondo

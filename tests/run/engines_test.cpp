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

/// Schedules of more ranks take long to make, and have more messages than are compared.
constexpr int most_ranks = 2048;
constexpr std::int64_t most_messages = 15000 / test::thinned;

enum class Compared : std::uint8_t { no, equal };

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
  if (!verify(plan.schedule, plan.collective, machine_limits(machine, plan.schedule)).valid()) return Compared::no;
  Outcome const smpi = simulate_smpi(plan.schedule, plan.collective, machine, {Payload::timing, Seconds(0)});
  Outcome const native = simulate_native(plan.schedule, machine, {});
  if (!smpi.result || !native.result) {
    ADD_FAILURE() << what << ": " << smpi.error << native.error;
    return Compared::no;
  }
  EXPECT_EQ(native.result->messages, smpi.result->messages) << what;
  EXPECT_EQ(native.result->bytes, smpi.result->bytes) << what;
  double const n = native.result->makespan.value, s = smpi.result->makespan.value;
  EXPECT_NEAR(n, s, 1e-9 * s) << what;
  return Compared::equal;
}

/// On so many points of each file, which lie apart.
void expect_to_agree(std::size_t points_of_a_file, int least_equal) {
  int equal = 0;
  std::size_t files = 0;
  for (std::string const& file : scenario_files({RONDO_SOURCE_DIR "/scenarios"}).scenarios) {
    scenario::Sweep const sweep(scenario::load(file), file);
    std::size_t const stride = (sweep.size() + points_of_a_file - 1) / points_of_a_file;
    bool compared = false;
    for (std::size_t i = 0; i < sweep.size(); i += stride) {
      Compared const kind = compare(scenario::parse(sweep[i], file), file, fmt::format("{}: point {}", file, i + 1));
      equal += kind == Compared::equal ? 1 : 0;
      compared = compared || kind != Compared::no;
    }
    files += compared ? 1 : 0;
  }
  EXPECT_GE(files, 20u);
  EXPECT_GE(equal, least_equal);
}

TEST(LongEngines, agree_over_all_scenarios) { expect_to_agree(2, 40 / test::thinned); }
TEST(LongEngines, DISABLED_agree_on_more_points_of_all_scenarios) { expect_to_agree(10, 200); }

}  // namespace
}  // namespace rondo

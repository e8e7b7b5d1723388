// The stable set of headers at work, in a project outside the tree: a schedule from the catalogue and one written by
// hand are proved, measured and simulated. Expected values are those of the papers' formulas.

#include <cmath>
#include <cstdio>
#include <rondo/generate.hpp>
#include <rondo/measure.hpp>
#include <rondo/schedule.hpp>
#include <rondo/simulate.hpp>
#include <rondo/verify.hpp>
#include <vector>

using namespace rondo;

namespace {

bool failed = false;

void expect(bool holds, char const* what) {
  std::printf("%s: %s\n", holds ? "holds" : "FAILS", what);
  failed = failed || !holds;
}

bool near(Seconds time, double expected) { return std::abs(time.value - expected) <= 1e-9 * expected; }

Platform machine(int hosts) {
  Platform platform;
  platform.topology = FullyConnected{hosts};
  platform.latency = Seconds(1e-6);
  platform.bandwidth = BytesPerSecond(1e9);
  return platform;
}

/// The 9-point stencil on 4 x 4 ranks by message combining: D = 4 rounds, V = 12 blocks [Traeff16, Proposition 1].
void stencil() {
  problem::Isomorphic const problem{.torus = Torus({4, 4}), .neighborhood = moore(2, 1), .sizes = Bytes(1000)};
  Schedule const schedule = generate::generate(problem);
  Collective const promise = generate::promise(problem);
  expect(verify(schedule, promise).valid(), "the stencil's blocks are delivered");
  auto const counts = measure(schedule);
  expect(counts.rounds == 4 && counts.volume_blocks == 12, "the stencil takes D = 4 rounds of V = 12 blocks");
  double const expected = 4 * 1e-6 + 12 * 1000 / 1e9;
  auto const native = simulate_native(schedule, machine(16), {});
  expect(native.result && near(native.result->makespan, expected), "native: D alpha + V m beta");
  auto const smpi = simulate_smpi(schedule, promise, machine(16), {});
  expect(smpi.result && near(smpi.result->makespan, expected), "SMPI: D alpha + V m beta");
}

/// Each of `ranks` ranks gives its one block to the next one on a circle, in one round.
Schedule circle(int ranks) {
  Schedule schedule;
  schedule.ranks = ranks;
  schedule.torus = Torus({ranks});
  schedule.offsets = {1, -1};
  Layout layout{Bytes(8), {}};
  layout[Buffer::send].slots = layout[Buffer::receive].slots = 1;
  ProgramBuilder builder(layout);
  std::vector const from = {send_slot(0)}, into = {receive_slot(0)};
  builder.begin_round();
  builder.send(0, from);
  builder.receive(1, into);
  schedule.programs.push_back(std::move(builder).finish());
  return schedule;
}

void written_by_hand() {
  Neighborhood const next(1, {{1}}), past_the_next(1, {{2}});
  auto const schedule = circle(5);
  expect(verify(schedule, IsomorphicAlltoall{Torus({5}), next}).valid(), "the circle delivers to the next rank");
  auto const verdict = verify(schedule, IsomorphicAlltoall{Torus({5}), past_the_next});
  expect(!verdict.delivered && !verdict.violations.empty() && verdict.violations[0].fault == Fault::wrong_place,
         "the circle does not deliver past the next rank");
}

}  // namespace

int main() {
  stencil();
  written_by_hand();
  return failed ? 1 : 0;
}

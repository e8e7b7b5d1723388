// Reads schedules of other programs, and checks that they fit the scenario: ranks, sizes of blocks, and the promise.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "generate/generate.hpp"
#include "run/families/answers.hpp"
#include "run/families/promises.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo {
namespace {

constexpr char const* names_in_layouts[buffer_count] = {"send", "receive", "intermediate"};

/// The sizes of a layout if blocks of `from` bytes become blocks of `to` bytes. Throws InputError if a size would not
/// be a whole number of bytes.
Layout scaled(Layout layout, Bytes from, Bytes to, std::string const& place) {
  layout.block = to;
  for (std::size_t b = 0; b < buffer_count; ++b) {
    for (std::size_t i = 0; i < layout.buffers[b].sizes.size(); ++i) {
      Bytes& size = layout.buffers[b].sizes[i];
      std::int64_t const product = (size.value * to).value;
      if (from.value == 0 ? size.value == 0 : product % from.value == 0) {
        size = Bytes(from.value == 0 ? 0 : product / from.value);
        continue;
      }
      throw InputError(fmt::format(
          "{}/buffers/{}/bytes/{}: expected a size that is whole with blocks of {} in the place of {}, got {}", place,
          names_in_layouts[b], i, print(to), print(from), size.value));
    }
  }
  return layout;
}

/// The schedule with blocks of another size.
Schedule with_blocks(ScheduleFile file, Bytes block, std::string const& name) {
  for (std::size_t k = 0; k < file.schedule.programs.size(); ++k) {
    Program& program = file.schedule.programs[k];
    program.set_layout(scaled(program.layout(), file.block, block, fmt::format("{}: /programs/{}", name, k)));
  }
  return std::move(file.schedule);
}

/// Whether messages pass only between neighbors on the torus of the promise.
bool has_unit_links(Schedule const& schedule, problem::Promise const& promise) {
  auto const* const isomorphic = std::get_if<problem::Isomorphic>(&promise.of);
  return isomorphic != nullptr && schedule.promises.links == Links::unit && schedule.torus == isomorphic->torus;
}

/// The bytes of a piece of a block, rounded up, because all cells of a task graph have one size.
Bytes piece_of(problem::Promise const& promise) {
  auto const fewest = std::ranges::min_element(promise.pieces);
  std::int64_t const pieces = fewest == promise.pieces.end() ? 1 : *fewest;
  return Bytes((promise.block.value + pieces - 1) / pieces);
}

/// Refuses a promise of blocks with different sizes, which tasks cannot distinguish.
void expect_one_size(problem::Promise promise, std::string const& file) {
  promise.pieces.clear();
  Collective const whole = generate::collective_of(promise);
  for (int r = 0; r < ranks(whole); ++r) {
    for (Content const& each : held(whole, Rank(r))) {
      Bytes const size = bytes(promise, each);
      if (size == promise.block) continue;
      throw InputError(
          fmt::format("/collective/promise: expected blocks of one size for {}, {}, got {} for block {} of "
                      "rank {}",
                      file, print(promise.block), print(size), each.block.value, r));
    }
  }
}

/// A stated number of ranks must be that of the file.
void expect_ranks(TaskFile const& tasks, problem::Custom const& problem) {
  int const ranks_of_file = tasks.graph.tasks.ranks();
  if (problem.promise || problem.ranks == ranks_of_file) return;
  throw InputError(fmt::format("/collective/ranks: expected {}, those of {}, got {}", ranks_of_file, problem.schedule,
                               problem.ranks));
}

/// The size of blocks must be stated if the file says how tasks move blocks, and must not be stated otherwise.
void expect_block(TaskFile const& tasks, problem::Custom const& problem) {
  bool const counted = !tasks.graph.buffers.empty();
  if (counted == problem.block.has_value()) return;
  throw InputError(counted ? fmt::format("expected \"block\" in the scenario, the bytes of a block, which {} counts in",
                                         problem.schedule)
                           : fmt::format("expected no \"block\" in the scenario: {} says how large its messages are",
                                         problem.schedule));
}

/// The bounds for the file's own promise, whose blocks are its chunks.
Prediction bounds_by_file(TaskFile const& tasks, Bytes block, theory::MachineCost const& cost) {
  auto const* const stated = tasks.promise ? std::get_if<StatedPromise>(&*tasks.promise) : nullptr;
  return stated == nullptr ? Prediction{} : theory::bounds({.of = *stated, .block = block}, false, cost);
}

/// The plan for a file of tasks. With a promise, theory gives bounds for it.
TaskPlan task_plan(problem::Custom const& problem, TaskFormat format, theory::MachineCost const& cost) {
  TaskPlan plan{load_tasks(problem.schedule, format, Bytes(1), most_goal_ranks, problem.collectives), {}};
  expect_ranks(plan.tasks, problem);
  Bytes block = problem.block.value_or(Bytes(0));
  if (problem.promise) {
    problem::Promise const wanted = add_promise(plan.tasks, *problem.promise, problem.schedule);
    expect_one_size(wanted, problem.schedule);
    block = piece_of(wanted);
    plan.prediction = theory::bounds(wanted, false, cost);
  } else {
    plan.prediction = bounds_by_file(plan.tasks, block, cost);
  }
  expect_block(plan.tasks, problem);
  plan.says_sizes = plan.tasks.graph.buffers.empty();
  if (plan.says_sizes) return plan;
  resize_blocks(plan.tasks.graph, block);
  plan.block = block;
  return plan;
}

}  // namespace

/// Errors get the place of the key that names the file, unless they name a place of the collective themselves.
Plan plan_for(problem::Custom const& problem, theory::MachineCost const& cost) try {
  if (auto const format = task_format(problem.schedule)) return task_plan(problem, *format, cost);
  return plan_for(problem, read_schedule(problem.schedule), cost);
} catch (ReadFailure const&) {
  throw;
} catch (InputError const& refused) {
  std::string const what = refused.what();
  throw InputError(what.starts_with("/collective") ? what : "/collective/schedule: " + what);
}

/// The plan of a schedule in rounds.
Plan plan_for(problem::Custom const& problem, ScheduleFile file, theory::MachineCost const& cost) {
  ResolvedPromise wanted = resolve_promise(problem.promise.value(), "/collective/promise");
  Schedule schedule = with_blocks(std::move(file), problem.promise->block, problem.schedule);
  expect_fits(schedule, wanted, problem.schedule);
  bool const unit = has_unit_links(schedule, wanted.promise);
  SchedulePlan plan{std::move(wanted.collective), std::move(schedule), theory::bounds(wanted.promise, unit, cost)};
  plan.benchmark = problem::is_benchmark(wanted.promise);
  if (plan.benchmark) plan.prediction.bound.forget_time();
  return plan;
}

}  // namespace rondo

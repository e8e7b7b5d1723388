// Schedules of others: read, and held against their promise.

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "run/families/answers.hpp"
#include "run/families/promised.hpp"
#include "run/formats/schedule_json.hpp"

namespace rondo {
namespace {

constexpr char const* names_in_layouts[buffer_count] = {"send", "receive", "intermediate"};

/// The sizes of a layout with blocks of `to` bytes in the place of `from`. Throws InputError where one would be no
/// whole number of bytes.
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

/// Whether messages go between neighbors on the torus that the promise is of, and on no other.
bool has_unit_links(Schedule const& schedule, problem::Promise const& promise) {
  auto const* const isomorphic = std::get_if<problem::Isomorphic>(&promise.of);
  return isomorphic != nullptr && schedule.promises.links == Links::unit && schedule.torus == isomorphic->torus;
}

}  // namespace

Plan plan_for(problem::Custom const& problem, theory::MachineCost const& cost) try {
  return plan_for(problem, read_schedule(problem.schedule), cost);
} catch (ReadFailure const&) {
  throw;
} catch (InputError const& refused) {
  std::string const what = refused.what();
  throw InputError(what.starts_with("/collective") ? what : "/collective/schedule: " + what);
}

Plan plan_for(problem::Custom const& problem, ScheduleFile file, theory::MachineCost const& cost) {
  PromisedCollective wanted = promised(problem.promise, "/collective/promise");
  Schedule schedule = with_blocks(std::move(file), problem.promise.block, problem.schedule);
  expect_fits(schedule, wanted, problem.schedule);
  bool const unit = has_unit_links(schedule, wanted.promise);
  SchedulePlan plan{std::move(wanted.collective), std::move(schedule), theory::bounds(wanted.promise, unit, cost)};
  plan.benchmark = problem::is_benchmark(wanted.promise);
  if (plan.benchmark) plan.prediction.bound.time_s.reset();
  return plan;
}

}  // namespace rondo

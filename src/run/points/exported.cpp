#include "run/points/exported.hpp"

#include "run/formats/promise_json.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// Which dimensions of the promised torus close; null where all do.
Json periodic_of(Collective const& collective) {
  auto const of = [](auto const& promised) -> Json {
    if constexpr (requires { promised.boundary; }) {
      if (promised.boundary == Boundary::periodic) return nullptr;
      Json closed = Json::array();
      for (std::size_t j = 0; j < promised.torus.extents().size(); ++j) closed.push_back(promised.boundary.closes(j));
      return closed;
    } else {
      return nullptr;
    }
  };
  return std::visit(of, collective);
}

/// In how many pieces blocks are cut; null where they are whole.
Json pieces_of(Collective const& collective) {
  if (auto const* classical = std::get_if<Classical>(&collective); classical && classical->pieces > 1) {
    return classical->pieces;
  }
  if (auto const* groups = std::get_if<IntergroupPromise>(&collective); groups && !groups->pieces.empty()) {
    return groups->pieces;
  }
  return nullptr;
}

bool names_a_file(Json const& collective) {
  return collective.contains("graph") && collective["graph"].contains("path");
}

Json promise_of(SchedulePlan const& plan, scenario::Scenario const& scenario) {
  Json promise = scenario.expanded["collective"];
  if (promise["kind"] == "custom") promise = promise.value("promise", Json());
  if (!promise.is_object() || names_a_file(promise)) return written_out(plan.collective);
  if (promise.contains("graph") && scenario.expanded.contains("seed")) promise["seed"] = scenario.seed;
  if (Json const periodic = periodic_of(plan.collective); !periodic.is_null()) promise["periodic"] = periodic;
  if (Json const pieces = pieces_of(plan.collective); !pieces.is_null()) promise["pieces"] = pieces;
  return promise;
}

}  // namespace

ScheduleFile exported(SchedulePlan const& plan, scenario::Scenario const& scenario) {
  return {plan.schedule, scenario.block, word_of(kind(scenario.problem)), algorithm(scenario.problem),
          promise_of(plan, scenario)};
}

}  // namespace rondo

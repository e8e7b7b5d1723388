#include <map>

#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

using Readers = std::map<problem::Kind, decltype(CollectiveKind::read)>;

Readers readers() {
  Readers all;
  for (auto const& family : all_families) {
    for (CollectiveKind const& each : family()) all.emplace(each.kind, each.read);
  }
  return all;
}

}  // namespace

Problem read_problem(Setting const& setting) {
  static Readers const known = readers();
  Place const collective = setting.root["collective"];
  auto const kind = known_value<problem::Kind>(collective["kind"].text());
  return known.at(kind)(kind, collective, setting);
}

}  // namespace rondo::scenario

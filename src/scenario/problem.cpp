// Finds the reader of a kind of collective among the families (kinds.hpp).

#include <map>

#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

using Readers = std::map<problem::Kind, decltype(CollectiveKind::read)>;

/// The readers of all kinds.
Readers readers() {
  Readers all;
  for (auto const& family : all_families) {
    for (CollectiveKind const& each : family()) all.emplace(each.kind, each.read);
  }
  return all;
}

}  // namespace

Problem read_kind(problem::Kind kind, Place const& collective, Setting const& setting) {
  static Readers const readers_by_kind = readers();
  return readers_by_kind.at(kind)(collective, setting);
}

Problem read_problem(Setting const& setting) {
  Place const collective = setting.root["collective"];
  return read_kind(known_value<problem::Kind>(collective["kind"].text()), collective, setting);
}

}  // namespace rondo::scenario

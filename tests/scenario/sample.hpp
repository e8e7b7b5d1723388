#pragma once

#include <string>

#include "base/error.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// A valid scenario without sweep and expect, for tests to change.
inline Json sample() {
  return Json::parse(R"({
    "schema_version": 1,
    "title": "27-point stencil",
    "machine": {"topology": {"kind": "fully_connected", "hosts": 24}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "isomorphic_alltoall", "torus": [4, 3, 2], "neighborhood": {"kind": "moore", "radius": 1}},
    "algorithm": "torus",
    "block": "64B"
  })");
}

/// The sample with an RFC 7386 merge patch applied: null removes a key.
inline Json sample(std::string const& patch) {
  Json scenario = sample();
  scenario.merge_patch(Json::parse(patch));
  return scenario;
}

/// The message of the InputError that `act` throws; "accepted" if it does not throw.
template <typename Act>
std::string refusal(Act act) {
  try {
    act();
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

/// All that is read of a scenario: its sweep, its claims, each of its points.
inline void read_all(Json const& document, std::string const& file) {
  Sweep const sweep(document, file);
  (void)claims(document, file);
  for (std::size_t i = 0; i < sweep.size(); ++i) (void)parse(sweep[i], file);
}

}  // namespace rondo::scenario

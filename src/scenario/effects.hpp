#pragma once

// Finds keys of a file that have no effect. A key has an effect at a point if another value of it changes the result of
// Rondo there, changes the requirements of the proof, or is refused. Title, source and seed always have one, because
// they are part of every record.
//
// The table in effects.cpp says where a key has an effect. A key outside the table always has one.
// - If a key has no effect at any point of a file, it is refused, because its author expects one.
// - If it has an effect at some points only, one remark says so.
// - Three kinds of keys are never refused; a remark names them. The first are keys of a machine's own file, which
// describes the machine for many scenarios; only keys of another timing model are named there. The second are keys of a
// promise, which is written like the collective of another scenario. The third are keys whose effect a change on the
// command line may have removed.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "json/pointer.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// A key that has an effect only at some points.
struct ConditionalKey {
  std::string pointer;  ///< "/machine/link_bandwidth"
  bool (*has_effect)(Scenario const& scenario);
  /// Returns the condition for an effect as a text after "only": "with \"links\": \"shared\"".
  std::string (*only)(Scenario const& scenario);
  bool by_timing = false;  ///< the machine's timing model alone decides
  Tokens tokens = {};      ///< of the pointer
};

/// Returns the table. A key of an object stands for everything in it, and comes before the keys in it: first
/// "/machine/flow", then "/machine/flow/ack".
std::vector<ConditionalKey> const& conditional_keys();

/// Tells whether the point states a key that has no effect there.
bool has_idle_key(Point const& point, Scenario const& scenario);

/// The changes that a file undergoes before its points are parsed.
struct Provenance {
  bool named_machine = false;         ///< the machine is the name of a file
  bool changed = false;               ///< by the command line
  std::vector<std::string> set = {};  ///< the pointers of --set
};

/// The conditional keys that the points of a file state.
class StatedKeys {
 public:
  StatedKeys(std::string file, Provenance provenance) : file_(std::move(file)), from_(std::move(provenance)) {}

  /// Notes the keys of a point. `parsed` is the parsed point; in a search it is the point with each of the algorithms.
  /// A key has an effect if it has one in any of them.
  void note(Point const& point, std::span<Scenario const> parsed);
  /// Returns a remark for each key that had no effect at some points. Throws PlacedError for a key that had none at any
  /// point and may be refused.
  std::vector<std::string> remarks() const;

 private:
  /// How the points of the file use a key.
  struct KeyUse {
    std::int64_t points = 0;       ///< that state the key
    std::int64_t with_effect = 0;  ///< those at which it has an effect
    bool kept = false;             ///< never refused
    Json value;                    ///< at the first of these points
    std::string only;              ///< the condition for an effect
  };
  bool is_named(std::string const& pointer, Point const& point) const;

  std::string file_;
  Provenance from_;
  std::map<std::string, KeyUse> uses_;  ///< by pointer
};

/// Makes a remark about keys in a machine's own file that belong to another timing model than the machine's; empty if
/// there are none.
std::string remark_on_machine(std::string const& file, Platform const& machine);

}  // namespace rondo::scenario

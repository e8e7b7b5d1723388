#pragma once

// From a scenario file to values. The way of a file:
//
//   Json document = load(file)                 JSON, with the machine's own file put in its place
//   apply_set(document, "/block=64B")          each --set, in order
//   Sweep sweep(document, file)                the points; nothing is parsed yet
//   std::vector<Claim> = claims(document, file)
//   Scenario point = parse(sweep[i], file)     checked against the schema, then made typed
//
// Every error is an InputError of one line `FILE: /json/pointer: expected X, got Y`, the pointer as in RFC 6901.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "json/value.hpp"
#include "platform/platform.hpp"
#include "problem/problem.hpp"
#include "problem/run_options.hpp"

namespace rondo::scenario {

using namespace json;  // its values, places and parser are what all of this folder is about

/// smpi: an MPI program on SimGrid. native: Rondo's own engine, which only computes times and moves no payload.
enum class Engine : std::uint8_t { smpi, native };

using problem::Problem;

/// The files from which a point is read. An input is one file, or several files that are known by the name of the
/// first.
using Inputs = std::vector<std::vector<std::string>>;

/// One point, ready to run. If the number of the machine's hosts is known, ranks(problem) equals the number of ranks
/// that it carries; if ranks do not lie on a torus, it may be less.
struct Scenario {
  std::string title;   ///< empty when not given
  std::string source;  ///< empty when not given
  Platform machine;    ///< the path of a platform file is resolved against the folder of the scenario
  Problem problem;
  Bytes block;  ///< m
  Engine engine = Engine::smpi;
  Payload payload = Payload::automatic;
  std::uint64_t seed = 1;
  Posting posting = Posting::neighbors;  ///< of a schedule
  problem::Arrival arrival = {};         ///< with a time for each rank, where it has a list of them
  int replications = 1;                  ///< simulations, each with random numbers of its own
  Json expanded;                         ///< the JSON from which it was parsed, without sweep and expect
  Inputs inputs = {};                    ///< files that were read for it, or will be read when it runs
};

/// The names of values in a scenario: "smpi", "automatic", "linear". Those of its problem are in problem/enums.hpp.
std::string to_string(Engine engine);
std::string to_string(Payload payload);
std::string to_string(TimingModel timing);

/// A point of a sweep that has not been parsed yet.
struct Point {
  int number = 1;                                  ///< from 1, in the order of the sweep
  Json expanded;                                   ///< the scenario with this point's values, without sweep and expect
  std::vector<std::pair<std::string, Json>> axes;  ///< each swept pointer and its value here, in the order written
  std::vector<std::string> labels = {};            ///< of each axis: the label of its value; empty: it has none

  std::string label(std::size_t axis) const { return axis < labels.size() ? labels[axis] : ""; }
  /// The value of an axis as people know it: its label, otherwise its JSON.
  std::string shown(std::size_t axis) const;
  /// The values of all axes: "/block=64B /algorithm=ring".
  std::string values() const;
};

/// The points of a scenario. `sweep` is one of
///   {"/a": [1, 2], "/b": [3, 4]}             the product, the first key slowest: (1,3) (1,4) (2,3) (2,4)
///   [{"/a": [1, 2], "/b": [3, 4]}, {...}]    within a map all lists have equal length and advance together:
///                                            (1,3) (2,4); the maps are combined by product, the first slowest
/// Keys are JSON pointers into the scenario, but not into /sweep, /expect and /schema_version; values may be whole
/// objects. An object with exactly the keys `label` (a string) and `value` is a labelled value: the value is put in
/// place, and the label names it in tables and claims. Values are put in place in the order written, so
/// "/machine/topology" may be followed by "/machine/topology/hosts". A scenario without `sweep` has one point. Points
/// are made when asked for.
class Sweep {
 public:
  static constexpr std::size_t most_points = 1000000;

  /// Throws InputError for a pointer that matches nothing (its parent is absent, or its last key is neither present nor
  /// known to the schema there), for an empty list or a value that is no list, for lists of unequal length in a zipped
  /// map, for two equal points, and for more than most_points.
  Sweep(Json document, std::string file);

  std::size_t size() const { return size_; }
  /// The point with the number index + 1; index < size(). Throws InputError if an earlier axis has removed the parent
  /// of a later pointer at this point.
  Point operator[](std::size_t index) const;
  /// The swept pointers in the order written.
  std::vector<std::string> pointers() const;
  /// Applies this change to every point from now on, after its values are in place.
  void change_points(std::function<void(Json&)> change) { change_ = std::move(change); }

 private:
  /// Pointers that advance together. values[k] belongs to pointers[k]; all lists have the same length.
  struct Group {
    std::vector<std::string> pointers;
    std::vector<std::vector<Json>> values;
    std::vector<std::vector<std::string>> labels;  ///< of each value; empty: none
    std::size_t length() const { return values.front().size(); }
  };
  void read_groups(Json const& sweep);
  void read_axis(Group& group, std::string const& pointer, Json const& values, std::string const& place) const;
  void check_pointers() const;
  void check_distinct() const;

  std::string file_;
  Json base_;
  std::vector<Group> groups_;
  std::size_t size_ = 1;
  std::function<void(Json&)> change_;
};

/// The expected verdict on a claim: it holds, or its source states `that` although it does not hold.
enum class ClaimVerdict : std::uint8_t {
  holds,       ///< `that` holds wherever it is judged
  refuted,     ///< the source states `that`, which is wrong; `correction` states the truth
  explained,   ///< the source measured `that`, Rondo finds the opposite, and `correction` explains why
  unexplained  ///< the source measured `that`, Rondo finds the opposite, and the reason is unknown
};

/// A statement of `expect`, which is judged over the points of the sweep.
struct Claim {
  std::string claim;                           ///< its name
  std::string that;                            ///< an expression
  std::optional<std::string> when = {};        ///< an expression: judged only where it holds
  std::string across = "/algorithm";           ///< the swept pointer whose values name the variables
  std::optional<std::string> over = {};        ///< the swept pointer that slope, exponent and crossing look along
  std::optional<std::string> correction = {};  ///< how the source is to be corrected, in a sentence
  ClaimVerdict verdict = ClaimVerdict::holds;  ///< what `rondo check` must find
  std::optional<double> robust = {};  ///< if set, it must also hold if each number of the machine changes by this part
  std::string place = {};             ///< its JSON pointer: "/expect/0"
};

/// Reads any JSON file. With line and column it refuses malformed JSON, NaN and infinities; with a pointer, duplicate
/// keys, numbers of magnitude 2^63 or more, strings past 64 KiB, and nesting deeper than 64. Files have at most 64 MiB.
Json load_json(std::string const& file);
/// A scenario as it is written, except that a `machine` which is the name of a file is replaced by the content of that
/// file.
struct Document {
  Json json;
  bool names_machine = false;
};
Document load_document(std::string const& file);
Json load(std::string const& file);

/// Whether a file contains a machine, which `machine` may name, and no scenario.
bool holds_machine(std::string const& file);
/// The machine in such a file. A path in it is relative to the file's folder.
Platform load_machine(std::string const& file);

/// Applies `--set /pointer=value` to a loaded scenario. The value is JSON if it can be parsed, otherwise a string.
/// Throws InputError for a pointer that matches nothing or that is swept. The name of a machine's file is relative to
/// the working directory here.
void apply_set(Json& document, std::string_view assignment);

/// The claims of a loaded scenario, in order. Throws InputError unless `across` (but for its default) and `over` are
/// swept pointers.
std::vector<Claim> claims(Json const& document, std::string const& file);

/// The reason why an engine cannot run on a machine, as the expected and the given value; empty if it can.
std::string engine_misfit(Engine engine, Platform const& machine);

/// Checks a point against the schema and then further: units, dimensions, the number of ranks against the machine's
/// hosts.
Scenario parse(Point const& point, std::string const& file);
/// The same for a point that `parse` has accepted before; it is not checked against the schema again.
Scenario parse_again(Point const& point, std::string const& file);

/// The JSON schema (draft 7) of scenarios.
Json const& schema();
/// The schema of whole files, for editors: a key that each point must have may also be swept.
Json schema_of_files();
/// All collectives, algorithms, neighborhoods and topologies with their parameters, taken from the schema; many lines.
std::string describe();

}  // namespace rondo::scenario

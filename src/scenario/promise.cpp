// Reads promises from objects and files. Their schema is made from that of scenarios, so a new kind of collective is
// a new kind of promise without further work.

#include "scenario/promise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "base/file.hpp"
#include "json/value.hpp"
#include "scenario/kinds.hpp"
#include "scenario/load.hpp"
#include "scenario/permitted_input.hpp"
#include "scenario/validate.hpp"

namespace rondo::scenario {
namespace {

/// Keys that say how the named collective would be carried out; they do not change its promise.
constexpr std::array ways_to_keep_it = {"printed",   "allgather",  "broadcast",       "building_blocks", "selector",
                                        "segment",   "radix",      "distances",       "children",        "commutative",
                                        "basis",     "cumulative", "dimension_order", "group_size",      "extents",
                                        "hierarchy", "rings"};

Json without_ways(Json collective) {
  for (char const* key : ways_to_keep_it) collective.erase(key);
  return collective;
}

/// Stores a problem in the promise. The schema lets pass only problems that schedules can solve.
struct ProblemSetter {
  problem::Promise& promise;
  template <typename P>
  void operator()(P&& problem) const {
    if constexpr (requires { promise.of = std::forward<P>(problem); }) {
      promise.of = std::forward<P>(problem);
    } else {
      throw ContractViolation("a kind whose promise schedules keep");
    }
  }
};

/// A promise by the name of its collective, read as a scenario reads it. The algorithm has no meaning for a promise;
/// any one satisfies the reader.
void read_named(problem::Promise& promise, Place const& stated, PromiseSetting const& setting) {
  auto const kind = known_value<problem::Kind>(stated["kind"].text());
  Json const collective = without_ways(stated.value);
  Place const place{collective, stated.file, stated.pointer};
  std::uint64_t const seed = stated.value.value("seed", setting.seed);
  Setting const whole{place, problem::algorithms(kind).front(), setting.block, seed, setting.machine};
  std::visit(ProblemSetter{promise}, read_kind(kind, place, whole));
  if (auto* const classical = std::get_if<problem::Classical>(&promise.of)) {
    classical->commutative = stated.value.value("commutative", true);
  }
}

Place item_of(Place const& list, std::size_t i) {
  return {list.value[i], list.file, child(list.pointer, std::to_string(i))};
}

/// Reads a promise that is written out and has passed the schema.
class PromiseReader {
 public:
  explicit PromiseReader(Place const& place) : place_(place), ranks_(place["ranks"].integer()) {}

  StatedPromise read() const {
    StatedPromise result;
    each_rank("held", [&](Place const& of, Rank rank) { result.held.push_back(held(of, rank)); });
    each_rank("owed", [&](Place const& of, Rank rank) { result.owed.push_back(owed(of, rank)); });
    result.rules = {place_.value.value("ordered", false), place_.value.value("same_bits", false),
                    place_.value.value("idempotent", false)};
    // It is then open how often a contribution enters, and so where it stands in the order.
    if (result.rules.idempotent && (result.rules.ordered || result.rules.same_bits)) {
      throw place_["idempotent"].error(
          fmt::format("expected false beside \"{}\", got true", result.rules.ordered ? "ordered" : "same_bits"));
    }
    return result;
  }

 private:
  /// Calls `read` for the list of each rank. Throws unless there is one for each.
  template <typename Read>
  void each_rank(char const* key, Read read) const {
    Place const lists = place_[key];
    if (lists.value.size() != static_cast<std::size_t>(ranks_)) {
      throw lists.error(fmt::format("expected {} lists, one for each rank, got {}", ranks_, lists.value.size()));
    }
    for (std::size_t r = 0; r < lists.value.size(); ++r) read(item_of(lists, r), Rank(static_cast<std::int32_t>(r)));
  }

  /// The blocks in the send slots of a rank.
  std::vector<Content> held(Place const& list, Rank rank) const {
    std::vector<Content> blocks;
    std::set<Content> seen;
    for (std::size_t i = 0; i < list.value.size(); ++i) {
      Place const place = item_of(list, i);
      blocks.push_back(block(place, rank));
      if (!seen.insert(blocks.back()).second) {
        throw place.error(fmt::format("expected each block once, got {} again", shown(place.value)));
      }
    }
    return blocks;
  }

  /// The contents of the receive slots of a rank; null is a slot that may have any content.
  std::vector<Owed> owed(Place const& list, Rank rank) const {
    std::vector<Owed> blocks;
    for (std::size_t i = 0; i < list.value.size(); ++i) {
      Place const place = item_of(list, i);
      if (place.value.is_null()) {
        blocks.emplace_back();
      } else if (place.value.is_object()) {
        blocks.push_back(reduction(place));
      } else {
        blocks.emplace_back(block(place, rank));
      }
    }
    return blocks;
  }

  Content block(Place const& place, Rank owner) const {
    if (place.value.is_number()) return {owner, BlockId(place.value.get<std::uint32_t>())};
    return {rank(item_of(place, 0)), BlockId(place.value[1].get<std::uint32_t>())};
  }

  /// A reduction over ranks: all of them, a range, or a list in the order in which they are joined.
  Owed reduction(Place const& place) const {
    BlockId const block(place["block"].value.get<std::uint32_t>());
    Place const from = place["from"];
    if (from.value.is_string()) {
      if (from.text() != "all") throw from.error("expected \"all\" ranks, a list or a range, got " + shown(from.value));
      return {block, 0, ranks_};
    }
    if (from.value.is_object()) {
      Rank const first = rank(from["first"]), last = rank(from["last"]);
      if (last < first)
        throw from["last"].error(fmt::format("expected a rank from {}, got {}", first.value, last.value));
      return {block, first.value, last.value + 1};
    }
    std::vector<Rank> listed;
    for (std::size_t i = 0; i < from.value.size(); ++i) listed.push_back(rank(item_of(from, i)));
    return {block, std::move(listed)};
  }

  Rank rank(Place const& place) const {
    if (place.value.get<std::int64_t>() < ranks_) return Rank(place.integer());
    throw place.error(fmt::format("expected a rank, from 0 to {}, got {}", ranks_ - 1, shown(place.value)));
  }

  Place const& place_;
  int ranks_;
};

/// Refuses contents that no rank holds, because no schedule can deliver them.
class HeldBlocks {
 public:
  explicit HeldBlocks(StatedPromise const& promise) {
    for (auto const& blocks : promise.held) held_.insert(blocks.begin(), blocks.end());
  }

  /// Throws if a contribution to the block is held by no rank.
  void expect_to_hold(Owed const& owed, Place const& place) {
    // Most ranges are those of all ranks, and there are many.
    if (owed.listed.empty() && !ranges_.insert({owed.block.value, owed.first, owed.last}).second) return;
    for (std::size_t i = 0; i < owed.contributions(); ++i) {
      if (held_.contains(owed.contribution(i))) continue;
      throw place.error(fmt::format("expected blocks that a rank holds, got block {} of rank {}, which none does",
                                    owed.block.value, owed.contribution(i).origin.value));
    }
  }

 private:
  std::set<Content> held_;
  std::set<std::tuple<std::uint32_t, std::int32_t, std::int32_t>> ranges_;
};

/// Throws at the first owed block that nobody holds: no schedule could deliver it.
void expect_held(StatedPromise const& promise, Place const& place) {
  HeldBlocks held(promise);
  Place const owed = place["owed"];
  for (std::size_t r = 0; r < promise.owed.size(); ++r) {
    Place const of_rank = item_of(owed, r);
    for (std::size_t i = 0; i < promise.owed[r].size(); ++i) {
      held.expect_to_hold(promise.owed[r][i], item_of(of_rank, i));
    }
  }
}

/// In how many pieces each block is cut: one number for all, or one for each rank or sender.
std::vector<int> read_pieces_of(Place const& place, problem::Promise const& promise) {
  if (!place.has("pieces")) return {};
  Place const pieces = place["pieces"];
  if (pieces.value.is_number()) return {pieces.integer()};
  auto const* const groups = std::get_if<problem::Intergroup>(&promise.of);
  bool const of_senders = groups != nullptr && groups->collective == IntergroupCollective::allgather;
  auto const expected = static_cast<std::size_t>(of_senders ? groups->groups.senders() : ranks(promise));
  if (pieces.value.size() == expected) return pieces.integers();
  throw pieces.error(fmt::format("expected {} numbers, one for each {}, got {}", expected,
                                 of_senders ? "sender" : "rank", pieces.value.size()));
}

}  // namespace

std::string promise_beside(std::string const& file) {
  return std::filesystem::path(file).replace_extension(".promise.json").string();
}

Json without_common_keys(Json promise) {
  for (char const* key : {"pieces", "seed", "format", "format_version", "$schema"}) promise.erase(key);
  return promise;
}

bool is_promised(problem::Kind kind) {
  using enum problem::Kind;
  return kind != sparse_exchange && kind != independent_set && kind != coloring && kind != bisection &&
         kind != program && kind != custom && kind != workload;
}

/// A promise as an object, or in the file that a string names.
problem::Promise read_promise(Place const& promise, PromiseSetting const& setting) {
  if (promise.value.is_string()) {
    std::string const file = named_file(promise);
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return load_promise(file, setting);
    throw promise.error(fmt::format("expected an object, or the name of a file that holds one, got {}: no such file{}",
                                    shown(promise.value), nearest_file(file)));
  }
  validate(promise.value, promise.file, Extent::promise, "", promise.pointer);
  problem::Promise result{.of = StatedPromise{}, .block = setting.block};
  if (promise["kind"].text() == "stated") {
    StatedPromise stated = PromiseReader(promise).read();
    expect_held(stated, promise);
    result.of = std::move(stated);
  } else {
    read_named(result, promise, setting);
  }
  result.pieces = read_pieces_of(promise, result);
  return result;
}

/// The promise of a file: a promise itself, a schedule with its promise in it, or a schedule with a promise beside it.
problem::Promise load_promise(std::string const& file, PromiseSetting const& setting) {
  Json const document = load_json(file);
  if (!document.is_object()) {
    throw error_at(file, "", "expected an object that describes a promise, got " + shown(document));
  }
  if (document.value("format", "") != "rondo-schedule") return read_promise({document, file, ""}, setting);
  if (document.contains("promise")) return read_promise({document["promise"], file, "/promise"}, setting);
  std::error_code ignored;
  if (std::filesystem::exists(promise_beside(file), ignored)) return load_promise(promise_beside(file), setting);
  throw error_at(file, "", "expected a schedule with its \"promise\" in it, or a promise beside it, got none");
}

namespace {

constexpr char const* stated_branch = R"json({
"description": "a list of the blocks that each rank has, and of those that it must have at the end",
"required": ["kind", "ranks", "held", "owed"],
"additionalProperties": false,
"properties": {
  "kind": {},
  "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "p: the number of ranks"},
  "held": {
    "type": "array", "title": "a list of one list for each rank", "minItems": 1,
    "description": "the content of the send slots of each rank: a block as [rank, number], or the number of one of its own blocks",
    "items": {"type": "array", "title": "a list of blocks",
              "items": {"type": ["integer", "array"], "title": "a block: [rank, number], or the number of an own one",
                        "minimum": 0, "maximum": 1073741823, "minItems": 2, "maxItems": 2,
                        "items": {"type": "integer", "minimum": 0, "maximum": 1073741823}}}
  },
  "owed": {
    "type": "array", "title": "a list of one list for each rank", "minItems": 1,
    "description": "the content of the receive slots of each rank at the end: a block, a reduction, or null",
    "items": {"type": "array", "title": "a list of blocks, reductions and null",
              "items": {"type": ["integer", "array", "object", "null"],
                        "title": "a block: [rank, number], or the number of an own one, a reduction: an object, or null",
                        "minimum": 0, "maximum": 1073741823, "minItems": 2, "maxItems": 2,
                        "items": {"type": "integer", "minimum": 0, "maximum": 1073741823},
                        "required": ["block", "from"], "additionalProperties": false,
                        "properties": {
                          "block": {"type": "integer", "minimum": 0, "maximum": 1073741823,
                                    "description": "the number of the blocks that are joined"},
                          "from": {"type": ["string", "array", "object"],
                                   "title": "\"all\", a list of ranks, or an object with \"first\" and \"last\"",
                                   "minItems": 1, "items": {"type": "integer", "minimum": 0, "maximum": 16777215},
                                   "required": ["first", "last"], "additionalProperties": false,
                                   "properties": {
                                     "first": {"type": "integer", "minimum": 0, "maximum": 16777215,
                                               "description": "the first rank"},
                                     "last": {"type": "integer", "minimum": 0, "maximum": 16777215,
                                              "description": "the last rank"}},
                                   "description": "the ranks whose contributions are joined, in this order if the order counts"}}}}
  },
  "ordered": {"type": "boolean", "description": "contributions are joined in the order of \"from\"; false by default"},
  "same_bits": {"type": "boolean",
                "description": "all ranks that are owed the same reduction get it with the same parenthesisation; false by default"},
  "idempotent": {"type": "boolean",
                 "description": "a contribution may enter several times; false by default, and always false with \"ordered\" or \"same_bits\""}
}
})json";

/// Keys that every promise can have.
constexpr char const* common_keys = R"json({
"pieces": {"type": ["integer", "array"], "title": "a number of pieces from 1, or a list of them", "minimum": 1, "maximum": 1048576,
           "minItems": 1, "items": {"type": "integer", "minimum": 1, "maximum": 1048576},
           "description": "the number of pieces into which the schedule cuts each block, which lie in consecutive slots: one number, or a number for each rank (in an inter-group allgather for each sender); 1 by default"},
"seed": {"type": "integer", "minimum": 0, "maximum": 9223372036854775807, "description": "the seed of a random graph; that of the scenario, or 1, by default"},
"format": {"type": "string", "enum": ["rondo-promise"], "description": "the name of this format, in a file of its own"},
"format_version": {"type": "integer", "enum": [1], "description": "the version of this format; 1 by default"},
"$schema": {"type": "string", "description": "the address of this schema, for editors"}
})json";

/// Turns each branch of the scenario's collectives into a branch of promises.
Json made_schema() {
  Json promise = schema()["properties"]["collective"];
  Json result = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "an object that describes a promise"},
                 {"type", "object"},
                 {"description", "the blocks that a schedule must deliver"},
                 {"required", {"kind"}}};
  Json kinds = Json::array();
  Json branches = Json::array();
  Json const common = json_of(common_keys);
  auto const add = [&](std::string const& kind, Json branch) {
    for (auto const& [key, property] : common.items()) branch["properties"][key] = property;
    Json condition;
    condition["properties"]["kind"]["const"] = kind;
    condition["required"] = Json::array({"kind"});
    branches.push_back({{"if", std::move(condition)}, {"then", std::move(branch)}});
    kinds.push_back(kind);
  };
  for (Json& branch : promise["allOf"]) {
    auto const kind = branch["if"]["properties"]["kind"]["const"].get<std::string>();
    if (is_promised(known_value<problem::Kind>(kind))) add(kind, std::move(branch["then"]));
  }
  add("stated", json_of(stated_branch));
  result["properties"]["kind"] = {{"type", "string"}, {"enum", std::move(kinds)}};
  result["allOf"] = std::move(branches);
  return result;
}

}  // namespace

Json const& promise_schema() {
  static Json const made = made_schema();
  return made;
}

}  // namespace rondo::scenario

// Writes a promise as the list of blocks of each rank, in the format that scenario/promise.cpp reads.

#include "run/formats/promise_json.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// A block, as its number if it is the rank's own, otherwise as its origin and its number.
Json block_json(Content const& content, Rank rank) {
  if (content.origin == rank) return content.block.value;
  return Json::array({content.origin.value, content.block.value});
}

/// The content of a receive slot: a block, a reduction or null.
Json owed_json(Owed const& owed, int ranks, Rank rank) {
  if (owed.nobodys()) return nullptr;
  if (auto const whole = owed.whole()) return block_json(*whole, rank);
  Json json = {{"block", owed.block.value}};
  if (!owed.listed.empty()) {
    json["from"] = Json::array();
    for (Rank const origin : owed.listed) json["from"].push_back(origin.value);
  } else if (owed.first == 0 && owed.last == ranks) {
    json["from"] = "all";
  } else {
    json["from"] = {{"first", owed.first}, {"last", owed.last - 1}};
  }
  return json;
}

}  // namespace

Json written_out(Collective const& collective) {
  int const p = ranks(collective);
  Json json = {{"kind", "stated"}, {"ranks", p}, {"held", Json::array()}, {"owed", Json::array()}};
  for (int r = 0; r < p; ++r) {
    Json& in = json["held"].emplace_back(Json::array());
    for (Content const& content : held(collective, Rank(r))) in.push_back(block_json(content, Rank(r)));
    Json& out = json["owed"].emplace_back(Json::array());
    for (Owed const& each : owed(collective, Rank(r))) out.push_back(owed_json(each, p, Rank(r)));
  }
  ReductionRules const rules = reduction_rules(collective);
  if (rules.ordered) json["ordered"] = true;
  if (rules.same_bits) json["same_bits"] = true;
  if (rules.idempotent) json["idempotent"] = true;
  return json;
}

}  // namespace rondo

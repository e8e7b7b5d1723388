// Changes of promises, of followers of programs, and of numbers anywhere.

#include <string>
#include <utility>

#include "certificates/round_mutation.hpp"

namespace rondo::mutants {

void Mutation::change_promises() {
  static constexpr char const* links[] = {"unit", "axis", "any"};
  Json& promises = schedule_["promises"];
  if (promises.is_null()) promises = Json::object();
  if (chance(3)) promises["ports"] = below(4);
  if (chance(2)) promises["links"] = links[below(3)];
  if (!schedule_.contains("torus") || chance(4)) {
    int const p = ranks();
    std::vector<int> extents{p};
    if (chance(2) && p % 2 == 0) extents = {2, p / 2};
    if (chance(4)) extents = {p, 1};
    schedule_["torus"] = extents;
  }
}

void Mutation::change_followers() {
  Json& ranks_of = program()["ranks"];
  if (!ranks_of.is_array()) {
    ranks_of = Json::array();
    for (int r = 0; r < ranks(); ++r) ranks_of.push_back(r);
    return;
  }
  switch (below(4)) {
    case 0:
      return std::swap(ranks_of, program()["ranks"]);
    case 1:
      return ranks_of.push_back(below(static_cast<std::size_t>(ranks()) + 1));
    case 2:
      if (!ranks_of.empty()) ranks_of.erase(below(ranks_of.size()));
      return;
    default: {
      Json unfollowed = program();
      unfollowed["ranks"] = Json::array();
      schedule_["programs"].push_back(unfollowed);
    }
  }
}

void Mutation::change_the_promise() {
  Json& promise = schedule_["promise"];
  switch (below(6)) {
    case 0:
      if (promise.contains("root")) promise["root"] = below(static_cast<std::size_t>(ranks()) + 1);
      return;
    case 1:
      promise["pieces"] = 1 + below(2);
      return;
    case 2: {
      Json pieces = Json::array();
      for (int r = 0; r < ranks(); ++r) pieces.push_back(1 + below(2));
      promise["pieces"] = pieces;
      return;
    }
    case 3:
      if (promise.contains("ranks")) promise["ranks"] = ranks() + static_cast<int>(random_.between(-1, 1));
      return;
    case 4:
      if (promise.contains("neighborhood")) promise["neighborhood"] = {{"kind", "moore"}, {"radius", below(3)}};
      return;
    default:
      if (promise.contains("periodic")) promise.erase("periodic");
  }
}

void Mutation::change_a_rule() {
  static constexpr char const* rules[] = {"ordered", "same_bits", "idempotent", "commutative"};
  Json& promise = schedule_["promise"];
  bool const stated = promise["kind"] == "stated";
  promise[rules[stated ? below(3) : chance(2) ? 1 : 3]] = chance(3) ? false : true;
}

void Mutation::change_an_owed_slot() {
  Json& promise = schedule_["promise"];
  char const* const which = chance(4) ? "held" : "owed";
  if (!promise.contains(which)) return;
  Json& slots = promise[which][below(promise[which].size())];
  auto const p = static_cast<std::size_t>(ranks());
  if (slots.empty() || chance(5)) return slots.push_back(chance(3) ? Json() : Json::array({below(p), 0}));
  Json& slot = slots[below(slots.size())];
  switch (below(6)) {
    case 0:
      slot = nullptr;
      return;
    case 1:
      slot = Json::array({below(p), below(3)});
      return;
    case 2: {
      Json from = Json::array();
      for (std::size_t i = 0; i < p; ++i) from.push_back(chance(5) ? below(p) : i);
      slot = {{"block", slot.is_object() ? slot["block"] : Json(0)}, {"from", from}};
      return;
    }
    case 3:
      slot = {{"block", below(2)}, {"from", {{"first", below(p)}, {"last", below(p)}}}};
      return;
    case 4:
      return std::swap(slot, slots[below(slots.size())]);
    default:
      return slots.erase(below(slots.size()));
  }
}

void Mutation::state_bytes() {
  if (Json* const found = message()) {
    (*found)["bytes"] = static_cast<std::int64_t>((*found)["places"].size()) * 8 + random_.between(-1, 1) * below(2);
  }
}

void Mutation::say_something_else() {
  Json& of = chance(2) ? schedule_ : program();
  switch (below(4)) {
    case 0:
      of["unknown"] = 1;
      return;
    case 1:
      schedule_["block_bytes"] = schedule_["block_bytes"].get<int>() + static_cast<int>(random_.between(-1, 1));
      return;
    case 2:
      schedule_["format_version"] = 1 + below(2);
      return;
    default:
      if (Json* const found = message()) (*found)["label"] = "step " + std::to_string(below(3));
  }
}

void Mutation::change_a_number() {
  std::vector<Json*> numbers;
  collect(schedule_, numbers);
  Json& number = *numbers[below(numbers.size())];
  if (chance(8)) {
    number = chance(2) ? Json(true) : Json(number.get<double>());
  } else {
    number = number.get<std::int64_t>() + random_.between(-2, 2);
  }
}

void Mutation::collect(Json& value, std::vector<Json*>& numbers) {
  if (value.is_number_integer()) numbers.push_back(&value);
  if (!value.is_structured()) return;
  for (Json& each : value) collect(each, numbers);
}

}  // namespace rondo::mutants

// Draws changes of a schedule, and finds the parts of it that they change.

#include <algorithm>
#include <iterator>

#include "certificates/round_mutation.hpp"

namespace rondo::mutants {

void Mutation::once() {
  using Change = void (Mutation::*)();
  static constexpr Change changes[] = {
      &Mutation::resize_a_slot,       &Mutation::exchange_sizes,     &Mutation::change_slots,
      &Mutation::change_a_place,      &Mutation::exchange_places,    &Mutation::change_places_at_both_ends,
      &Mutation::add_or_drop_a_place, &Mutation::change_a_partner,   &Mutation::change_a_join,
      &Mutation::drop_a_message,      &Mutation::double_a_message,   &Mutation::move_a_message,
      &Mutation::exchange_messages,   &Mutation::add_a_copy,         &Mutation::change_a_copy,
      &Mutation::cut_a_message,       &Mutation::join_two_messages,  &Mutation::add_an_idle_round,
      &Mutation::exchange_rounds,     &Mutation::change_promises,    &Mutation::change_followers,
      &Mutation::change_the_promise,  &Mutation::change_a_rule,      &Mutation::change_an_owed_slot,
      &Mutation::add_a_pair,          &Mutation::say_something_else, &Mutation::change_a_number,
      &Mutation::overwrite_a_place,   &Mutation::state_bytes,        &Mutation::send_from_a_joined_place};
  (this->*changes[below(std::size(changes))])();
}

Json* Mutation::round_of(Json& program) {
  if (!program.contains("rounds") || program["rounds"].empty()) return nullptr;
  return &program["rounds"][below(program["rounds"].size())];
}

Json* Mutation::list_in(Json& program, char const* list) {
  for (int tries = 0; tries < 8; ++tries) {
    Json* const round = round_of(program);
    if (round != nullptr && round->contains(list) && !(*round)[list].empty()) return &(*round)[list];
  }
  return nullptr;
}

Json* Mutation::messages() { return list_in(program(), chance(2) ? "sends" : "receives"); }

Json* Mutation::message() {
  Json* const list = messages();
  return list == nullptr ? nullptr : &(*list)[below(list->size())];
}

Json* Mutation::buffer_of(Json& program) {
  if (!program.contains("buffers") || program["buffers"].empty()) return nullptr;
  auto at = program["buffers"].begin();
  std::advance(at, static_cast<std::ptrdiff_t>(below(program["buffers"].size())));
  return &*at;
}

Json* Mutation::sizes() {
  Json* const buffer = buffer_of(program());
  if (buffer == nullptr || (*buffer)["slots"].get<int>() == 0) return nullptr;
  if (!buffer->contains("bytes")) {
    (*buffer)["bytes"] = Json::array();
    int const slots = (*buffer)["slots"].get<int>();
    for (int i = 0; i < slots; ++i) (*buffer)["bytes"].push_back(schedule_["block_bytes"]);
  }
  return &(*buffer)["bytes"];
}

Json Mutation::any_place(Json& program) {
  Json place = Json::array({"send", 0});
  if (!program.contains("buffers") || program["buffers"].empty()) return place;
  auto at = program["buffers"].begin();
  std::advance(at, static_cast<std::ptrdiff_t>(below(program["buffers"].size())));
  int const slots = std::max(1, (*at)["slots"].get<int>());
  return Json::array({at.key(), below(static_cast<std::size_t>(slots))});
}

Json* Mutation::program_of(int rank) {
  for (Json& each : schedule_["programs"]) {
    if (!each["ranks"].is_array()) continue;
    for (Json const& follower : each["ranks"]) {
      if (follower == rank) return &each;
    }
  }
  return nullptr;
}

Mutation::Pair Mutation::pair() {
  Json& from = program();
  if (!from["ranks"].is_array() || from["ranks"].empty() || !from["ranks"][0].is_number_integer()) return {};
  int const source = from["ranks"][0].get<int>();
  if (!from.contains("rounds") || from["rounds"].empty()) return {};
  std::size_t const r = below(from["rounds"].size());
  Json& round = from["rounds"][r];
  if (!round.contains("sends") || round["sends"].empty()) return {};
  Json& send = round["sends"][below(round["sends"].size())];
  if (!send.contains("rank") || !send["rank"].is_number_integer()) return {};
  Json* const into = program_of(send["rank"].get<int>());
  if (into == nullptr || into->value("rounds", Json::array()).size() <= r) return {};
  Json& other = (*into)["rounds"][r];
  if (!other.contains("receives")) return {};
  for (Json& receive : other["receives"]) {
    if (receive.value("rank", Json()) == source) return {&send, &receive, &from, into, r};
  }
  return {};
}

Json* Mutation::copies() {
  Json& of = program();
  Json* const round = chance(3) ? &of : round_of(of);
  if (round == nullptr) return nullptr;
  if (!round->contains("copies")) (*round)["copies"] = Json::array();
  of_copies_ = &of;
  return &(*round)["copies"];
}

Json mutant_of(Json const& schedule, Random& random) {
  Json mutant = schedule;
  auto const changes = 1 + random.below(3);
  for (std::uint64_t i = 0; i < changes; ++i) {
    try {
      Mutation(mutant, random).once();
    } catch (Json::exception const&) {
      // An earlier change left nothing of that kind to change.
    }
  }
  return mutant;
}

}  // namespace rondo::mutants

// Changes of messages and rounds.

#include <algorithm>
#include <tuple>
#include <utility>

#include "certificates/round_mutation.hpp"

namespace rondo::mutants {

void Mutation::change_a_partner() {
  Json* const found = message();
  if (found == nullptr) return;
  if (found->contains("rank")) {
    (*found)["rank"] = below(static_cast<std::size_t>(ranks()));
  } else {
    Json& offset = (*found)["offset"];
    Json& move = offset[below(offset.size())];
    move = move.get<int>() + static_cast<int>(random_.between(-2, 2));
  }
}

void Mutation::change_a_join() {
  Json* const list = list_in(program(), "receives");
  if (list == nullptr) return;
  Json& receive = (*list)[below(list->size())];
  if (receive.contains("join") && chance(2)) {
    receive.erase("join");
  } else {
    receive["join"] = receive.value("join", "") == "before" ? "after" : chance(2) ? "before" : "after";
  }
}

void Mutation::drop_a_message() {
  if (chance(2)) {
    if (Json* const list = messages()) list->erase(below(list->size()));
    return;
  }
  Pair const found = pair();
  if (found.send == nullptr) return;
  erase((*found.sender)["rounds"][found.round]["sends"], found.send);
  erase((*found.receiver)["rounds"][found.round]["receives"], found.receive);
}

void Mutation::erase(Json& list, Json const* element) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (&list[i] == element) return list.erase(i);
  }
}

void Mutation::double_a_message() {
  if (chance(2)) {
    if (Json* const list = messages()) list->push_back(Json((*list)[below(list->size())]));
    return;
  }
  Pair const found = pair();
  if (found.send == nullptr) return;
  Json const send = *found.send, receive = *found.receive;
  (*found.sender)["rounds"][found.round]["sends"].push_back(send);
  (*found.receiver)["rounds"][found.round]["receives"].push_back(receive);
}

void Mutation::move_a_message() {
  Json& of = program();
  char const* const which = chance(2) ? "sends" : "receives";
  Json* const list = list_in(of, which);
  if (list == nullptr) return;
  std::size_t const i = below(list->size());
  Json const moved = (*list)[i];
  list->erase(i);
  Json& round = of["rounds"][below(of["rounds"].size())];
  if (!round.contains(which)) round[which] = Json::array();
  round[which].insert(round[which].begin() + static_cast<std::ptrdiff_t>(below(round[which].size() + 1)), moved);
}

void Mutation::exchange_messages() {
  Json* const list = messages();
  if (list != nullptr) std::swap((*list)[below(list->size())], (*list)[below(list->size())]);
}

void Mutation::cut_a_message() {
  Pair const found = pair();
  if (found.send == nullptr || (*found.send)["places"].size() < 2) return;
  std::size_t const at = 1 + below((*found.send)["places"].size() - 1);
  bool const both = !chance(4);
  cut((*found.sender)["rounds"][found.round]["sends"], found.send, at);
  if (both) cut((*found.receiver)["rounds"][found.round]["receives"], found.receive, at);
}

void Mutation::cut(Json& list, Json* message, std::size_t at) {
  Json second = *message;
  Json& places = (*message)["places"];
  if (places.size() <= at) return;
  second["places"] = Json::array();
  for (std::size_t i = at; i < places.size(); ++i) second["places"].push_back(places[i]);
  while (places.size() > at) places.erase(places.size() - 1);
  list.push_back(second);
}

void Mutation::join_two_messages() {
  Json* const list = messages();
  if (list == nullptr || list->size() < 2) return;
  std::size_t const i = below(list->size()), j = below(list->size());
  if (i == j) return;
  for (Json const& place : Json((*list)[j]["places"])) (*list)[i]["places"].push_back(place);
  list->erase(j);
}

void Mutation::add_an_idle_round() {
  if (chance(3)) {  // at all ranks
    std::size_t const at = below(3);
    for (Json& each : schedule_["programs"]) {
      Json& all = each["rounds"];
      if (all.size() >= at) all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), Json::object());
    }
    return;
  }
  Json& all = program()["rounds"];
  if (all.is_null()) all = Json::array();
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(below(all.size() + 1)), Json::object());
}

void Mutation::exchange_rounds() {
  Json& all = program()["rounds"];
  if (all.is_null() || all.empty()) return;
  std::size_t const i = below(all.size()), j = below(all.size());
  if (chance(2)) return std::swap(all[i], all[j]);
  for (Json& each : schedule_["programs"]) {
    if (each["rounds"].size() > std::max(i, j)) std::swap(each["rounds"][i], each["rounds"][j]);
  }
}

void Mutation::add_a_pair() {
  Json& from = program();
  Json& into = program();
  if (!from["ranks"].is_array() || !into["ranks"].is_array() || from["ranks"].empty() || into["ranks"].empty()) return;
  std::size_t const least = std::min(from["rounds"].size(), into["rounds"].size());
  if (least == 0) return;
  std::size_t const r = below(least);
  Json send = {{"rank", into["ranks"][0]}, {"places", Json::array({any_place(from)})}};
  Json receive = {{"rank", from["ranks"][0]}, {"places", Json::array({any_place(into)})}};
  if (chance(3)) receive["join"] = chance(2) ? "before" : "after";
  for (auto const& [of, which, what] : {std::tuple(&from, "sends", send), std::tuple(&into, "receives", receive)}) {
    Json& round = (*of)["rounds"][r];
    if (!round.contains(which)) round[which] = Json::array();
    Json& list = round[which];
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(below(list.size() + 1)), what);
  }
}

}  // namespace rondo::mutants

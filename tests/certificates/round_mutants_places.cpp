// Changes of slots, places and copies.

#include <algorithm>
#include <utility>

#include "certificates/round_mutation.hpp"

namespace rondo::mutants {

void Mutation::resize_a_slot() {
  Json* const list = sizes();
  if (list == nullptr) return;
  Json& size = (*list)[below(list->size())];
  size = std::max<std::int64_t>(0, size.get<std::int64_t>() + random_.between(-3, 3));
  if (chance(2)) (*list)[below(list->size())] = size;
}

void Mutation::exchange_sizes() {
  Json* const list = sizes();
  if (list == nullptr) return;
  std::size_t const i = below(list->size()), j = below(list->size());
  if (chance(2) && (*list)[i] == (*list)[j] && i != j && (*list)[i].get<int>() > 2) {
    (*list)[i] = (*list)[i].get<int>() + 1;
    (*list)[j] = (*list)[j].get<int>() - 1;
  } else {
    std::swap((*list)[i], (*list)[j]);
  }
}

void Mutation::change_slots() {
  Json* const buffer = buffer_of(program());
  if (buffer == nullptr) return;
  (*buffer)["slots"] = std::max<std::int64_t>(0, (*buffer)["slots"].get<int>() + random_.between(-1, 2));
  if (chance(3)) buffer->erase("bytes");
}

void Mutation::change_a_place() {
  Json& of = program();
  Json* const list = list_in(of, chance(2) ? "sends" : "receives");
  if (list == nullptr) return;
  Json& places = (*list)[below(list->size())]["places"];
  if (!places.empty()) places[below(places.size())] = any_place(of);
}

void Mutation::exchange_places() {
  Json* const found = message();
  if (found == nullptr || (*found)["places"].size() < 2) return;
  Json& places = (*found)["places"];
  std::swap(places[below(places.size())], places[below(places.size())]);
}

void Mutation::change_places_at_both_ends() {
  Pair const found = pair();
  if (found.send == nullptr) return;
  Json& from = (*found.send)["places"];
  Json& into = (*found.receive)["places"];
  if (from.size() != into.size() || from.empty()) return;
  std::size_t const i = below(from.size()), j = below(from.size());
  switch (below(4)) {
    case 0:
      std::swap(from[i], from[j]);
      return std::swap(into[i], into[j]);
    case 1:
      from.erase(i);
      return into.erase(i);
    case 2:
      from.push_back(any_place(*found.sender));
      return into.push_back(any_place(*found.receiver));
    default:
      from.push_back(from[i]);
      into.push_back(any_place(*found.receiver));
  }
}

void Mutation::add_or_drop_a_place() {
  Json& of = program();
  Json* const list = list_in(of, chance(2) ? "sends" : "receives");
  if (list == nullptr) return;
  Json& places = (*list)[below(list->size())]["places"];
  if (chance(2) && !places.empty()) {
    places.erase(below(places.size()));
  } else {
    places.push_back(chance(2) && !places.empty() ? places[0] : any_place(of));
  }
}

void Mutation::add_a_copy() {
  Json* const list = copies();
  if (list == nullptr) return;
  Json copy = Json::array({any_place(*of_copies_), any_place(*of_copies_)});
  if (chance(3)) copy.push_back(chance(2) ? "before" : "after");
  list->insert(list->begin() + static_cast<std::ptrdiff_t>(below(list->size() + 1)), copy);
}

void Mutation::change_a_copy() {
  Json* const list = copies();
  if (list == nullptr || list->empty()) return;
  Json& copy = (*list)[below(list->size())];
  switch (below(5)) {
    case 0:
      return list->erase(below(list->size()));
    case 1:
      return std::swap(copy[0], copy[1]);
    case 2:
      copy[below(2)] = any_place(*of_copies_);
      return;
    case 3:
      return std::swap(copy, (*list)[below(list->size())]);
    default:
      copy.size() > 2 ? copy.erase(2) : copy.push_back(chance(2) ? "before" : "after");
  }
}

void Mutation::overwrite_a_place() {
  Json& of = program();
  Json* const list = list_in(of, "receives");
  if (list == nullptr) return;
  Json const& places = (*list)[below(list->size())]["places"];
  if (places.empty()) return;
  Json const place = places[below(places.size())];
  Json& round = of["rounds"][below(of["rounds"].size())];
  if (!round.contains("copies")) round["copies"] = Json::array();
  Json copy = Json::array({any_place(of), place});
  if (chance(2)) std::swap(copy[0], copy[1]);
  round["copies"].push_back(copy);
}

void Mutation::send_from_a_joined_place() {
  Json& of = program();
  Json* const round = round_of(of);
  if (round == nullptr || !round->contains("sends") || !round->contains("receives")) return;
  Json& sends = (*round)["sends"];
  Json& receives = (*round)["receives"];
  if (sends.empty() || receives.empty()) return;
  Json& from = sends[below(sends.size())]["places"];
  Json& into = receives[below(receives.size())]["places"];
  if (from.empty() || into.empty()) return;
  chance(2) ? from[below(from.size())] = into[below(into.size())] : into[below(into.size())] = from[below(from.size())];
}

}  // namespace rondo::mutants

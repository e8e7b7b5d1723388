#include <functional>
#include <utility>

#include "certificates/mutants.hpp"
#include "run/families/plan.hpp"
#include "run/formats/promise_json.hpp"
#include "run/points/exported.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo::mutants {
namespace {

struct Family {
  char const* collective;
  std::vector<char const*> algorithms;
  char const* block = "8B";
};

std::vector<Family> const families = {
    {R"({"kind": "bcast", "ranks": 4, "root": 2})", {"binomial", "chain"}},
    {R"({"kind": "bcast", "ranks": 5, "segment": "4B"})", {"pipeline", "scatter_allgather"}},
    {R"({"kind": "gather", "ranks": 4, "block_sizes": "m + r"})", {"binomial", "linear_sync"}},
    {R"({"kind": "scatter", "ranks": 4, "root": 1})", {"binomial", "linear"}},
    {R"({"kind": "allgather", "ranks": 4, "block_sizes": ["3B", "5B", "8B", "3B"]})", {"ring", "bruck"}},
    {R"({"kind": "allgather", "ranks": 4})", {"neighbor_exchange", "recursive_doubling", "circulant"}},
    {R"({"kind": "alltoall", "ranks": 4})", {"bruck", "pairwise"}},
    {R"({"kind": "reduce", "ranks": 4, "commutative": false})", {"chain", "binomial"}},
    {R"({"kind": "reduce_scatter", "ranks": 4})", {"ring", "recursive_halving"}},
    {R"({"kind": "scan", "ranks": 4, "commutative": false})", {"linear", "recursive_doubling"}},
    {R"({"kind": "exscan", "ranks": 4})", {"recursive_doubling"}},
    {R"({"kind": "allreduce", "ranks": 4})", {"ring", "recursive_doubling", "rabenseifner", "swing"}},
    {R"({"kind": "allreduce", "ranks": 4, "same_bits": true})", {"ring", "recursive_doubling"}},
    {R"({"kind": "barrier", "ranks": 5})", {"dissemination", "binomial"}, "0B"},
    {R"({"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1], [2]]}})",
     {"torus", "straightforward"}},
    {R"({"kind": "isomorphic_alltoall", "torus": [3, 2], "neighborhood": {"kind": "moore", "radius": 1},
        "block_sizes": "m + l1"})",
     {"torus", "direct"}},
    {R"({"kind": "isomorphic_allgather", "torus": [4, 2], "neighborhood": {"kind": "von_neumann", "radius": 2}})",
     {"torus", "straightforward"}},
    {R"({"kind": "isomorphic_allgather", "torus": [4, 3], "neighborhood": {"kind": "octant", "radius": 1},
        "periodic": [true, false]})",
     {"torus"}},
    {R"({"kind": "intergroup_allgather", "senders": 3, "receivers": 2, "broadcast": "scatter_allgather"})",
     {"group_allgather", "root_gathering"}},
    {R"({"kind": "neighbor_alltoall", "graph": {"kind": "edges", "ranks": 4,
        "edges": [[2, 1], [0, 1], [0, 2], [3, 0], [0, 1], [1, 1]]}})",
     {"naive", "common_neighbors"}},
    {R"({"kind": "neighbor_allgather", "graph": {"kind": "moore", "torus": [3], "radius": 1}})", {"naive"}},
    {R"({"kind": "sparse_allreduce", "graph": {"kind": "edges", "ranks": 4, "edges": [[2, 1], [0, 1], [3, 1], [0, 1]]}})",
     {"naive"}},
    {R"({"kind": "sparse_reduce", "root": 2, "graph": {"kind": "offsets", "torus": [4], "offsets": [[1], [-2]]}})",
     {"torus"}},
    {R"({"kind": "sparse_bcast", "root": 1, "graph": {"kind": "edges", "ranks": 3, "edges": [[1, 0], [1, 2], [1, 1]]}})",
     {"naive"}},
    {R"({"kind": "sparse_barrier", "graph": {"kind": "edges", "ranks": 3, "edges": [[0, 1], [1, 2], [2, 0], [0, 0]]}})",
     {"naive"},
     "0B"},
};

/// Bytes of messages follow from their places; without them a change of places can be read.
void leave_out_bytes(Json& schedule) {
  for (Json& program : schedule["programs"]) {
    for (Json& round : program["rounds"]) {
      for (char const* list : {"sends", "receives"}) {
        if (!round.contains(list)) continue;
        for (Json& message : round[list]) message.erase("bytes");
      }
    }
  }
}

int ranks_of(Json const& collective) {
  if (collective.contains("graph")) return ranks_of(collective["graph"]);
  if (collective.contains("senders")) return collective["senders"].get<int>() + collective["receivers"].get<int>();
  if (collective.contains("ranks")) return collective["ranks"].get<int>();
  int product = 1;
  for (Json const& extent : collective["torus"]) product *= extent.get<int>();
  return product;
}

Json exported_schedule(Family const& family, std::string const& algorithm, bool written) {
  Json document = Json::parse(R"({"machine": {"topology": {"kind": "fully_connected"}, "latency": "1us",
    "bandwidth": "1GBps"}, "engine": "native"})");
  document["collective"] = Json::parse(family.collective);
  document["machine"]["topology"]["hosts"] = ranks_of(document["collective"]);
  document["algorithm"] = algorithm;
  document["block"] = family.block;
  scenario::Scenario const parsed = scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json");
  Plan const plan = plan_of(parsed, "s.json");
  SchedulePlan const& chosen = schedule_plan(plan, "s.json");
  ScheduleFile file = exported(chosen, parsed);
  std::string text;
  write_schedule(file, [&](std::string_view piece) { text += piece; });
  Json schedule = Json::parse(text);
  // A promise that is written out has blocks of one size.
  if (written && !document["collective"].contains("block_sizes") && !file.promise.contains("pieces")) {
    schedule["promise"] = written_out(chosen.collective);
  }
  leave_out_bytes(schedule);
  return schedule;
}

/// Changes a schedule in one place. Every change leaves it as it is where it finds nothing to change.
class Mutation {
 public:
  Mutation(Json& schedule, Random& random) : schedule_(schedule), random_(random) {}

  void once() {
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

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.below(bound)); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  int ranks() const { return schedule_.contains("ranks") ? schedule_["ranks"].get<int>() : 4; }

  Json& program() { return schedule_["programs"][below(schedule_["programs"].size())]; }
  /// A list that is there and not empty, of a round of the program; null: none is found.
  Json* round_of(Json& program) {
    if (!program.contains("rounds") || program["rounds"].empty()) return nullptr;
    return &program["rounds"][below(program["rounds"].size())];
  }
  Json* list_in(Json& program, char const* list) {
    for (int tries = 0; tries < 8; ++tries) {
      Json* const round = round_of(program);
      if (round != nullptr && round->contains(list) && !(*round)[list].empty()) return &(*round)[list];
    }
    return nullptr;
  }
  Json* messages() { return list_in(program(), chance(2) ? "sends" : "receives"); }
  Json* message() {
    Json* const list = messages();
    return list == nullptr ? nullptr : &(*list)[below(list->size())];
  }

  Json* buffer_of(Json& program) {
    if (!program.contains("buffers") || program["buffers"].empty()) return nullptr;
    auto at = program["buffers"].begin();
    std::advance(at, static_cast<std::ptrdiff_t>(below(program["buffers"].size())));
    return &*at;
  }
  /// The sizes of a buffer, one for each slot.
  Json* sizes() {
    Json* const buffer = buffer_of(program());
    if (buffer == nullptr || (*buffer)["slots"].get<int>() == 0) return nullptr;
    if (!buffer->contains("bytes")) {
      (*buffer)["bytes"] = Json::array();
      int const slots = (*buffer)["slots"].get<int>();
      for (int i = 0; i < slots; ++i) (*buffer)["bytes"].push_back(schedule_["block_bytes"]);
    }
    return &(*buffer)["bytes"];
  }
  Json any_place(Json& program) {
    Json place = Json::array({"send", 0});
    if (!program.contains("buffers") || program["buffers"].empty()) return place;
    auto at = program["buffers"].begin();
    std::advance(at, static_cast<std::ptrdiff_t>(below(program["buffers"].size())));
    int const slots = std::max(1, (*at)["slots"].get<int>());
    return Json::array({at.key(), below(static_cast<std::size_t>(slots))});
  }

  void resize_a_slot() {
    Json* const list = sizes();
    if (list == nullptr) return;
    Json& size = (*list)[below(list->size())];
    size = std::max<std::int64_t>(0, size.get<std::int64_t>() + random_.between(-3, 3));
    if (chance(2)) (*list)[below(list->size())] = size;
  }
  void exchange_sizes() {
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
  void change_slots() {
    Json* const buffer = buffer_of(program());
    if (buffer == nullptr) return;
    (*buffer)["slots"] = std::max<std::int64_t>(0, (*buffer)["slots"].get<int>() + random_.between(-1, 2));
    if (chance(3)) buffer->erase("bytes");
  }
  void change_a_place() {
    Json& of = program();
    Json* const list = list_in(of, chance(2) ? "sends" : "receives");
    if (list == nullptr) return;
    Json& places = (*list)[below(list->size())]["places"];
    if (!places.empty()) places[below(places.size())] = any_place(of);
  }
  void exchange_places() {
    Json* const found = message();
    if (found == nullptr || (*found)["places"].size() < 2) return;
    Json& places = (*found)["places"];
    std::swap(places[below(places.size())], places[below(places.size())]);
  }

  struct Pair {
    Json* send;
    Json* receive;
    Json* sender;
    Json* receiver;
    std::size_t round;
  };
  Json* program_of(int rank) {
    for (Json& each : schedule_["programs"]) {
      if (!each["ranks"].is_array()) continue;
      for (Json const& follower : each["ranks"]) {
        if (follower == rank) return &each;
      }
    }
    return nullptr;
  }
  /// The two ends of a message between ranks, or of one between the ranks of one program.
  Pair pair() {
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

  void change_places_at_both_ends() {
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
  void add_or_drop_a_place() {
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
  void change_a_partner() {
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
  void change_a_join() {
    Json* const list = list_in(program(), "receives");
    if (list == nullptr) return;
    Json& receive = (*list)[below(list->size())];
    if (receive.contains("join") && chance(2)) {
      receive.erase("join");
    } else {
      receive["join"] = receive.value("join", "") == "before" ? "after" : chance(2) ? "before" : "after";
    }
  }
  void drop_a_message() {
    if (chance(2)) {
      if (Json* const list = messages()) list->erase(below(list->size()));
      return;
    }
    Pair const found = pair();
    if (found.send == nullptr) return;
    erase((*found.sender)["rounds"][found.round]["sends"], found.send);
    erase((*found.receiver)["rounds"][found.round]["receives"], found.receive);
  }
  static void erase(Json& list, Json const* element) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (&list[i] == element) return list.erase(i);
    }
  }
  void double_a_message() {
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
  void move_a_message() {
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
  void exchange_messages() {
    Json* const list = messages();
    if (list != nullptr) std::swap((*list)[below(list->size())], (*list)[below(list->size())]);
  }

  Json* copies() {
    Json& of = program();
    Json* const round = chance(3) ? &of : round_of(of);
    if (round == nullptr) return nullptr;
    if (!round->contains("copies")) (*round)["copies"] = Json::array();
    of_copies_ = &of;
    return &(*round)["copies"];
  }
  void add_a_copy() {
    Json* const list = copies();
    if (list == nullptr) return;
    Json copy = Json::array({any_place(*of_copies_), any_place(*of_copies_)});
    if (chance(3)) copy.push_back(chance(2) ? "before" : "after");
    list->insert(list->begin() + static_cast<std::ptrdiff_t>(below(list->size() + 1)), copy);
  }
  void change_a_copy() {
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

  /// At one end or at both.
  void cut_a_message() {
    Pair const found = pair();
    if (found.send == nullptr || (*found.send)["places"].size() < 2) return;
    std::size_t const at = 1 + below((*found.send)["places"].size() - 1);
    bool const both = !chance(4);
    cut((*found.sender)["rounds"][found.round]["sends"], found.send, at);
    if (both) cut((*found.receiver)["rounds"][found.round]["receives"], found.receive, at);
  }
  static void cut(Json& list, Json* message, std::size_t at) {
    Json second = *message;
    Json& places = (*message)["places"];
    if (places.size() <= at) return;
    second["places"] = Json::array();
    for (std::size_t i = at; i < places.size(); ++i) second["places"].push_back(places[i]);
    while (places.size() > at) places.erase(places.size() - 1);
    list.push_back(second);
  }
  void join_two_messages() {
    Json* const list = messages();
    if (list == nullptr || list->size() < 2) return;
    std::size_t const i = below(list->size()), j = below(list->size());
    if (i == j) return;
    for (Json const& place : Json((*list)[j]["places"])) (*list)[i]["places"].push_back(place);
    list->erase(j);
  }
  void add_an_idle_round() {
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
  void exchange_rounds() {
    Json& all = program()["rounds"];
    if (all.is_null() || all.empty()) return;
    std::size_t const i = below(all.size()), j = below(all.size());
    if (chance(2)) return std::swap(all[i], all[j]);
    for (Json& each : schedule_["programs"]) {
      if (each["rounds"].size() > std::max(i, j)) std::swap(each["rounds"][i], each["rounds"][j]);
    }
  }

  void change_promises() {
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
  void change_followers() {
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

  void change_the_promise() {
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
  void change_a_rule() {
    static constexpr char const* rules[] = {"ordered", "same_bits", "idempotent", "commutative"};
    Json& promise = schedule_["promise"];
    bool const stated = promise["kind"] == "stated";
    promise[rules[stated ? below(3) : chance(2) ? 1 : 3]] = chance(3) ? false : true;
  }
  void change_an_owed_slot() {
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

  /// A message more, from any place to any place.
  void add_a_pair() {
    Json& from = program();
    Json& into = program();
    if (!from["ranks"].is_array() || !into["ranks"].is_array() || from["ranks"].empty() || into["ranks"].empty())
      return;
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
  /// Writes over a place that a copy or a message wrote.
  void overwrite_a_place() {
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
  /// What is received into is sent in the same round.
  void send_from_a_joined_place() {
    Json& of = program();
    Json* const round = round_of(of);
    if (round == nullptr || !round->contains("sends") || !round->contains("receives")) return;
    Json& sends = (*round)["sends"];
    Json& receives = (*round)["receives"];
    if (sends.empty() || receives.empty()) return;
    Json& from = sends[below(sends.size())]["places"];
    Json& into = receives[below(receives.size())]["places"];
    if (from.empty() || into.empty()) return;
    chance(2) ? from[below(from.size())] = into[below(into.size())]
              : into[below(into.size())] = from[below(from.size())];
  }
  void state_bytes() {
    if (Json* const found = message()) {
      (*found)["bytes"] = static_cast<std::int64_t>((*found)["places"].size()) * 8 + random_.between(-1, 1) * below(2);
    }
  }
  void say_something_else() {
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
  /// Any number of the schedule, by its place, becomes another one, or what is no integer.
  void change_a_number() {
    std::vector<Json*> numbers;
    collect(schedule_, numbers);
    Json& number = *numbers[below(numbers.size())];
    if (chance(8)) {
      number = chance(2) ? Json(true) : Json(number.get<double>());
    } else {
      number = number.get<std::int64_t>() + random_.between(-2, 2);
    }
  }
  static void collect(Json& value, std::vector<Json*>& numbers) {
    if (value.is_number_integer()) numbers.push_back(&value);
    if (!value.is_structured()) return;
    for (Json& each : value) collect(each, numbers);
  }

  Json& schedule_;
  Random& random_;
  Json* of_copies_ = nullptr;
};

}  // namespace

std::vector<Json> rounds() {
  std::vector<Json> all;
  for (Family const& family : families) {
    for (char const* algorithm : family.algorithms) {
      for (bool const written : {false, true}) all.push_back(exported_schedule(family, algorithm, written));
    }
  }
  return all;
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

#pragma once

// The class that changes a schedule of rounds, for the round_mutants*.cpp alone. Its methods lie in three files:
// access to the parts of a schedule, changes of places, of messages, and of promises and numbers.

#include <cstddef>
#include <vector>

#include "certificates/mutants.hpp"

namespace rondo::mutants {

/// Changes a schedule in one place. Every change leaves it as it is where it finds nothing to change.
class Mutation {
 public:
  Mutation(Json& schedule, Random& random) : schedule_(schedule), random_(random) {}

  /// Makes one change, drawn among all.
  void once();

 private:
  /// The two ends of a message, their programs and their round; null pointers if none is found.
  struct Pair {
    Json* send;
    Json* receive;
    Json* sender;
    Json* receiver;
    std::size_t round;
  };

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.below(bound)); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  int ranks() const { return schedule_.contains("ranks") ? schedule_["ranks"].get<int>() : 4; }
  Json& program() { return schedule_["programs"][below(schedule_["programs"].size())]; }
  /// A list that is there and not empty, of a round of the program; null: none is found.
  Json* round_of(Json& program);
  Json* list_in(Json& program, char const* list);
  Json* messages();
  Json* message();
  Json* buffer_of(Json& program);
  /// The sizes of a buffer, one for each slot.
  Json* sizes();
  Json any_place(Json& program);
  Json* program_of(int rank);
  /// The two ends of a message between ranks, or of one between the ranks of one program.
  Pair pair();
  Json* copies();

  // round_mutants_places.cpp
  void resize_a_slot();
  void exchange_sizes();
  void change_slots();
  void change_a_place();
  void exchange_places();
  void change_places_at_both_ends();
  void add_or_drop_a_place();
  void add_a_copy();
  void change_a_copy();
  /// Writes over a place that a copy or a message wrote.
  void overwrite_a_place();
  /// What is received into is sent in the same round.
  void send_from_a_joined_place();

  // round_mutants_messages.cpp
  void change_a_partner();
  void change_a_join();
  void drop_a_message();
  static void erase(Json& list, Json const* element);
  void double_a_message();
  void move_a_message();
  void exchange_messages();
  /// At one end or at both.
  void cut_a_message();
  static void cut(Json& list, Json* message, std::size_t at);
  void join_two_messages();
  void add_an_idle_round();
  void exchange_rounds();
  /// A message more, from any place to any place.
  void add_a_pair();

  // round_mutants_promises.cpp
  void change_promises();
  void change_followers();
  void change_the_promise();
  void change_a_rule();
  void change_an_owed_slot();
  void state_bytes();
  void say_something_else();
  /// Any number of the schedule, by its place, becomes another one, or what is no integer.
  void change_a_number();
  static void collect(Json& value, std::vector<Json*>& numbers);

  Json& schedule_;
  Random& random_;
  Json* of_copies_ = nullptr;
};

}  // namespace rondo::mutants

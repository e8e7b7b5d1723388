#pragma once

// Declares the types that the three parts of the reader of schedules share. schedule_events.cpp walks through the text,
// schedule_draft.cpp makes programs, and schedule_read.cpp makes the checks that need the whole text.

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/file/schedule_json.hpp"

namespace rondo::schedule_reading {

using json::Json;

/// A program that has been read, with the facts that can be checked only when the whole text is known.
struct Draft {
  std::vector<std::int32_t> followers;  ///< the ranks that follow the program, as listed
  bool of_all = false;                  ///< "ranks" is "all"
  bool says_ranks = false;              ///< "ranks" is stated
  Program program;
  std::vector<std::int64_t> sent, received;  ///< the bytes that each send and receive states; -1: none
};

/// The content of a text.
struct ScheduleText {
  Json header = Json::object();  ///< all members except the programs
  std::vector<Draft> drafts;     ///< by program
  bool has_programs = false;
  bool has_ranks_as_peers = false;                   ///< a message names its partner by rank
  std::vector<int> offsets;                          ///< the different offsets, one after the other
  std::size_t dimensions = 0;                        ///< of the offsets; 0: there are none
  std::map<std::vector<int>, std::int32_t> numbers;  ///< by offset: its index
  std::vector<std::string> labels;                   ///< the different labels; label i has the number i + 1
  std::int64_t moves = 0, received = 0;              ///< places of all sends, plus all copies; places of all receives
};

/// A value in the text with its place. An item inside another one refers to it, so the outer item must outlive it. The
/// place is made into a text only if an error message needs it.
struct Item {
  Json const& value;
  std::string const& name;               ///< of the text
  std::function<std::string()> pointer;  ///< makes the place of an item that is in no other one
  Item const* around = nullptr;          ///< the item that contains this one; null if there is none
  char const* key = nullptr;             ///< in the object around it; else an entry of a list
  std::size_t index = 0;

  Item operator[](std::size_t i) const { return {value[i], name, {}, this, nullptr, i}; }
  Item operator[](char const* member) const { return {value[member], name, {}, this, member, 0}; }
  /// Returns the JSON pointer of the value.
  std::string place() const;
  /// Makes an error with the name of the text and the place.
  InputError error(std::string_view what) const;
  /// Returns the value as a whole number in this range. Throws InputError for any other value.
  std::int64_t integer(std::int64_t minimum, std::int64_t maximum) const;
  /// Returns the value as a string. Throws InputError for any other value.
  std::string const& text() const;
  /// Throws InputError unless the value is a list; if `size` is not 0, a list of that many entries.
  void expect_list(char const* what, std::size_t size = 0) const;
  /// Throws InputError unless the value is an object that has no keys but these.
  void expect_object(char const* what, std::initializer_list<std::string_view> keys) const;
};

/// Makes the error "unknown key ..." at the object that has the key, with the nearest of the `known` keys or all of
/// them.
InputError unknown_key(std::string const& name, std::string const& pointer, std::string const& key,
                       std::vector<std::string> const& known);

/// Builds a program from its members, which may come in any order. Its functions throw InputError with the place.
class DraftBuilder {
 public:
  explicit DraftBuilder(ScheduleText& into) : content_(into) {}

  void ranks(Item const& item);
  void buffers(Item const& item);
  void begin_round() { builder_.begin_round(), ++rounds_; }
  void send(Item const& item);
  void receive(Item const& item);
  void copy(Item const& item);
  /// Adds a copy of round 0, which the text may give after the rounds.
  void first_copy(Item const& item);
  Draft finish() &&;

 private:
  std::int32_t peer(Item const& transfer);
  std::uint8_t label(Item const& transfer);
  void read_places(Item const& transfer);

  ScheduleText& content_;  ///< gets the offsets, labels and counts
  Draft draft_;
  ProgramBuilder builder_{Layout{}};
  int rounds_ = 0;             ///< that have begun
  std::vector<Copy> late_;     ///< copies of round 0 that came after the rounds
  std::vector<Place> places_;  ///< of the message that is being read
};

/// Reads a text from its first byte to its last. Throws InputError with the place, also if the text has more than
/// `most_moves` moves.
ScheduleText read_content(std::string_view text, std::string const& name, std::int64_t most_moves);

}  // namespace rondo::schedule_reading

#pragma once

// Declares what the three parts of the reader of schedules share: the walk through the text (schedule_events.cpp),
// the making of programs (schedule_draft.cpp), and the checks that need the whole text (schedule_read.cpp).

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
  std::vector<std::int32_t> followers;
  bool of_all = false;
  bool says_ranks = false;
  Program program;
  std::vector<std::int64_t> sent, received;  ///< the bytes that each send and receive states; -1: none
};

/// Everything that a text says.
struct ScheduleText {
  Json header = Json::object();
  std::vector<Draft> drafts;
  bool has_programs = false;
  bool has_ranks_as_peers = false;
  std::vector<int> offsets;
  std::size_t dimensions = 0;                        ///< of the offsets; 0: there are none
  std::map<std::vector<int>, std::int32_t> numbers;  ///< of the offsets
  std::vector<std::string> labels;
  std::int64_t moves = 0, received = 0;
};

/// A value in the text with its place. An item inside another one refers to it, so that its place is made into a text
/// only if an error message needs it.
struct Item {
  Json const& value;
  std::string const& name;               ///< of the text
  std::function<std::string()> pointer;  ///< of an item inside of none
  Item const* around = nullptr;
  char const* key = nullptr;  ///< in the object around it; else an entry of a list
  std::size_t index = 0;

  Item operator[](std::size_t i) const { return {value[i], name, {}, this, nullptr, i}; }
  Item operator[](char const* member) const { return {value[member], name, {}, this, member, 0}; }
  std::string place() const;
  InputError error(std::string_view what) const;
  /// The value as a whole number in this range. Throws InputError for any other value.
  std::int64_t integer(std::int64_t minimum, std::int64_t maximum) const;
  std::string const& text() const;
  /// Throws InputError unless the value is a list; if `size` is not 0, a list of that many entries.
  void expect_list(char const* what, std::size_t size = 0) const;
  /// Throws InputError unless the value is an object that has no keys but these.
  void expect_object(char const* what, std::initializer_list<std::string_view> keys) const;
};

/// The error "unknown key ..." at the object that has the key.
InputError unknown_key(std::string const& name, std::string const& pointer, std::string const& key,
                       std::vector<std::string> const& known);

/// Builds a program from its members, which may come in any order.
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

  ScheduleText& content_;
  Draft draft_;
  ProgramBuilder builder_{Layout{}};
  int rounds_ = 0;
  std::vector<Copy> late_;
  std::vector<Place> places_;
};

/// Reads a text from its first byte to its last.
ScheduleText read_content(std::string_view text, std::string const& name, std::int64_t most_moves);

}  // namespace rondo::schedule_reading

// A row of a table of keys gives the key's schema, its default and its reader.

#include "scenario/key.hpp"

#include <gtest/gtest.h>

#include "json/value.hpp"
#include "sample.hpp"

namespace rondo::scenario {
namespace {

struct Part {
  Seconds pause{1e-7};
};
struct Sample {
  int count = 4;
  std::optional<Bytes> room = {};
  Part part = {};
};

Table<Sample> table() {
  return Table<Sample>{key("count", &Sample::count, integer(1, 64), "the number of boxes"),
                       key("room", &Sample::room, any_size("64KiB"), "the size of a box; any by default"),
                       key<Sample>("own", flag().schema, "read elsewhere", Need::required)} +
         within(&Sample::part, Table<Part>{key("pause", &Part::pause, time("1us"), "{} by default, between boxes")});
}

Sample read(char const* text) {
  std::string const file = "s.json";
  Json const object = json_of(text);
  Sample sample;
  read_keys(table(), Place{object, file, "/sample"}, sample);
  return sample;
}

TEST(Key, gives_the_schema_with_the_default_of_its_member) {
  EXPECT_EQ(object_of("boxes", texts_of(table())), json_of(R"json({
    "description": "boxes",
    "required": ["own"],
    "properties": {
      "count": {"type": "integer", "minimum": 1, "maximum": 64, "description": "the number of boxes; 4 by default"},
      "room": {"type": "string", "title": "a string with a unit such as \"64KiB\"",
               "description": "the size of a box; any by default"},
      "own": {"type": "boolean", "description": "read elsewhere"},
      "pause": {"type": "string", "title": "a string with a unit such as \"1us\"",
                "description": "\"100ns\" by default, between boxes"}
    }
  })json"));
}

TEST(Key, is_read_into_its_member_and_leaves_the_others) {
  Sample const none = read("{}");
  EXPECT_EQ(none.count, 4);
  EXPECT_FALSE(none.room);
  Sample const some = read(R"({"count": 2, "room": "1KiB", "own": true, "pause": "3us"})");
  EXPECT_EQ(some.count, 2);
  EXPECT_EQ(some.room, Bytes(1024));
  EXPECT_EQ(some.part.pause, Seconds(3e-6));
}

TEST(Key, names_the_place_of_a_wrong_value) {
  EXPECT_THROW(
      try { read(R"({"pause": "3"})"); } catch (PlacedError const& error) {
        EXPECT_EQ(error.pointer(), "/sample/pause");
        throw;
      },
      PlacedError);
}

TEST(Key, of_a_kind_is_read_by_that_kind) {
  auto const form = one_of<int>("a box", "a box of a kind",
                                {{"one", json_of(R"({"kind": "one"})"), [](Place const&) { return 1; }},
                                 {"two", json_of(R"({"kind": "two"})"), [](Place const&) { return 2; }}});
  std::string const file = "s.json";
  Json const two = json_of(R"({"kind": "two"})");
  EXPECT_EQ(form.read(Place{two, file, ""}), 2);
  EXPECT_EQ(form.schema["kinds"].size(), 2U);
}

}  // namespace
}  // namespace rondo::scenario

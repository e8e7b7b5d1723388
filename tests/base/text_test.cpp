#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"

namespace rondo {
namespace {

TEST(Excerpt, keeps_short_text_and_cuts_long_text) {
  EXPECT_EQ(excerpt("torus"), "torus");
  EXPECT_EQ(excerpt("0123456789", 4), "0123... (10 characters)");
  EXPECT_EQ(excerpt(std::string(2 << 20, 'x'), 3), "xxx... (2097152 characters)");
}

TEST(Excerpt, is_one_line_without_control_characters) {
  EXPECT_EQ(excerpt(std::string("a\nb\t\x1b[31m\x7f\0c", 12)), "a\\nb\\t\\x1b[31m\\x7f\\x00c");
}

TEST(Excerpt, cuts_between_characters) {
  EXPECT_EQ(excerpt("a\xc3\xa9z", 2), "a... (4 characters)");
  EXPECT_EQ(excerpt("a\xc3\xa9z", 3), "a\xc3\xa9... (4 characters)");
  EXPECT_EQ(excerpt("\xf0\x9f\x8e\xb5!", 3), "... (5 characters)");
  EXPECT_EQ(excerpt(std::string(9, '\x80'), 1), "\\x80... (9 characters)");
}

// The escapes are those of RFC 8259, section 7: U+E0001 is the surrogates db40 and dc01.
TEST(PrintableJson, is_the_same_value_without_what_a_terminal_obeys) {
  EXPECT_EQ(printable_json(
                "{\n  \"a\": \"\xc3\xa9 \\u001b \x7f \xc2\x9b \xe2\x80\xae \xf3\xa0\x80\x81 \xf0\x9f\x8e\xb5\"\n}"),
            "{\n  \"a\": \"\xc3\xa9 \\u001b \\u007f \\u009b \\u202e \\udb40\\udc01 \xf0\x9f\x8e\xb5\"\n}");
}

TEST(Utf8, is_told_from_other_bytes) {
  for (char const* text : {"", "plain", "\xc3\xa9", "\xf0\x9f\x8e\xb5", "\xef\xbf\xbf"})
    EXPECT_TRUE(is_utf8(text)) << text;
  // Cut off, a second byte alone, overlong, a surrogate, past U+10FFFF (Unicode 15, Table 3-7).
  for (char const* text : {"a\xc3", "\xa9", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
    EXPECT_FALSE(is_utf8(text));
}

struct Meant {
  char const* word;
  char const* said;
};

TEST(DidYouMean, names_what_is_misspelt_else_what_begins_with_the_word_or_has_it_as_a_part) {
  std::vector<std::string> const known{"isomorphic_alltoall", "isomorphic_allgather", "neighbor_allgather", "fat_tree",
                                       "neighbor_alltoall",   "neighbor_allreduce",   "neighbor_bcast",     "p"};
  for (Meant const& each :
       {Meant{"isomorphic", "; did you mean \"isomorphic_alltoall\" or \"isomorphic_allgather\"?"},
        Meant{"neighbor", "; did you mean \"neighbor_allgather\", \"neighbor_alltoall\" or \"neighbor_allreduce\"?"},
        Meant{"tree", "; did you mean \"fat_tree\"?"}, Meant{"FAT_TREE", "; did you mean \"fat_tree\"?"},
        Meant{"isomorphic_alltoal",
              "; did you mean \"isomorphic_alltoall\"?"},      // and no more, though it is a beginning
        Meant{"bcast", "; did you mean \"neighbor_bcast\"?"},  // a whole part
        Meant{"cast", ""},                                     // no whole part
        Meant{"is", ""}, Meant{"q", ""}, Meant{"P", "; did you mean \"p\"?"}, Meant{"", ""}}) {
    EXPECT_EQ(did_you_mean(each.word, known), each.said) << each.word;
  }
}

struct Shown {
  char const* what;
  std::string text, printable;
};

TEST(Printable, escapes_what_a_terminal_obeys_and_leaves_all_else) {
  for (Shown const& each : {
           Shown{"plain text", "27-point stencil: a \\ b", "27-point stencil: a \\ b"},
           Shown{"letters of any language",
                 "Tr\xc3\xa4"
                 "ff \xe6\x97\xa5 \xf0\x9f\x8e\xb5",
                 "Tr\xc3\xa4"
                 "ff \xe6\x97\xa5 \xf0\x9f\x8e\xb5"},
           Shown{"a colour", "\x1b[31mred", "\\x1b[31mred"},
           Shown{"a title for the window", "\x1b]0;owned\x07", "\\x1b]0;owned\\x07"},
           Shown{"lines", "a\r\n\tb", "a\\r\\n\\tb"},
           Shown{"nothing and delete", std::string("\0\x7f", 2), "\\x00\\x7f"},
           Shown{"CSI as one character of C1",
                 "\xc2\x9b"
                 "31m",
                 "\\u{9b}31m"},
           Shown{"CSI as one byte",
                 "\x9b"
                 "31m",
                 "\\x9b31m"},
           Shown{"right-to-left override",
                 "a\xe2\x80\xae"
                 "b",
                 "a\\u{202e}b"},
           Shown{"an isolate", "\xe2\x81\xa6", "\\u{2066}"},
           Shown{"line separator", "\xe2\x80\xa8", "\\u{2028}"},
           Shown{"Arabic letter mark", "\xd8\x9c", "\\u{61c}"},
           Shown{"tags", "\xf3\xa0\x81\x81", "\\u{e0041}"},
           Shown{"a noncharacter", "\xef\xbf\xbe", "\\u{fffe}"},
           Shown{"Latin-1",
                 "Tr\xe4"
                 "ff",
                 "Tr\\xe4ff"},
           Shown{"cut off", "a\xe6\x97", "a\\xe6\\x97"},
           Shown{"overlong", "\xc0\xaf \xe0\x80\xaf", "\\xc0\\xaf \\xe0\\x80\\xaf"},
           Shown{"a surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
           Shown{"past the last character", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
       }) {
    EXPECT_EQ(printable(each.text), each.printable) << each.what;
    EXPECT_EQ(printable(printable(each.text)), each.printable) << each.what << ", twice";
  }
}

TEST(DidYouMean, names_the_nearest_word) {
  std::vector<std::string> const known = {"radius", "radii", "kind"};
  EXPECT_EQ(did_you_mean("radus", known), "; did you mean \"radius\"?");
  EXPECT_EQ(did_you_mean("Kind", known), "; did you mean \"kind\"?");
  EXPECT_EQ(did_you_mean("colour", known), "");
  EXPECT_EQ(did_you_mean("", known), "");
  EXPECT_EQ(did_you_mean("radus", {}), "");
  EXPECT_EQ(did_you_mean(std::string(2 << 20, 'r'), known), "");
}

TEST(Expects, throws_with_the_place_of_the_caller) {
  EXPECT_NO_THROW(expects(true, "truth"));
  try {
    expects(false, "a rank of the torus");
    FAIL();
  } catch (ContractViolation const& violation) {
    std::string const what = violation.what();
    EXPECT_NE(what.find("text_test.cpp:"), std::string::npos) << what;
    EXPECT_NE(what.find("expected a rank of the torus"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace rondo

#include "base/printable.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rondo {
namespace {

// XML 1.0, sections 2.2 (characters), 2.4 (what text must escape) and 3.3.3 (attributes lose tabs and line ends).
TEST(Xml, text_escapes_what_would_end_it_and_what_xml_has_no_place_for) {
  EXPECT_EQ(xml_text("a < b && \"c\" > d"), "a &lt; b &amp;&amp; &quot;c&quot; > d");
  EXPECT_EQ(xml_text("&amp;"), "&amp;amp;");
  EXPECT_EQ(xml_text(std::string("a\0b\tc\nd\x1b", 8)), R"(a\x00b\tc\nd\x1b)");
  EXPECT_EQ(xml_text("\xEF\xBF\xBE|\xEF\xBF\xBF|\xEF\xBF\xBD"), "\\u{fffe}|\\u{ffff}|\xEF\xBF\xBD");
  EXPECT_EQ(xml_text("\xff<\xc3"), R"(\xff&lt;\xc3)");
  EXPECT_EQ(xml_text("m\xC3\xA9nage"), "m\xC3\xA9nage");
}

// XML 1.0, section 2.5: a comment has no two hyphens in a row; nothing else has a meaning in it.
TEST(Xml, comments_have_no_two_hyphens_in_a_row) {
  EXPECT_EQ(xml_comment("--set a=b & <c>"), "- -set a=b & <c>");
  for (std::size_t length = 0; length < 8; ++length) {
    EXPECT_EQ(xml_comment(std::string(length, '-')).find("--"), std::string::npos) << length;
  }
  EXPECT_EQ(xml_comment("a\x01z"), R"(a\x01z)");
}

}  // namespace
}  // namespace rondo

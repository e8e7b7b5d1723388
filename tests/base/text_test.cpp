#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "base/suggest.hpp"

namespace rondo {
namespace {

TEST(Excerpt, keeps_short_text_and_cuts_long_text) {
  EXPECT_EQ(excerpt("torus"), "torus");
  EXPECT_EQ(excerpt("0123456789", 4), "0123... (10 characters)");
  EXPECT_EQ(excerpt(std::string(2 << 20, 'x'), 3), "xxx... (2097152 characters)");
}

TEST(Excerpt, is_one_line_without_control_characters) {
  EXPECT_EQ(excerpt(std::string("a\nb\t\x1b[31m\x7f\0c", 12)), "a?b??[31m??c");
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

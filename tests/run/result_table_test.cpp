#include "run/output/result_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rondo {
namespace {

using scenario::Json;

struct Timed {
  std::string algorithm;
  std::string block;
  double time_s;
};

PointResult point(int number, Timed const& timed) {
  PointResult result;
  result.point.number = number;
  result.point.axes = {{"/algorithm", Json(timed.algorithm)}, {"/block", Json(timed.block)}};
  result.record.point = number;
  result.record.p = 64;
  result.record.rounds = number;
  result.record.messages = 10 * number;
  result.record.volume_bytes = 100 * number;
  result.record.time_s = timed.time_s;
  result.record.theory.time_s = timed.time_s;
  result.record.delivered = true;
  return result;
}

std::string table(std::vector<Timed> const& all, TableOptions const& look) {
  ResultTable result("a title", look);
  int number = 0;
  for (auto const& timed : all) result.add(point(++number, timed));
  return result.as_text();
}

std::size_t longest_line(std::string const& text) {
  std::size_t longest = 0, length = 0;
  for (char const c : text) longest = std::max(longest, length = c == '\n' ? 0 : length + 1);
  return longest;
}

TEST(ResultTable, says_once_what_is_the_same_at_all_points) {
  EXPECT_EQ(table({{"a", "1B", 1e-6}, {"b", "1B", 2e-6}}, {{"p", "rounds", "time_s", "theory.time_s"}, 100}),
            "a title\n"
            "p = 64, theory.time_s = time_s\n"
            "point  algorithm  block  rounds  time_s\n"
            "    1          a     1B       1     1us\n"
            "    2          b     1B       2     2us\n"
            "fastest: a at 1B\n");
}

TEST(ResultTable, leaves_all_columns_where_one_point_is_all) {
  EXPECT_EQ(table({{"a", "1B", 1e-6}}, {{"p", "delivered"}, 100}),
            "a title\npoint  algorithm  block   p  delivered\n    1          a     1B  64        yes\n");
}

TEST(ResultTable, fits_the_width_and_names_the_columns_that_went) {
  std::vector<Timed> const all{{"straightforward", "1B", 1.23456e-6}, {"b", "1B", 2.34567e-6}};
  std::string const wide = table(all, {{}, 1000});
  EXPECT_EQ(wide.find("not shown"), std::string::npos);
  std::string const narrow = table(all, {{}, longest_line(wide) - 1});
  EXPECT_LT(longest_line(narrow), longest_line(wide));
  EXPECT_NE(narrow.find("not shown: volume_bytes; --columns selects columns\n"), std::string::npos) << narrow;
}

/// However narrow the line is.
TEST(ResultTable, a_bound_on_the_time_never_stands_without_the_links_that_it_holds_for) {
  std::size_t with = 0, without = 0;
  for (std::size_t width = 20; width <= 80; ++width) {
    ResultTable result("a title", {{}, width});
    for (int number = 1; number <= 2; ++number) {
      PointResult each = point(number, {number == 1 ? "a" : "b", "1B", 1e-6 * number});
      each.record.bound.time_s = 0.5e-6 * number;
      each.record.bound_links = number == 1 ? "any" : "unit";
      result.add(each);
    }
    std::string const text = result.as_text();
    std::size_t const begin = text.find("point  algorithm");
    std::string const columns = text.substr(begin, text.find('\n', begin) - begin);
    bool const has_bound = columns.find("bound.time_s") != std::string::npos;
    EXPECT_TRUE(!has_bound || columns.ends_with("bound.time_s  bound.links")) << text;
    EXPECT_TRUE(!has_bound || columns.size() <= width) << text;
    ++(has_bound ? with : without);
  }
  EXPECT_GT(with, 0U);
  EXPECT_GT(without, 0U);
}

TEST(ResultTable, shows_the_columns_that_are_named_whatever_their_width) {
  std::string const text = table({{"a", "1B", 1e-6}, {"b", "1B", 2e-6}}, {{"rounds", "time_s"}, 10});
  EXPECT_NE(text.find("time_s"), std::string::npos);
  EXPECT_EQ(text.find("not shown"), std::string::npos);
}

TEST(ResultTable, names_the_fastest_for_each_choice_of_the_rest) {
  std::string const text = table({{"a", "1B", 1e-6},
                                  {"b", "1B", 2e-6},
                                  {"a", "2B", 3e-6},
                                  {"b", "2B", 4e-6},
                                  {"a", "3B", 5e-6},
                                  {"b", "3B", 5e-6},
                                  {"a", "4B", 7e-6},
                                  {"b", "4B", 6e-6}},
                                 {{"rounds"}, 100});
  EXPECT_NE(text.find("\nfastest: a at 1B to 2B; a and b at 3B; b at 4B\n"), std::string::npos) << text;
}

// More ranges than a person reads: a and b win in turns.
TEST(ResultTable, counts_how_often_each_is_fastest_where_there_are_many_ranges) {
  std::vector<Timed> all;
  for (int i = 1; i <= 20; ++i) {
    std::string const block = std::to_string(i) + "B";
    all.push_back({"a", block, i % 4 == 0 ? 2e-6 : 1e-6});
    all.push_back({"b", block, i % 4 == 0 ? 1e-6 : 2e-6});
  }
  for (int i = 21; i <= 30; ++i) {
    all.push_back({"a", std::to_string(i) + "B", i % 2 == 0 ? 1e-6 : 2e-6});
    all.push_back({"b", std::to_string(i) + "B", i % 2 == 0 ? 2e-6 : 1e-6});
  }
  std::string const text = table(all, {{"rounds"}, 100});
  EXPECT_NE(text.find("\nfastest, of 30 choices of what else is swept: a at 20, b at 10; rondo report shows where\n"),
            std::string::npos)
      << text;
}

TEST(ResultTable, names_no_winner_of_one_algorithm) {
  EXPECT_EQ(table({{"a", "1B", 1e-6}, {"a", "2B", 2e-6}}, {{"rounds"}, 100}).find("fastest"), std::string::npos);
}

TEST(ResultTable, refuses_columns_that_are_no_fields) {
  try {
    expect_columns({"rounds", "tims_s"}, "--columns");
    FAIL();
  } catch (std::exception const& error) {
    EXPECT_STREQ(
        error.what(),
        "--columns: expected fields of a record, as rondo list fields names them, got \"tims_s\"; did you mean "
        "\"time_s\"?");
  }
  try {
    expect_columns({"bound_time"}, "--columns");  // as claims call it
    FAIL();
  } catch (std::exception const& error) {
    EXPECT_STREQ(error.what(),
                 "--columns: expected fields of a record, as rondo list fields names them, got \"bound_time\"; did you "
                 "mean \"bound.time_s\"?");
  }
}

}  // namespace
}  // namespace rondo

#include "topology/graph_text.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace rondo {
namespace {

ProcessGraph graph(int ranks, std::vector<std::pair<int, int>> const& pairs) {
  std::vector<Edge> edges;
  for (auto const& [source, target] : pairs) edges.push_back({Rank(source), Rank(target)});
  return ProcessGraph(ranks, edges);
}

ProcessGraph edges_in(std::string const& text, std::string const& name, std::optional<int> ranks = std::nullopt) {
  return parse_graph(text, name, ranks).graph;
}

std::vector<double> weights_in(std::string const& text) { return parse_graph(text, "graph.txt").weights; }

std::string refusal(std::string const& text, std::optional<int> ranks = std::nullopt) {
  try {
    parse_graph(text, "graph.txt", ranks);
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(EdgeList, is_one_edge_a_line_with_comments) {
  std::string const text =
      "# a comment\n"
      "% another one\n"
      "\n"
      "0 2\n"
      "  0\t1  2.5   # with a weight\r\n"
      "2 2 -1e-3%\n"
      "0 2 7";  // parallel to the first; no newline at the end
  EXPECT_EQ(edges_in(text, "graph.txt"), graph(3, {{0, 2}, {0, 1}, {2, 2}, {0, 2}}));
  EXPECT_EQ(edges_in(text, "graph.txt", 5), graph(5, {{0, 2}, {0, 1}, {2, 2}, {0, 2}}));
  EXPECT_EQ(edges_in("\xef\xbb\xbf"
                     "0 1\n",
                     "graph.txt"),
            graph(2, {{0, 1}}))
      << "behind a byte order mark";
}

TEST(EdgeList, may_be_empty) {
  EXPECT_EQ(edges_in("", "graph.txt"), graph(0, {}));
  EXPECT_EQ(edges_in("# nothing\n", "graph.txt", 4), graph(4, {}));
}

TEST(EdgeList, is_refused_with_its_line) {
  EXPECT_EQ(refusal("0 1\n# two\n3\n"), "graph.txt:3: expected `source target [weight]`, got 1 word");
  EXPECT_EQ(refusal("0 1 2 3\n"), "graph.txt:1: expected `source target [weight]`, got 4 words");
  EXPECT_EQ(refusal("0 1\n\n0 8\n", 8), "graph.txt:3: expected a rank from 0 to 7, got 8");
  EXPECT_EQ(refusal("-1 1\n"), "graph.txt:1: expected a rank from 0 to 16777215, got -1");
  EXPECT_EQ(refusal("0 16777216\n"), "graph.txt:1: expected a rank from 0 to 16777215, got 16777216");
  EXPECT_EQ(refusal("0 99999999999999999999\n"),
            "graph.txt:1: expected a rank from 0 to 16777215, got 99999999999999999999");
  EXPECT_EQ(refusal("0 1.5\n"), "graph.txt:1: expected a rank from 0 to 16777215, got 1.5");
  EXPECT_EQ(refusal("0, 1\n"), "graph.txt:1: expected a rank from 0 to 16777215, got 0,");
  EXPECT_EQ(refusal("0 1 heavy\n"), "graph.txt:1: expected a number, got heavy");
}

// Matrix Market numbers its rows from 1, so that a first row without entries is nothing to be told of.
TEST(EdgeList, that_names_no_rank_0_and_states_no_ranks_says_so) {
  auto const lacks = [](std::string const& text, std::optional<int> ranks = std::nullopt) {
    return parse_graph(text, "graph.txt", ranks).lacks_rank_0;
  };
  EXPECT_EQ(lacks("1 2\n2 3\n3 1\n"), "graph.txt");
  EXPECT_EQ(lacks("1 2\n2 0\n"), "");
  EXPECT_EQ(lacks("1 2\n2 3\n3 1\n", 4), "") << "that rank 0 is idle is stated";
  EXPECT_EQ(lacks("# no edge\n"), "");
  EXPECT_EQ(lacks("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n2 3\n3 2\n"), "");
}

TEST(EdgeList, with_a_rank_past_the_last_one_says_whether_it_may_be_numbered_from_1) {
  std::string const hint = "; ranks are numbered from 0, and no edge names rank 0";
  EXPECT_EQ(refusal("1 2\n2 3\n3 1\n", 3), "graph.txt:2: expected a rank from 0 to 2, got 3" + hint);
  EXPECT_EQ(refusal("1 3\n3 0\n", 3), "graph.txt:1: expected a rank from 0 to 2, got 3");
  EXPECT_EQ(refusal("1 x\n", 3), "graph.txt:1: expected a rank from 0 to 2, got x");
}

TEST(MatrixMarket, general_entries_are_edges_from_row_to_column) {
  EXPECT_EQ(edges_in("%%MatrixMarket matrix coordinate pattern general\n"
                     "% a comment\n"
                     "3 3 4\n"
                     "1 2\n"
                     "3 1\n"
                     "2 2\n"
                     "1 3\n",
                     "a.mtx"),
            graph(3, {{0, 1}, {2, 0}, {1, 1}, {0, 2}}));
}

TEST(MatrixMarket, symmetric_entries_go_both_ways_but_on_the_diagonal) {
  for (std::string const symmetry : {"symmetric", "Skew-Symmetric", "hermitian"}) {
    EXPECT_EQ(edges_in("%%MatrixMarket matrix coordinate real " + symmetry + "\n3 3 2\n2 1 -1.5\n3 3 +2e10\n", "a.mtx"),
              graph(3, {{1, 0}, {0, 1}, {2, 2}}));
  }
}

TEST(MatrixMarket, has_as_many_values_as_its_field) {
  EXPECT_EQ(edges_in("%%matrixmarket MATRIX Coordinate integer general\r\n2 2 1\r\n1 2 5\r\n", "a.mtx"),
            graph(2, {{0, 1}}));
  EXPECT_EQ(edges_in("%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 5 0\n", "a.mtx"),
            graph(2, {{0, 1}}));
  EXPECT_EQ(edges_in("%%MatrixMarket matrix coordinate pattern general\n2 2 0\n", "a.mtx", 2), graph(2, {}));
}

// Read as an edge list, the first would have four ranks and a self edge (3,3).
TEST(MatrixMarket, without_its_first_line_is_refused) {
  for (std::string const text : {"3 3 2\n1 2 1.0\n2 3 1.0\n", "% values\n3 3 2\n1 2\n3 1\n", "2 2 1\n2 2 5 0\n"}) {
    EXPECT_NE(refusal(text).find("%%MatrixMarket matrix coordinate"), std::string::npos) << text << refusal(text);
  }
  // A rank past the size, another number of entries, a rank 0: edge lists.
  EXPECT_EQ(edges_in("3 3 2\n1 2\n2 4\n", "graph.txt"), graph(5, {{3, 3}, {1, 2}, {2, 4}}));
  EXPECT_EQ(edges_in("3 3 2\n1 2\n", "graph.txt"), graph(4, {{3, 3}, {1, 2}}));
  EXPECT_EQ(edges_in("3 3 2\n1 2\n0 1\n", "graph.txt"), graph(4, {{3, 3}, {1, 2}, {0, 1}}));
}

TEST(MatrixMarket, is_refused_with_its_line) {
  std::string const banner = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(refusal("%%MatrixMarket vector coordinate real general\n"), "graph.txt:1: expected matrix, got vector");
  EXPECT_EQ(refusal("%%MatrixMarket matrix array real general\n"), "graph.txt:1: expected coordinate, got array");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate double general\n"),
            "graph.txt:1: expected pattern, real, integer or complex, got double");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate real\n"),
            "graph.txt:1: expected general, symmetric, skew-symmetric or hermitian, got nothing");
  EXPECT_EQ(refusal(banner), "graph.txt:1: expected a line `rows columns entries`, got the end of the file");
  EXPECT_EQ(refusal(banner + "3 3\n"), "graph.txt:2: expected `rows columns entries`, got 2 words");
  EXPECT_EQ(refusal(banner + "% rectangular\n3 4 0\n"), "graph.txt:3: expected a square matrix, got 3 by 4");
  EXPECT_EQ(refusal(banner + "3 3 0\n", 4), "graph.txt:2: expected 4 rows, as many as ranks, got 3");
  EXPECT_EQ(refusal(banner + "3 3 1\n0 1 1.0\n"), "graph.txt:3: expected a row from 1 to 3, got 0");
  EXPECT_EQ(refusal(banner + "3 3 1\n1 4 1.0\n"), "graph.txt:3: expected a column from 1 to 3, got 4");
  EXPECT_EQ(refusal(banner + "3 3 1\n1 2\n"), "graph.txt:3: expected row, column and 1 value, got 2 words");
  EXPECT_EQ(refusal(banner + "3 3 1\n1 2 x\n"), "graph.txt:3: expected a number, got x");
  EXPECT_EQ(refusal(banner + "3 3 2\n1 2 1.0\n"), "graph.txt:3: expected 2 entries, got 1");
  EXPECT_EQ(refusal(banner + "3 3 1\n1 2 1.0\n2 1 1.0\n"), "graph.txt:4: expected the end of the file, got entry 2");
}

TEST(MatrixMarket, with_a_damaged_banner_is_no_edge_list) {
  std::string const accepted =
      ": expected %%MatrixMarket to begin the first line of a Matrix Market file, and no comment of an edge list to "
      "speak of it, got ";
  std::string const banner = "%%MatrixMarket matrix coordinate pattern general\n", entries = "4 4 2\n1 2\n2 1\n";
  EXPECT_EQ(refusal("% x\n" + banner + entries), "graph.txt:2" + accepted + banner.substr(0, banner.size() - 1));
  EXPECT_EQ(refusal("\n" + banner + entries), "graph.txt:2" + accepted + banner.substr(0, banner.size() - 1));
  EXPECT_EQ(refusal("%MatrixMarket matrix\n" + entries), "graph.txt:1" + accepted + "%MatrixMarket matrix");
  EXPECT_EQ(refusal("%% matrixmarket\n" + entries), "graph.txt:1" + accepted + "%% matrixmarket");
  EXPECT_EQ(refusal("0 1\n1 2 # MATRIXMARKET"), "graph.txt:2" + accepted + "# MATRIXMARKET");
  EXPECT_EQ(refusal("MatrixMarket\n" + entries), "graph.txt:1: expected `source target [weight]`, got 1 word");
  EXPECT_EQ(refusal(banner + "% from math.nist.gov/MatrixMarket\n" + entries), "accepted");
}

// By edge, rank by rank in the order of their targets: 0 -> 2, 0 -> 1, 0 -> 2, 2 -> 2.
TEST(EdgeList, has_a_weight_for_each_edge_where_any_is_not_1) {
  EXPECT_EQ(weights_in("0 2\n2 2 -1e-3\n0 1 2.5\n0 2 7\n"), (std::vector<double>{1, 2.5, 7, -1e-3}));
  EXPECT_EQ(weights_in("0 2\n0 1 1.0\n"), std::vector<double>());
}

TEST(MatrixMarket, values_are_weights_of_the_edges_both_ways) {
  EXPECT_EQ(weights_in("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 1 0.5\n3 1 6\n"),
            (std::vector<double>{4, 0.5, 6, 0.5, 6}));
  EXPECT_EQ(weights_in("%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 3 -8\n"), std::vector<double>{3});
  EXPECT_EQ(weights_in("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"), std::vector<double>());
}

}  // namespace
}  // namespace rondo

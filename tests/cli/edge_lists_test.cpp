// Ranks are numbered from 0; whose edge list may number them from 1 is told so.

#include <gtest/gtest.h>

#include "command.hpp"

namespace rondo::test {
namespace {

/// A neighbor allgather on the graph of g.txt.
std::string on_edge_list(std::string const& more) {
  return R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "neighbor_allgather", "graph": {"kind": "edges", "path": "g.txt")" +
         more + R"(}}, "algorithm": "naive", "block": "8B", "engine": "native",
  "expect": [{"claim": "one round", "that": "naive.rounds == 1"}]})";
}

TEST(EdgeLists, that_may_number_ranks_from_1_are_remarked_on) {
  Folder const folder;
  folder.write("g.txt", "1 2\n2 3\n3 1\n");
  std::string const file = folder.write("s.json", on_edge_list(""));
  std::string const said = file + ": no edge of " + folder.file("g.txt") +
                           " names rank 0, which has no neighbor then: ranks are numbered from 0; a number of "
                           "\"ranks\" beside \"path\" says that this is meant\n";
  for (char const* command : {"run ", "check ", "tune --to 8B ", "explain ", "show ", "export --format json "}) {
    std::string const err = rondo(command + file).err;
    EXPECT_NE(err.find(said), std::string::npos) << command << err;
  }
  EXPECT_EQ(rondo("run --quiet " + file).err, "");
  EXPECT_EQ(rondo("explain " + folder.write("stated.json", on_edge_list(R"(, "ranks": 4)"))).err, "");
}

TEST(EdgeLists, of_matrix_market_number_from_1_by_definition) {
  Folder const folder;
  folder.write("g.txt", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n2 3\n3 2\n");
  EXPECT_EQ(rondo("explain " + folder.write("s.json", on_edge_list(""))).err, "");
}

// A pattern, and the promise of a schedule, may be such a list too, and so may any point of a sweep.
TEST(EdgeLists, of_patterns_and_of_later_points_are_remarked_on) {
  Folder const folder;
  folder.write("g.txt", "0 1\n1 0\n");
  std::string const other = folder.write("h.txt", "1 2\n2 1\n");
  std::string const swept = "explain --set '/sweep={\"/collective/graph/path\": [\"g.txt\", \"h.txt\"]}' ";
  std::string const said = ": no edge of " + other + " names rank 0";
  std::string const graph = rondo(swept + folder.write("s.json", on_edge_list(""))).err;
  EXPECT_NE(graph.find(said), std::string::npos) << graph;
  std::string const pattern = rondo("explain " + folder.write("p.json", R"({"machine": {"topology":
    {"kind": "fully_connected", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"}, "collective":
    {"kind": "sparse_exchange", "pattern": {"kind": "edges", "path": "h.txt"}}, "algorithm": "nbx", "block": "8B"})"))
                                  .err;
  EXPECT_NE(pattern.find(said), std::string::npos) << pattern;
}

}  // namespace
}  // namespace rondo::test

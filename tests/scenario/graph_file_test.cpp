#include "scenario/graph_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"

namespace rondo::scenario {
namespace {

TEST(GraphFile, is_read_or_refused_by_its_path) {
  auto const folder = std::filesystem::temp_directory_path();
  std::string const path = (folder / "rondo_graph_file_test.txt").string();
  std::ofstream(path) << "0 1\n1 0\n";
  EXPECT_EQ(read_graph(path).graph, ProcessGraph(2, std::vector<Edge>{{Rank(0), Rank(1)}, {Rank(1), Rank(0)}}));
  std::ofstream(path) << "0 1\n1 x\n";
  try {
    read_graph(path, 2);
    ADD_FAILURE() << "accepted";
  } catch (InputError const& error) {
    EXPECT_EQ(error.what(), path + ":2: expected a rank from 0 to 1, got x");
  }
  std::filesystem::remove(path);
  for (std::string const& unreadable : {path, folder.string()}) {
    try {
      read_graph(unreadable);
      ADD_FAILURE() << "accepted";
    } catch (InputError const& error) {
      EXPECT_EQ(error.what(), unreadable + ": cannot be read");
    }
  }
}

}  // namespace
}  // namespace rondo::scenario

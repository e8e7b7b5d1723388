#include "scenario/graph_source.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/permissions.hpp"
#include "folder.hpp"
#include "sample.hpp"

namespace rondo::scenario {
namespace {

/// As --allow-path does.
bool const temporary_is_permitted =
    (permit({Permissions::Programs::refused, {std::filesystem::temp_directory_path().string()}, Seconds(0)}), true);

TEST(GraphFile, is_read_or_refused_by_its_path) {
  test::Folder const folder;
  std::string const path = folder.file("graph.txt");
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
  for (std::string const& refusal :
       {path + ": no such file", folder.path().string() + ": expected a file, got a folder"}) {
    try {
      read_graph(refusal.substr(0, refusal.find(": ")));
      ADD_FAILURE() << "accepted";
    } catch (InputError const& error) {
      EXPECT_EQ(error.what(), refusal);
    }
  }
}

/// A neighbor allgather on the graph of a file, with more keys of the graph.
Json on_file(std::string const& path, std::string const& more = "") {
  return sample(
      R"({"collective": {"kind": "neighbor_allgather", "torus": null, "neighborhood": null, "graph": {"kind": "edges", "path": ")" +
      path + R"(")" + more + R"(}}, "algorithm": "naive"})");
}

TEST(GraphFile, that_has_no_rank_is_refused) {
  test::Folder const folder;
  std::string const path = folder.file("empty.txt");
  for (std::string const text : {"", "# nobody\n", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n"}) {
    std::ofstream(path) << text;
    EXPECT_EQ(refusal([&] { read_all(on_file(path), "s.json"); }),
              "s.json: /collective/graph/path: expected a graph of at least 1 rank, got none in \"" + path + "\"");
  }
}

// The sums are by a program in another language.
TEST(GraphFile, and_platform_files_are_told_apart_by_a_checksum_which_a_point_states) {
  test::Folder const folder;
  std::string const path = folder.file("sum.txt");
  std::ofstream(path) << "0 1\n1 0\n";
  Json const stated = parse(Sweep(on_file(path), "s.json")[0], "s.json").expanded;
  EXPECT_EQ(stated["collective"]["graph"]["checksum"], "fnv1a:df552dc2edcdef89");
  // What is stated runs as it is, and gives itself.
  EXPECT_EQ(parse(Sweep(stated, "s.json")[0], "s.json").expanded, stated);
  std::ofstream(path) << "0 1\n";
  EXPECT_EQ(refusal([&] { read_all(stated, "s.json"); }),
            R"(s.json: /collective/graph/checksum: expected "fnv1a:37a4d9f99ce50baa", that of ")" + path +
                R"(", got "fnv1a:df552dc2edcdef89")");
  Json on_platform = sample();
  on_platform["machine"]["topology"] = {{"kind", "file"}, {"path", path}, {"checksum", "fnv1a:0"}};
  EXPECT_EQ(refusal([&] { read_all(on_platform, "s.json"); }),
            R"(s.json: /machine/topology/checksum: expected "fnv1a:37a4d9f99ce50baa", that of ")" + path +
                R"(", got "fnv1a:0")");
}

}  // namespace
}  // namespace rondo::scenario

// The table of docs/mpi-functions.md: the functions of MPI that a program has under smpirun, and those that
// librondo_mpi adds. It is made of the list of that library; RONDO_UPDATE=1 in the environment writes it anew.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace rondo::docs {
namespace {

namespace fs = std::filesystem;

/// Functions that mpi.h of SimGrid 3.32 declares and that end a program which calls them: those that
/// src/smpi/bindings/smpi_mpi.cpp of that version wraps as not implemented.
constexpr char const* ends_a_program[] = {"MPI_Cart_map",
                                          "MPI_Close_port",
                                          "MPI_Comm_accept",
                                          "MPI_Comm_connect",
                                          "MPI_Comm_get_parent",
                                          "MPI_Comm_idup",
                                          "MPI_Comm_join",
                                          "MPI_Comm_remote_group",
                                          "MPI_Comm_remote_size",
                                          "MPI_Comm_spawn",
                                          "MPI_Comm_spawn_multiple",
                                          "MPI_Dist_graph_create",
                                          "MPI_Dist_graph_create_adjacent",
                                          "MPI_Dist_graph_neighbors",
                                          "MPI_Dist_graph_neighbors_count",
                                          "MPI_File_iread",
                                          "MPI_File_iread_all",
                                          "MPI_File_iread_at",
                                          "MPI_File_iread_at_all",
                                          "MPI_File_iread_shared",
                                          "MPI_File_iwrite",
                                          "MPI_File_iwrite_all",
                                          "MPI_File_iwrite_at",
                                          "MPI_File_iwrite_at_all",
                                          "MPI_File_iwrite_shared",
                                          "MPI_File_preallocate",
                                          "MPI_File_read_all_begin",
                                          "MPI_File_read_all_end",
                                          "MPI_File_read_at_all_begin",
                                          "MPI_File_read_at_all_end",
                                          "MPI_File_read_ordered_begin",
                                          "MPI_File_read_ordered_end",
                                          "MPI_File_write_all_begin",
                                          "MPI_File_write_all_end",
                                          "MPI_File_write_at_all_begin",
                                          "MPI_File_write_at_all_end",
                                          "MPI_File_write_ordered_begin",
                                          "MPI_File_write_ordered_end",
                                          "MPI_Get_elements",
                                          "MPI_Get_elements_x",
                                          "MPI_Graph_create",
                                          "MPI_Graph_get",
                                          "MPI_Graph_map",
                                          "MPI_Graph_neighbors",
                                          "MPI_Graph_neighbors_count",
                                          "MPI_Graphdims_get",
                                          "MPI_Improbe",
                                          "MPI_Imrecv",
                                          "MPI_Ineighbor_allgather",
                                          "MPI_Ineighbor_allgatherv",
                                          "MPI_Ineighbor_alltoall",
                                          "MPI_Ineighbor_alltoallv",
                                          "MPI_Ineighbor_alltoallw",
                                          "MPI_Intercomm_create",
                                          "MPI_Intercomm_merge",
                                          "MPI_Lookup_name",
                                          "MPI_Mprobe",
                                          "MPI_Mrecv",
                                          "MPI_Neighbor_allgather",
                                          "MPI_Neighbor_allgatherv",
                                          "MPI_Neighbor_alltoall",
                                          "MPI_Neighbor_alltoallv",
                                          "MPI_Neighbor_alltoallw",
                                          "MPI_Open_port",
                                          "MPI_Pack_external",
                                          "MPI_Pack_external_size",
                                          "MPI_Pcontrol",
                                          "MPI_Publish_name",
                                          "MPI_Register_datarep",
                                          "MPI_Topo_test",
                                          "MPI_Type_create_darray",
                                          "MPI_Type_match_size",
                                          "MPI_Unpack_external",
                                          "MPI_Unpublish_name",
                                          "MPI_Win_test"};

std::string content_of(fs::path const& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

fs::path const functions = fs::path(RONDO_SOURCE_DIR) / "src/mpi_library/functions/functions.txt";

/// The non-blocking form of a function.
std::string non_blocking(std::string name) {
  std::string const of_files = "File_";
  if (name.starts_with(of_files)) return "MPI_File_i" + name.substr(of_files.size());
  name.front() = static_cast<char>(std::tolower(name.front()));
  return "MPI_I" + name;
}

/// The forms of a transfer of files, by the position that it takes; "i" stands for the non-blocking one.
std::vector<std::string> forms_of_transfer(std::string const& kind) {
  if (kind == "offset" || kind == "own") return {"i", "_all", "i_all", "_all_begin", "_all_end"};
  if (kind == "shared") return {"i"};
  if (kind == "ordered") return {"_begin", "_end"};
  return {};
}

/// The table's words for each function that librondo_mpi supplies, from its list.
std::map<std::string, std::string> supplied() {
  std::map<std::string, std::string> result;
  std::set<std::string> const of_three = {"collective", "neighborhood", "send"};
  std::regex const section(R"(\[(\w+)\] (.+))"), function(R"(\*?(\w+)\(.*\))");
  std::ifstream list(functions);
  std::smatch found;
  std::string kind, meaning;
  for (std::string line; std::getline(list, line);) {
    if (std::regex_match(line, found, section)) {
      kind = found[1];
      meaning = found[2];
    } else if (std::regex_match(line, found, function)) {
      std::string const name = found[1];
      result["MPI_" + name] = meaning;
      for (std::string const& form : forms_of_transfer(kind)) {
        bool const blocks = form.front() == '_';
        result[blocks ? "MPI_" + name + form : non_blocking(name) + form.substr(1)] = meaning;
      }
      if (!of_three.contains(kind)) continue;
      result[non_blocking(name)] = kind == "collective" ? "supplied" : meaning;
      result["MPI_" + name + "_init"] = "supplied";
    }
  }
  return result;
}

std::set<std::string> declared_by_rondo() {
  std::set<std::string> result;
  std::string const text = content_of(fs::path(RONDO_SOURCE_DIR) / "include/rondo/mpi.h");
  std::regex const declaration(R"(\nint (MPI_\w+)\()");
  for (std::sregex_iterator found(text.begin(), text.end(), declaration), end; found != end; ++found) {
    result.insert((*found)[1]);
  }
  return result;
}

std::string table() {
  std::map<std::string, std::string> const ours = supplied();
  std::set<std::string> const added = declared_by_rondo();
  std::map<std::string, std::string> rows;
  for (char const* const name : ends_a_program) rows[name] = "ends the program | ends the program";
  for (auto const& [name, meaning] : ours) {
    std::string alone = "exists";
    if (rows.contains(name)) alone = "ends the program";
    if (added.contains(name)) alone = "is not declared";
    rows[name] = fmt::format("{} | {}", alone, rows.contains(name) || added.contains(name) ? "supplied" : meaning);
  }
  std::string text = "| function | under smpirun alone | with librondo_mpi |\n|---|---|---|\n";
  for (auto const& [name, row] : rows) text += fmt::format("| `{}` | {} |\n", name, row);
  return text;
}

TEST(MpiPage, has_every_function_that_is_supplied_and_every_one_that_smpi_lacks) {
  fs::path const path = fs::path(RONDO_SOURCE_DIR) / "docs/mpi-functions.md";
  std::string page = content_of(path);
  std::string const begin = "RONDO_UPDATE=1 -->\n", end = "<!-- end -->";
  auto const from = page.find(begin), to = page.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos);
  auto const first = from + begin.size();
  std::string const made = table();
  if (std::getenv("RONDO_UPDATE") != nullptr) {
    page.replace(first, to - first, made);
    std::ofstream(path) << page;
  }
  EXPECT_EQ(page.substr(first, made.size()), made) << "RONDO_UPDATE=1 writes it anew";
}

TEST(MpiPage, knows_every_function_that_is_written_by_hand) {
  std::map<std::string, std::string> const listed = supplied();
  EXPECT_GT(listed.size(), 100U);
  std::regex const definition(R"(\nint (MPI_\w+)\()");
  for (auto const& entry : fs::directory_iterator(fs::path(RONDO_SOURCE_DIR) / "src/mpi_library/smpi_shim")) {
    std::string const text = content_of(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), definition), end; found != end; ++found) {
      EXPECT_TRUE(listed.contains((*found)[1])) << entry.path() << ": " << (*found)[1];
    }
  }
}

}  // namespace
}  // namespace rondo::docs

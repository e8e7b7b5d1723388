#include "base/file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "folder.hpp"

namespace rondo {
namespace {

// The published vectors of FNV-1a, 64 bits (test_fnv.c of its authors).
TEST(Checksum, is_fnv1a_of_text_and_of_files) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8u);
  EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar"));
  test::Folder const folder;
  std::string const path = folder.file("foobar.txt");
  std::ofstream(path) << "foobar";
  EXPECT_EQ(file_checksum(path), "fnv1a:85944171f73967e8");
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(file_checksum(path), "fnv1a:cbf29ce484222325");
  std::filesystem::remove(path);
  EXPECT_THROW(file_checksum(path), InputError);
}

}  // namespace
}  // namespace rondo

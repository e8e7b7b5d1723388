// Files that appear whole, beside others that are written meanwhile.

#include "run/points/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "folder.hpp"

namespace rondo {
namespace {

std::string text_in(std::string const& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// `run` and `check` hold this lock as long as they write records; `merge`, `report`, `tune` and all others that
/// replace a file with --force go this way.
TEST(WholeFile, does_not_replace_what_another_process_writes) {
  test::Folder const folder;
  std::string const file = folder.write("r.jsonl", "records");
  int const other = ::open(file.c_str(), O_WRONLY | O_APPEND);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  for (auto const& act : {+[](std::string const& path) { write_atomically(path, "new", true); },
                          +[](std::string const& path) { expect_writable(path, true); }}) {
    try {
      act(file);
      ADD_FAILURE() << "replaced";
    } catch (InputError const& refused) {
      EXPECT_EQ(refused.what(), file + ": another process writes it");
    }
  }
  EXPECT_EQ(text_in(file), "records");
  ::close(other);
  write_atomically(file, "new", true);
  EXPECT_EQ(text_in(file), "new");
}

/// The other process begins while the new text is made.
TEST(WholeFile, does_not_replace_what_another_process_has_begun_to_write) {
  test::Folder const folder;
  std::string const file = folder.write("r.jsonl", "records");
  int other = -1;
  auto const produce = [&](TextSink const& sink) {
    sink("new");
    other = ::open(file.c_str(), O_WRONLY | O_APPEND);
    ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  };
  EXPECT_THROW(write_atomically(file, produce, true), InputError);
  EXPECT_EQ(text_in(file), "records");
  ::close(other);
}

}  // namespace
}  // namespace rondo

// Files that are read whole or refused, and refused before they can block or fill the memory.

#include "base/file.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "folder.hpp"

namespace rondo {
namespace {

namespace fs = std::filesystem;

class ReadFile : public ::testing::Test {
 protected:
  std::string path(std::string const& name) const { return folder_.file(name); }
  std::string written(std::string const& text) const { return folder_.write("file", text); }

 private:
  test::Folder folder_;
};

/// What is refused of a file, behind its name; "exit 3: " before it where it could not be read to its end.
std::string refusal(std::string const& path, std::uint64_t most = 1000) {
  try {
    read_file(path, most);
  } catch (ReadFailure const& failure) {
    return std::string("exit 3: ") + (failure.what() + path.size());
  } catch (InputError const& error) {
    return error.what() + path.size();
  }
  return "none";
}

TEST_F(ReadFile, gives_every_byte_of_a_file) {
  for (std::size_t const size : {0u, 1u, 65535u, 65536u, 65537u, 200000u}) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7 + i / 251);
    EXPECT_EQ(read_file(written(text), 200000), text) << size;
  }
}

TEST_F(ReadFile, refuses_what_is_no_file) {
  EXPECT_EQ(refusal(path("nowhere")), ": no such file");
  EXPECT_EQ(refusal(written("text") + "/below"), ": no such file");
  EXPECT_EQ(refusal(path("")), ": expected a file, got a folder");
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(refusal(path("fifo")), ": expected a file, got a pipe");
  EXPECT_EQ(refusal("/dev/zero"), ": expected a file, got a device");
  int const listening = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string const name = path("socket");
  ASSERT_LT(name.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
  ASSERT_EQ(bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(refusal(name), ": expected a file, got a socket or a device");
  ::close(listening);
}

TEST_F(ReadFile, refuses_a_large_file_before_it_is_read) {
  EXPECT_EQ(read_file(written("12345"), 5), "12345");
  EXPECT_EQ(refusal(written("123456"), 5), ": larger than 5 bytes");
  ASSERT_EQ(truncate(written("").c_str(), off_t{1} << 40), 0);
  EXPECT_EQ(refusal(path("file"), std::uint64_t{1} << 33), ": larger than 8589934592 bytes");
  // Its size is 0, as that of all files of /proc, and it is longer than that.
  EXPECT_EQ(refusal("/proc/self/status", 5), ": larger than 5 bytes");
}

TEST_F(ReadFile, refuses_a_sparse_file) {
  ASSERT_EQ(truncate(written(std::string(8192, 'x')).c_str(), 1 << 20), 0);
  std::string const said = refusal(path("file"), 1 << 20);
  // Where the file system does not tell holes, it is read.
  if (said != "none") {
    EXPECT_EQ(said, ": expected a file of text, got a sparse file: nothing was written at byte 8193");
  }
}

TEST_F(ReadFile, does_not_take_an_error_of_the_device_for_the_end) {
  // Nothing is mapped at address 0 of a process: an input/output error at the first byte, of a regular file.
  EXPECT_EQ(refusal("/proc/self/mem"), "exit 3: : cannot be read whole: Input/output error behind byte 0");
}

}  // namespace
}  // namespace rondo

#include "run/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"

namespace rondo {

namespace {

InputError cannot(std::string const& path, int error) {
  return InputError(fmt::format("{}: cannot be written: {}", path, std::strerror(error)));
}

InputError exists_already(std::string const& path) {
  return InputError(fmt::format("{}: exists already; --force starts it anew", path));
}

/// 0, or the error.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    ssize_t const written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Closes it in any case.
int write_and_close(int file, std::string_view text) {
  int const error = write_all(file, text);
  return ::close(file) != 0 && error == 0 ? errno : error;
}

bool is_special(std::string const& path) {
  std::error_code ignored;
  auto const status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

void write_special(std::string const& path, std::string_view text) {
  int const file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  int const error = file < 0 ? errno : write_and_close(file, text);
  if (error != 0) throw cannot(path, error);
}

/// Renames; 0, or the error: EEXIST if there is a file already, unless forced.
int put_in_place(std::string const& temporary, std::string const& path, bool force) {
  if (!force) {
    if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // A file system that does not know this: look first.
    if (::access(path.c_str(), F_OK) == 0) return EEXIST;
  }
  return ::rename(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
}

}  // namespace

void expect_writable(std::string const& path, bool force) {
  std::error_code ignored;
  if (!force && std::filesystem::exists(path, ignored)) throw exists_already(path);
}

void write_whole(std::string const& path, std::string_view text, bool force) {
  expect_writable(path, force);
  if (is_special(path)) return write_special(path, text);
  std::string temporary = path + ".XXXXXX";
  int const file = ::mkstemp(temporary.data());
  if (file < 0) throw cannot(path, errno);
  mode_t const mask = ::umask(0);
  ::umask(mask);
  ::fchmod(file, 0666 & ~mask);
  int error = write_and_close(file, text);
  if (error == 0) error = put_in_place(temporary, path, force);
  if (error == 0) return;
  ::unlink(temporary.c_str());
  throw error == EEXIST ? exists_already(path) : cannot(path, error);
}

}  // namespace rondo

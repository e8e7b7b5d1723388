// Files that appear complete or not at all. The text goes to a file without a name (O_TMPFILE), which gets its name at
// the end, so that a crash leaves nothing behind. File systems without O_TMPFILE get a temporary name in the same
// folder.

#include "run/points/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "process/descriptor.hpp"

namespace rondo {

namespace {

InputError cannot(std::string const& path, int error) {
  return InputError(fmt::format("{}: cannot be written: {}", path, std::strerror(error)));
}

InputError exists_already(std::string const& path) {
  return InputError(fmt::format("{}: exists already; --force starts it anew", path));
}

bool is_special(std::string const& path) {
  std::error_code ignored;
  auto const status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

/// Opens anything but a regular file for writing. Opening a pipe without a reader must not wait forever.
int open_special(std::string const& path) {
  int const file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 && errno == ENXIO) throw InputError(fmt::format("{}: cannot be written: nobody reads this pipe", path));
  if (file >= 0) ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

/// Writes all pieces and closes the file. An error of close() counts too: NFS reports a full disk only then.
void write_and_close(std::string const& path, int descriptor, std::function<void(TextSink const&)> const& produce) {
  if (descriptor < 0) throw cannot(path, errno);
  Descriptor file(descriptor);
  produce([&](std::string_view piece) {
    if (!write_all(descriptor, piece)) throw cannot(path, errno);
  });
  if (!file.close()) throw cannot(path, errno);
}

/// Renames a file. Returns 0, or the error: EEXIST if the new name exists already and is not to be replaced.
int rename_to(std::string const& path, std::string const& temporary, bool force) {
  if (!force) {
    if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // The file system does not support such a rename, so that the name is checked first.
    if (::access(path.c_str(), F_OK) == 0) return EEXIST;
  }
  return ::rename(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
}

/// Takes the lock that `run` and `check` hold on a file while they write records to it, until the descriptor is closed.
/// It locks a file that nobody writes, so that nobody can begin to write it while it is replaced. Throws InputError if
/// another process writes the file.
Descriptor lock_unwritten(std::string const& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.value() < 0) file = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.value() < 0 || ::flock(file.value(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return file;
  throw InputError(fmt::format("{}: another process writes it", path));
}

std::string folder_of(std::string const& path) {
  std::string const folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// A new file in the folder of `path`. If the file system supports it, the file has no name, so that nothing is left of
/// it if the program is killed; otherwise it has another name beside `path`.
class Draft {
 public:
  explicit Draft(std::string const& path) : path_(path) {
    if (::access(of_descriptors, X_OK) == 0) {
      file_ = Descriptor(::open(folder_of(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
    }
    if (file_.value() < 0) file_ = Descriptor(named());
    if (file_.value() < 0) throw cannot(path, errno);
  }
  ~Draft() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  /// A descriptor of the file, which the caller must close.
  int writer() const { return ::fcntl(file_.value(), F_DUPFD_CLOEXEC, 0); }

  /// Gives the file its name. Returns 0, or the error: EEXIST if a file exists already and is not to be replaced.
  int put_in_place(bool force) {
    if (name_.empty()) {
      int const error = link_to(path_);
      if (error != EEXIST || !force) return error;
      // Only a rename replaces an existing file.
      name_ = free_name();
      if (int const refused = link_to(name_); refused != 0) return refused;
    }
    int const error = rename_to(path_, name_, force);
    if (error == 0) name_.clear();
    return error;
  }

 private:
  static constexpr char const* of_descriptors = "/proc/self/fd";

  /// Makes a file with a temporary name. mkstemp gives it mode 0600; this sets the mode that open() would have given.
  int named() {
    name_ = path_ + ".XXXXXX";
    int const file = ::mkstemp(name_.data());
    if (file < 0) return name_.clear(), file;
    mode_t const mask = ::umask(0);
    ::umask(mask);
    ::fchmod(file, 0666 & ~mask);
    return file;
  }

  /// A name that no file has. Another process may take it meanwhile; the caller then gets an error and tries again.
  std::string free_name() const {
    std::string name = path_ + ".XXXXXX";
    int const file = ::mkstemp(name.data());
    if (file < 0) return name;
    ::close(file);
    ::unlink(name.c_str());
    return name;
  }

  int link_to(std::string const& name) const {
    std::string const self = fmt::format("{}/{}", of_descriptors, file_.value());
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  }

  std::string const& path_;
  std::string name_ = {};
  Descriptor file_;
};

}  // namespace

void expect_writable(std::string const& path, bool force) {
  refuse_input(path);
  std::error_code ignored;
  if (!force && std::filesystem::exists(path, ignored)) throw exists_already(path);
  if (is_special(path)) {
    if (std::filesystem::is_directory(path, ignored)) throw cannot(path, EISDIR);
    if (::access(path.c_str(), W_OK) != 0) throw cannot(path, errno);
    return;
  }
  lock_unwritten(path);
  // The file is made in its folder, and gets its name when it is complete.
  if (::access(folder_of(path).c_str(), W_OK | X_OK) != 0) throw cannot(path, errno);
}

void write_atomically(std::string const& path, std::string_view text, bool force) {
  write_atomically(
      path, [&](TextSink const& sink) { sink(text); }, force);
}

void write_atomically(std::string const& path, std::function<void(TextSink const&)> const& produce, bool force) {
  expect_writable(path, force);
  if (is_special(path)) return write_and_close(path, open_special(path), produce);
  Draft draft(path);
  write_and_close(path, draft.writer(), produce);
  // The text may have been read from this file meanwhile.
  refuse_input(path);
  Descriptor const locked = lock_unwritten(path);
  int const error = draft.put_in_place(force);
  if (error != 0) throw error == EEXIST ? exists_already(path) : cannot(path, error);
}

}  // namespace rondo

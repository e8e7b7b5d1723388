// Makes and removes private folders. Programs of others may leave anything in them: read-only folders, very deep trees.

#include "process/private_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "process/descriptor.hpp"

namespace rondo {
namespace {

namespace fs = std::filesystem;

/// The folder for temporary files, as std::filesystem::temp_directory_path chooses it. In contrast to that function,
/// the folder need not exist, and a variable with an empty value is ignored.
std::string temporary() {
  for (char const* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    char const* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return "/tmp";
}

/// 96 random bits in hexadecimal digits.
std::string unforeseen() {
  std::array<unsigned char, 12> bits{};
  if (getrandom(bits.data(), bits.size(), 0) != std::ssize(bits)) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  std::string digits;
  for (unsigned char const byte : bits) digits += fmt::format("{:02x}", byte);
  return digits;
}

/// An open folder, opened by its path or by its name in another folder.
class OpenFolder {
 public:
  explicit OpenFolder(char const* name, int parent = AT_FDCWD)
      : listing_(fdopendir(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)), closedir) {}

  explicit operator bool() const { return listing_ != nullptr; }
  int descriptor() const { return dirfd(listing_.get()); }

  /// Calls `visit` with the name of each entry but "." and "..".
  template <typename Visit>
  void each(Visit visit) const {
    while (dirent const* const entry = readdir(listing_.get())) {
      std::string_view const name = entry->d_name;
      if (name != "." && name != "..") visit(entry->d_name);
    }
  }

 private:
  std::unique_ptr<DIR, int (*)(DIR*)> listing_;
};

/// Empties a folder even if folders in it are nested deeper than a process can have descriptors, or have paths longer
/// than the system allows: it moves the entries of an inner folder up beside that folder until all folders are empty.
class FolderEmptier {
 public:
  explicit FolderEmptier(OpenFolder const& top) : top_(top) {}

  void run() {
    std::vector<std::string> folders;
    top_.each([&](char const* name) {
      if (unlinkat(top_.descriptor(), name, 0) != 0) folders.emplace_back(name);
    });
    while (!folders.empty()) {
      std::string const name = std::move(folders.back());
      folders.pop_back();
      move_up_from(name, folders);
      unlinkat(top_.descriptor(), name.c_str(), AT_REMOVEDIR);
    }
  }

 private:
  void move_up_from(std::string const& name, std::vector<std::string>& folders) {
    fchmodat(top_.descriptor(), name.c_str(), S_IRWXU, 0);
    OpenFolder const folder(name.c_str(), top_.descriptor());
    if (!folder) return;
    folder.each([&](char const* entry) {
      if (unlinkat(folder.descriptor(), entry, 0) == 0) return;
      fchmodat(folder.descriptor(), entry, S_IRWXU, 0);  // a folder that moves must be writable itself
      std::string above = "moved-" + std::to_string(moved_++);
      if (renameat(folder.descriptor(), entry, top_.descriptor(), above.c_str()) == 0)
        folders.push_back(std::move(above));
    });
  }

  OpenFolder const& top_;
  std::int64_t moved_ = 0;
};

}  // namespace

PrivateFolder::PrivateFolder() : path_((fs::absolute(temporary()) / ("rondo-" + unforeseen())).string()) {}

int PrivateFolder::make() const noexcept { return mkdir(path_.c_str(), S_IRWXU) == 0 ? 0 : errno; }

void PrivateFolder::remove() const noexcept try {
  auto const holds_something = [&] { return rmdir(path_.c_str()) != 0 && (errno == ENOTEMPTY || errno == EEXIST); };
  // A process that was killed a moment ago may still write into the folder, so this is tried again.
  for (int attempt = 0; attempt < 100 && holds_something(); ++attempt) {
    chmod(path_.c_str(), S_IRWXU);
    if (OpenFolder const top(path_.c_str()); top) FolderEmptier(top).run();
    if (attempt > 0) usleep(1000);
  }
} catch (...) {  // memory that has run out: what is left of it stays
}

void PrivateFolder::refuse(int error) {
  throw InputError(fmt::format("no temporary folder can be made in \"{}\", as TMPDIR says: {}", printable(temporary()),
                               std::generic_category().message(error)));
}

}  // namespace rondo

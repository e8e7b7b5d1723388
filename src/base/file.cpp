// Reads whole files. A file is opened without waiting, because opening a pipe could wait for ever; then its kind is
// asked.

#include "base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <vector>

#include "base/inputs.hpp"
#include "base/suggest.hpp"

namespace rondo {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16;

/// The kind of a file that is not regular, for an error.
char const* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "folder";
  if (S_ISFIFO(mode)) return "pipe";
  if (S_ISSOCK(mode)) return "socket";
  return "device";
}

[[noreturn]] void refuse_kind(std::string const& path, mode_t mode) {
  throw InputError(fmt::format("{}: expected a file, got a {}", path, kind_of(mode)));
}

[[noreturn]] void refuse_missing(std::string const& path) {
  if (path == "-") throw InputError("-: expected the name of a file; standard input is not read");
  throw InputError(fmt::format("{}: no such file{}", path, nearest_file(path)));
}

/// A regular file that is open for reading.
class Reading {
 public:
  /// Opens without waiting for the writer of a pipe, so that pipes can be refused.
  explicit Reading(std::string const& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {
    if (file_ < 0 && (errno == ENOENT || errno == ENOTDIR)) refuse_missing(path);
    // open() itself fails for a socket.
    if (file_ < 0 && errno == ENXIO) throw InputError(path + ": expected a file, got a socket or a device");
    if (file_ < 0) throw InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    struct stat status = {};
    if (::fstat(file_, &status) != 0) fail(errno);
    size_ = static_cast<std::uint64_t>(status.st_size);
    if (S_ISREG(status.st_mode)) {
      note_reading(path);
      return;
    }
    ::close(file_);
    refuse_kind(path, status.st_mode);
  }
  ~Reading() { ::close(file_); }
  Reading(Reading const&) = delete;
  Reading& operator=(Reading const&) = delete;

  std::uint64_t size() const { return size_; }

  /// Refuses a sparse file, because nobody has written text into its holes.
  void refuse_hole() const {
    off_t const hole = ::lseek(file_, 0, SEEK_HOLE);
    ::lseek(file_, 0, SEEK_SET);
    if (hole < 0 || static_cast<std::uint64_t>(hole) >= size_) return;
    throw InputError(fmt::format("{}: expected a file of text, got a sparse file: nothing was written at byte {}",
                                 path_, static_cast<std::uint64_t>(hole) + 1));
  }

  /// Reads the next bytes. Returns an empty view at the end of the file.
  std::string_view next() {
    ssize_t got = 0;
    do {
      got = ::read(file_, piece_, sizeof piece_);
    } while (got < 0 && errno == EINTR);
    if (got < 0) fail(errno);
    read_ += static_cast<std::uint64_t>(got);
    return {piece_, static_cast<std::size_t>(got)};
  }

 private:
  [[noreturn]] void fail(int error) const {
    throw ReadFailure(fmt::format("{}: cannot be read whole: {} behind byte {}", path_, std::strerror(error), read_));
  }

  std::string const& path_;
  int file_;
  std::uint64_t size_ = 0, read_ = 0;
  char piece_[piece_bytes];
};

[[noreturn]] void refuse_size(std::string const& path, std::uint64_t most_bytes) {
  throw InputError(fmt::format("{}: larger than {} bytes", path, most_bytes));
}

}  // namespace

/// The hint "did you mean" for a missing file, from the names in its folder.
std::string nearest_file(std::string const& path) {
  constexpr std::size_t most_names = 10000;
  std::filesystem::path const wanted(path);
  std::filesystem::path const folder = wanted.parent_path();
  std::vector<std::string> stems, others;  // of its extension; of its stem
  std::error_code failed;
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, failed);
  for (std::size_t seen = 0; !failed && entry != std::filesystem::directory_iterator() && seen < most_names; ++seen) {
    std::filesystem::path const& neighbor = entry->path();
    if (neighbor.extension() == wanted.extension())
      stems.push_back(neighbor.stem().string());
    else if (neighbor.stem() == wanted.stem())
      others.push_back(neighbor.filename().string());
    entry.increment(failed);
  }
  std::sort(stems.begin(), stems.end());
  std::sort(others.begin(), others.end());
  std::vector<std::string> near = near_names(wanted.stem().string(), stems);
  for (std::string& name : near) name += wanted.extension().string();
  return did_you_mean(near.empty() ? others : near);
}

std::string read_file(std::string const& path, std::uint64_t most_bytes) {
  Reading file(path);
  if (file.size() > most_bytes) refuse_size(path, most_bytes);
  file.refuse_hole();
  try {
    std::string text;
    text.reserve(file.size());
    for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) {
      // The file may grow in the meantime, and the files of /proc report a size of 0.
      if (piece.size() > most_bytes - text.size()) refuse_size(path, most_bytes);
      text += piece;
    }
    return text;
  } catch (std::bad_alloc const&) {
    throw ReadFailure(fmt::format("{}: cannot be read whole: out of memory for {} bytes", path, file.size()));
  }
}

void read_pieces(std::string const& path, std::function<void(std::string_view)> const& take,
                 std::optional<std::uint64_t> most_bytes) {
  Reading file(path);
  if (most_bytes && file.size() > *most_bytes) refuse_size(path, *most_bytes);
  for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) take(piece);
}

void refuse_other_than_file(std::string const& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) refuse_kind(path, status.st_mode);
}

}  // namespace rondo

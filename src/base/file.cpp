// Reads whole files, and lists all files that were read. A file is opened without waiting, because opening a pipe
// could wait for ever; then its kind is asked. Collections of inputs may be nested; each notes everything. A file
// that has not changed since its checksum was made is not read again: device, inode, size and times tell that.

#include "base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <new>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/suggest.hpp"

namespace rondo {
namespace {

/// The names of inputs, by their absolute paths. Paths are used instead of inode numbers, because a file system gives
/// the number of a removed file to the next one.
std::map<std::string, std::string>& inputs() {
  static std::map<std::string, std::string> only;
  return only;
}

/// The innermost collection of this thread; each one knows the one around it.
thread_local InputsRead* collecting = nullptr;

void protect(std::string const& path) {
  std::error_code failed;
  std::filesystem::path const whole = std::filesystem::absolute(path, failed);
  if (!failed) inputs().emplace(whole.string(), path);
}

}  // namespace

/// Adds the input to every collection that is alive.
void register_input(std::vector<std::string> const& paths) {
  for (InputsRead* each = collecting; each != nullptr; each = each->around_) {
    auto const noted = std::ranges::find_if(each->inputs_, [&](std::vector<std::string> const& input) {
      return std::ranges::find(input, paths.front()) != input.end();
    });
    if (noted == each->inputs_.end()) {
      each->inputs_.push_back(paths);
    } else if (paths.size() > noted->size()) {
      *noted = paths;  // a name that stands for several files was met before they were
    }
  }
}

void note_input(std::string const& path) { note_inputs({path}); }

void note_inputs(std::vector<std::string> const& paths) {
  std::ranges::for_each(paths, protect);
  if (!paths.empty()) register_input(paths);
}

namespace {

/// Registers a file that is being read with InputsRead, and nothing else.
void note_reading(std::string const& path) {
  if (collecting != nullptr) register_input({path});
}

}  // namespace

void permit_writing(std::string const& path) {
  std::error_code failed;
  std::filesystem::path const whole = std::filesystem::absolute(path, failed);
  if (!failed) inputs().erase(whole.string());
}

void refuse_input(std::string const& output) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(output, ignored)) return;
  for (auto const& [whole, input] : inputs()) {
    if (!std::filesystem::equivalent(output, whole, ignored)) continue;
    throw InputError(
        fmt::format("{}: expected another file to write to, this one is read: it is the input {}", output, input));
  }
}

InputsRead::InputsRead() : around_(collecting) { collecting = this; }
InputsRead::~InputsRead() { collecting = around_; }

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

namespace {

/// The file system's data about a file. If these are the same as before, the content is the same too. This holds if the
/// last change is older than the resolution of file system clocks. `ctime` is the time of the last change to the
/// content or to the data here. Programs cannot set it.
struct OnDisk {
  dev_t device = 0;
  ino_t number = 0;
  off_t bytes = 0;
  std::int64_t changed = 0, written = 0;  // nanoseconds

  bool operator==(OnDisk const&) const = default;
};

std::int64_t nanoseconds(timespec const& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// Unset if the file system has no data about the file.
std::optional<OnDisk> on_disk(std::string const& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return OnDisk{status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_ctim), nanoseconds(status.st_mtim)};
}

/// Whether the last change is so long ago that another one would get another time, since clocks of file systems are
/// coarse.
bool is_settled(OnDisk const& file) {
  constexpr std::int64_t coarse = 2'000'000'000;
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now) - file.changed > coarse;
}

FileState read_state(std::string const& path, std::optional<std::uint64_t> most_bytes) {
  FileState state{0, fnv1a("")};
  read_pieces(
      path,
      [&](std::string_view piece) {
        state.sum = fnv1a(piece, state.sum);
        state.bytes += piece.size();
      },
      most_bytes);
  return state;
}

/// The state of one file. It is stored only if the file has changed neither while it was read nor shortly before. A
/// file of more than `most_bytes` bytes is always read, so that read_pieces refuses it.
FileState state_of_one(std::string const& path, std::optional<std::uint64_t> most_bytes) {
  thread_local std::map<std::string, std::pair<OnDisk, FileState>> cache;
  std::optional<OnDisk> const before = on_disk(path);
  auto const found = cache.find(path);
  bool const is_small = before && static_cast<std::uint64_t>(before->bytes) <= most_bytes.value_or(UINT64_MAX);
  if (found != cache.end() && is_small && found->second.first == *before) return found->second.second;
  FileState const state = read_state(path, most_bytes);
  if (before && is_settled(*before) && before == on_disk(path)) cache[path] = {*before, state};
  return state;
}

}  // namespace

std::string FileState::checksum() const { return fmt::format("fnv1a:{:016x}", sum); }

FileState state_of(std::vector<std::string> const& paths, std::optional<std::uint64_t> most_bytes) {
  if (paths.size() == 1) return state_of_one(paths.front(), most_bytes);
  FileState whole{0, fnv1a("")};
  for (std::string const& path : paths) {
    FileState const each = state_of_one(path, most_bytes);
    whole.bytes += each.bytes;
    whole.sum = fnv1a(fmt::format("{} {}\n", each.bytes, each.checksum()), whole.sum);
  }
  return whole;
}

std::string file_checksum(std::string const& path, std::optional<std::uint64_t> most_bytes) {
  return files_checksum({path}, most_bytes);
}

std::string files_checksum(std::vector<std::string> const& paths, std::optional<std::uint64_t> most_bytes) {
  return state_of(paths, most_bytes).checksum();
}

}  // namespace rondo

// Checksums of files. A file that has not changed since it was read is not read again: device, inode, size and times
// tell that.

#include "base/checksum.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <ctime>
#include <map>

#include "base/file.hpp"

namespace rondo {
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

// Loops over read and write, which signals may interrupt and which may transfer a part.

#include "process/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <system_error>

namespace rondo {

bool Descriptor::close() { return value_ < 0 || ::close(std::exchange(value_, -1)) == 0; }

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

bool write_all(int descriptor, void const* data, std::size_t size) noexcept {
  auto const* next = static_cast<char const*>(data);
  while (size > 0) {
    ssize_t const written = ::write(descriptor, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int descriptor, void* data, std::size_t size) noexcept {
  auto* next = static_cast<char*>(data);
  while (size > 0) {
    ssize_t const got = ::read(descriptor, next, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool read_some(int descriptor, std::vector<std::byte>& into) {
  std::array<std::byte, 65536> chunk;
  ssize_t const got = ::read(descriptor, chunk.data(), chunk.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  into.insert(into.end(), chunk.begin(), chunk.begin() + got);
  return got > 0;
}

void write_file(int descriptor, std::string const& path) {
  // A pipe would let its reader wait for a writer.
  Descriptor const file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat about {};
  if (::fstat(file.value(), &about) != 0 || !S_ISREG(about.st_mode)) return;
  for (std::vector<std::byte> chunk; read_some(file.value(), chunk); chunk.clear()) {
    if (!write_all(descriptor, chunk.data(), chunk.size())) return;
  }
}

/// Closes ranges between the descriptors that stay, without trying each number.
void close_all_but(std::span<int const> kept) noexcept {
  for (int last = STDERR_FILENO;;) {
    int next = INT_MAX;
    for (int const each : kept) {
      if (each > last) next = std::min(next, each);
    }
    if (next > last + 1) ::close_range(static_cast<unsigned>(last) + 1, static_cast<unsigned>(next) - 1, 0);
    if (next == INT_MAX) return;
    last = next;
  }
}

void open_standard_streams() noexcept {
  for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // All lower descriptors are open, so this one is the next.
    [[maybe_unused]] int const opened = ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace rondo

#pragma once

// Descriptors of files and pipes: their owners, and the only loops that write and read whole blocks. Everything that
// Rondo writes, to a file, a pipe or standard error, goes through write_all.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rondo {

/// Owns a file descriptor; -1 means that it owns no descriptor.
class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() { close(); }
  int value() const { return value_; }
  /// Closes the descriptor, if it is open. Returns false, with errno set, if the last bytes could not be written.
  bool close();

 private:
  int value_;
};

/// A pipe. Both ends are closed when another program replaces this process (exec).
struct Pipe {
  Descriptor read, write;
};

/// Throws std::system_error if too many files are open.
Pipe make_pipe();

/// Writes all bytes, also if signals interrupt it. Returns false, with errno set, if that is not possible.
/// Async-signal-safe.
bool write_all(int descriptor, void const* data, std::size_t size) noexcept;
inline bool write_all(int descriptor, std::string_view text) noexcept {
  return write_all(descriptor, text.data(), text.size());
}

/// Reads exactly so many bytes. Returns false if the end or an error comes first.
bool read_all(int descriptor, void* data, std::size_t size) noexcept;

/// Appends the bytes that are there to `into`, at most 64 KiB. Returns false at the end.
bool read_some(int descriptor, std::vector<std::byte>& into);

/// Writes the content of a regular file to a descriptor; stops at the first error.
void write_file(int descriptor, std::string const& path);

/// Closes all descriptors but the standard streams and those in `kept`. It is for a process that will no longer use any
/// object that owns one of the others.
void close_all_but(std::span<int const> kept) noexcept;

/// Opens those of the descriptors 0 to 2 that are closed, on /dev/null, so that no file that is opened later becomes a
/// standard stream by accident. Call it before anything else is opened. /dev/null is opened for reading only in place
/// of a standard output, so that writing to it still fails; text for a closed standard error is dropped.
void open_standard_streams() noexcept;

}  // namespace rondo

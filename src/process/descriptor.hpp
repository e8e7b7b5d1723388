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
  /// Closes it, if it is open. False, with errno, where the last bytes could not be written.
  bool close();

 private:
  int value_;
};

/// Both ends are closed when another program takes this process's place.
struct Pipe {
  Descriptor read, write;
};

/// Throws std::system_error where there are too many open files.
Pipe make_pipe();

/// Writes all bytes, whatever interrupts. False, with errno, where that is not possible. Async-signal-safe.
bool write_all(int descriptor, void const* data, std::size_t size) noexcept;
inline bool write_all(int descriptor, std::string_view text) noexcept {
  return write_all(descriptor, text.data(), text.size());
}

/// Reads exactly so many bytes. False where the end or an error comes first.
bool read_all(int descriptor, void* data, std::size_t size) noexcept;

/// Adds what is there to `into`, at most 64 KiB. False at the end.
bool read_some(int descriptor, std::vector<std::byte>& into);

/// Writes the content of a regular file to a descriptor, as far as both can be read and written.
void write_file(int descriptor, std::string const& path);

/// Closes all descriptors but the standard streams and those that are named, for a process in which no object that owns
/// one of the others is used any more.
void close_all_but(std::span<int const> kept) noexcept;

/// To be called before anything else is opened: those of the descriptors 0 to 2 that are closed become descriptors of
/// /dev/null, so that no file that is opened later takes the place of a standard stream. What is written to a standard
/// output that was closed still fails, as /dev/null is open for reading only; words for a closed standard error are
/// dropped.
void open_standard_streams() noexcept;

}  // namespace rondo

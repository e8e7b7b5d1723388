#pragma once

// The files that a command reads. A file is read completely, or not at all. Files that might never end, or block, are
// refused before they are opened. There is one list of inputs for the process, with two uses:
// - No input is overwritten. An output with --force may by mistake have the name of a scenario, a machine or a
// results file, and a person's work would be lost. The list is checked when a file is opened for writing.
// - All files that are opened while a point is read decide whether a record is still valid. InputsRead collects
// them: the files that are noted, because they are named and read later, and all files that are read here in the
// meantime. So a new key that names a file cannot be forgotten: reading the file registers it.
// By checksums, records and results files notice that an input has changed.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace rondo {

/// Remembers a file that is read, or will be read, whether or not it exists.
void note_input(std::string const& path);
/// Remembers files that are one input, under the name of the first one, such as the traces of all ranks.
void note_inputs(std::vector<std::string> const& paths);

/// The command makes this file anew, although it also reads it.
void permit_writing(std::string const& path);

/// Throws InputError if the file exists and was noted, under this or any other name: another path, a symbolic link or a
/// hard link.
void refuse_input(std::string const& output);

/// Collects the inputs that are noted or read in this thread during its lifetime. If another one is created within its
/// lifetime, both collect.
class InputsRead {
 public:
  InputsRead();
  ~InputsRead();
  InputsRead(InputsRead const&) = delete;
  InputsRead& operator=(InputsRead const&) = delete;

  /// Each input once, in the order of discovery. An input is one file, or several files that note_inputs was given
  /// together.
  std::vector<std::vector<std::string>> const& inputs() const { return inputs_; }

 private:
  friend void register_input(std::vector<std::string> const& paths);

  InputsRead* around_;
  std::vector<std::vector<std::string>> inputs_;
};

/// A file that exists but could not be read to its end, for a reason other than its content: an error of the device, or
/// lack of memory. The part that was read must not be mistaken for the whole. The command line exits with 3.
class ReadFailure : public InputError {
 public:
  using InputError::InputError;
};

/// The content of a regular file. Throws InputError, which names the file, before a byte is read: if there is no such
/// file, if it is a folder, pipe, socket or device, if it is larger than `most_bytes`, or if it is sparse. Throws
/// ReadFailure if reading fails.
std::string read_file(std::string const& path, std::uint64_t most_bytes);

/// Reads a file of any size, sparse or not, piece by piece. Refuses a file that is larger than `most_bytes`.
void read_pieces(std::string const& path, std::function<void(std::string_view)> const& take,
                 std::optional<std::uint64_t> most_bytes = std::nullopt);

/// A hint at a file in the folder of `path` with a similar name, in the form of did_you_mean; empty if there is none.
std::string nearest_file(std::string const& path);

/// Throws InputError if the name is that of a folder, pipe, socket or device. The file is not opened.
void refuse_other_than_file(std::string const& path);

/// The 64-bit FNV-1a hash [http://www.isthe.com/chongo/tech/comp/fnv] of a text. `before` is the hash of a text that
/// precedes it.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t before = 14695981039346656037u) {
  for (char const c : text) before = (before ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return before;
}

/// The length of files and a checksum of their content. It detects accidents, not forgery.
struct FileState {
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;  ///< fnv1a of the content, or of the states of several files

  /// "fnv1a:" followed by 16 hexadecimal digits.
  std::string checksum() const;
};

/// The state of a file. For no file or several files, it is the sum of their lengths and a checksum of the state of
/// each, so text that moves from the end of one file to the start of the next changes it. A thread does not read a file
/// again that has not changed. Throws InputError as read_pieces (base/file.hpp) does, which refuses a file of more than
/// `most_bytes` bytes.
FileState state_of(std::vector<std::string> const& paths, std::optional<std::uint64_t> most_bytes = std::nullopt);

/// The checksum of the state of one file, and of several files, as text. They throw as state_of does.
std::string file_checksum(std::string const& path, std::optional<std::uint64_t> most_bytes = std::nullopt);
std::string files_checksum(std::vector<std::string> const& paths,
                           std::optional<std::uint64_t> most_bytes = std::nullopt);

}  // namespace rondo

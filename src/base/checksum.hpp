#pragma once

// Checksums of files, by which records and results files notice that an input has changed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

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

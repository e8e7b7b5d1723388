#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// FNV-1a, of 64 bits [http://www.isthe.com/chongo/tech/comp/fnv], of what `before` is the value of and `text` behind
/// it.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t before = 14695981039346656037u) {
  for (char const c : text) before = (before ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return before;
}

/// What files held: their length and a checksum of their content. It shows accidents, not forgery.
struct FileState {
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;

  /// "fnv1a:" and 16 hexadecimal digits.
  std::string checksum() const;
};

/// The state of a file; of several, the sum of their lengths, and a checksum of the state of each: text that moves from
/// the end of one to the start of the next changes it. A file that has not changed since is not read again. Throws
/// InputError as read_pieces (base/file.hpp) does.
FileState state_of(std::vector<std::string> const& paths, std::optional<std::uint64_t> most_bytes = std::nullopt);

/// The checksum of the state of files.
std::string file_checksum(std::string const& path, std::optional<std::uint64_t> most_bytes = std::nullopt);
std::string files_checksum(std::vector<std::string> const& paths,
                           std::optional<std::uint64_t> most_bytes = std::nullopt);

}  // namespace rondo

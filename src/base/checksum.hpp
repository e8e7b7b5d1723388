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

/// "fnv1a:" and 16 hexadecimal digits: the checksum of a file's content. Throws InputError as read_pieces
/// (base/file.hpp) does.
std::string file_checksum(std::string const& path, std::optional<std::uint64_t> most_bytes = std::nullopt);
/// The checksum of several files' contents, one behind the other.
std::string files_checksum(std::vector<std::string> const& paths,
                           std::optional<std::uint64_t> most_bytes = std::nullopt);

}  // namespace rondo

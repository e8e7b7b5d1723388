#include "base/checksum.hpp"

#include <fmt/format.h>

#include "base/file.hpp"

namespace rondo {

std::string file_checksum(std::string const& path, std::optional<std::uint64_t> most_bytes) {
  return files_checksum({path}, most_bytes);
}

std::string files_checksum(std::vector<std::string> const& paths, std::optional<std::uint64_t> most_bytes) {
  std::uint64_t value = fnv1a("");
  for (std::string const& path : paths) {
    read_pieces(
        path, [&](std::string_view piece) { value = fnv1a(piece, value); }, most_bytes);
  }
  return fmt::format("fnv1a:{:016x}", value);
}

}  // namespace rondo

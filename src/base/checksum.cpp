#include "base/checksum.hpp"

#include <fmt/format.h>

#include "base/file.hpp"

namespace rondo {

std::string file_checksum(std::string const& path) {
  std::uint64_t value = fnv1a("");
  read_pieces(path, [&](std::string_view piece) { value = fnv1a(piece, value); });
  return fmt::format("fnv1a:{:016x}", value);
}

}  // namespace rondo

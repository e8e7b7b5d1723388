#include "base/checksum.hpp"

#include <fmt/format.h>

#include <fstream>

#include "base/error.hpp"

namespace rondo {

std::string file_checksum(std::string const& path) {
  std::ifstream stream(path, std::ios::binary);
  std::uint64_t value = fnv1a("");
  std::string part(1 << 16, '\0');
  while (stream.read(part.data(), static_cast<std::streamsize>(part.size())), stream.gcount() > 0) {
    value = fnv1a({part.data(), static_cast<std::size_t>(stream.gcount())}, value);
  }
  if (!stream.eof()) throw InputError(fmt::format("{}: cannot be read", path));
  return fmt::format("fnv1a:{:016x}", value);
}

}  // namespace rondo

#include "scenario/graph_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/units.hpp"

namespace rondo::scenario {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{8} << 30;

}  // namespace

WeightedGraph read_graph(std::string const& path, std::optional<int> ranks) {
  // A directory can be opened, and says that it is very large.
  if (!std::filesystem::is_regular_file(path)) throw InputError(fmt::format("{}: cannot be read", path));
  std::uintmax_t const size = std::filesystem::file_size(path);
  if (size > most_bytes) throw InputError(fmt::format("{}: larger than {}", path, print(Bytes(most_bytes))));
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(text.data(), static_cast<std::streamsize>(size))) {
    throw InputError(fmt::format("{}: cannot be read", path));
  }
  return parse_graph(text, path, ranks);
}

}  // namespace rondo::scenario

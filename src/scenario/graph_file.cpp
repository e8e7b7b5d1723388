// Opens the file of a graph and hands its text to topology/graph_text.hpp, which is pure.

#include "scenario/graph_file.hpp"

#include "base/file.hpp"

namespace rondo::scenario {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{8} << 30;

}  // namespace

WeightedGraph read_graph(std::string const& path, std::optional<int> ranks) {
  return parse_graph(read_file(path, most_bytes), path, ranks);
}

}  // namespace rondo::scenario

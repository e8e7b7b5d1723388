#include "schedule/circle.hpp"

#include <algorithm>

namespace rondo {

namespace {

using Vertices = std::vector<std::uint32_t>;

/// Searches breadth first from one vertex after another.
class Search {
 public:
  explicit Search(std::vector<Vertices> const& edges) : edges_(edges), seen_by_(edges.size()), before_(edges.size()) {}

  /// A shortest circle through `start` of at most `most` vertices; empty if there is none.
  Vertices through(std::uint32_t start, std::size_t most) {
    Vertices reached{start};
    std::size_t next = 0;
    for (std::size_t length = 1; length <= most && next < reached.size(); ++length) {
      for (std::size_t const end = reached.size(); next < end; ++next) {
        for (std::uint32_t const to : edges_[reached[next]]) {
          if (to == start) return path(start, reached[next]);
          if (seen_by_[to] == start + 1) continue;
          seen_by_[to] = start + 1;
          before_[to] = reached[next];
          reached.push_back(to);
        }
      }
    }
    return {};
  }

 private:
  Vertices path(std::uint32_t start, std::uint32_t last) const {
    Vertices circle{last};
    while (circle.back() != start) circle.push_back(before_[circle.back()]);
    std::reverse(circle.begin(), circle.end());
    return circle;
  }

  std::vector<Vertices> const& edges_;
  Vertices seen_by_;  ///< by vertex: 1 + the last start that reached it; 0: none
  Vertices before_;
};

}  // namespace

Vertices smallest_circle(std::vector<Vertices> const& edges) {
  Search search(edges);
  Vertices best;
  for (std::uint32_t start = 0; start < edges.size() && best.size() != 1; ++start) {
    Vertices circle = search.through(start, best.empty() ? edges.size() : best.size() - 1);
    if (!circle.empty()) best = std::move(circle);
  }
  return best;
}

}  // namespace rondo

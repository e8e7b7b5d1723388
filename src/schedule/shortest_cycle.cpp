// Divides the graph into strongly connected components, and searches a shortest cycle through each vertex by
// breadth-first search, within its component and within a budget of steps.

#include "schedule/shortest_cycle.hpp"

#include <algorithm>

namespace rondo {

namespace {

using Vertices = std::vector<std::uint32_t>;

/// By vertex, its strongly connected component, named by one of its vertices (Tarjan's algorithm without recursion).
/// Every cycle lies within one component, and every vertex of a component with several vertices lies on a cycle.
class Components {
 public:
  /// The recursion of the algorithm is an explicit stack here, since graphs may be deep.
  explicit Components(std::vector<Vertices> const& edges)
      : edges_(edges), of_(edges.size(), none), index_(edges.size(), none), low_(edges.size()) {
    for (std::uint32_t vertex = 0; vertex < edges.size(); ++vertex) {
      if (index_[vertex] == none) visit(vertex);
    }
  }

  Vertices take() && { return std::move(of_); }

 private:
  static constexpr std::uint32_t none = 0xffff'ffff;
  /// A vertex that is being visited, and its next edge.
  struct Open {
    std::uint32_t vertex = 0;
    std::size_t next = 0;  ///< which of its edges comes next
  };

  void enter(std::uint32_t vertex) {
    index_[vertex] = low_[vertex] = count_++;
    stack_.push_back(vertex);
    open_.push_back({vertex, 0});
  }

  /// Visits all vertices that can be reached from the root.
  void visit(std::uint32_t root) {
    for (enter(root); !open_.empty();) {
      Open& top = open_.back();
      if (top.next < edges_[top.vertex].size()) {
        std::uint32_t const to = edges_[top.vertex][top.next++];
        if (index_[to] == none) {
          enter(to);
        } else if (of_[to] == none) {
          low_[top.vertex] = std::min(low_[top.vertex], index_[to]);
        }
      } else {
        leave(top.vertex);
      }
    }
  }

  /// Ends a vertex; if it is the first of its component, the component is complete.
  void leave(std::uint32_t vertex) {
    open_.pop_back();
    if (!open_.empty()) low_[open_.back().vertex] = std::min(low_[open_.back().vertex], low_[vertex]);
    if (low_[vertex] != index_[vertex]) return;
    std::uint32_t member = none;
    while (member != vertex) {
      member = stack_.back();
      stack_.pop_back();
      of_[member] = vertex;
    }
  }

  std::vector<Vertices> const& edges_;
  Vertices of_, index_, low_, stack_;
  std::vector<Open> open_;
  std::uint32_t count_ = 0;
};

/// Searches breadth first from one vertex after another.
class Search {
 public:
  explicit Search(std::vector<Vertices> const& edges)
      : edges_(edges), component_(Components(edges).take()), seen_by_(edges.size()), before_(edges.size()) {}

  /// A shortest cycle through `start` of at most `most` vertices; empty if there is no such cycle.
  Vertices through(std::uint32_t start, std::size_t most) {
    Vertices reached{start};
    std::size_t next = 0;
    for (std::size_t length = 1; length <= most && next < reached.size(); ++length) {
      for (std::size_t const end = reached.size(); next < end; ++next) {
        work_ += edges_[reached[next]].size();
        for (std::uint32_t const to : edges_[reached[next]]) {
          if (to == start) return path(start, reached[next]);
          if (component_[to] != component_[start] || seen_by_[to] == start + 1) continue;
          seen_by_[to] = start + 1;
          before_[to] = reached[next];
          reached.push_back(to);
        }
      }
    }
    ++work_;
    return {};
  }

  /// Whether the searches so far have taken so long that no further one should begin.
  bool tired() const { return work_ > most_work; }

 private:
  static constexpr std::size_t most_work = 200'000'000;

  /// The path that the search found, from start to last.
  Vertices path(std::uint32_t start, std::uint32_t last) const {
    Vertices cycle{last};
    while (cycle.back() != start) cycle.push_back(before_[cycle.back()]);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

  std::vector<Vertices> const& edges_;
  Vertices component_;
  Vertices seen_by_;  ///< by vertex: 1 + the last start that reached it; 0 if no start has
  Vertices before_;
  std::size_t work_ = 0;
};

}  // namespace

/// Empty if there is no cycle. A search that has used up its budget returns the best cycle so far.
Vertices shortest_cycle(std::vector<Vertices> const& edges) {
  Search search(edges);
  Vertices best;
  for (std::uint32_t start = 0; start < edges.size() && best.size() != 1; ++start) {
    if (!best.empty() && search.tired()) break;
    Vertices cycle = search.through(start, best.empty() ? edges.size() : best.size() - 1);
    if (!cycle.empty()) best = std::move(cycle);
  }
  return best;
}

}  // namespace rondo

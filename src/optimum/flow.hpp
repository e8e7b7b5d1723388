#pragma once

// Maximum flows and minimum cuts with integer capacities, by LEMON. LEMON's headers are C++17, so that flow.cpp
// alone is compiled in this way.

#include <cstdint>
#include <memory>
#include <vector>

namespace rondo::optimum {

/// A directed arc with an integer capacity.
struct Arc {
  int from = 0, to = 0;
  std::int64_t capacity = 0;
};

/// The capacity of a cut, and the vertices on the side of the source.
struct MinCut {
  std::int64_t value = 0;
  std::vector<bool> source_side;  ///< by vertex
};

/// A directed graph for which many flows are computed.
class Flows {
 public:
  Flows(int vertices, std::vector<Arc> const& arcs);
  ~Flows();
  Flows(Flows const&) = delete;
  Flows& operator=(Flows const&) = delete;

  /// Sets the capacity of an arc, by its number.
  void set_capacity(int arc, std::int64_t capacity);
  MinCut min_cut(int source, int sink);

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace rondo::optimum

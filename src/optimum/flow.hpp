#pragma once

// Maximum flows and minimum cuts with integer capacities, by LEMON. Its headers are C++17, and so is flow.cpp alone.

#include <cstdint>
#include <memory>
#include <vector>

namespace rondo::optimum {

struct Arc {
  int from = 0, to = 0;
  std::int64_t capacity = 0;
};

struct MinCut {
  std::int64_t value = 0;
  std::vector<bool> source_side;  ///< by vertex
};

/// A directed graph, of which many flows are asked.
class Flows {
 public:
  Flows(int vertices, std::vector<Arc> const& arcs);
  ~Flows();
  Flows(Flows const&) = delete;
  Flows& operator=(Flows const&) = delete;

  /// Of an arc, by its number.
  void set_capacity(int arc, std::int64_t capacity);
  std::int64_t max_flow(int source, int sink);
  MinCut min_cut(int source, int sink);

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace rondo::optimum

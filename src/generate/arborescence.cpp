// Edmonds' algorithm with contraction: each vertex chooses its cheapest incoming edge; a cycle of choices becomes one
// vertex, whose edges cost the difference to the choice that they replace. At the end the cycles are opened again.

#include "generate/arborescence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/ids.hpp"

namespace rondo::generate {
namespace {

/// Edmonds' algorithm. Every vertex chooses the cheapest edge into it. A cycle of such edges is contracted to one
/// vertex, which chooses in turn.
class Contraction {
 public:
  /// `costs[u * n + v]` is the cost of the edge from u to v; infinite if there is none.
  Contraction(int n, int root, std::vector<double> const& costs)
      : n_(n), into_(at(2 * n)), above_(at(2 * n), -1), top_(at(n)), chosen_(at(2 * n)), state_(at(2 * n), fresh) {
    for (int v = 0; v < n; ++v) {
      top_[at(v)] = v;
      into_[at(v)].resize(at(n));
      for (int u = 0; u < n; ++u) into_[at(v)][at(u)] = {costs[at(u) * at(n) + at(v)], v};
    }
    state_[at(root)] = done;
  }

  /// The parent of each vertex, -1 at the root. Empty if the root does not reach all vertices.
  std::vector<int> solve() {
    for (int v = 0; v < n_; ++v) {
      if (!follow(v)) return {};
    }
    return expanded();
  }

 private:
  /// An edge from a vertex into a contracted one: its additional cost over the edge that it replaces, and the original
  /// vertex where it ends.
  struct Edge {
    double cost = std::numeric_limits<double>::infinity();
    int head = -1;
  };
  /// The edge that a vertex has chosen.
  struct Choice {
    int tail = -1, head = -1;
  };
  /// How far a vertex has come: not visited, on the path of choices that is being followed, or connected to the root.
  enum State : char { fresh, on_path, done };

  /// Follows chosen edges backwards from a vertex until a part that the root reaches. Returns false if a vertex has no
  /// edge into it.
  bool follow(int start) {
    path_.clear();
    int v = top_[at(start)];
    while (state_[at(v)] != done) {
      if (state_[at(v)] == on_path) {
        v = contract(v);
      } else {
        state_[at(v)] = on_path;
        path_.push_back(v);
      }
      int tail = -1;
      for (int u = 0; u < n_; ++u) {
        if (top_[at(u)] == v) continue;
        if (tail < 0 || into_[at(v)][at(u)].cost < into_[at(v)][at(tail)].cost) tail = u;
      }
      if (tail < 0 || !std::isfinite(into_[at(v)][at(tail)].cost)) return false;
      chosen_[at(v)] = {tail, into_[at(v)][at(tail)].head};
      v = top_[at(tail)];
    }
    for (int const each : path_) state_[at(each)] = done;
    return true;
  }

  /// Contracts the cycle from `first` to the end of the path into one vertex, and puts it at the end of the path.
  int contract(int first) {
    int const merged = next_++;
    std::vector<Edge> edges(at(n_));
    for (bool last = false; !last;) {
      int const v = path_.back();
      path_.pop_back();
      last = v == first;
      above_[at(v)] = merged;
      double const paid = into_[at(v)][at(chosen_[at(v)].tail)].cost;
      for (int u = 0; u < n_; ++u) {
        Edge const& each = into_[at(v)][at(u)];
        if (each.cost - paid < edges[at(u)].cost) edges[at(u)] = {each.cost - paid, each.head};
      }
      std::vector<Edge>().swap(into_[at(v)]);
    }
    into_[at(merged)] = std::move(edges);
    for (int& each : top_) {
      while (above_[at(each)] >= 0) each = above_[at(each)];
    }
    state_[at(merged)] = on_path;
    path_.push_back(merged);
    return merged;
  }

  /// Expands the contracted vertices, the last one first: the edge into a contracted vertex replaces the edge that was
  /// chosen at its end, at every level inside.
  std::vector<int> expanded() const {
    std::vector<int> parents(at(n_), -1);
    std::vector<bool> replaced(at(next_), false);
    for (int v = next_ - 1; v >= 0; --v) {
      if (replaced[at(v)] || chosen_[at(v)].tail < 0) continue;
      int const head = chosen_[at(v)].head;
      parents[at(head)] = chosen_[at(v)].tail;
      for (int inner = head; inner != v; inner = above_[at(inner)]) replaced[at(inner)] = true;
    }
    return parents;
  }

  int n_, next_ = n_;
  std::vector<std::vector<Edge>> into_;  ///< by contracted vertex, then vertex
  std::vector<int> above_;               ///< the vertex into which it was contracted; -1: none
  std::vector<int> top_;                 ///< by original vertex: the outermost vertex into which it was contracted
  std::vector<Choice> chosen_;
  std::vector<char> state_;
  std::vector<int> path_;
};

}  // namespace

std::vector<int> cheapest_arborescence(int n, int root, std::vector<double> const& costs) {
  return Contraction(n, root, costs).solve();
}

}  // namespace rondo::generate

#pragma once

// Butterflies: exchanges in rounds 0 .. L-1 among 2^L nodes, in each of which a node and its partner exchange; for this
// folder alone. After all rounds every node has heard of all, whatever partners they are. Run forwards with parts that
// get ever fewer they scatter a reduction, run backwards with parts that get ever more they gather it.

#include <functional>
#include <vector>

#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

struct Butterfly {
  int rounds = 0;
  std::function<int(int node, int round)> partner;
  std::function<int(int node)> rank;  ///< nodes may be a part of all ranks
  int nodes() const { return 1 << rounds; }
};

/// The nodes that a node reaches in the rounds from `round` on, itself among them.
std::vector<int> reached(Butterfly const& butterfly, int node, int round);

/// Every node exchanges with its partner the parts that the partner is yet to reach, and joins what comes: in the end
/// part v is reduced over all nodes at node v.
void reduce_scatter(Writer& writer, Butterfly const& butterfly, std::vector<Pieces> const& parts);
/// Goes the same way backwards in time: every node exchanges with its partner the parts that it has.
void allgather_back(Writer& writer, Butterfly const& butterfly, std::vector<Pieces> const& parts);
/// Every node exchanges all with its partner, and joins it.
void exchange_all(Writer& writer, Butterfly const& butterfly, Pieces const& all);

/// For p ranks, p no power of two: the x = p - 2^L ranks that are too many are the even ones of the first 2x, or the
/// odd ones. The others are the nodes in their order.
enum class LeftOut : std::uint8_t { even, odd };
class Fold {
 public:
  Fold(int ranks, LeftOut left_out);
  int rounds() const { return rounds_; }
  int extra() const { return extra_; }
  int rank(int node) const { return node < extra_ ? 2 * node + (left_out_ == LeftOut::even ? 1 : 0) : node + extra_; }
  /// Those that are left out give all to their neighbor that is not.
  void in(Writer& writer, Pieces const& all) const;
  /// They get the result.
  void out(Writer& writer, Pieces const& all) const;

 private:
  int rounds_, extra_;
  LeftOut left_out_;
};

}  // namespace rondo::generate::classical

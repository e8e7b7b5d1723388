#pragma once

// Butterflies: exchanges in rounds 0 .. L-1 among 2^L nodes, in each of which every node exchanges with a partner; for
// this folder alone. After all rounds every node has heard from all nodes, whichever partners are used. With parts that
// become fewer from round to round a butterfly scatters a reduction. In reverse, with parts that become more, it
// gathers the result.

#include <functional>
#include <vector>

#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// The partners of a butterfly, and the ranks that are its nodes.
struct Butterfly {
  int rounds = 0;
  std::function<int(int node, int round)> partner;
  std::function<int(int node)> rank;  ///< of a node; nodes may be only some of all ranks
  int nodes() const { return 1 << rounds; }
};

/// The nodes that a node reaches in the rounds from `round` on, including itself.
std::vector<int> reached(Butterfly const& butterfly, int node, int round);

/// Every node sends its partner the parts that the partner still reaches, and joins the parts that it receives. In the
/// end part v is reduced over all nodes at node v.
void reduce_scatter(Writer& writer, Butterfly const& butterfly, std::vector<Pieces> const& parts);
/// Runs the same butterfly in reverse: every node sends its partner the parts that it has.
void allgather_back(Writer& writer, Butterfly const& butterfly, std::vector<Pieces> const& parts);
/// Every node exchanges all parts with its partner, and joins them.
void exchange_all(Writer& writer, Butterfly const& butterfly, Pieces const& all);

/// Reduces p ranks to 2^L nodes. The x = p - 2^L surplus ranks are the even ones, or the odd ones, of the first 2x
/// ranks. The other ranks are the nodes, in order.
enum class LeftOut : std::uint8_t { even, odd };
/// Ranks past a power of two: some ranks take no part in the butterfly, and their neighbors act for them.
class Fold {
 public:
  Fold(int ranks, LeftOut left_out);
  int rounds() const { return rounds_; }
  int extra() const { return extra_; }
  int rank(int node) const { return node < extra_ ? 2 * node + (left_out_ == LeftOut::even ? 1 : 0) : node + extra_; }
  /// The surplus ranks give all their contributions to their neighbors, which are nodes.
  void in(Writer& writer, Pieces const& all) const;
  /// The surplus ranks get the result.
  void out(Writer& writer, Pieces const& all) const;

 private:
  int rounds_, extra_;
  LeftOut left_out_;
};

}  // namespace rondo::generate::classical

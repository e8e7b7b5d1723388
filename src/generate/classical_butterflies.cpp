// Writes the rounds of butterflies (classical_butterflies.hpp). Which rank a node is and which partner it has comes
// from the Butterfly.

#include "generate/classical_butterflies.hpp"

#include <bit>

#include "base/index.hpp"

namespace rondo::generate::classical {
namespace {

/// Appends the nodes that a node still reaches from this round on: those whose parts it is responsible for.
void collect(Butterfly const& butterfly, int node, int round, std::vector<int>& nodes) {
  if (round == butterfly.rounds) {
    nodes.push_back(node);
    return;
  }
  collect(butterfly, node, round + 1, nodes);
  collect(butterfly, butterfly.partner(node, round), round + 1, nodes);
}

/// The parts of all nodes that a node reaches from this round on.
Pieces parts_of(Butterfly const& butterfly, int node, int round, std::vector<Pieces> const& parts) {
  Pieces pieces;
  for (int const each : reached(butterfly, node, round)) {
    pieces.insert(pieces.end(), parts[at(each)].begin(), parts[at(each)].end());
  }
  return pieces;
}

}  // namespace

std::vector<int> reached(Butterfly const& butterfly, int node, int round) {
  std::vector<int> nodes;
  collect(butterfly, node, round, nodes);
  return nodes;
}

/// In each round a node sends its partner the parts that the partner's side will keep.
void reduce_scatter(Writer& writer, Butterfly const& butterfly, std::vector<Pieces> const& parts) {
  for (int round = 0; round < butterfly.rounds; ++round) {
    writer.begin_round();
    for (int v = 0; v < butterfly.nodes(); ++v) {
      int const to = butterfly.partner(v, round);
      int const source = butterfly.rank(v);
      int const target = butterfly.rank(to);
      writer.message(source, target, parts_of(butterfly, to, round + 1, parts), join_from(source, target));
    }
  }
}

/// The rounds of reduce_scatter in reverse order, with results instead of contributions.
void allgather_back(Writer& writer, Butterfly const& butterfly, std::vector<Pieces> const& parts) {
  for (int round = butterfly.rounds - 1; round >= 0; --round) {
    writer.begin_round();
    for (int v = 0; v < butterfly.nodes(); ++v) {
      writer.message(butterfly.rank(v), butterfly.rank(butterfly.partner(v, round)),
                     parts_of(butterfly, v, round + 1, parts));
    }
  }
}

/// Partners exchange whole vectors in each round and join them.
void exchange_all(Writer& writer, Butterfly const& butterfly, Pieces const& all) {
  for (int round = 0; round < butterfly.rounds; ++round) {
    writer.begin_round();
    for (int v = 0; v < butterfly.nodes(); ++v) {
      int const source = butterfly.rank(v);
      int const target = butterfly.rank(butterfly.partner(v, round));
      writer.message(source, target, all, join_from(source, target));
    }
  }
}

Fold::Fold(int ranks, LeftOut left_out)
    : rounds_(std::bit_width(static_cast<unsigned>(ranks)) - 1), extra_(ranks - (1 << rounds_)), left_out_(left_out) {}

/// A rank that takes no part sends its vector to its neighbor, whose number differs in the lowest bit.
void Fold::in(Writer& writer, Pieces const& all) const {
  if (extra_ == 0) return;
  writer.begin_round();
  for (int i = 0; i < extra_; ++i) {
    int const stays = rank(i);
    writer.message(stays ^ 1, stays, all, join_from(stays ^ 1, stays));
  }
}

void Fold::out(Writer& writer, Pieces const& all) const {
  if (extra_ == 0) return;
  writer.begin_round();
  for (int i = 0; i < extra_; ++i) writer.message(rank(i), rank(i) ^ 1, all);
}

}  // namespace rondo::generate::classical

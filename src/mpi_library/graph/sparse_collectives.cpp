// Rooted collectives and the barrier on a graph. A rank takes part once for each edge to or from the root, so repeated
// edges carry the data repeatedly.

#include "mpi_library/graph/sparse_collectives.hpp"

#include <algorithm>
#include <vector>

#include "mpi_library/graph/sparse_parts.hpp"

namespace rondo::mpi {
namespace {

using Ranks = std::vector<int>;

/// Each neighbor once, without the rank itself and MPI_PROC_NULL, which is negative.
Ranks others(Neighbors const& neighbors, int self) {
  Ranks result = neighbors.ranks;
  std::erase_if(result, [&](int rank) { return rank == self || rank < 0; });
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

namespace {
using Made = std::unique_ptr<NeighborRequest>;
}

std::shared_ptr<AttachedTopology> graph_of(MPI_Comm comm) {
  auto found = find_attached_topology(comm);
  if (found != nullptr && found->topology->kind != ProcessTopology::Kind::distributed_graph) return nullptr;
  return found;
}

Made sparse_nothing(Home const& home) { return Exchange(home).request(); }

/// An empty message along each edge.
Made sparse_barrier(Home const& home) {
  Exchange exchange(home);
  for (int const target : others(exchange.topology().targets, exchange.self())) exchange.send(target, {});
  for (int const source : others(exchange.topology().sources, exchange.self())) exchange.receive(source, {});
  return exchange.request();
}

/// The root sends its block to each distinct target; the others receive if they have an edge from the root.
Made sparse_bcast(Home const& home, Data const& data, int root) {
  expect_root(*home, root);
  Exchange exchange(home);
  Slot const block = exchange.block(data);
  if (exchange.self() == root) {
    for (int const target : others(exchange.topology().targets, root)) exchange.send(target, block);
  } else if (edges_to(exchange.topology().sources, root) > 0) {
    exchange.receive(root, block);
  }
  return exchange.request();
}

/// A rank sends its block once for each edge to the root; the root receives in the order of its sources.
Made sparse_gather(Home const& home, Data const& sent, DataBlocks const& received, int root) {
  expect_root(*home, root);
  Exchange exchange(home);
  auto const edges = edges_to(exchange.topology().targets, root);
  if (edges > 0) {
    Slot const block = exchange.block(sent);
    for (auto k = edges; k > 0; --k) exchange.send(root, block);
  }
  if (exchange.self() == root) {
    Ranks const& sources = exchange.topology().sources.ranks;
    std::vector<Slot> const blocks = exchange.blocks(static_cast<int>(sources.size()), received);
    for (std::size_t i = 0; i < sources.size(); ++i) exchange.receive(sources[i], blocks[i]);
  }
  return exchange.request();
}

/// With several edges from the root, the last message has the block that the rank keeps.
Made sparse_scatter(Home const& home, DataBlocks const& sent, Data const& received, int root) {
  expect_root(*home, root);
  Exchange exchange(home);
  if (exchange.self() == root) {
    Ranks const& targets = exchange.topology().targets.ranks;
    std::vector<Slot> const blocks = exchange.blocks(static_cast<int>(targets.size()), sent);
    for (std::size_t i = 0; i < targets.size(); ++i) exchange.send(targets[i], blocks[i]);
  }
  auto const edges = edges_to(exchange.topology().sources, root);
  Slot const block = edges > 0 ? exchange.block(received) : Slot{};
  auto const others = std::make_shared<BlockCopies>(received, static_cast<int>(edges > 1 ? edges - 1 : 0));
  if (edges > 1) exchange.fail(others->failure());
  for (auto k = edges; k > 1; --k) exchange.receive(root, others->slot(static_cast<std::size_t>(k - 2)));
  if (edges > 0) exchange.receive(root, block);
  Made request = exchange.request();
  request->then([others] {});  // keeps their memory
  return request;
}

}  // namespace rondo::mpi

// Reductions on a graph: the vectors of all sources are received, and then joined locally.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/local_copy.hpp"
#include "mpi_library/graph/neighbor_request.hpp"
#include "mpi_library/graph/sparse_parts.hpp"

namespace rondo::mpi {
namespace {

/// The error in the arguments of a reduction, or MPI_SUCCESS.
int reduction_code([[maybe_unused]] Data const& sent, MPI_Op op) {
  int commutes = 0;
  if (op == MPI_OP_NULL || MPI_Op_commutative(op, &commutes) != MPI_SUCCESS || commutes == 0) return MPI_ERR_OP;
#ifdef SMPI_H
  // In its own collectives SMPI checks an operation together with its type; in MPI_Reduce_local a wrong pair would
  // end the program.
  if (sent.count >= 0 && sent.type != MPI_DATATYPE_NULL) {
    char from = 0, into = 0;
    return PMPI_Allreduce(&from, &into, 0, sent.type, op, MPI_COMM_SELF);
  }
#endif
  return MPI_SUCCESS;
}

/// MPI_ERR_BUFFER if a result with elements has no buffer.
int result_code(Data const& sent, void const* received) {
  return received == nullptr && sent.count > 0 ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

/// A part of each block.
struct Part {
  MPI_Aint first = 0;  ///< in bytes
  int count = 0;
};

/// Joins the blocks. On a simulated machine this takes no time, just as messages of a rank to itself take none.
void reduce(BlockCopies const& gathered, Part const& part, std::vector<int> const& sources, void* received, MPI_Op op) {
  bool first = true;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] < 0) continue;  // MPI_PROC_NULL
    Data block = gathered.block(i);
    block.buffer = static_cast<std::byte const*>(block.buffer) + part.first;
    block.count = part.count;
    if (std::exchange(first, false))
      LocalCopy(slot_of(block), slot_of({received, block.count, block.type})).run();
    else
      check(MPI_Reduce_local(block.buffer, received, block.count, block.type, op));
  }
}

/// The first of these codes that is an error.
int first_of(std::initializer_list<int> codes) {
  for (int const code : codes) {
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace

/// A rank sends its block once for each edge to the root; the root joins what has come in the order of its sources.
std::unique_ptr<NeighborRequest> sparse_reduce(Home const& home, Data const& sent, void* received, MPI_Op op,
                                               int root) {
  expect_root(*home, root);
  Exchange exchange(home);
  bool const at_root = exchange.self() == root;
  std::vector<int> const& sources = home->topology->sources.ranks;
  auto const edges = edges_to(exchange.topology().targets, root);
  Slot const block = exchange.block(sent);
  exchange.fail(reduction_code(sent, op));
  for (auto k = edges; k > 0; --k) exchange.send(root, block);
  if (!at_root) return exchange.request();
  auto const gathered = std::make_shared<BlockCopies>(sent, static_cast<int>(sources.size()));
  exchange.fail(first_of({gathered->failure(), result_code(sent, received)}));
  for (std::size_t i = 0; i < sources.size(); ++i) exchange.receive(sources[i], gathered->slot(i));
  auto request = exchange.request();
  request->then([=] { reduce(*gathered, {0, sent.count}, home->topology->sources.ranks, received, op); });
  return request;
}

namespace {

/// Receives the vectors of all sources, and joins a part of them.
std::unique_ptr<NeighborRequest> allreduce_part(Home const& home, Data const& sent, Part const& part, void* received,
                                                MPI_Op op) {
  std::vector<int> const& sources = home->topology->sources.ranks;
  auto const gathered = std::make_shared<BlockCopies>(sent, static_cast<int>(sources.size()));
  int const code = first_of(
      {gathered->failure(), reduction_code(sent, op), result_code({sent.buffer, part.count, sent.type}, received)});
  auto request = make_request(
      home, {NeighborCollective::allgather, regular(sent.buffer, sent.count, sent.type), gathered->blocks()});
  request->fail(code);
  request->then([=] { reduce(*gathered, part, home->topology->sources.ranks, received, op); });
  return request;
}

}  // namespace

std::unique_ptr<NeighborRequest> sparse_allreduce(Home const& home, Data const& sent, void* received, MPI_Op op) {
  return allreduce_part(home, sent, {0, sent.count}, received, op);
}

/// Between two groups, each sender sends an equal part of the vector to each rank of the other group.
std::unique_ptr<NeighborRequest> inter_reduce_scatter_block(Home const& home, Data const& received, void const* sent,
                                                            MPI_Op op, int local_size) {
  int const senders = home->topology->indegree();
  std::int64_t const all = std::int64_t{received.count} * local_size;
  bool const even = all % senders == 0 && all <= std::numeric_limits<int>::max();
  int const each = even ? static_cast<int>(all / senders) : 0;
  auto const gathered = std::make_shared<BlockCopies>(Data{sent, received.count, received.type}, senders);
  auto* const into = const_cast<void*>(received.buffer);
  auto request = make_request(
      home, {NeighborCollective::alltoall, regular(sent, each, received.type), gathered->blocks(), nullptr, nullptr});
  request->fail(first_of({even ? MPI_SUCCESS : MPI_ERR_COUNT, gathered->failure(),
                          reduction_code({sent, received.count, received.type}, op), result_code(received, into)}));
  request->then([=, count = received.count] {
    reduce(*gathered, {0, count}, home->topology->sources.ranks, into, op);
  });
  return request;
}

/// Every rank joins only its own part of the remote group's vectors.
std::unique_ptr<NeighborRequest> inter_reduce_scatter(Home const& home, void* received, std::span<int const> counts,
                                                      std::size_t own, Data const& sent, MPI_Op op) {
  MPI_Aint lower = 0, extent = 0;
  if (sent.type != MPI_DATATYPE_NULL) check(MPI_Type_get_extent(sent.type, &lower, &extent));
  auto const before = counts.first(own);
  Part const part{extent * std::accumulate(before.begin(), before.end(), MPI_Aint{0}), counts[own]};
  return allreduce_part(home, sent, part, received, op);
}

}  // namespace rondo::mpi

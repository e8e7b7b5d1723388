// Reductions on a graph.

#include <initializer_list>
#include <utility>
#include <vector>

#include "mpi/graph/neighbor_request.hpp"
#include "mpi/graph/sparse_parts.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/local_copy.hpp"

namespace rondo::mpi {
namespace {

/// What is wrong with the arguments of a reduction, or MPI_SUCCESS.
int reduction_code([[maybe_unused]] Data const& sent, MPI_Op op) {
  int commutes = 0;
  if (op == MPI_OP_NULL || MPI_Op_commutative(op, &commutes) != MPI_SUCCESS || commutes == 0) return MPI_ERR_OP;
#ifdef SMPI_H
  // SMPI looks at an operation and its type together in its own collectives; in MPI_Reduce_local it ends the program.
  if (sent.count >= 0 && sent.type != MPI_DATATYPE_NULL) {
    char from = 0, into = 0;
    return PMPI_Allreduce(&from, &into, 0, sent.type, op, MPI_COMM_SELF);
  }
#endif
  return MPI_SUCCESS;
}

/// MPI_ERR_BUFFER if a result that has elements has no buffer to go to.
int result_code(Data const& sent, void const* received) {
  return received == nullptr && sent.count > 0 ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

/// Takes no time on a simulated machine, as messages of a rank to itself would.
void reduce(Gathered const& gathered, std::vector<int> const& sources, void* received, MPI_Op op) {
  bool first = true;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] < 0) continue;  // MPI_PROC_NULL
    Data const block = gathered.block(i);
    if (std::exchange(first, false))
      LocalCopy(slot_of(block), slot_of({received, block.count, block.type})).run();
    else
      check(MPI_Reduce_local(block.buffer, received, block.count, block.type, op));
  }
}

/// The first of them that is an error.
int first_of(std::initializer_list<int> codes) {
  for (int const code : codes) {
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace

void sparse_reduce(Home const& home, Data const& sent, void* received, MPI_Op op, int root) {
  expect_root(*home, root);
  Exchange exchange(home);
  bool const at_root = exchange.self() == root;
  std::vector<int> const& sources = home->topology->sources.ranks;
  auto const edges = edges_to(exchange.topology().targets, root);
  Slot const block = exchange.block(sent);
  exchange.fail(reduction_code(sent, op));
  for (auto k = edges; k > 0; --k) exchange.send(root, block);
  if (!at_root) return exchange.run();
  Gathered const gathered(sent, static_cast<int>(sources.size()));
  exchange.fail(first_of({gathered.failure(), result_code(sent, received)}));
  for (std::size_t i = 0; i < sources.size(); ++i) exchange.receive(sources[i], gathered.slot(i));
  exchange.run();
  reduce(gathered, sources, received, op);
}

void sparse_allreduce(Home const& home, Data const& sent, void* received, MPI_Op op) {
  std::vector<int> const& sources = home->topology->sources.ranks;
  Gathered const gathered(sent, static_cast<int>(sources.size()));
  int const code = first_of({gathered.failure(), reduction_code(sent, op), result_code(sent, received)});
  auto const request = make_request(
      home, {NeighborCollective::allgather, regular(sent.buffer, sent.count, sent.type), gathered.blocks()});
  request->start();
  try {
    request->wait();
  } catch (MpiFailure const&) {
    check(code);
    throw;
  }
  check(code);
  reduce(gathered, sources, received, op);
}

}  // namespace rondo::mpi

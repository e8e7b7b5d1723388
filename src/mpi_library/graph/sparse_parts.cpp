// Collects the messages of a sparse collective and makes a request of them. In a reduction on a graph the vectors of
// all sources are received, and then joined locally.

#include "mpi_library/graph/sparse_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "mpi/runtime/datatypes.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/graph/neighbor_request.hpp"

namespace rondo::mpi {
namespace {

/// The slots of blocks as MPI's arguments describe them.
std::vector<Slot> described(int number, DataBlocks const& data) {
  std::vector<MPI_Aint> displacements;
  if (data.displacements != nullptr) displacements.assign(data.displacements, data.displacements + number);
  bool const each = data.counts != nullptr;
  Blocks const blocks{data.buffer,
                      number,
                      each ? data.counts : &data.count,
                      displacements.data(),
                      &data.type,
                      each ? Blocks::Displaced::by_extents : Blocks::Displaced::one_behind_the_other,
                      each ? Blocks::Given::for_each : Blocks::Given::for_all};
  return slots(blocks);
}

/// Posts empty messages along all edges, so that ranks with a valid root do not wait for this one.
void leave_nobody_waiting(AttachedTopology& home) {
  [[maybe_unused]] int const tag = home.next_tag();
#ifdef SMPI_H
  auto const leave = [&](Neighbors const& neighbors, auto post) {
    for (int const rank : neighbors.ranks) {
      if (rank >= 0) post(nullptr, 0, MPI_BYTE, rank, tag, home.comm->handle(), &home.left_behind.emplace_back());
    }
  };
  leave(home.topology->targets, &MPI_Isend);
  leave(home.topology->sources, &MPI_Irecv);
#endif
}

}  // namespace

/// A rank with a wrong root sends empty messages, so that nobody waits for it, and then throws.
void expect_root(AttachedTopology& home, int root) {
  if (root >= 0 && root < size_of(home.comm->handle())) return;
  leave_nobody_waiting(home);
  throw MpiFailure(MPI_ERR_ROOT);
}

Slot slot_of(Data const& data) { return slots({data.buffer, 1, &data.count, nullptr, &data.type}).front(); }

/// Memory for copies of a block, which need not be contiguous.
BlockCopies::BlockCopies(Data const& like, int blocks) : like_(like) {
  failure_ = guarded([&] {
    constexpr std::size_t alignment = alignof(std::max_align_t);
    auto const size = (slot_of(like).bytes.value == 0 ? 0 : span()) + alignment - 1;
    memory_.resize(static_cast<std::size_t>(blocks) * (size - size % alignment));
    for (int i = 0; i < blocks; ++i) displacements_.push_back(i * static_cast<MPI_Aint>(size - size % alignment));
  });
  if (failure_ != MPI_SUCCESS) like_.count = -1;
}

/// The copies as arguments of a call.
Blocks BlockCopies::blocks() const {
  Blocks result = regular(memory_.empty() ? nullptr : memory_.data() - lower_, like_.count, like_.type);
  result.displacements = displacements_.data();
  result.displaced = Blocks::Displaced::by_bytes;
  return result;
}

Data BlockCopies::block(std::size_t i) const {
  return {memory_.data() - lower_ + displacements_[i], like_.count, like_.type};
}

std::size_t BlockCopies::span() {
  Reach const reached = reach(like_.type, like_.count);
  lower_ = reached.first;
  return static_cast<std::size_t>(reached.end - reached.first);
}

Exchange::Exchange(Home home) : home_(std::move(home)), self_(rank_in(home_->comm->handle())) {}

/// The slots of blocks; after an error they are empty.
std::vector<Slot> Exchange::blocks(int number, DataBlocks const& data) {
  std::vector<Slot> result(static_cast<std::size_t>(number));
  try {
    result = described(number, data);
  } catch (MpiFailure const& failure) {
    failure_ = failure.code();
  } catch (std::bad_alloc const&) {
    failure_ = MPI_ERR_NO_MEM;
  }
  return result;
}

/// A message to the rank itself becomes a copy.
void Exchange::send(int target, Slot const& block) {
  if (target == self_)
    copies_.push_back(block);
  else if (target >= 0)
    round_.sends.push_back({target, block});
}

/// A block from the rank itself is copied; negative ranks stand for nobody.
void Exchange::receive(int source, Slot const& block) {
  if (source == self_)
    into_.push_back(block);
  else if (source >= 0)
    round_.receives.push_back({source, block});
}

std::unique_ptr<NeighborRequest> Exchange::request() {
  copy_own();
  return std::make_unique<NeighborRequest>(home_, round_, failure_);
}

/// Pairs the blocks that the rank sends to itself with those that it receives from itself.
void Exchange::copy_own() {
  for (std::size_t i = 0; i < std::min(copies_.size(), into_.size()); ++i) {
    if (copies_[i].bytes == into_[i].bytes)
      round_.copies.push_back({copies_[i], into_[i]});
    else
      fail(MPI_ERR_TRUNCATE);
  }
}

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

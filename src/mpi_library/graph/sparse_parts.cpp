// Collects the messages of a sparse collective and makes a request of them.

#include "mpi_library/graph/sparse_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/reach.hpp"
#include "mpi_library/calls/guarded.hpp"

namespace rondo::mpi {
namespace {

int rank_in(AttachedTopology const& home) {
  int rank = 0;
  check(MPI_Comm_rank(home.comm->handle(), &rank));
  return rank;
}

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
  int ranks = 0;
  check(MPI_Comm_size(home.comm->handle(), &ranks));
  if (root >= 0 && root < ranks) return;
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

Exchange::Exchange(Home home) : home_(std::move(home)), self_(rank_in(*home_)) {}

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

}  // namespace rondo::mpi

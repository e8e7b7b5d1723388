#pragma once

// The parts from which the sparse collectives of a graph are built; only sparse_*.cpp uses them.

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/operation.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/graph/neighbor_request.hpp"
#include "mpi_library/graph/process_topology.hpp"
#include "mpi_library/graph/sparse_collectives.hpp"

namespace rondo::mpi {

using Home = std::shared_ptr<AttachedTopology>;

/// Throws MpiFailure with MPI_ERR_ROOT unless this rank exists. In the error case nobody knows which ranks wait for
/// this one or send to it. On SMPI, every rank that may wait gets an empty message, which is too short for it, and
/// every message that may come is received, without waiting for either. Other MPIs reuse the names of communicators, so
/// that leftovers of this kind could appear on a later communicator. There the other ranks may wait, as they do in
/// MPI's own collectives.
void expect_root(AttachedTopology& home, int root);

/// How many edges there are to, or from, a rank.
inline auto edges_to(Neighbors const& neighbors, int rank) {
  return std::count(neighbors.ranks.begin(), neighbors.ranks.end(), rank);
}

/// The slot of a buffer. Throws MpiFailure if its description is wrong.
Slot slot_of(Data const& data);

/// The messages and copies of a rank in one collective, and the error in its arguments.
class Exchange {
 public:
  explicit Exchange(Home home);

  int self() const { return self_; }
  ProcessTopology const& topology() const { return *home_->topology; }

  /// The blocks that arguments describe; if they are wrong, the same number of empty blocks.
  std::vector<Slot> blocks(int number, DataBlocks const& data);
  Slot block(Data const& data) { return blocks(1, {data.buffer, data.count, nullptr, nullptr, data.type}).front(); }

  void send(int target, Slot const& block);
  void receive(int source, Slot const& block);
  void fail(int code) {
    if (failure_ == MPI_SUCCESS) failure_ = code;
  }

  /// Makes the request. If the arguments were wrong, it throws once it is complete.
  std::unique_ptr<NeighborRequest> request();

 private:
  void copy_own();

  Home home_;
  int self_;
  int failure_ = MPI_SUCCESS;
  SingleRound round_;
  std::vector<Slot> copies_, into_;
};

/// Blocks with the same description as a given one, each in memory of its own.
class BlockCopies {
 public:
  /// If memory is lacking, or the library cannot tell how far the blocks reach, no blocks are made and failure() is
  /// set.
  BlockCopies(Data const& like, int blocks);

  int failure() const { return failure_; }
  /// Describes the blocks in that memory. After a failure the description is invalid.
  Blocks blocks() const;
  Data block(std::size_t i) const;
  /// The memory of block `i`; empty after a failure.
  Slot slot(std::size_t i) const { return failure_ == MPI_SUCCESS ? slot_of(block(i)) : Slot{}; }

 private:
  /// The number of bytes from the lowest to the highest byte of a block. Sets `lower_`.
  std::size_t span();

  Data like_;
  std::vector<std::byte> memory_;
  std::vector<MPI_Aint> displacements_;
  MPI_Aint lower_ = 0;  ///< where a block's data begins, relative to its address
  int failure_ = MPI_SUCCESS;
};

}  // namespace rondo::mpi

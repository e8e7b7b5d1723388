#pragma once

// What the sparse collectives of a graph are made of, for sparse_*.cpp alone.

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

using Home = std::shared_ptr<CarriedTopology>;

/// Throws MpiFailure, MPI_ERR_ROOT, unless there is such a rank. Nobody then knows who waits for this one, or has
/// something for it. On SMPI whoever may wait gets an empty message, which is too short, and whatever may come is
/// taken, without waiting for either. Other MPIs use the names of communicators again, so that what is left of that
/// could turn up on a later one: there the others may wait, as in MPI's own collectives.
void expect_root(CarriedTopology& home, int root);

/// How many edges there are to, or from, a rank.
inline auto edges_to(Neighbors const& neighbors, int rank) {
  return std::count(neighbors.ranks.begin(), neighbors.ranks.end(), rank);
}

/// Throws MpiFailure for a description that is wrong.
Slot slot_of(Data const& data);

/// What a rank sends, receives and copies in one collective, and what was wrong with its arguments.
class Exchange {
 public:
  explicit Exchange(Home home);

  int self() const { return self_; }
  ProcessTopology const& topology() const { return *home_->topology; }

  /// The blocks that arguments describe; as many empty ones if they are wrong.
  std::vector<Slot> blocks(int number, DataBlocks const& data);
  Slot block(Data const& data) { return blocks(1, {data.buffer, data.count, nullptr, nullptr, data.type}).front(); }

  void send(int target, Slot const& block);
  void receive(int source, Slot const& block);
  void fail(int code) {
    if (failure_ == MPI_SUCCESS) failure_ = code;
  }

  /// What was wrong, it throws once it is complete.
  std::unique_ptr<NeighborRequest> request();

 private:
  void copy_own();

  Home home_;
  int self_;
  int failure_ = MPI_SUCCESS;
  SingleRound round_;
  std::vector<Slot> kept_, into_;
};

/// Blocks like one that is given, each in memory of its own.
class Gathered {
 public:
  /// If memory is lacking, or the library cannot tell how far the blocks reach, it makes no blocks and sets failure().
  Gathered(Data const& like, int blocks);

  int failure() const { return failure_; }
  /// Describes the blocks in that memory. After a failure the description is invalid.
  Blocks blocks() const;
  Data block(std::size_t i) const;
  /// The memory of block `i`; empty after a failure.
  Slot slot(std::size_t i) const { return failure_ == MPI_SUCCESS ? slot_of(block(i)) : Slot{}; }

 private:
  /// The bytes between the lowest and the highest of a block; sets `lower_`.
  std::size_t span();

  Data like_;
  std::vector<std::byte> memory_;
  std::vector<MPI_Aint> displacements_;
  MPI_Aint lower_ = 0;  ///< where a block's data begins, relative to its address
  int failure_ = MPI_SUCCESS;
};

}  // namespace rondo::mpi

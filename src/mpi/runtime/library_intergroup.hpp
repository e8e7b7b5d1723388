#pragma once

// Inter-group all-to-all broadcast as [Kang19, Section V] implements it: with MPI_Send and MPI_Recv between the
// groups, and with the MPI library's own collectives inside the groups.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "topology/groups.hpp"

namespace rondo::mpi {

/// The part of a communicator, split by MPI_Comm_split, that this rank belongs to. The rank may belong to no part.
class SubComm {
 public:
  /// Collective over `comm`. `color` may be MPI_UNDEFINED.
  SubComm(MPI_Comm comm, int color, int key);
  ~SubComm();
  SubComm(SubComm const&) = delete;
  SubComm& operator=(SubComm const&) = delete;

  MPI_Comm handle() const { return comm_; }
  bool has_me() const { return comm_ != MPI_COMM_NULL; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// The memory of a rank: for a sender its block, for a receiver the place of the p blocks, and room that the operation
/// may write to.
struct LibraryMemory {
  std::byte const* send = nullptr;
  std::byte* receive = nullptr;
  std::byte* block = nullptr;     ///< room for a block, at a receiver
  std::byte* gathered = nullptr;  ///< room for p blocks, at a sender
};

/// p >= q: a_i sends to b_i, then MPI_Allgather among the receivers and the senders a_i, i >= q. p < q: MPI_Bcast from
/// a_i to b_i, b_(i+p), ..., then MPI_Allgather in subgroups of p receivers, the last one filled with the senders a_j,
/// j >= q mod p [Kang19, Section III].
class LibraryGroupAllgather {
 public:
  /// Collective over `comm`, on which rank r < senders is a_r and rank senders + r is b_r.
  LibraryGroupAllgather(Groups const& groups, MPI_Comm comm);
  /// Collective. Throws MpiFailure; InputError for a block that MPI cannot count.
  void run(LibraryMemory const& memory, Bytes block) const;

 private:
  bool few_receivers() const { return groups_.senders() >= groups_.receivers(); }
  /// The place of this rank in its allgather, which is the number of the block that it contributes.
  int position() const;
  int subgroup() const;
  /// Brings to each receiver the block that it contributes to its allgather.
  void spread(LibraryMemory const& memory, Bytes block) const;

  Groups groups_;
  MPI_Comm comm_;
  Rank rank_;
  SubComm broadcast_, allgather_;
};

/// The way in which MPI libraries do it [Kang19, Section II-A]: MPI_Gather to a_0, all blocks in one message to b_0,
/// MPI_Bcast among the receivers.
class LibraryRootGathering {
 public:
  /// Collective on `comm`.
  LibraryRootGathering(Groups const& groups, MPI_Comm comm);
  void run(LibraryMemory const& memory, Bytes block) const;

 private:
  Groups groups_;
  MPI_Comm comm_;
  Rank rank_;
  SubComm group_;
};

}  // namespace rondo::mpi

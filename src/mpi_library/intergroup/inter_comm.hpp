#pragma once

// Inter-communicators, as what they are in [Traeff21, Section 2]: bipartite graphs. A communicator of the local group
// carries one over the ranks of both groups, so that collectives on it are those of a graph.

#include <mpi.h>

#include <array>
#include <memory>

#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

struct IntergroupComm;

struct InterComm {
  /// A communicator of both groups; the group with the lowest rank in MPI_COMM_WORLD comes first. Its topology joins
  /// each rank to all ranks of the remote group.
  std::shared_ptr<CarriedTopology> both;
  int local_first = 0, local_size = 0;    ///< where the local group is in `both`
  int remote_first = 0, remote_size = 0;  ///< where the remote group is
  /// The communicators to send from the first group in `both` to the second one, and back; made when first needed.
  std::shared_ptr<std::array<std::shared_ptr<IntergroupComm>, 2>> both_ways;
  /// For messages between single ranks, two communicators of both groups: to send on, in which the local group comes
  /// first, and to receive on, in which the remote group does. What is sent on here is received on there, so that a
  /// source has its rank in the remote group, in statuses too.
  std::shared_ptr<OwnComm> to_send, to_receive;

  /// A rank of the remote group in `to_send`; what is no such rank stays wrong, and MPI_PROC_NULL what it is.
  int target(int rank) const { return rank < 0 ? rank : local_size + rank; }
};

/// Returns null for a communicator that is not an inter-communicator of this library.
std::shared_ptr<InterComm> inter_comm(MPI_Comm comm);

/// Collective over both groups, as MPI_Intercomm_create. Throws MpiFailure at all ranks of both: MPI_ERR_COMM if the
/// groups overlap; at all ranks of its own group for an argument that one of them can see to be wrong.
MPI_Comm create_inter_comm(MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag);
/// As MPI_Comm_compare: two inter-communicators are what the worse of their groups are to each other.
int compare(MPI_Comm a, MPI_Comm b);
/// A duplicate, with the attributes that are copied. Makes four communicators, of which the first is one of the local
/// group.
MPI_Comm duplicate(MPI_Comm local, InterComm const& inter, NewComms& comms);
/// Collective over both groups, as MPI_Comm_split: the ranks of either group that name the same color, which is not
/// negative or MPI_UNDEFINED. MPI_COMM_NULL where a group has no rank of that color. `code`: what this rank has found
/// wrong before. Throws MpiFailure at all ranks of both groups: the largest code, MPI_ERR_ARG for another color.
MPI_Comm split_inter_comm(MPI_Comm local, InterComm const& inter, int color, int key, int code = MPI_SUCCESS);
/// Collective over both groups, as MPI_Comm_create: the ranks of a group that is part of the local one, in its order.
/// Throws MpiFailure at all ranks of both groups, MPI_ERR_GROUP for another group.
MPI_Comm create_in_inter_comm(MPI_Comm local, InterComm const& inter, MPI_Group group);
/// Collective over both groups, as MPI_Intercomm_merge.
MPI_Comm merged(InterComm const& inter, bool high);
MPI_Group remote_group(InterComm const& inter);

/// Who the root of a collective operation is to this rank.
struct InterRoot {
  bool concerned = true;  ///< false in the root's group but for the root itself
  int rank = 0;           ///< in `both`; negative if the argument names no root
};
/// From the root argument of a collective call. Where the library's MPI_ROOT is a rank, and the program does not
/// include rondo/mpi.h, collective over both groups; between two groups of one rank nothing then tells them apart but
/// `named_root`, without which both get MPI_ERR_ROOT.
InterRoot root_of(InterComm const& inter, int root);

}  // namespace rondo::mpi

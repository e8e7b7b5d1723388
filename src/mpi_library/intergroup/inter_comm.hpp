#pragma once

// Inter-communicators in the view of [Traeff21, Section 2]: as bipartite graphs. An inter-communicator is a
// communicator of the local group that carries a communicator over the ranks of both groups. Collectives on it are
// collectives on a graph.

#include <mpi.h>

#include <array>
#include <memory>

#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

struct IntergroupComm;

/// The two groups, as parts of a communicator over the ranks of both.
struct InterComm {
  /// A communicator of both groups; the group with the lowest rank in MPI_COMM_WORLD comes first. Its topology joins
  /// each rank to all ranks of the remote group.
  std::shared_ptr<AttachedTopology> both;
  int local_first = 0, local_size = 0;    ///< where the local group is in `both`
  int remote_first = 0, remote_size = 0;  ///< where the remote group is
  /// The communicators for sending from the first group in `both` to the second one, and back. They are made when they
  /// are first needed.
  std::shared_ptr<std::array<std::shared_ptr<IntergroupComm>, 2>> both_ways;
  /// Two communicators of both groups for messages between single ranks: one to send on, in which the local group comes
  /// first, and one to receive on, in which the remote group comes first. The sender's sending communicator is the
  /// receiver's receiving one, so that a source has its rank in the remote group, also in statuses.
  std::shared_ptr<OwnComm> to_send, to_receive;

  /// The number in `to_send` of a rank of the remote group. A rank that does not exist stays wrong, and MPI_PROC_NULL
  /// stays as it is.
  int target(int rank) const { return rank < 0 ? rank : local_size + rank; }
};

/// The state of one of Rondo's inter-communicators; null for any other communicator.
std::shared_ptr<InterComm> inter_comm(MPI_Comm comm);

/// Collective over both groups. Like MPI_Intercomm_create. Throws MpiFailure: MPI_ERR_COMM at all ranks of both groups
/// if the groups overlap; at all ranks of one group if one of them can see that its arguments are wrong.
MPI_Comm create_inter_comm(MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag);
/// Like MPI_Comm_compare. The result for two inter-communicators is the worse one of the results for their groups.
int compare(MPI_Comm a, MPI_Comm b);
/// A duplicate, with the attributes that MPI copies. Makes four communicators; the first one is that of the local
/// group.
MPI_Comm duplicate(MPI_Comm local, InterComm const& inter, NewComms& comms);
/// Collective over both groups. Like MPI_Comm_split: the ranks of both groups that name the same color, which must be
/// MPI_UNDEFINED or not negative. MPI_COMM_NULL if a group has no rank of this color. `code` is the error that this
/// rank has found before. Throws MpiFailure at all ranks of both groups: the largest code, or MPI_ERR_ARG for a wrong
/// color.
MPI_Comm split_inter_comm(MPI_Comm local, InterComm const& inter, int color, int key, int code = MPI_SUCCESS);
/// Collective over both groups. Like MPI_Comm_create: the ranks of a group that is a part of the local group, in the
/// order of the group. Throws MpiFailure at all ranks of both groups, MPI_ERR_GROUP if a group is no such part.
MPI_Comm create_in_inter_comm(MPI_Comm local, InterComm const& inter, MPI_Group group);
/// Collective over both groups. Like MPI_Intercomm_merge. An error on the new communicator is fatal.
MPI_Comm merged(InterComm const& inter, bool high);
/// A new group with the ranks of the other group; the caller frees it.
MPI_Group remote_group(InterComm const& inter);

/// The root of a collective operation, as this rank sees it.
struct InterRoot {
  bool concerned = true;  ///< false at the other ranks of the root's own group
  int rank = 0;           ///< in `both`; negative if the argument names no root
};
/// Reads the root argument of a collective call. If the library's MPI_ROOT is also a rank, and the program does not
/// include rondo/mpi.h, this is collective over both groups. Then two groups of one rank each cannot be told apart
/// without `named_root`, and both get MPI_ERR_ROOT.
InterRoot root_of(InterComm const& inter, int root);

}  // namespace rondo::mpi

// Runs inter-group all-to-all broadcasts by MPI's own collectives on sub-communicators.

#include "mpi/runtime/library_intergroup.hpp"

#include "mpi/runtime/datatypes.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

constexpr int tag = 0;

void send_to(std::byte const* data, Bytes bytes, int target, MPI_Comm comm) {
  auto const [type, count] = typed_count(bytes);
  check(MPI_Send(data, count, type, target, tag, comm));
}

void receive(std::byte* into, Bytes bytes, int source, MPI_Comm comm) {
  auto const [type, count] = typed_count(bytes);
  check(MPI_Recv(into, count, type, source, tag, comm, MPI_STATUS_IGNORE));
}

void broadcast(std::byte* data, Bytes bytes, MPI_Comm comm) {
  auto const [type, count] = typed_count(bytes);
  check(PMPI_Bcast(data, count, type, 0, comm));
}

}  // namespace

SubComm::SubComm(MPI_Comm comm, int color, int key) { check(MPI_Comm_split(comm, color, key, &comm_)); }

SubComm::~SubComm() {
  if (has_me()) MPI_Comm_free(&comm_);
}

LibraryGroupAllgather::LibraryGroupAllgather(Groups const& groups, MPI_Comm comm)
    : groups_(groups),
      comm_(comm),
      rank_(Rank(rank_in(comm))),
      broadcast_(comm, few_receivers() ? MPI_UNDEFINED : position(), rank_.value),
      allgather_(comm, subgroup(), position()) {}

int LibraryGroupAllgather::position() const {
  int const p = groups_.senders();
  return groups_.is_receiver(rank_) ? (rank_.value - p) % p : rank_.value;
}

/// The number of this rank's subgroup of p ranks, within which blocks are gathered.
int LibraryGroupAllgather::subgroup() const {
  int const p = groups_.senders();
  int const q = groups_.receivers();
  if (groups_.is_receiver(rank_)) return (rank_.value - p) / p;
  // The last subgroup has q mod p receivers (all q of them if there are fewer than p). Senders fill it up to p
  // ranks.
  bool const fills = q % p != 0 && rank_.value >= q % p;
  return fills ? q / p : MPI_UNDEFINED;
}

/// Each block goes from its sender to one receiver, or to several by a broadcast.
void LibraryGroupAllgather::spread(LibraryMemory const& memory, Bytes block) const {
  bool const receiver = groups_.is_receiver(rank_);
  if (!few_receivers()) {
    // The root of a broadcast only reads its buffer.
    return broadcast(receiver ? memory.block : const_cast<std::byte*>(memory.send), block, broadcast_.handle());
  }
  int const p = groups_.senders();
  if (receiver) {
    receive(memory.block, block, rank_.value - p, comm_);
  } else if (rank_.value < groups_.receivers()) {
    send_to(memory.send, block, p + rank_.value, comm_);
  }
}

void LibraryGroupAllgather::run(LibraryMemory const& memory, Bytes block) const {
  spread(memory, block);
  if (!allgather_.has_me()) return;
  bool const receiver = groups_.is_receiver(rank_);
  auto const [type, count] = typed_count(block);
  check(PMPI_Allgather(receiver ? memory.block : memory.send, count, type, receiver ? memory.receive : memory.gathered,
                       count, type, allgather_.handle()));
}

LibraryRootGathering::LibraryRootGathering(Groups const& groups, MPI_Comm comm)
    : groups_(groups),
      comm_(comm),
      rank_(Rank(rank_in(comm))),
      group_(comm, groups.is_receiver(rank_) ? 1 : 0, rank_.value) {}

/// A gather among the senders, one message, a broadcast among the receivers.
void LibraryRootGathering::run(LibraryMemory const& memory, Bytes block) const {
  Bytes const all = groups_.senders() * block;
  Rank const first_receiver(groups_.senders());
  if (groups_.is_receiver(rank_)) {
    if (rank_ == first_receiver) receive(memory.receive, all, 0, comm_);
    return broadcast(memory.receive, all, group_.handle());
  }
  auto const [type, count] = typed_count(block);
  check(PMPI_Gather(memory.send, count, type, memory.gathered, count, type, 0, group_.handle()));
  if (rank_ == Rank(0)) send_to(memory.gathered, all, first_receiver.value, comm_);
}

}  // namespace rondo::mpi

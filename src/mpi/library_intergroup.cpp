#include "mpi/library_intergroup.hpp"

#include <algorithm>

#include "mpi/failure.hpp"
#include "mpi/units.hpp"

namespace rondo::mpi {

namespace {

constexpr int tag = 0;

Rank rank_in(MPI_Comm comm) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank));
  return Rank(rank);
}

void send(std::byte const* data, Bytes bytes, int target, MPI_Comm comm) {
  auto const [type, count] = units(bytes);
  check(MPI_Send(data, count, type, target, tag, comm));
}

void receive(std::byte* into, Bytes bytes, int source, MPI_Comm comm) {
  auto const [type, count] = units(bytes);
  check(MPI_Recv(into, count, type, source, tag, comm, MPI_STATUS_IGNORE));
}

void broadcast(std::byte* data, Bytes bytes, MPI_Comm comm) {
  auto const [type, count] = units(bytes);
  check(MPI_Bcast(data, count, type, 0, comm));
}

}  // namespace

SubComm::SubComm(MPI_Comm comm, int color, int key) { check(MPI_Comm_split(comm, color, key, &comm_)); }

SubComm::~SubComm() {
  if (has_me()) MPI_Comm_free(&comm_);
}

LibraryGroupAllgather::LibraryGroupAllgather(Groups const& groups, MPI_Comm comm)
    : groups_(groups),
      comm_(comm),
      rank_(rank_in(comm)),
      broadcast_(comm, few_receivers() ? MPI_UNDEFINED : position(), rank_.value),
      allgather_(comm, subgroup(), position()) {}

int LibraryGroupAllgather::position() const {
  int const p = groups_.senders();
  return groups_.is_receiver(rank_) ? (rank_.value - p) % p : rank_.value;
}

int LibraryGroupAllgather::subgroup() const {
  int const p = groups_.senders();
  int const q = groups_.receivers();
  if (groups_.is_receiver(rank_)) return (rank_.value - p) / p;
  // Of the last subgroup the receivers are the first q mod p, or all q if they are fewer than the senders.
  bool const fills = q % p != 0 && rank_.value >= q % p;
  return fills ? q / p : MPI_UNDEFINED;
}

void LibraryGroupAllgather::spread(std::byte* mine, Bytes block) const {
  if (!few_receivers()) return broadcast(mine, block, broadcast_.handle());
  int const p = groups_.senders();
  if (groups_.is_receiver(rank_)) {
    receive(mine, block, rank_.value - p, comm_);
  } else if (rank_.value < groups_.receivers()) {
    send(mine, block, p + rank_.value, comm_);
  }
}

void LibraryGroupAllgather::run(std::byte const* send, std::byte* receive, Bytes block) const {
  auto const m = static_cast<std::size_t>(block.value);
  std::vector<std::byte> mine(m);
  if (!groups_.is_receiver(rank_)) std::copy_n(send, m, mine.data());
  spread(mine.data(), block);
  if (!allgather_.has_me()) return;
  std::vector<std::byte> beside;  // what a sender gathers for others
  if (!groups_.is_receiver(rank_)) beside.resize(m * static_cast<std::size_t>(groups_.senders()));
  auto const [type, count] = units(block);
  check(MPI_Allgather(mine.data(), count, type, groups_.is_receiver(rank_) ? receive : beside.data(), count, type,
                      allgather_.handle()));
}

LibraryRootGathering::LibraryRootGathering(Groups const& groups, MPI_Comm comm)
    : groups_(groups),
      comm_(comm),
      rank_(rank_in(comm)),
      group_(comm, groups.is_receiver(rank_) ? 1 : 0, rank_.value) {}

void LibraryRootGathering::run(std::byte const* send_buffer, std::byte* receive_buffer, Bytes block) const {
  Bytes const all = groups_.senders() * block;
  Rank const first_receiver(groups_.senders());
  if (groups_.is_receiver(rank_)) {
    if (rank_ == first_receiver) receive(receive_buffer, all, 0, comm_);
    return broadcast(receive_buffer, all, group_.handle());
  }
  std::vector<std::byte> gathered(rank_ == Rank(0) ? static_cast<std::size_t>(all.value) : 0);
  auto const [type, count] = units(block);
  check(MPI_Gather(send_buffer, count, type, gathered.data(), count, type, 0, group_.handle()));
  if (rank_ == Rank(0)) send(gathered.data(), all, first_receiver.value, comm_);
}

}  // namespace rondo::mpi

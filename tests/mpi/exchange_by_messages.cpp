#include "mpi/exchange.hpp"

namespace rondo::mpi::testing {
namespace {

struct Block {
  std::byte* address;
  int count;
  MPI_Datatype type;
};

Block block(Side& side, Variant variant, std::size_t i) {
  bool const regular = variant == Variant::alltoall || variant == Variant::allgather;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(side.types[is_typed(variant) ? i : 0], &lower, &extent);
  MPI_Aint at = is_typed(variant) ? side.displacements[i] : side.displacements[i] * extent;
  if (regular) at = static_cast<MPI_Aint>(i) * side.counts[0] * extent;
  return {side.buffer.data() + at, side.counts[i], side.types[is_typed(variant) ? i : 0]};
}

int tag(std::vector<int> const& tags, std::size_t i) { return tags.empty() ? static_cast<int>(i) : tags[i]; }

}  // namespace

void exchange_by_messages(Exchange& exchange, MPI_Comm comm) {
  std::vector<MPI_Request> requests;
  for (std::size_t i = 0; i < exchange.sources.size(); ++i) {
    Block const into = block(exchange.receive, exchange.variant, i);
    MPI_Irecv(into.address, into.count, into.type, exchange.sources[i], tag(exchange.source_tags, i), comm,
              &requests.emplace_back());
  }
  for (std::size_t i = 0; i < exchange.targets.size(); ++i) {
    Block const from = is_allgather(exchange.variant) ? block(exchange.send, Variant::allgather, 0)
                                                      : block(exchange.send, exchange.variant, i);
    MPI_Isend(from.address, from.count, from.type, exchange.targets[i], tag(exchange.target_tags, i), comm,
              &requests.emplace_back());
  }
  for (MPI_Request& request : requests) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace rondo::mpi::testing

#include "mpi_library/intergroup/inter_collectives.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/graph/sparse_collectives.hpp"

namespace rondo::mpi {
namespace {

struct Counts {
  int code = MPI_SUCCESS;
  std::vector<int> each;
  std::int64_t sum = 0;
};

/// All zero if something is wrong with them.
Counts counts_of(int const* counts, int number) {
  Counts result;
  if (counts == nullptr) result.code = MPI_ERR_ARG;
  for (int i = 0; counts != nullptr && i < number; ++i) {
    if (counts[i] < 0) result.code = MPI_ERR_COUNT;
    result.each.push_back(counts[i]);
    result.sum += counts[i];
  }
  if (result.sum > std::numeric_limits<int>::max()) result.code = MPI_ERR_COUNT;
  if (result.code == MPI_SUCCESS) return result;
  return {result.code, std::vector<int>(static_cast<std::size_t>(number)), 0};
}

}  // namespace

std::unique_ptr<NeighborRequest> make_reduce_scatter(InterComm const& inter, void const* sent, void* received,
                                                     int const counts[], MPI_Datatype type, MPI_Op op) {
  Counts const known = counts_of(counts, inter.local_size);
  int self = 0;
  check(MPI_Comm_rank(inter.both->comm->handle(), &self));
  auto const own = static_cast<std::size_t>(self - inter.local_first);
  auto request =
      inter_reduce_scatter(inter.both, received, known.each, own, {sent, static_cast<int>(known.sum), type}, op);
  request->fail(known.code);
  return request;
}

}  // namespace rondo::mpi

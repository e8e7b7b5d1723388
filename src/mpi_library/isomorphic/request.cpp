// Makes requests of isomorphic collectives: all ranks agree on the sizes, and each one generates the same schedule, so
// that nothing but the data is sent later.

#include "mpi_library/isomorphic/request.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "topology/mesh.hpp"

namespace rondo::mpi {

namespace {

/// The slots of the blocks that a rank sends and receives.
struct Described {
  std::vector<Slot> send, receive;
};

/// Throws MpiFailure unless each received block has the size of the sent one with the same index; an allgather sends
/// only one.
void check_sizes(Described const& blocks) {
  for (std::size_t i = 0; i < blocks.receive.size(); ++i) {
    Slot const& sent = blocks.send[blocks.send.size() == 1 ? 0 : i];
    if (sent.bytes != blocks.receive[i].bytes) throw MpiFailure(MPI_ERR_COUNT);
  }
}

/// The problem of a request on the communicator. `sizes` are those of each neighbor's block, or the one that an
/// allgather sends.
problem::Isomorphic problem_of(IsoComm const& home, NeighborCollective collective, std::vector<Bytes> const& sizes) {
  bool const alltoall = collective == NeighborCollective::alltoall;
  problem::BlockSizes of_blocks(sizes.empty() ? Bytes(0) : sizes.front());
  if (alltoall) of_blocks.each = sizes;
  return {.collective = collective,
          .torus = home.torus,
          .neighborhood = home.neighborhood,
          .sizes = std::move(of_blocks),
          .algorithm = home.options.algorithm,
          .dimension_order = {alltoall ? home.options.alltoall_order : home.options.allgather_order},
          .shortest_wrap = home.options.shortest_wrap,
          .boundary = home.boundary};
}

/// Throws MpiFailure if the algorithm does not carry out this collective, or cannot do so on open dimensions.
void check_algorithm(IsoComm const& home, NeighborCollective collective) {
  auto const knows = [&](std::vector<problem::IsomorphicAlgorithm> const& known) {
    return std::find(known.begin(), known.end(), home.options.algorithm) != known.end();
  };
  if (!knows(isomorphic_algorithms(collective))) throw MpiFailure(MPI_ERR_ARG);
  if (home.boundary != Boundary::periodic && !knows(mesh_algorithms(collective))) throw MpiFailure(MPI_ERR_TOPOLOGY);
}

/// Reads the arguments of this rank. The result is valid only if its vote has no error.
Described read(IsoComm const& home, NeighborCollective collective, Blocks const& send, Blocks const& receive,
               Vote& vote) {
  Described result;
  vote.code = guarded([&] {
    result = {slots(send), slots(receive)};
    expect_memory(send, result.send);
    expect_memory(receive, result.receive);
    check_sizes(result);
    vote.arguments.add(static_cast<std::int64_t>(collective));
    check_algorithm(home, collective);
    IsoOptions const& options = home.options;
    for (auto const word : {static_cast<int>(options.algorithm), static_cast<int>(options.alltoall_order),
                            static_cast<int>(options.allgather_order), options.shortest_wrap ? 1 : 0}) {
      vote.arguments.add(word);
    }
    for (Slot const& slot : result.send) vote.arguments.add(slot.bytes.value);
  });
  return result;
}

/// The neighbors that lie outside the mesh, from which no block comes.
std::vector<int> without_source(IsoComm const& home) {
  std::vector<int> result;
  for (int i = 0; i < home.neighborhood.size(); ++i) {
    if (!subtract(home.torus, home.boundary, home.rank, home.neighborhood[i])) result.push_back(i);
  }
  return result;
}

}  // namespace

Schedule schedule_of_all(IsoComm const& home, NeighborCollective collective, std::vector<Bytes> const& sizes) {
  return generate::isomorphic_of_all(problem_of(home, collective, sizes));
}

/// On a torus all ranks have one program; on a mesh each rank computes its own from it.
Schedule own_schedule(IsoComm const& home, NeighborCollective collective, std::vector<Bytes> const& sizes) {
  Schedule schedule = schedule_of_all(home, collective, sizes);
  if (home.boundary != Boundary::periodic) {
    schedule.programs = {generate::isomorphic_on_mesh(schedule, home.neighborhood, home.rank, home.boundary)};
  }
  return schedule;
}

void refuse_request(IsoComm const& home, int code) {
  Vote vote;
  vote.code = code;
  check(agree(home.comm->handle(), vote));
}

/// All ranks vote on sizes and options before the schedule is made.
std::unique_ptr<IsoRequest> make_request(std::shared_ptr<IsoComm> const& home, NeighborCollective collective,
                                         Blocks const& send, Blocks const& receive) {
  Vote vote;
  Described described = read(*home, collective, send, receive, vote);
  check(agree(home->comm->handle(), vote));
  int const tag = home->next_tag();
  std::vector<Bytes> sizes;
  for (Slot const& slot : described.send) sizes.push_back(slot.bytes);
  Schedule const schedule = own_schedule(*home, collective, sizes);
  std::vector<int> const unowed = home->boundary != Boundary::periodic ? without_source(*home) : std::vector<int>();
  SlotTable table(schedule.program(home->rank).layout(), std::move(described.send), std::move(described.receive),
                  unowed);
  return std::unique_ptr<IsoRequest>(
      new IsoRequest{home, {schedule, home->rank, std::move(table), home->comm->handle(), tag}});
}

}  // namespace rondo::mpi

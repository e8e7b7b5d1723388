#include "mpi/isomorphic/request.hpp"

#include <new>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "decomposition/dimension_order.hpp"
#include "decomposition/shortest_wrap.hpp"
#include "generate/generate.hpp"
#include "generate/grid_program.hpp"
#include "mpi/runtime/agreement.hpp"
#include "mpi/runtime/failure.hpp"
#include "topology/mesh.hpp"

namespace rondo::mpi {

namespace {

struct Described {
  std::vector<Slot> send, receive;
};

void check_sizes(Described const& blocks) {
  for (std::size_t i = 0; i < blocks.receive.size(); ++i) {
    Slot const& sent = blocks.send[blocks.send.size() == 1 ? 0 : i];
    if (sent.bytes != blocks.receive[i].bytes) throw MpiFailure(MPI_ERR_COUNT);
  }
}

/// What this rank makes of its arguments; its vote tells whether that is of use.
Described read(IsoComm const& home, IsoCollective collective, Blocks const& send, Blocks const& receive, Vote& vote) {
  Described result;
  try {
    result = {slots(send), slots(receive)};
    check_sizes(result);
    vote.said.add(static_cast<std::int64_t>(collective));
    vote.said.add(static_cast<std::int64_t>(home.algorithm));
    for (Slot const& slot : result.send) vote.said.add(slot.bytes.value);
  } catch (MpiFailure const& failure) {
    vote.code = failure.code();
  } catch (std::bad_alloc const&) {
    vote.code = MPI_ERR_NO_MEM;
  }
  return result;
}

/// The neighborhood that all ranks of the torus, or of the mesh taken as one, can follow.
Neighborhood followed(IsoComm const& home) {
  return home.boundary == Boundary::open ? fitting(home.torus, home.neighborhood)
                                         : shortest_wrap(home.torus, home.neighborhood);
}

Schedule alltoall(IsoComm const& home, std::vector<Bytes> const& each) {
  generate::BlockSizes const sizes(each.empty() ? Bytes(0) : each.front(), each);
  Neighborhood const way = followed(home);
  std::vector<int> const order = given_dimension_order(home.torus.dimensions());
  switch (home.algorithm) {
    case Algorithm::straightforward:
      return generate::isomorphic_alltoall_straightforward(home.torus, way, sizes);
    case Algorithm::posted:
      return generate::isomorphic_alltoall_posted(home.torus, way, sizes);
    case Algorithm::torus:
      return generate::isomorphic_alltoall_torus(home.torus, way, sizes, order);
    case Algorithm::direct:
      break;
  }
  return generate::isomorphic_alltoall_direct(home.torus, way, sizes, order);
}

Schedule allgather(IsoComm const& home, Bytes block) {
  Neighborhood const way = followed(home);
  switch (home.algorithm) {
    case Algorithm::straightforward:
      return generate::isomorphic_allgather_straightforward(home.torus, way, block);
    case Algorithm::posted:
      return generate::isomorphic_allgather_posted(home.torus, way, block);
    case Algorithm::torus:
      return generate::isomorphic_allgather_torus(home.torus, way, block, best_dimension_order(home.torus, way));
    case Algorithm::direct:
      break;
  }
  return generate::isomorphic_allgather_direct(home.torus, way, block,
                                               best_dimension_order(home.torus, way, Hops::direct));
}

/// The neighbors that lie outside the mesh, from which nothing comes.
std::vector<int> without_source(IsoComm const& home) {
  std::vector<int> result;
  for (int i = 0; i < home.neighborhood.size(); ++i) {
    if (!subtract(home.torus, Boundary::open, home.rank, home.neighborhood[i])) result.push_back(i);
  }
  return result;
}

}  // namespace

Schedule schedule_of_all(IsoComm const& home, IsoCollective collective, std::vector<Bytes> const& sizes) {
  return collective == IsoCollective::alltoall ? alltoall(home, sizes) : allgather(home, sizes.front());
}

Schedule own_schedule(IsoComm const& home, IsoCollective collective, std::vector<Bytes> const& sizes) {
  Schedule schedule = schedule_of_all(home, collective, sizes);
  if (home.boundary == Boundary::open) {
    schedule.programs = {generate::isomorphic_on_grid(schedule, home.neighborhood, home.rank, home.closed)};
  }
  return schedule;
}

void refuse_request(IsoComm const& home, int code) {
  Vote vote;
  vote.code = code;
  check(agree(home.comm->handle(), vote));
}

std::unique_ptr<IsoRequest> make_request(std::shared_ptr<IsoComm> const& home, IsoCollective collective,
                                         Blocks const& send, Blocks const& receive) {
  Vote vote;
  Described described = read(*home, collective, send, receive, vote);
  check(agree(home->comm->handle(), vote));
  int const tag = home->next_tag();
  std::vector<Bytes> sizes;
  for (Slot const& slot : described.send) sizes.push_back(slot.bytes);
  Schedule const schedule = own_schedule(*home, collective, sizes);
  std::vector<int> const unowed = home->boundary == Boundary::open ? without_source(*home) : std::vector<int>();
  SlotTable table(schedule.program(home->rank).layout(), std::move(described.send), std::move(described.receive),
                  unowed);
  return std::unique_ptr<IsoRequest>(
      new IsoRequest{home, {schedule, home->rank, std::move(table), home->comm->handle(), tag}});
}

}  // namespace rondo::mpi

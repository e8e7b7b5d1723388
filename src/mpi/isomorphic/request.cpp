#include "mpi/isomorphic/request.hpp"

#include <new>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "decomposition/additive_basis.hpp"
#include "decomposition/dimension_order.hpp"
#include "decomposition/shortest_wrap.hpp"
#include "decomposition/steiner_steps.hpp"
#include "generate/generate.hpp"
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

/// The neighborhood that all ranks of the torus, or of the mesh taken as one, can follow.
Neighborhood followed(IsoComm const& home) {
  Neighborhood const fitted = fitting(home.torus, home.neighborhood, home.boundary);
  return home.options.shortest_wrap ? shortest_wrap(home.torus, fitted, home.boundary) : fitted;
}

std::vector<int> order_by(OrderRule rule, IsoComm const& home, Neighborhood const& way) {
  switch (rule) {
    case OrderRule::given:
      return given_dimension_order(home.torus.dimensions());
    case OrderRule::best:
      return best_dimension_order(home.torus, way,
                                  home.options.algorithm == Algorithm::direct ? Hops::direct : Hops::unit);
    case OrderRule::paper:
      return paper_dimension_order(way);
  }
  throw MpiFailure(MPI_ERR_INTERN);
}

Schedule alltoall(IsoComm const& home, std::vector<Bytes> const& each) {
  generate::BlockSizes const sizes(each.empty() ? Bytes(0) : each.front(), each);
  Neighborhood const way = followed(home);
  std::vector<int> const order = order_by(home.options.alltoall_order, home, way);
  switch (home.options.algorithm) {
    case Algorithm::straightforward:
      return generate::isomorphic_alltoall_straightforward(home.torus, way, sizes);
    case Algorithm::posted:
      return generate::isomorphic_alltoall_posted(home.torus, way, sizes);
    case Algorithm::torus:
      return generate::isomorphic_alltoall_torus(home.torus, way, sizes, order);
    case Algorithm::direct:
      return generate::isomorphic_alltoall_direct(home.torus, way, sizes, order);
    case Algorithm::basis:
      return generate::isomorphic_alltoall_basis(home.torus, additive_basis(home.torus, way, home.boundary), sizes);
    case Algorithm::parity:
      return generate::isomorphic_alltoall_parity(home.torus, way, sizes, order);
    case Algorithm::steiner:
      break;
  }
  throw MpiFailure(MPI_ERR_ARG);
}

Schedule allgather(IsoComm const& home, Bytes block) {
  Neighborhood const way = followed(home);
  std::vector<int> const order = order_by(home.options.allgather_order, home, way);
  switch (home.options.algorithm) {
    case Algorithm::straightforward:
      return generate::isomorphic_allgather_straightforward(home.torus, way, block);
    case Algorithm::posted:
      return generate::isomorphic_allgather_posted(home.torus, way, block);
    case Algorithm::torus:
      return generate::isomorphic_allgather_torus(home.torus, way, block, order);
    case Algorithm::direct:
      return generate::isomorphic_allgather_direct(home.torus, way, block, order);
    case Algorithm::basis:
      return generate::isomorphic_allgather_basis(home.torus, additive_basis(home.torus, way, home.boundary), block);
    case Algorithm::steiner:
      return generate::isomorphic_allgather_steiner(home.torus, steiner_steps(home.torus, way, order, home.boundary),
                                                    block);
    case Algorithm::parity:
      break;
  }
  throw MpiFailure(MPI_ERR_ARG);
}

/// Throws MpiFailure for an algorithm that is none of this collective, or none of open dimensions.
void check_algorithm(IsoComm const& home, IsoCollective collective) {
  Algorithm const algorithm = home.options.algorithm;
  bool const alltoall = collective == IsoCollective::alltoall;
  if (algorithm == (alltoall ? Algorithm::steiner : Algorithm::parity)) throw MpiFailure(MPI_ERR_ARG);
  if (algorithm == Algorithm::parity && home.boundary != Boundary::periodic) throw MpiFailure(MPI_ERR_TOPOLOGY);
}

/// What this rank makes of its arguments; its vote tells whether that is of use.
Described read(IsoComm const& home, IsoCollective collective, Blocks const& send, Blocks const& receive, Vote& vote) {
  Described result;
  try {
    result = {slots(send), slots(receive)};
    expect_memory(send, result.send);
    expect_memory(receive, result.receive);
    check_sizes(result);
    vote.said.add(static_cast<std::int64_t>(collective));
    check_algorithm(home, collective);
    IsoOptions const& options = home.options;
    for (auto const word : {static_cast<int>(options.algorithm), static_cast<int>(options.alltoall_order),
                            static_cast<int>(options.allgather_order), options.shortest_wrap ? 1 : 0}) {
      vote.said.add(word);
    }
    for (Slot const& slot : result.send) vote.said.add(slot.bytes.value);
  } catch (MpiFailure const& failure) {
    vote.code = failure.code();
  } catch (std::bad_alloc const&) {
    vote.code = MPI_ERR_NO_MEM;
  }
  return result;
}

/// The neighbors that lie outside the mesh, from which nothing comes.
std::vector<int> without_source(IsoComm const& home) {
  std::vector<int> result;
  for (int i = 0; i < home.neighborhood.size(); ++i) {
    if (!subtract(home.torus, home.boundary, home.rank, home.neighborhood[i])) result.push_back(i);
  }
  return result;
}

}  // namespace

Schedule schedule_of_all(IsoComm const& home, IsoCollective collective, std::vector<Bytes> const& sizes) {
  return collective == IsoCollective::alltoall ? alltoall(home, sizes) : allgather(home, sizes.front());
}

Schedule own_schedule(IsoComm const& home, IsoCollective collective, std::vector<Bytes> const& sizes) {
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

std::unique_ptr<IsoRequest> make_request(std::shared_ptr<IsoComm> const& home, IsoCollective collective,
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

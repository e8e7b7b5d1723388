// Translates MPI's collectives into neighborhood and sparse collectives on a graph. The two groups of an
// inter-communicator are a graph with an edge from each rank to each rank of the other group. The allgather is two
// broadcasts from group to group, one in each direction.

#include "mpi_library/intergroup/inter_collectives.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/graph/sparse_collectives.hpp"
#include "mpi_library/intergroup/intergroup_comm.hpp"

namespace rondo::mpi {
namespace {

/// The slot for so many blocks of this description together.
Slot slot_of(Data const& data, int blocks) {
  if (data.count > 0 && blocks > std::numeric_limits<int>::max() / data.count) throw MpiFailure(MPI_ERR_COUNT);
  int const count = data.count * blocks;
  return slots({data.buffer, 1, &count, nullptr, &data.type}).front();
}

Slot bytes_at(std::vector<std::byte>& memory) {
  return {{absolute(memory.data()), static_cast<int>(memory.size()), MPI_BYTE},
          Bytes(static_cast<std::int64_t>(memory.size()))};
}

/// Room for the content of a slot. A message of bytes can be as long as an int can count.
std::vector<std::byte> room_for(Slot const& slot) {
  if (slot.bytes.value > std::numeric_limits<int>::max()) throw MpiFailure(MPI_ERR_COUNT);
  return std::vector<std::byte>(static_cast<std::size_t>(slot.bytes.value));
}

/// Collective. The communicator for one direction: the first group in `both` sends, or the other one.
std::shared_ptr<IntergroupComm> const& direction(InterComm const& inter, bool first) {
  auto& made = inter.both_ways->at(first ? 0 : 1);
  if (made == nullptr) made = intergroup_of(inter.both->comm->handle(), (inter.local_first == 0) == first);
  return made;
}

/// The algorithm that RONDO_INTER_ALLGATHER names.
problem::IntergroupAlgorithm chosen_algorithm() {
  problem::Intergroup chosen{Groups(1, 1), Bytes(0)};
  char const* const algorithm = std::getenv("RONDO_INTER_ALLGATHER");
  if (algorithm != nullptr && *algorithm != '\0') set_option(chosen, "algorithm", algorithm);
  return chosen.algorithm;
}

/// One direction: a rank either sends its block or receives all blocks of the other group.
void broadcast(std::shared_ptr<IntergroupComm> const& home, std::vector<std::byte>* sent,
               std::vector<std::byte>* received, int senders) {
  std::size_t const block = sent != nullptr ? sent->size() : received->size() / static_cast<std::size_t>(senders);
  IntergroupBlocks const blocks{sent != nullptr ? sent->data() : nullptr,
                                received != nullptr ? received->data() : nullptr, static_cast<int>(block), MPI_BYTE};
  make_request(home, blocks)->start();
}

/// The arguments and the environment of a rank, after they have been read.
struct GivenBlocks {
  problem::IntergroupAlgorithm algorithm = chosen_algorithm();
  Slot from, into;
  std::vector<std::byte> mine, theirs;

  GivenBlocks(InterComm const& inter, Data const& sent, Data const& received)
      : from(slot_of(sent, 1)),
        into(slot_of(received, inter.remote_size)),
        mine(room_for(from)),
        theirs(room_for(into)) {
    LocalCopy(from, bytes_at(mine)).run();
  }
};

/// Collective. If some rank has an error, it throws at every rank.
GivenBlocks agreed_blocks(InterComm const& inter, Data const& sent, Data const& received) {
  std::optional<GivenBlocks> result;
  Vote vote;
  vote.code = guarded([&] { result.emplace(inter, sent, received); });
  check(agree(inter.both->comm->handle(), vote));
  return std::move(*result);
}

/// Collective over both groups. Each rank gets the blocks of all ranks of the remote group, in their order. The blocks
/// go by the inter-group all-to-all broadcast of [Kang19]: first from the group that has the lowest rank in
/// MPI_COMM_WORLD to the other one, then back. The algorithm is `group_allgather`, or the one that the environment's
/// RONDO_INTER_ALLGATHER names, such as `root_gathering`. All blocks of a group must have one size. Throws MpiFailure
/// at every rank if a rank has wrong arguments or more bytes than an int can count.
void inter_allgather(InterComm const& inter, Data const& sent, Data const& received) {
  GivenBlocks blocks = agreed_blocks(inter, sent, received);
  for (bool const first : {true, false}) {
    bool const sends = (inter.local_first == 0) == first;
    auto const& home = direction(inter, first);
    home->problem.algorithm = blocks.algorithm;
    broadcast(home, sends ? &blocks.mine : nullptr, sends ? nullptr : &blocks.theirs, inter.remote_size);
  }
  LocalCopy(bytes_at(blocks.theirs), blocks.into).run();
}

/// The counts of a call by rank of the own group.
struct Counts {
  int code = MPI_SUCCESS;  ///< the error in the list, if there is one
  std::vector<int> each;
  std::int64_t sum = 0;
};

/// Reads a list of counts. If the list is null, a count is negative or the sum exceeds an int, all counts are 0, and
/// `code` is the error.
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

/// Makes the request of a reduce-scatter with a count for each rank. Errors in the counts are reported when the request
/// is complete, so that no rank waits for this one in vain: MPI_ERR_ARG for a null list, MPI_ERR_COUNT for a list with
/// a negative count or with a sum that no int can hold.
std::unique_ptr<NeighborRequest> reduce_scatter(InterComm const& inter, CollectiveCall const& call) {
  Counts const counts = counts_of(call.counts, inter.local_size);
  int const self = rank_in(inter.both->comm->handle());
  auto const own = static_cast<std::size_t>(self - inter.local_first);
  Data const sent{call.send, static_cast<int>(counts.sum), call.send_type};
  auto request = inter_reduce_scatter(inter.both, call.receive, counts.each, own, sent, call.op);
  request->fail(counts.code);
  return request;
}

/// The arguments of an allgather or all-to-all in the form of neighborhood collectives.
NeighborCall neighbor_call(CollectiveCall const& call, NeighborForm form) {
  bool const exchanged = call.collective == ClassicalCollective::alltoall;
  NeighborCall result{exchanged ? NeighborCollective::alltoall : NeighborCollective::allgather,
                      regular(call.send, call.send_count, call.send_type),
                      regular(call.receive, call.receive_count, call.receive_type),
                      call.send_displacements,
                      call.displacements,
                      form};
  if (call.by_counts) result.receive = irregular(call.receive, call.counts, nullptr, call.receive_type);
  if (call.by_counts && exchanged) result.send = irregular(call.send, call.send_counts, nullptr, call.send_type);
  return result;
}

}  // namespace

std::unique_ptr<NeighborRequest> request_on_graph(std::shared_ptr<AttachedTopology> const& home,
                                                  CollectiveCall const& call, NeighborForm form) {
  using enum ClassicalCollective;
  Data const sent{call.send, call.send_count, call.send_type};
  switch (call.collective) {
    case barrier:
      return sparse_barrier(home);
    case bcast:
      return sparse_bcast(home, sent, call.root);
    case gather:
      return sparse_gather(home, sent,
                           {call.receive, call.receive_count, call.counts, call.displacements, call.receive_type},
                           call.root);
    case scatter:
      return sparse_scatter(home,
                            {call.send, call.send_count, call.send_counts, call.send_displacements, call.send_type},
                            {call.receive, call.receive_count, call.receive_type}, call.root);
    case allgather:
    case alltoall:
      return make_request(home, neighbor_call(call, form));
    case reduce:
      return sparse_reduce(home, sent, call.receive, call.op, call.root);
    case allreduce:
      return sparse_allreduce(home, sent, call.receive, call.op);
    case reduce_scatter:
    case scan:
    case exscan:
      break;
  }
  throw MpiFailure(MPI_ERR_TOPOLOGY);
}

/// Rooted collectives concern the root and the other group. The other ranks of the root's group do nothing.
std::unique_ptr<NeighborRequest> request_between_groups(InterComm const& inter, CollectiveCall const& call,
                                                        NeighborForm form) {
  if (call.collective == ClassicalCollective::reduce_scatter) {
    if (call.by_counts) return reduce_scatter(inter, call);
    Data const received{call.receive, call.receive_count, call.receive_type};
    return inter_reduce_scatter_block(inter.both, received, call.send, call.op, inter.local_size);
  }
  if (!has_root(call.collective)) return request_on_graph(inter.both, call, form);
  InterRoot const root = root_of(inter, call.root);
  if (!root.concerned) return sparse_nothing(inter.both);
  CollectiveCall on_graph = call;
  on_graph.root = root.rank;
  return request_on_graph(inter.both, on_graph, form);
}

/// An allgather of equal blocks has a better algorithm than the graph. All other calls use request_between_groups.
void carry_out_between_groups(InterComm const& inter, CollectiveCall const& call) {
  if (call.collective != ClassicalCollective::allgather || call.by_counts) {
    return carry_out(*request_between_groups(inter, call, NeighborForm::blocking));
  }
  inter_allgather(inter, {call.send, call.send_count, call.send_type},
                  {call.receive, call.receive_count, call.receive_type});
}

}  // namespace rondo::mpi

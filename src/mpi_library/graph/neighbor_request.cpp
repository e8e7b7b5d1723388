// Makes requests of neighborhood collectives. A rank with wrong arguments still takes part with empty blocks, so that
// its neighbors do not wait for ever; its error is reported when it waits.

#include "mpi_library/graph/neighbor_request.hpp"

#include <utility>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/guarded.hpp"

namespace rondo::mpi {
namespace {

using Kind = NeighborCall::Kind;

/// The slots of all neighbors, in the order of the topology.
std::vector<Slot> described(Blocks blocks, int number, int const* displacements) {
  std::vector<MPI_Aint> addresses;
  if (displacements != nullptr) addresses.assign(displacements, displacements + number);
  if (displacements != nullptr) blocks.displacements = addresses.data();
  blocks.number = number;
  std::vector<Slot> result = slots(blocks);
  expect_memory(blocks, result);
  return result;
}

NeighborSlots read(ProcessTopology const& topology, NeighborCall const& call) {
  int const sent = call.kind == Kind::allgather ? 1 : topology.outdegree();
  return {described(call.send, sent, call.send_displacements),
          described(call.receive, topology.indegree(), call.receive_displacements)};
}

/// Blocks without bytes, for a rank whose arguments are wrong.
NeighborSlots empty_slots(ProcessTopology const& topology, Kind kind) {
  auto const sent = kind == Kind::allgather ? 1 : topology.targets.ranks.size();
  return {std::vector<Slot>(sent), std::vector<Slot>(topology.sources.ranks.size())};
}

/// An error class, or MPI_SUCCESS.
int read(ProcessTopology const& topology, NeighborCall const& call, NeighborSlots& blocks) {
  return guarded([&] { blocks = read(topology, call); });
}

std::vector<Message> messages(std::vector<int> const& ranks, std::vector<Slot> const& blocks) {
  std::vector<Message> result;
  for (std::size_t i = 0; i < ranks.size(); ++i) result.push_back({ranks[i], blocks[blocks.size() == 1 ? 0 : i]});
  return result;
}

/// Takes the messages from or to `self` out of the list and returns them. Drops messages of MPI_PROC_NULL.
std::vector<Slot> extracted(std::vector<Message>& all, int self) {
  std::vector<Slot> result;
  for (Message const& each : all) {
    if (each.partner == self) result.push_back(each.slot);
  }
  std::erase_if(all, [&](Message const& each) { return each.partner == self || each.partner == MPI_PROC_NULL; });
  return result;
}

/// One message per edge, all posted at the same time, in the order in which they match. Edges of a rank to itself
/// become copies.
SingleRound naive(ProcessTopology const& topology, NeighborSlots const& blocks, int self) {
  SingleRound round;
  round.sends = messages(topology.targets.ranks, blocks.send);
  for (int k = 0; k < topology.indegree(); ++k) {
    auto const j = static_cast<std::size_t>(topology.receive_order(k));
    round.receives.push_back({topology.sources.ranks[j], blocks.receive[j]});
  }
  std::vector<Slot> const kept = extracted(round.sends, self);
  std::vector<Slot> const into = extracted(round.receives, self);
  expects(kept.size() == into.size(), "as many edges of a rank to itself as from it");
  for (std::size_t i = 0; i < kept.size(); ++i) round.copies.push_back({kept[i], into[i]});
  return round;
}

/// A copy of a rank to itself must have the same size on both sides, as a message must. Returns an error code if one
/// does not.
int copies_fit(SingleRound& round) {
  for (auto const& [from, into] : round.copies) {
    if (from.bytes != into.bytes) {
      round.copies.clear();
      return MPI_ERR_TRUNCATE;
    }
  }
  return MPI_SUCCESS;
}

}  // namespace

NeighborRequest::NeighborRequest(std::shared_ptr<AttachedTopology> home, SingleRound const& round, int failure)
    : home_(std::move(home)), failure_(failure), operation_(Rounds(round), home_->comm->handle(), home_->next_tag()) {}

NeighborRequest::NeighborRequest(std::shared_ptr<AttachedTopology> home, CombinedPlan plan, Rank self, int failure)
    : home_(std::move(home)),
      failure_(failure),
      operation_(*plan.schedule, self, std::move(plan.slots), home_->comm->handle(), home_->next_tag()) {}

NeighborRequest::~NeighborRequest() { Progress::of_this_process().forget(operation_); }

/// Waits, and reports the error of the arguments if there is one.
void NeighborRequest::wait() {
  // If the arguments were wrong and the operation failed too, the arguments are the cause, so that their error is
  // reported.
  try {
    Progress::of_this_process().wait(operation_);
  } catch (MpiFailure const&) {
    check(failure_);
    throw;
  }
  check(failure_);
}

void NeighborRequest::finish() {
  check(failure_);
  check(operation_.failure());
  if (then_) then_();
}

void carry_out(NeighborRequest& request) {
  request.start();
  request.wait();
  request.finish();
}

/// A rank with wrong arguments still takes part, with empty messages, so that its neighbors do not wait for ever.
std::unique_ptr<NeighborRequest> make_request(MPI_Comm comm, NeighborCall const& call) {
  return make_request(attached_topology(comm), call);
}

std::unique_ptr<NeighborRequest> make_request(std::shared_ptr<AttachedTopology> home, NeighborCall const& call) {
  ProcessTopology const& topology = *home->topology;
  if (topology.whole != nullptr && !topology.whole->symmetric) throw MpiFailure(MPI_ERR_TOPOLOGY);
  NeighborSlots blocks;
  int failure = read(topology, call, blocks);
  if (failure != MPI_SUCCESS) blocks = empty_slots(topology, call.kind);
  int const self = rank_in(home->comm->handle());
  auto plan = combined_plan(*home, {call.kind, call.form, call.one_size()}, blocks, failure);
  if (plan) return std::make_unique<NeighborRequest>(std::move(home), std::move(*plan), Rank(self), failure);
  SingleRound round = naive(topology, blocks, self);
  if (failure == MPI_SUCCESS) failure = copies_fit(round);
  return std::make_unique<NeighborRequest>(std::move(home), round, failure);
}

}  // namespace rondo::mpi

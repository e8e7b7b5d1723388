#include "base/error.hpp"
#include "run/families/sparse.hpp"

namespace rondo {

SparseProtocol protocol_of(scenario::ExchangeWays const& ways) {
  SparseProtocol protocol;
  switch (ways.algorithm) {
    case scenario::SparseAlgorithm::nbx:
      protocol.rules.algorithm = mpi::ExchangeAlgorithm::nbx;
      break;
    case scenario::SparseAlgorithm::nbx_tagged:
      protocol.rules.algorithm = mpi::ExchangeAlgorithm::nbx_tagged;
      break;
    case scenario::SparseAlgorithm::personalized:
      protocol.rules.algorithm = mpi::ExchangeAlgorithm::personalized;
      break;
  }
  bool const tree = ways.barrier == scenario::SparseBarrier::tree;
  protocol.rules.barrier = tree ? mpi::Signalling::tree : mpi::Signalling::dissemination;
  bool const polls = ways.completion == scenario::Completion::poll;
  protocol.completion = polls ? mpi::Completion::poll : mpi::Completion::wait;
  return protocol;
}

TheoryWays theory_of(scenario::ExchangeWays const& ways) {
  bool const tree = ways.barrier == scenario::SparseBarrier::tree;
  auto const barrier = tree ? theory::BarrierKind::tree : theory::BarrierKind::dissemination;
  switch (ways.algorithm) {
    case scenario::SparseAlgorithm::nbx:
      return {theory::SparseAlgorithm::nbx, barrier};
    case scenario::SparseAlgorithm::nbx_tagged:
      return {theory::SparseAlgorithm::nbx_tagged, barrier};
    case scenario::SparseAlgorithm::personalized:
      return {theory::SparseAlgorithm::personalized, barrier};
  }
  throw ContractViolation("an algorithm");
}

Observed observed(SparseResult const& result) {
  Observed all{.whole = result.whole, .time = result.timing.makespan};
  all.messages = result.data_messages + result.ack_messages + result.barrier_messages;
  all.volume_bytes = result.most_sent_bytes;
  all.payload_verified = true;
  all.delivered = result.faults.empty();
  all.faults = result.faults;
  all.sparse = {result.data_messages, result.ack_messages, result.barrier_messages, result.memory_bytes};
  all.exchange_program.exchanges = result.exchanges;
  return all;
}

}  // namespace rondo

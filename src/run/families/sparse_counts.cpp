#include <fmt/format.h>

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

void add_exchanges(Record& record, SparseResult const& result) {
  record.sparse = {result.data_messages, result.ack_messages, result.barrier_messages, result.memory_bytes};
  record.exchange_program.exchanges = result.exchanges;
  record.messages = result.data_messages + result.ack_messages + result.barrier_messages;
  record.volume_bytes = result.most_sent_bytes;
  record.time_s = result.timing.makespan.value;
  record.payload = "verified";
  record.delivered = result.faults.empty();
  record.violations = static_cast<std::int64_t>(result.faults.size());
  record.violation_list = result.faults;
  if (!result.faults.empty()) record.error = fmt::format("wrong data: {}", result.faults.front());
}

void expect_predicted(Record& record) {
  auto const compare = [&](char const* of_what, auto const& theory, auto const& counted) {
    if (record.error || !theory || theory == counted) return;
    record.error = fmt::format("theory says {} {}, the program counted {}", *theory, of_what, counted.value_or(0));
  };
  compare("data messages", record.sparse_theory.data_messages, record.sparse.data_messages);
  compare("acknowledgements", record.sparse_theory.ack_messages, record.sparse.ack_messages);
  compare("barrier messages", record.sparse_theory.barrier_messages, record.sparse.barrier_messages);
  compare("bytes of memory", record.sparse_theory.memory_bytes, record.sparse.memory_bytes);
  compare("messages", record.theory.messages, record.messages);
  compare("bytes sent by a rank", record.theory.volume_bytes, record.volume_bytes);
}

}  // namespace rondo

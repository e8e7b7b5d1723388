// Encodes reports of ranks as bytes, since ranks run in a child process, and adds them up.

#include "engine/programs/exchange_report.hpp"

#include <algorithm>
#include <cstring>

namespace rondo {

namespace {

/// The fixed part of a report as bytes; the text of its fault follows.
struct Fixed {
  double start, finish;
  mpi::ExchangeCounts counts;
  std::array<std::int64_t, 5> found;
};

/// The rank in `world` of the process that has this rank in `comm`.
Rank in_world(MPI_Comm comm, int rank, MPI_Comm world) {
  MPI_Group here = MPI_GROUP_NULL, everywhere = MPI_GROUP_NULL;
  int result = 0;
  MPI_Comm_group(comm, &here);
  MPI_Comm_group(world, &everywhere);
  MPI_Group_translate_ranks(here, 1, &rank, everywhere, &result);
  MPI_Group_free(&here);
  MPI_Group_free(&everywhere);
  return Rank(result);
}

}  // namespace

/// A report as bytes, which the child sends to its parent.
std::vector<std::byte> bytes_of(ExchangeReport const& report) {
  Fixed const fixed{report.start, report.finish, report.counts, report.found};
  std::vector<std::byte> bytes(sizeof fixed + report.fault.size());
  std::memcpy(bytes.data(), &fixed, sizeof fixed);
  std::memcpy(bytes.data() + sizeof fixed, report.fault.data(), report.fault.size());
  return bytes;
}

/// The reports of all ranks.
std::vector<ExchangeReport> reports_of(ProgramRun const& run) {
  std::vector<ExchangeReport> reports;
  for (auto const& bytes : run.results) {
    Fixed fixed;
    std::memcpy(&fixed, bytes.data(), sizeof fixed);
    std::string fault(reinterpret_cast<char const*>(bytes.data()) + sizeof fixed, bytes.size() - sizeof fixed);
    reports.push_back({fixed.start, fixed.finish, fixed.counts, fixed.found, std::move(fault)});
  }
  return reports;
}

/// Counts are added up; the time is that from the start of the exchange to the last rank's end.
SparseResult gathered(ProgramRun const& run) {
  std::vector<ExchangeReport> const reports = reports_of(run);
  SparseResult result;
  result.whole = run.timing;
  double const start = reports.front().start;
  double finish = start;
  for (ExchangeReport const& mine : reports) {
    finish = std::max(finish, mine.finish);
    result.timing.finish.emplace_back(mine.finish - start);
    result.data_messages += mine.counts.data_messages;
    result.ack_messages += mine.counts.ack_messages;
    result.barrier_messages += mine.counts.barrier_messages;
    result.data_bytes += mine.counts.data_bytes;
    result.most_sent_bytes = std::max(result.most_sent_bytes, mine.counts.data_bytes);
    result.memory_bytes = std::max(result.memory_bytes, mine.counts.memory_bytes);
    result.exchanges = std::max(result.exchanges, mine.counts.exchanges);
    if (!mine.fault.empty()) result.faults.push_back(mine.fault);
  }
  result.timing.makespan = Seconds(finish - start);
  result.timing.payload_verified = true;
  return result;
}

/// SMPI ends synchronous sends when the receive is posted, so acknowledgements are messages of their own.
mpi::ExchangeOptions exchange_options(SparseProtocol const& protocol, int largest, MPI_Comm world) {
  mpi::ExchangeOptions options;
  options.rules = protocol.rules;
  options.completion = protocol.completion;
  options.waited_bytes = largest + 1;
  options.acknowledge = [world](MPI_Comm comm, int target) {
    return begin_acknowledgement(world, in_world(comm, target, world));
  };
  return options;
}

}  // namespace rondo

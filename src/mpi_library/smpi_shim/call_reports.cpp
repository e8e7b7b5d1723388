// Reports the bytes of each collective call to Rondo. SMPI knows nothing of the disks of a scenario, which are
// Rondo's. Waiting for a disk is no computing of the program's.

#include "mpi_library/smpi_shim/call_reports.hpp"

#include <cstdlib>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Disk.hpp>
#include <simgrid/s4u/Host.hpp>

#include "mpi_library/calls/attached.hpp"

namespace rondo::mpi {
namespace {

/// 0 for an inter-communicator.
int ranks_of(MPI_Comm comm) {
  int size = 0;
  if (!is_inter(comm)) PMPI_Comm_size(comm, &size);
  return size;
}

/// The sum of the counts of all ranks, or of `each` for every rank.
long long sum_of(int const* counts, int each, MPI_Comm comm) {
  int const size = ranks_of(comm);
  if (counts == nullptr) return static_cast<long long>(each) * size;
  long long sum = 0;
  for (int i = 0; i < size; ++i) sum += counts[i];
  return sum;
}

/// Elements of one type that a rank passes to a call.
struct Passed {
  long long count;
  MPI_Datatype type;
};

/// The data that a rank passes: its send buffer; in a scatter, and in place, its part of the receive buffer.
Passed passed(CollectiveCall const& call, MPI_Comm comm) {
  using enum ClassicalCollective;
  bool const received = call.send == MPI_IN_PLACE || call.collective == scatter || call.collective == reduce_scatter;
  bool const for_each = call.collective == alltoall || call.collective == reduce_scatter;
  int const count = received ? call.receive_count : call.send_count;
  MPI_Datatype const type = received ? call.receive_type : call.send_type;
  if (!for_each) return {count, type};
  if (call.by_counts && (received ? call.counts : call.send_counts) == nullptr) return {0, type};
  return {sum_of(received ? call.counts : call.send_counts, count, comm), type};
}

}  // namespace

/// Reports the begin of a call; without a listener it does nothing.
CollectiveScope::CollectiveScope(char const* name, CollectiveCall const& call, MPI_Comm comm) {
  if (rondo_call_begins == nullptr || comm == MPI_COMM_NULL) return;
  auto const [count, type] = passed(call, comm);
  int size = 0;
  if (type != MPI_DATATYPE_NULL && count > 0) PMPI_Type_size(type, &size);
  call_ = rondo_call_begins(name, is_inter(comm) ? MPI_COMM_NULL : comm, count * size);
}

CollectiveScope::~CollectiveScope() {
  if (call_ != nullptr) rondo_call_ends(call_);
}

}  // namespace rondo::mpi

// SimGrid's library exports these, and no header that it installs declares them: the end and the begin of computing.
extern "C" void smpi_bench_end();
extern "C" void smpi_bench_begin();

namespace rondo::mpi {
namespace {

namespace s4u = simgrid::s4u;

void wait_for_simgrid(bool writes, MPI_Offset bytes) {
  s4u::Disk const* const disk = s4u::Host::current()->get_disks().front();
  char const* const latency = disk->get_property("latency");
  if (latency != nullptr) s4u::this_actor::sleep_for(std::strtod(latency, nullptr));
  if (bytes > 0) writes ? disk->write(bytes) : disk->read(bytes);
}

}  // namespace

bool in_a_scenario() { return rondo_has_disk != nullptr; }

bool has_disk() { return in_a_scenario() ? rondo_has_disk() != 0 : !s4u::Host::current()->get_disks().empty(); }

void wait_for_disk(bool writes, MPI_Offset bytes) {
  smpi_bench_end();
  if (in_a_scenario())
    rondo_moves_on_disk(writes ? 1 : 0, bytes);
  else
    wait_for_simgrid(writes, bytes);
  smpi_bench_begin();
}

}  // namespace rondo::mpi

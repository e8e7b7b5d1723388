// SMPI knows nothing of the disks of a scenario, which are Rondo's (call_reports.hpp). Waiting is no computing of the
// program's.

#include "mpi_library/smpi_shim/host_disk.hpp"

#include <cstdlib>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Disk.hpp>
#include <simgrid/s4u/Host.hpp>

#include "mpi_library/smpi_shim/call_reports.hpp"

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

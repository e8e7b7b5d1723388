#pragma once

// Reports calls of MPI's functions to Rondo if a program runs as kind `program`. Under smpirun nobody receives these
// reports.

#include <mpi.h>

#include "mpi_library/classical/collective_call.hpp"

extern "C" {
__attribute__((weak, visibility("default"))) void* rondo_call_begins(char const* name, MPI_Comm comm, long long bytes);
__attribute__((weak, visibility("default"))) void rondo_call_ends(void* call);
/// Reports the level of MPI_Pcontrol, by which a program marks the region that is timed.
__attribute__((weak, visibility("default"))) void rondo_timed_region(int level);
}

namespace rondo::mpi {

/// While this object lives, the rank is in the collective with that name, to which it passes so many bytes. On an
/// inter-communicator the collective belongs to no group.
class Called {
 public:
  Called(char const* name, CollectiveCall const& call, MPI_Comm comm);
  Called(Called const&) = delete;
  Called& operator=(Called const&) = delete;
  ~Called();

 private:
  void* call_ = nullptr;
};

}  // namespace rondo::mpi

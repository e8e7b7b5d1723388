#pragma once

// What the functions under MPI's names tell Rondo of their calls, where a program runs as kind `program`. Under smpirun
// nobody is there to hear of it.

#include <mpi.h>

#include "mpi_library/classical/collective_call.hpp"

extern "C" {
__attribute__((weak, visibility("default"))) void* rondo_call_begins(char const* name, MPI_Comm comm, long long bytes);
__attribute__((weak, visibility("default"))) void rondo_call_ends(void* call);
/// The level of MPI_Pcontrol.
__attribute__((weak, visibility("default"))) void rondo_timed_region(int level);
}

namespace rondo::mpi {

/// As long as this lives, the rank is in the collective of that name, to which it passes so many bytes. On an
/// inter-communicator it belongs to no group.
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

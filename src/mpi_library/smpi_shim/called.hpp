#pragma once

// What the functions under MPI's names tell Rondo of their calls, where a program runs as kind `program`. Under smpirun
// nobody is there to hear of it.

#include <mpi.h>

extern "C" {
__attribute__((weak, visibility("default"))) void* rondo_call_begins(char const* name, MPI_Comm comm, long long bytes);
__attribute__((weak, visibility("default"))) void rondo_call_ends(void* call);
/// The level of MPI_Pcontrol.
__attribute__((weak, visibility("default"))) void rondo_timed_region(int level);
}

namespace rondo::mpi {

/// For as long as this lives, the rank is in the collective of that name, in which it hands over so many elements. On
/// an inter-communicator it belongs to no group.
class Called {
 public:
  explicit Called(char const* name, MPI_Comm comm) : Called(name, comm, 0LL, MPI_DATATYPE_NULL) {}
  Called(char const* name, MPI_Comm comm, long long count, MPI_Datatype type);
  /// A count for each rank.
  Called(char const* name, MPI_Comm comm, int const* counts, MPI_Datatype type);
  Called(Called const&) = delete;
  Called& operator=(Called const&) = delete;
  ~Called();

  /// A block for each rank.
  static Called blocks(char const* name, MPI_Comm comm, int count, MPI_Datatype type);

 private:
  void* call_ = nullptr;
};

}  // namespace rondo::mpi

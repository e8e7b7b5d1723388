#pragma once

// Lists of requests between Fortran and C.

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "mpi_library/calls/fortran_call.hpp"
#include "mpi_library/calls/fortran_places.hpp"

namespace rondo::mpi {

inline int number(Word word) { return *static_cast<MPI_Fint*>(word); }

/// The requests of a list, or a single one, while a function in C changes them.
class FortranRequests {
 public:
  FortranRequests(int count, Word requests) : words_(static_cast<MPI_Fint*>(requests)) {
    for (int i = 0; i < count; ++i) handles_.push_back(MPI_Request_f2c(words_[i]));
  }
  ~FortranRequests() {
    for (std::size_t i = 0; i < handles_.size(); ++i) words_[i] = MPI_Request_c2f(handles_[i]);
  }
  FortranRequests(FortranRequests const&) = delete;
  FortranRequests& operator=(FortranRequests const&) = delete;
  MPI_Request* data() { return handles_.data(); }

 private:
  MPI_Fint* words_;
  std::vector<MPI_Request> handles_;
};

}  // namespace rondo::mpi

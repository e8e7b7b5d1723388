#pragma once

// Lists of requests, and places in such lists, between Fortran and C.

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "mpi_library/calls/fortran_call.hpp"

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

/// Lists begin at 1 in Fortran.
inline void count_from_one(Word place) {
  auto* const index = static_cast<MPI_Fint*>(place);
  if (*index != MPI_UNDEFINED) ++*index;
}

/// The places that a function has returned with this code. Other codes leave their number unset.
inline void count_all_from_one(int code, Word number_of_places, Word places) {
  if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) return;
  for (int i = 0; i < number(number_of_places); ++i) ++static_cast<MPI_Fint*>(places)[i];
}

}  // namespace rondo::mpi

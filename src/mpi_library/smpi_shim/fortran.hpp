#pragma once

// Calls from Fortran under SMPI: fortran_call.hpp, and lists of types, which have to be translated one by one.

#include <mpi.h>

#include "mpi_library/calls/fortran_call.hpp"

namespace rondo::mpi {

/// How many ranks a rank sends to and receives from in an exchange; none without a topology, which the function in C
/// refuses.
struct Degrees {
  int out = 0, in = 0;
};
Degrees all_ranks(Word comm);
Degrees neighbors(Word comm);

/// The word of a list of types in C, which lasts as long as the process.
Word types_in_c(Word word, int count);

/// As call(), for a function that takes a type for each of the ranks.
template <typename Function, typename... More>
int call_with_types(Function function, Degrees of, Word sendbuf, Word sendcounts, Word sdispls, Word sendtypes,
                    Word recvbuf, Word recvcounts, Word rdispls, Word recvtypes, More... more) {
  int const out = sendbuf == &mpi_in_place_ ? 0 : of.out;
  return call(function, sendbuf, sendcounts, sdispls, types_in_c(sendtypes, out), recvbuf, recvcounts, rdispls,
              types_in_c(recvtypes, of.in), more...);
}

}  // namespace rondo::mpi

#pragma once

// Calls from Fortran under SMPI: those of fortran_call.hpp, and calls with lists of types, which have to be
// translated one by one.

#include <mpi.h>

#include "mpi_library/calls/fortran_call.hpp"

namespace rondo::mpi {

template <>
struct Handle<MPI_File> {
  static constexpr bool known = true;
  static MPI_File in(MPI_Fint word) { return MPI_File_f2c(word); }
  static MPI_Fint out(MPI_File handle) { return MPI_File_c2f(handle); }
};

template <>
struct Handle<MPI_Errhandler> {
  static constexpr bool known = true;
  static MPI_Errhandler in(MPI_Fint word) { return MPI_Errhandler_f2c(word); }
  static MPI_Fint out(MPI_Errhandler handle) { return MPI_Errhandler_c2f(handle); }
};

/// How many ranks this rank sends to and receives from in an exchange.
struct Degrees {
  int out = 0, in = 0;
};
/// The degrees in a collective on all ranks of the communicator, or all ranks of the remote group. Both are 0 if the
/// communicator is wrong. The C function then reports the error.
Degrees all_ranks(Word comm);
/// The degrees in a neighborhood collective. Both are 0 without a topology. The C function then reports the error.
Degrees neighbors(Word comm);

/// The argument in C for a list of `count` types in Fortran. The list lives until MPI_Finalize. Throws MpiFailure.
Word types_in_c(Word word, int count);

/// Like call(), for a function that takes a type for each of the ranks.
template <typename Function, typename... More>
int call_with_types(Function function, Degrees of, Word sendbuf, Word sendcounts, Word sdispls, Word sendtypes,
                    Word recvbuf, Word recvcounts, Word rdispls, Word recvtypes, More... more) {
  int const out = sendbuf == &mpi_in_place_ ? 0 : of.out;
  return call(function, sendbuf, sendcounts, sdispls, types_in_c(sendtypes, out), recvbuf, recvcounts, rdispls,
              types_in_c(recvtypes, of.in), more...);
}

}  // namespace rondo::mpi

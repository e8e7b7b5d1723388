// Derived datatypes by their names in Fortran, see fortran.hpp and types.cpp. SimGrid's library has these, which call
// its own functions in C.

#define RONDO_IN_THE_LIBRARY

#include <mpi.h>

#include <vector>

#include "mpi_library/smpi_shim/fortran.hpp"

using rondo::mpi::call;
using rondo::mpi::Word;

namespace {

int integer(Word word) { return *static_cast<MPI_Fint*>(word); }

/// As many integers, such as MPI-1 has for places in bytes, as addresses.
std::vector<MPI_Aint> addresses(Word count, Word words) {
  auto const* const first = static_cast<MPI_Fint const*>(words);
  return {first, first + integer(count)};
}

std::vector<MPI_Datatype> types(Word count, Word words) {
  std::vector<MPI_Datatype> result;
  for (int i = 0; i < integer(count); ++i) result.push_back(MPI_Type_f2c(static_cast<MPI_Fint*>(words)[i]));
  return result;
}

}  // namespace

extern "C" {

void mpi_type_contiguous_(Word count, Word oldtype, Word newtype, int* ierr) {
  *ierr = call(MPI_Type_contiguous, count, oldtype, newtype);
}

void mpi_type_vector_(Word count, Word blocklength, Word stride, Word oldtype, Word newtype, int* ierr) {
  *ierr = call(MPI_Type_vector, count, blocklength, stride, oldtype, newtype);
}

void mpi_type_hvector_(Word count, Word blocklength, Word stride, Word oldtype, Word newtype, int* ierr) {
  MPI_Aint bytes = integer(stride);
  *ierr = call(MPI_Type_create_hvector, count, blocklength, static_cast<Word>(&bytes), oldtype, newtype);
}

void mpi_type_create_hvector_(Word count, Word blocklength, Word stride, Word oldtype, Word newtype, int* ierr) {
  *ierr = call(MPI_Type_create_hvector, count, blocklength, stride, oldtype, newtype);
}

void mpi_type_indexed_(Word count, Word blocklengths, Word displacements, Word oldtype, Word newtype, int* ierr) {
  *ierr = call(MPI_Type_indexed, count, blocklengths, displacements, oldtype, newtype);
}

void mpi_type_create_indexed_block_(Word count, Word blocklength, Word displacements, Word oldtype, Word newtype,
                                    int* ierr) {
  *ierr = call(MPI_Type_create_indexed_block, count, blocklength, displacements, oldtype, newtype);
}

void mpi_type_hindexed_(Word count, Word blocklengths, Word displacements, Word oldtype, Word newtype, int* ierr) {
  std::vector<MPI_Aint> places = addresses(count, displacements);
  *ierr = call(MPI_Type_create_hindexed, count, blocklengths, static_cast<Word>(places.data()), oldtype, newtype);
}

void mpi_type_create_hindexed_(Word count, Word blocklengths, Word displacements, Word oldtype, Word newtype,
                               int* ierr) {
  *ierr = call(MPI_Type_create_hindexed, count, blocklengths, displacements, oldtype, newtype);
}

void mpi_type_create_hindexed_block_(Word count, Word blocklength, Word displacements, Word oldtype, Word newtype,
                                     int* ierr) {
  *ierr = call(MPI_Type_create_hindexed_block, count, blocklength, displacements, oldtype, newtype);
}

void mpi_type_struct_(Word count, Word blocklengths, Word displacements, Word oldtypes, Word newtype, int* ierr) {
  std::vector<MPI_Aint> places = addresses(count, displacements);
  std::vector<MPI_Datatype> list = types(count, oldtypes);
  *ierr = call(MPI_Type_create_struct, count, blocklengths, static_cast<Word>(places.data()),
               static_cast<Word>(list.data()), newtype);
}

void mpi_type_create_struct_(Word count, Word blocklengths, Word displacements, Word oldtypes, Word newtype,
                             int* ierr) {
  std::vector<MPI_Datatype> list = types(count, oldtypes);
  *ierr = call(MPI_Type_create_struct, count, blocklengths, displacements, static_cast<Word>(list.data()), newtype);
}

void mpi_type_create_subarray_(Word ndims, Word sizes, Word subsizes, Word starts, Word order, Word oldtype,
                               Word newtype, int* ierr) {
  *ierr = call(MPI_Type_create_subarray, ndims, sizes, subsizes, starts, order, oldtype, newtype);
}

void mpi_type_create_resized_(Word oldtype, Word lb, Word extent, Word newtype, int* ierr) {
  *ierr = call(MPI_Type_create_resized, oldtype, lb, extent, newtype);
}

void mpi_type_dup_(Word oldtype, Word newtype, int* ierr) { *ierr = call(MPI_Type_dup, oldtype, newtype); }

void mpi_type_get_extent_(Word datatype, Word lb, Word extent, int* ierr) {
  *ierr = call(MPI_Type_get_extent, datatype, lb, extent);
}

void mpi_type_get_true_extent_(Word datatype, Word lb, Word extent, int* ierr) {
  *ierr = call(MPI_Type_get_true_extent, datatype, lb, extent);
}

void mpi_type_get_envelope_(Word datatype, Word integers, Word addresses, Word datatypes, Word combiner, int* ierr) {
  *ierr = call(MPI_Type_get_envelope, datatype, integers, addresses, datatypes, combiner);
}

void mpi_type_get_contents_(Word datatype, Word max_integers, Word max_addresses, Word max_datatypes, Word integers,
                            Word addresses, Word datatypes, int* ierr) {
  std::vector<MPI_Datatype> list(static_cast<std::size_t>(integer(max_datatypes)), MPI_DATATYPE_NULL);
  MPI_Datatype const type = MPI_Type_f2c(integer(datatype));
  *ierr = MPI_Type_get_contents(type, integer(max_integers), integer(max_addresses), integer(max_datatypes),
                                static_cast<int*>(integers), static_cast<MPI_Aint*>(addresses), list.data());
  for (std::size_t i = 0; *ierr == MPI_SUCCESS && i < list.size(); ++i) {
    if (list[i] != MPI_DATATYPE_NULL) static_cast<MPI_Fint*>(datatypes)[i] = MPI_Type_c2f(list[i]);
  }
}

}  // extern "C"

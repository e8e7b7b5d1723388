// The Fortran functions for derived datatypes that functions/write.py does not generate: those of MPI-1, in which
// places in bytes are integers, those with lists of types, and those that SMPI has only in C. The functions for windows
// of shared memory are here, too.

#define RONDO_IN_THE_LIBRARY

#include <mpi.h>

#include <vector>

#include "mpi_library/smpi_shim/fortran.hpp"
#include "mpi_library/smpi_shim/types.hpp"

using rondo::mpi::call;
using rondo::mpi::Word;

namespace {

int integer(Word word) { return *static_cast<MPI_Fint*>(word); }

/// Converts integers, which MPI-1 uses for places in bytes, to addresses.
std::vector<MPI_Aint> addresses(Word count, Word words) {
  auto const* const first = static_cast<MPI_Fint const*>(words);
  return {first, first + integer(count)};
}

std::vector<MPI_Datatype> listed_types(Word count, Word words) {
  std::vector<MPI_Datatype> result;
  for (int i = 0; i < integer(count); ++i) result.push_back(MPI_Type_f2c(static_cast<MPI_Fint*>(words)[i]));
  return result;
}

int const* integers(Word words) { return static_cast<MPI_Fint const*>(words); }

}  // namespace

extern "C" {

void mpi_type_hvector_(Word count, Word blocklength, Word stride, Word oldtype, Word newtype, int* ierr) {
  MPI_Aint bytes = integer(stride);
  *ierr = call(MPI_Type_create_hvector, count, blocklength, static_cast<Word>(&bytes), oldtype, newtype);
}

void mpi_type_hindexed_(Word count, Word blocklengths, Word displacements, Word oldtype, Word newtype, int* ierr) {
  std::vector<MPI_Aint> places = addresses(count, displacements);
  *ierr = call(MPI_Type_create_hindexed, count, blocklengths, static_cast<Word>(places.data()), oldtype, newtype);
}

void mpi_type_struct_(Word count, Word blocklengths, Word displacements, Word oldtypes, Word newtype, int* ierr) {
  std::vector<MPI_Aint> places = addresses(count, displacements);
  std::vector<MPI_Datatype> list = listed_types(count, oldtypes);
  *ierr = call(MPI_Type_create_struct, count, blocklengths, static_cast<Word>(places.data()),
               static_cast<Word>(list.data()), newtype);
}

void mpi_type_create_struct_(Word count, Word blocklengths, Word displacements, Word oldtypes, Word newtype,
                             int* ierr) {
  std::vector<MPI_Datatype> list = listed_types(count, oldtypes);
  *ierr = call(MPI_Type_create_struct, count, blocklengths, displacements, static_cast<Word>(list.data()), newtype);
}

// In Fortran MPI_DISTRIBUTE_DFLT_DARG is the value that rondo/mpi.h gives it in C.
void mpi_type_create_darray_(Word size, Word rank, Word ndims, Word sizes, Word distributions, Word arguments,
                             Word processes, Word order, Word oldtype, Word newtype, int* ierr) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  *ierr = rondo::mpi::make_type("MPI_Type_create_darray", &made, [&] {
    return rondo::mpi::types::named_darray(integer(size), integer(rank), integer(ndims), integers(sizes),
                                           integers(distributions), integers(arguments), integers(processes),
                                           integer(order), MPI_Type_f2c(integer(oldtype)));
  });
  *static_cast<MPI_Fint*>(newtype) = MPI_Type_c2f(made);
}

void mpi_type_size_x_(Word datatype, Word size, int* ierr) { *ierr = call(MPI_Type_size_x, datatype, size); }

void mpi_win_allocate_shared_(Word size, Word disp_unit, Word info, Word comm, Word baseptr, Word win, int* ierr) {
  *ierr = call(MPI_Win_allocate_shared, size, disp_unit, info, comm, baseptr, win);
}

void mpi_win_shared_query_(Word win, Word rank, Word size, Word disp_unit, Word baseptr, int* ierr) {
  *ierr = call(MPI_Win_shared_query, win, rank, size, disp_unit, baseptr);
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

// Functions of Fortran's MPI that the call() of fortran.hpp cannot translate: they change handles, take lists of
// handles, return places in lists (which begin at 1 in Fortran), or return constants that have other values in SMPI's
// Fortran. The functions that fortran.hpp declares for lists of datatypes are here too.

#define RONDO_IN_THE_LIBRARY

#include <mpi.h>

#include <list>
#include <set>
#include <utility>
#include <vector>

#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/fortran_call.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/graph/process_topology.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"
#include "mpi_library/smpi_shim/fortran.hpp"
#include "rondo/mpi.h"

using rondo::mpi::call;
using rondo::mpi::count_all_from_one;
using rondo::mpi::count_from_one;
using rondo::mpi::FortranRequests;
using rondo::mpi::number;
using rondo::mpi::statuses;
using rondo::mpi::Word;

// Fortran's MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY are common blocks, of which only the addresses matter. The compiler
// aligns common blocks to 16 bytes.
alignas(16) int rondo_mpi_unweighted_ = 0;
alignas(16) int rondo_mpi_weights_empty_ = 0;

namespace {

namespace mpi = rondo::mpi;

/// A duplicate that has been begun, and the place for its handle.
struct Awaited {
  MPI_Comm made = MPI_COMM_NULL;  ///< null until the duplicate is complete
  MPI_Fint* place = nullptr;      ///< Fortran's integer for the handle
};
/// The duplicates of a rank whose handles Fortran has not got yet. A list, because C keeps the address of `made`.
struct Duplicates {
  std::list<Awaited> all;
};

/// Begins a duplicate by `begin`. C writes the handle when the duplicate is complete. completed() then sets Fortran's
/// integer, which is that of MPI_COMM_NULL until then. Returns the code of `begin`.
template <typename Begin>
int begin_duplicate(Word newcomm, Word request, Begin const& begin) {
  std::list<Awaited>& all = mpi::Attached<Duplicates>::of_this_process().all;
  all.push_back({MPI_COMM_NULL, static_cast<MPI_Fint*>(newcomm)});
  MPI_Request begun = MPI_REQUEST_NULL;
  int const code = begin(&all.back().made, &begun);
  *all.back().place = MPI_Comm_c2f(MPI_COMM_NULL);
  *static_cast<MPI_Fint*>(request) = MPI_Request_c2f(begun);
  if (code != MPI_SUCCESS) all.pop_back();
  return code;
}

/// Gives Fortran the handles of the duplicates that are complete, and returns `code`. Must be called after every call
/// that may have completed requests.
int completed(int code) {
  mpi::Attached<Duplicates>::of_this_process().all.remove_if([](Awaited const& each) {
    if (each.made == MPI_COMM_NULL) return false;
    *each.place = MPI_Comm_c2f(each.made);
    return true;
  });
  return code;
}

}  // namespace

namespace rondo::mpi {
namespace {

/// Lists of datatypes for C, which live until MPI_Finalize because a request may use them. Each rank keeps equal lists
/// only once.
struct TypeLists {
  std::set<std::vector<MPI_Datatype>> all;
};

}  // namespace

Word types_in_c(Word word, int count) {
  std::vector<MPI_Datatype> list;
  for (int i = 0; i < count; ++i) list.push_back(MPI_Type_f2c(static_cast<MPI_Fint*>(word)[i]));
  auto const known = Attached<TypeLists>::of_this_process().all.insert(std::move(list)).first;
  return const_cast<MPI_Datatype*>(known->data());
}

Degrees all_ranks(Word comm) {
  int size = 0;
  MPI_Comm const handle = MPI_Comm_f2c(number(comm));
  guarded([&] {
    if (auto const inter = inter_comm(handle))
      size = inter->remote_size;
    else
      check(PMPI_Comm_size(handle, &size));
  });
  return {size, size};
}

Degrees neighbors(Word comm) {
  Degrees found;
  guarded([&] {
    if (auto const home = find_attached_topology(MPI_Comm_f2c(number(comm))))
      found = {home->topology->outdegree(), home->topology->indegree()};
  });
  return found;
}

}  // namespace rondo::mpi

extern "C" {

/// SMPI's Fortran counts the kinds of topologies from 0, its C from MPI_GRAPH.
void mpi_topo_test_(Word comm, Word status, int* ierr) {
  *ierr = call(MPI_Topo_test, comm, status);
  auto* const kind = static_cast<MPI_Fint*>(status);
  if (*kind == MPI_GRAPH || *kind == MPI_CART || *kind == MPI_DIST_GRAPH) *kind -= MPI_GRAPH;
}

void mpi_comm_idup_(Word comm, Word newcomm, Word request, int* ierr) {
  *ierr = begin_duplicate(newcomm, request, [&](MPI_Comm* made, MPI_Request* begun) {
    return MPI_Comm_idup(MPI_Comm_f2c(number(comm)), made, begun);
  });
}

void mpi_comm_idup_with_info_(Word comm, Word info, Word newcomm, Word request, int* ierr) {
  *ierr = begin_duplicate(newcomm, request, [&](MPI_Comm* made, MPI_Request* begun) {
    return MPI_Comm_idup_with_info(MPI_Comm_f2c(number(comm)), MPI_Info_f2c(number(info)), made, begun);
  });
}

void mpi_startall_(Word count, Word requests, int* ierr) {
  *ierr = MPI_Startall(number(count), FortranRequests(number(count), requests).data());
}

void mpi_start_(Word request, int* ierr) { *ierr = MPI_Start(FortranRequests(1, request).data()); }

void mpi_cancel_(Word request, int* ierr) { *ierr = MPI_Cancel(FortranRequests(1, request).data()); }

void mpi_request_free_(Word request, int* ierr) { *ierr = MPI_Request_free(FortranRequests(1, request).data()); }

void mpi_comm_free_(Word comm, int* ierr) {
  MPI_Comm handle = MPI_Comm_f2c(number(comm));
  *ierr = MPI_Comm_free(&handle);
  *static_cast<MPI_Fint*>(comm) = MPI_Comm_c2f(handle);
}

void mpi_wait_(Word request, Word status, int* ierr) {
  *ierr = completed(MPI_Wait(FortranRequests(1, request).data(), statuses(status)));
}

void mpi_test_(Word request, Word flag, Word status, int* ierr) {
  *ierr = completed(MPI_Test(FortranRequests(1, request).data(), static_cast<int*>(flag), statuses(status)));
}

void mpi_waitall_(Word count, Word requests, Word all, int* ierr) {
  *ierr = completed(MPI_Waitall(number(count), FortranRequests(number(count), requests).data(), statuses(all)));
}

void mpi_testall_(Word count, Word requests, Word flag, Word all, int* ierr) {
  *ierr = completed(MPI_Testall(number(count), FortranRequests(number(count), requests).data(), static_cast<int*>(flag),
                                statuses(all)));
}

void mpi_waitany_(Word count, Word requests, Word index, Word status, int* ierr) {
  *ierr = completed(MPI_Waitany(number(count), FortranRequests(number(count), requests).data(),
                                static_cast<int*>(index), statuses(status)));
  count_from_one(index);
}

void mpi_testany_(Word count, Word requests, Word index, Word flag, Word status, int* ierr) {
  *ierr = completed(MPI_Testany(number(count), FortranRequests(number(count), requests).data(),
                                static_cast<int*>(index), static_cast<int*>(flag), statuses(status)));
  count_from_one(index);
}

void mpi_waitsome_(Word count, Word requests, Word outcount, Word indices, Word all, int* ierr) {
  *ierr = completed(MPI_Waitsome(number(count), FortranRequests(number(count), requests).data(),
                                 static_cast<int*>(outcount), static_cast<int*>(indices), statuses(all)));
  count_all_from_one(*ierr, outcount, indices);
}

void mpi_testsome_(Word count, Word requests, Word outcount, Word indices, Word all, int* ierr) {
  *ierr = completed(MPI_Testsome(number(count), FortranRequests(number(count), requests).data(),
                                 static_cast<int*>(outcount), static_cast<int*>(indices), statuses(all)));
  count_all_from_one(*ierr, outcount, indices);
}

}  // extern "C"

// When a rank's MPI begins and ends, what happens first at its end, and which levels of threads it grants.
//
// Destructors of a program's static objects run when all ranks have returned. SMPI no longer knows then whose they
// are, and says that MPI was never finalized: a destructor that frees a datatype only before MPI_Finalize would free
// it twice. So each rank keeps what it has called.
//
// SMPI's own MPI_Init_thread grants MPI_THREAD_SINGLE alone, and programs that want threads beside MPI give up. Here
// threads may compute. Only the thread that called MPI_Init_thread may call MPI, because an actor of SimGrid is bound
// to it.
//
// gfortran calls the functions at the end for STOP, ERROR STOP and CALL EXIT. Those of the Fortran library would end
// the process, and with it all ranks. These end only the calling rank, with the same message and code, as smpicc does
// for exit().

#include <mpi.h>
#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <simgrid/s4u/Actor.hpp>
#include <vector>

#include "mpi_library/classical/unused_choices.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/call_reports.hpp"
#include "mpi_library/smpi_shim/helpers.hpp"

namespace {

// Each rank has a copy of these variables.

bool has_begun = false;  ///< not after Fortran's mpi_init_, which is SMPI's
bool is_over = false;
int granted = MPI_THREAD_SINGLE;
pthread_t main_thread;
bool is_known = false;  ///< main_thread; not after Fortran's mpi_init_

void note_main_thread() {
  main_thread = ::pthread_self();
  is_known = true;
}

/// The keys of the attributes that the program has given MPI_COMM_SELF, in the order of their setting. Never destroyed:
/// with privatization by mmap, the destructors of all ranks would run on the memory of one.
std::vector<int>& keys_of_self() {
  static std::vector<int>& all = *new std::vector<int>;
  return all;
}

/// MPI calls the delete callbacks of MPI_COMM_SELF before anything else ends, in the reverse order of the setting
/// [MPI 4.1, 11.2.4]. A callback may set another attribute. An attribute that is not there any more is an error code.
void delete_attributes_of_self() {
  std::vector<int>& keys = keys_of_self();
  while (!keys.empty()) {
    int const last = keys.back();
    keys.pop_back();
    PMPI_Comm_delete_attr(MPI_COMM_SELF, last);
  }
}

bool is_foreign_thread() { return is_known && ::pthread_equal(main_thread, ::pthread_self()) == 0; }

int begin(int* argc, char*** argv) {
  note_main_thread();
  int const code = PMPI_Init(argc, argv);
  has_begun = code == MPI_SUCCESS;
  return code;
}

}  // namespace

void rondo::mpi::expect_thread_of_rank() {
  if (!is_foreign_thread() || simgrid::s4u::Actor::self() != nullptr) return;
  std::fprintf(stderr,
               "rondo: expected calls of MPI by the thread that called MPI_Init_thread, got one by another thread\n");
  std::abort();
}

extern "C" {

int MPI_Init(int* argc, char*** argv) { return begin(argc, argv); }

int MPI_Initialized(int* flag) {
  if (!has_begun) return PMPI_Initialized(flag);
  if (flag == nullptr) return MPI_ERR_ARG;
  *flag = 1;
  return MPI_SUCCESS;
}

/// Settings without effect are reported here, when all calls are known.
int MPI_Finalize() {
  delete_attributes_of_self();
  rondo::mpi::tell_choices_without_effect();
  is_over = true;
  rondo::mpi::dismiss_helpers();
  return PMPI_Finalize();
}

int MPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void* attribute_val) {
  int const code = PMPI_Comm_set_attr(comm, comm_keyval, attribute_val);
  if (code == MPI_SUCCESS && comm == MPI_COMM_SELF) {
    std::erase(keys_of_self(), comm_keyval);
    keys_of_self().push_back(comm_keyval);
  }
  return rondo::mpi::answer(comm, code, __func__);
}

int MPI_Attr_put(MPI_Comm comm, int keyval, void* attribute_val) {
  return MPI_Comm_set_attr(comm, keyval, attribute_val);
}

int MPI_Finalized(int* flag) {
  if (!is_over) return PMPI_Finalized(flag);
  if (flag == nullptr) return MPI_ERR_ARG;
  *flag = 1;
  return MPI_SUCCESS;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  if (required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE || provided == nullptr) return MPI_ERR_ARG;
  int const code = begin(argc, argv);
  *provided = granted = std::min(required, MPI_THREAD_SERIALIZED);
  return code;
}

int MPI_Query_thread(int* provided) {
  if (provided == nullptr) return MPI_ERR_ARG;
  *provided = granted;
  return MPI_SUCCESS;
}

int MPI_Is_thread_main(int* flag) {
  if (flag == nullptr) return MPI_ERR_ARG;
  *flag = is_foreign_thread() ? 0 : 1;
  return MPI_SUCCESS;
}

/// SMPI's, which makes the datatypes of Fortran too.
void mpi_init_(int* ierr);

void mpi_init_thread_(int const* required, int* provided, int* ierr) {
  note_main_thread();
  mpi_init_(ierr);
  *provided = granted = std::clamp(*required, MPI_THREAD_SINGLE, MPI_THREAD_SERIALIZED);
}

void mpi_finalize_(int* ierr) { *ierr = MPI_Finalize(); }

void mpi_query_thread_(int* provided, int* ierr) { *ierr = MPI_Query_thread(provided); }

void mpi_is_thread_main_(int* flag, int* ierr) { *ierr = MPI_Is_thread_main(flag); }

}  // extern "C"

extern "C" {

[[noreturn]] void smpi_exit(int code);

[[noreturn]] void _gfortran_stop_numeric(int code, bool quiet) {
  if (!quiet) std::fprintf(stderr, "STOP %d\n", code);
  smpi_exit(code);
}

[[noreturn]] void _gfortran_error_stop_numeric(int code, bool quiet) {
  if (!quiet) std::fprintf(stderr, "ERROR STOP %d\n", code);
  smpi_exit(code);
}

[[noreturn]] void _gfortran_stop_string(char const* text, std::size_t length, bool quiet) {
  if (!quiet && text != nullptr) std::fprintf(stderr, "STOP %.*s\n", static_cast<int>(length), text);
  smpi_exit(0);
}

[[noreturn]] void _gfortran_error_stop_string(char const* text, std::size_t length, bool quiet) {
  if (!quiet) std::fprintf(stderr, "ERROR STOP %.*s\n", static_cast<int>(length), text);
  smpi_exit(1);
}

// The status is 0 where it is left out.

[[noreturn]] void _gfortran_exit_i4(std::int32_t const* status) { smpi_exit(status == nullptr ? 0 : *status); }

[[noreturn]] void _gfortran_exit_i8(std::int64_t const* status) {
  smpi_exit(status == nullptr ? 0 : static_cast<int>(*status));
}

}  // extern "C"

// Levels of threads: SMPI's own grants MPI_THREAD_SINGLE alone, on which programs end that want to
// have threads beside MPI. Threads may compute; who calls MPI must be the thread that MPI_Init_thread was called by, as
// an actor of SimGrid is bound to it.

#include <mpi.h>
#include <pthread.h>

#include <algorithm>

namespace {

/// Each rank has a copy.
int granted = MPI_THREAD_SINGLE;
pthread_t main_thread;
bool is_known = false;  ///< main_thread; not after Fortran's mpi_init_, which is SMPI's

void note_main_thread() {
  main_thread = ::pthread_self();
  is_known = true;
}

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  note_main_thread();
  return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  if (required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE || provided == nullptr) return MPI_ERR_ARG;
  note_main_thread();
  int const code = PMPI_Init(argc, argv);
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
  *flag = !is_known || ::pthread_equal(main_thread, ::pthread_self()) != 0 ? 1 : 0;
  return MPI_SUCCESS;
}

/// SMPI's, which makes the datatypes of Fortran too.
void mpi_init_(int* ierr);

void mpi_init_thread_(int const* required, int* provided, int* ierr) {
  note_main_thread();
  mpi_init_(ierr);
  *provided = granted = std::clamp(*required, MPI_THREAD_SINGLE, MPI_THREAD_SERIALIZED);
}

void mpi_query_thread_(int* provided, int* ierr) { *ierr = MPI_Query_thread(provided); }

void mpi_is_thread_main_(int* flag, int* ierr) { *ierr = MPI_Is_thread_main(flag); }

}  // extern "C"

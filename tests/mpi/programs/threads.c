/* The levels of threads that a program is granted: what it asks for, to MPI_THREAD_SERIALIZED. A thread that computes
 * beside MPI is not the main one. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int is_main = 1;

static void* compute(void* asked) {
  MPI_Is_thread_main(&is_main);
  return asked;
}

int main(int argc, char** argv) {
  int rank, provided = -1, queried = -1, main_here = 0, wrong, all = 0;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Query_thread(&queried);
  MPI_Is_thread_main(&main_here);
  pthread_create(&thread, NULL, compute, NULL);
  pthread_join(thread, NULL);
  wrong = provided != MPI_THREAD_SERIALIZED || queried != provided || !main_here || is_main;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) puts(all == 0 ? "all is well" : "wrong");
  return MPI_Finalize();
}

/* Programs that end as none should: `fatal HOW`. The other ranks wait for rank 0 in vain. */

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* send_to_next(void* data) {
  MPI_Send(data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  return NULL;
}

int main(int argc, char** argv) {
  char const* const how = argc > 1 ? argv[1] : "";
  int rank, size, data[2] = {1, 2};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0 && strcmp(how, "rank") == 0) MPI_Send(data, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  if (rank == 0 && strcmp(how, "graph") == 0) {
    int in, out, weighted;
    MPI_Dist_graph_neighbors_count(MPI_COMM_WORLD, &in, &out, &weighted);
  }
  if (rank == 0 && strcmp(how, "call") == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_RANK) != MPI_SUCCESS) exit(0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_RANK);
  }
  if (rank == 0 && strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  if (rank == 0 && strcmp(how, "thread") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, send_to_next, data);
    pthread_join(thread, NULL);
  }
  if (rank == 0 && strcmp(how, "256") == 0) MPI_Abort(MPI_COMM_WORLD, 256);
  if (rank == 0 && strcmp(how, "exit") == 0) exit(5);
  if (strcmp(how, "late") == 0 || strcmp(how, "stuck") == 0) {
    int const last = (rank + size - 1) % size, next = (rank + 1) % size;
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &ring);
    if (rank == 0 && strcmp(how, "late") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    if (rank == 0) MPI_Recv(data, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Neighbor_allgather(data, 1, MPI_INT, data + 1, 1, MPI_INT, ring);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

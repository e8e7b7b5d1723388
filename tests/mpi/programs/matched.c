// Matched probes: whoever has probed a message receives it, whatever else is received meanwhile.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Pcontrol(1);
  if (rank != 0) {
    for (int i = 0; i < 2; ++i) {
      int const sent[2] = {10 * rank + i, -rank};
      MPI_Send(sent, 1 + i, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
  }
  for (int from = 1; rank == 0 && from < size; ++from) {
    MPI_Message first, second = MPI_MESSAGE_NULL;
    MPI_Status status;
    int got[2] = {0, 0}, other[2] = {0, 0}, count = 0, found = 0;
    MPI_Mprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &first, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    wrong += status.MPI_SOURCE != from || status.MPI_TAG != 3 || count != 1;
    while (!found) MPI_Improbe(from, 3, MPI_COMM_WORLD, &found, &second, &status);
    MPI_Mrecv(other, 2, MPI_INT, &second, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    wrong += status.MPI_SOURCE != from || status.MPI_TAG != 3 || count != 2;
    wrong += other[0] != 10 * from + 1 || other[1] != -from || second != MPI_MESSAGE_NULL;
    MPI_Request request;
    MPI_Imrecv(got, 1, MPI_INT, &first, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    wrong += status.MPI_TAG != 3 || count != 1 || request != MPI_REQUEST_NULL;
    wrong += got[0] != 10 * from || first != MPI_MESSAGE_NULL || status.MPI_SOURCE != from;
    MPI_Improbe(from, 3, MPI_COMM_WORLD, &found, &second, &status);
    wrong += found;
  }
  if (rank == 0 && wrong == 0) printf("all is well\n");
  MPI_Finalize();
  return wrong;
}

// A program with a tool of its own between it and MPI, as MPI's profiling interface has it.
#include <mpi.h>

static int calls, sends;

int MPI_Allreduce(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++calls;
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

// Not called by what MPI itself sends.
int MPI_Isend(void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++sends;
  return PMPI_Isend(buffer, count, type, target, tag, comm, request);
}

int main(int argc, char** argv) {
  double const one = 1;
  double sum = 0;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (argc > 1) MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return calls != argc || sends != 0 || sum != size;
}

// hosts.c RANKS...: of each rank the lowest rank on its host, by MPI_Comm_split_type and by the name of the processor.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { most = 256 };

int main(int argc, char** argv) {
  int rank, size, mine, shared, length, lowest;
  static char names[most][MPI_MAX_PROCESSOR_NAME];
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  MPI_Comm node;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &mine);
  MPI_Comm_size(node, &shared);
  MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, node);
  MPI_Get_processor_name(name, &length);
  MPI_Allgather(name, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, names, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, MPI_COMM_WORLD);
  int by_name = 0, first = -1;
  for (int r = 0; r < size; ++r) {
    if (strcmp(names[r], name) != 0) continue;
    if (first < 0) first = r;
    ++by_name;
  }
  MPI_Comm none;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &none);
  int const wrong = lowest != atoi(argv[1 + rank]) || first != lowest || by_name != shared ||
                    length != (int)strlen(name) || none != MPI_COMM_NULL || (rank == lowest && mine != shared - 1);
  MPI_Comm_free(&node);
  MPI_Finalize();
  return wrong;
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first, the last one that was set before the others, while MPI
 * can still be used [MPI 4.1, 11.2.4]. */

#include <mpi.h>
#include <stdio.h>

static char order[8];
static int deleted = 0, wrong = 0;

static int forget(MPI_Comm comm, int keyval, void* value, void* state) {
  int over = 1, sum = 0, size = 0;
  (void)keyval;
  (void)state;
  MPI_Finalized(&over);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&size, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  wrong += over || comm != MPI_COMM_SELF || sum != size * size;
  if (deleted < 7) order[deleted++] = *(char const*)value;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  static char letters[] = "abcdef";
  int rank, keys[5], old_key;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 5; ++i) MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keys[i], NULL);
  MPI_Keyval_create(MPI_NULL_COPY_FN, forget, &old_key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keys[0], &letters[5]);
  for (int i = 0; i < 4; ++i) MPI_Comm_set_attr(MPI_COMM_SELF, keys[i], &letters[i]); /* deletes f */
  MPI_Attr_put(MPI_COMM_SELF, old_key, &letters[4]);
  MPI_Comm_delete_attr(MPI_COMM_SELF, keys[1]);
  MPI_Keyval_free(&old_key);
  for (int i = 0; i < 5; ++i) MPI_Comm_free_keyval(&keys[i]);
  MPI_Finalize();
  for (int i = 0; i < 6; ++i) wrong += order[i] != "fbedca"[i];
  if (rank == 0 && wrong == 0 && deleted == 6) printf("all is well\n");
  return wrong != 0 || deleted != 6;
}

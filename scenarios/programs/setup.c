/* Sets up the Moore neighborhood of d dimensions and radius r on all ranks, to measure the time of the messages:
 *
 *   setup FUNCTION D R TIMES
 *
 * FUNCTION is one of the four functions of a table: "adjacent", "graph", "create" or "init". It is called TIMES times.
 *
 * Run on any number of ranks. d is at most 5, and MPI_Dims_create gives the torus. */

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "rondo/isomorphic.h"

enum { most_dimensions = 5 };

/* Writes the offsets of the neighborhood without 0, d integers each, and the target and source rank of each. Returns
 * their number. */
static int neighborhood(MPI_Comm cart, int d, int r, int* offsets, int* targets, int* sources) {
  int here[most_dimensions], there[most_dimensions], rank, s = 0, all = 1;
  MPI_Comm_rank(cart, &rank);
  MPI_Cart_coords(cart, rank, d, here);
  for (int j = 0; j < d; ++j) all *= 2 * r + 1;
  for (int k = 0; k < all; ++k) {
    if (2 * k + 1 == all) continue; /* the offset in the middle is 0 */
    for (int j = d - 1, rest = k; j >= 0; --j, rest /= 2 * r + 1) offsets[s * d + j] = rest % (2 * r + 1) - r;
    for (int j = 0; j < d; ++j) there[j] = here[j] + offsets[s * d + j];
    MPI_Cart_rank(cart, there, &targets[s]);
    for (int j = 0; j < d; ++j) there[j] = here[j] - offsets[s * d + j];
    MPI_Cart_rank(cart, there, &sources[s]);
    ++s;
  }
  return s;
}

int main(int argc, char** argv) {
  char const* const how = argc > 1 ? argv[1] : "adjacent";
  int const d = argc > 2 ? atoi(argv[2]) : 2, r = argc > 3 ? atoi(argv[3]) : 1, times = argc > 4 ? atoi(argv[4]) : 1;
  int p, rank, dims[most_dimensions] = {0}, periods[most_dimensions], places = 1;
  MPI_Comm cart, made = MPI_COMM_NULL, iso = MPI_COMM_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  if (d < 1 || d > most_dimensions || r < 0) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Dims_create(p, d, dims);
  for (int j = 0; j < d; ++j) {
    periods[j] = 1;
    places *= 2 * r + 1;
  }
  MPI_Cart_create(MPI_COMM_WORLD, d, dims, periods, 0, &cart);
  MPI_Comm_rank(cart, &rank);
  int* const offsets = (int*)malloc(sizeof(int) * (size_t)(places * d));
  int* const targets = (int*)malloc(sizeof(int) * (size_t)places);
  int* const sources = (int*)malloc(sizeof(int) * (size_t)places);
  char* const from = (char*)calloc(1, (size_t)places);
  char* const to = (char*)calloc(1, (size_t)places);
  int const s = neighborhood(cart, d, r, offsets, targets, sources);
  if (strcmp(how, "init") == 0) Rondo_Iso_neighborhood_create(cart, s, offsets, &iso);
  for (int i = 0; i < times; ++i) {
    if (strcmp(how, "adjacent") == 0) {
      MPI_Dist_graph_create_adjacent(cart, s, sources, MPI_UNWEIGHTED, s, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    } else if (strcmp(how, "graph") == 0) {
      MPI_Dist_graph_create(cart, 1, &rank, &s, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    } else if (strcmp(how, "create") == 0) {
      Rondo_Iso_neighborhood_create(cart, s, offsets, &made);
    } else {
      Rondo_Iso_request request;
      Rondo_Iso_neighbor_alltoall_init(from, 1, MPI_CHAR, to, 1, MPI_CHAR, iso, &request);
      Rondo_Iso_request_free(&request);
    }
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  }
  free(offsets);
  free(targets);
  free(sources);
  free(from);
  free(to);
  MPI_Finalize();
  return 0;
}

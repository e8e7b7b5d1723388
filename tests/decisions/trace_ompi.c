/* Preloaded into programs of Open MPI 4: says on standard error which of the library's algorithms it calls in a call that
 * RONDO_CALL names. The functions have between 2 and 11 arguments, all of them pointers or integers, so that eleven words
 * handed on as they came are theirs by the calling conventions of x86-64 and AArch64. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef long Word;
typedef int (*Function)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);

static int depth;

/* `segment`: which argument is the size of segments; -1: none is. */
static int traced(char const* name, Function function, int segment, Word const* a) {
  char const* const call = getenv("RONDO_CALL");
  /* An algorithm may consist of others. */
  if (call != NULL && depth == 0 && segment < 0) fprintf(stderr, "TRACE %s %s\n", call, name);
  if (call != NULL && depth == 0 && segment >= 0) {
    fprintf(stderr, "TRACE %s %s/%u\n", call, name, (unsigned)a[segment]);
  }
  ++depth;
  int const result = function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10]);
  --depth;
  return result;
}

#define IN_SEGMENTS(NAME, SEGMENT)                                                                                   \
  int ompi_coll_base_##NAME(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k) { \
    Word const all[] = {a, b, c, d, e, f, g, h, i, j, k};                                                            \
    return traced(#NAME, (Function)dlsym(RTLD_NEXT, "ompi_coll_base_" #NAME), SEGMENT, all);                         \
  }
#define TRACED(NAME) IN_SEGMENTS(NAME, -1)

TRACED(allgather_intra_basic_linear)
TRACED(allgather_intra_bruck)
TRACED(allgather_intra_neighborexchange)
TRACED(allgather_intra_recursivedoubling)
TRACED(allgather_intra_ring)
TRACED(allgather_intra_two_procs)
TRACED(allreduce_intra_basic_linear)
TRACED(allreduce_intra_nonoverlapping)
TRACED(allreduce_intra_recursivedoubling)
TRACED(allreduce_intra_redscat_allgather)
TRACED(allreduce_intra_ring)
IN_SEGMENTS(allreduce_intra_ring_segmented, 7)
TRACED(alltoall_intra_basic_linear)
TRACED(alltoall_intra_bruck)
TRACED(alltoall_intra_linear_sync)
TRACED(alltoall_intra_pairwise)
TRACED(alltoall_intra_two_procs)
TRACED(barrier_intra_basic_linear)
TRACED(barrier_intra_bruck)
TRACED(barrier_intra_doublering)
TRACED(barrier_intra_recursivedoubling)
TRACED(barrier_intra_tree)
TRACED(barrier_intra_two_procs)
TRACED(bcast_intra_basic_linear)
IN_SEGMENTS(bcast_intra_binomial, 6)
IN_SEGMENTS(bcast_intra_bintree, 6)
IN_SEGMENTS(bcast_intra_chain, 6)
IN_SEGMENTS(bcast_intra_knomial, 6)
IN_SEGMENTS(bcast_intra_pipeline, 6)
TRACED(bcast_intra_scatter_allgather)
TRACED(bcast_intra_scatter_allgather_ring)
IN_SEGMENTS(bcast_intra_split_bintree, 6)
TRACED(exscan_intra_linear)
TRACED(exscan_intra_recursivedoubling)
TRACED(gather_intra_basic_linear)
TRACED(gather_intra_binomial)
TRACED(gather_intra_linear_sync)
TRACED(reduce_intra_basic_linear)
IN_SEGMENTS(reduce_intra_binary, 8)
IN_SEGMENTS(reduce_intra_binomial, 8)
IN_SEGMENTS(reduce_intra_chain, 8)
IN_SEGMENTS(reduce_intra_in_order_binary, 8)
IN_SEGMENTS(reduce_intra_pipeline, 8)
TRACED(reduce_intra_redscat_gather)
TRACED(reduce_scatter_block_basic_linear)
TRACED(reduce_scatter_block_intra_butterfly)
TRACED(reduce_scatter_block_intra_recursivedoubling)
TRACED(reduce_scatter_block_intra_recursivehalving)
TRACED(reduce_scatter_intra_basic_recursivehalving)
TRACED(reduce_scatter_intra_butterfly)
TRACED(reduce_scatter_intra_nonoverlapping)
TRACED(reduce_scatter_intra_ring)
TRACED(scan_intra_linear)
TRACED(scan_intra_recursivedoubling)
TRACED(scatter_intra_basic_linear)
TRACED(scatter_intra_binomial)
TRACED(scatter_intra_linear_nb)

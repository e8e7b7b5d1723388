/* Random derived datatypes, each with the places of its bytes as the standard says them [MPI 4.1, 5.1]: what is sent,
 * received, packed and gathered by them, and what MPI tells of them. */

#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_bytes = 4096, middle = 65536, buffer = 2 * middle, elements = 3 };

static int wrong = 0;

static void expect(int holds, char const* what, int number) {
  if (holds) return;
  ++wrong;
  printf("type %d: %s\n", number, what);
}

static unsigned long state;

static int any_of(int number) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (int)((state >> 33) % (unsigned)number);
}

/* A type and, byte by byte in the order in which they are sent, where its data lie, and whether an element of one of
 * MPI's own types ends. */
typedef struct {
  MPI_Datatype type;
  int size, alignment, set; /* whether the bounds were set */
  long place[most_bytes];
  char ends[most_bytes];
  long lower, upper;
} Layout;

static long extent(Layout const* layout) { return layout->upper - layout->lower; }

static Layout* empty(void) {
  Layout* const layout = malloc(sizeof *layout);
  layout->size = layout->set = 0;
  layout->alignment = 1;
  layout->lower = layout->upper = 0;
  return layout;
}

/* Appends an element of a part. Bounds that were set hold before those that come of data. */
static void append(Layout* layout, Layout const* part, long at) {
  long const lower = at + part->lower, upper = at + part->upper;
  if (part->size == 0 && !part->set) return;
  int const first = layout->size == 0 && !layout->set;
  if (first || (part->set && !layout->set)) {
    layout->lower = lower;
    layout->upper = upper;
  } else if (part->set == layout->set) {
    if (lower < layout->lower) layout->lower = lower;
    if (upper > layout->upper) layout->upper = upper;
  }
  layout->set |= part->set;
  if (part->alignment > layout->alignment) layout->alignment = part->alignment;
  for (int i = 0; i < part->size && layout->size < most_bytes; ++i) {
    layout->ends[layout->size] = part->ends[i];
    layout->place[layout->size++] = at + part->place[i];
  }
}

static void append_block(Layout* layout, Layout const* part, long at, int length) {
  for (int i = 0; i < length; ++i) append(layout, part, at + i * extent(part));
}

static Layout* basic(void) {
  MPI_Datatype const types[] = {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX};
  int const sizes[] = {1, sizeof(short), sizeof(int), sizeof(double), 2 * sizeof(double)};
  int const alignments[] = {1, _Alignof(short), _Alignof(int), _Alignof(double), _Alignof(double)};
  int const which = any_of(5);
  Layout* const layout = empty();
  layout->type = types[which];
  layout->size = sizes[which];
  layout->upper = sizes[which];
  layout->alignment = alignments[which];
  for (int i = 0; i < layout->size; ++i) {
    layout->place[i] = i;
    layout->ends[i] = i == layout->size - 1;
  }
  return layout;
}

static void release(Layout* layout) {
  int integers, addresses, types, combiner;
  MPI_Type_get_envelope(layout->type, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&layout->type);
  free(layout);
}

static Layout* any_type(int depth);

static Layout* structure(int depth) {
  Layout *const layout = empty(), *parts[3];
  MPI_Datatype types[3];
  MPI_Aint places[3];
  int lengths[3], number = 1 + any_of(3);
  for (int i = 0; i < number; ++i) {
    parts[i] = any_type(depth - 1);
    types[i] = parts[i]->type;
    lengths[i] = any_of(3);
    places[i] = 4 * any_of(9) - 16 + (any_of(4) == 0);
    append_block(layout, parts[i], places[i], lengths[i]);
  }
  if (!layout->set) {
    while (extent(layout) % layout->alignment != 0) ++layout->upper;
  }
  MPI_Type_create_struct(number, lengths, places, types, &layout->type);
  for (int i = 0; i < number; ++i) release(parts[i]);
  return layout;
}

static void subarray(Layout* layout, Layout const* part) {
  int sizes[3], parts[3], starts[3], dimensions = 1 + any_of(3), c = any_of(2);
  long all = 1;
  for (int i = 0; i < dimensions; ++i) {
    sizes[i] = 1 + any_of(3);
    parts[i] = 1 + any_of(sizes[i]);
    starts[i] = any_of(sizes[i] - parts[i] + 1);
    all *= sizes[i];
  }
  MPI_Type_create_subarray(dimensions, sizes, parts, starts, c ? MPI_ORDER_C : MPI_ORDER_FORTRAN, part->type,
                           &layout->type);
  for (long cell = 0; cell < all; ++cell) {
    long rest = cell;
    int inside = 1;
    for (int i = 0; i < dimensions; ++i) {
      int const dimension = c ? dimensions - 1 - i : i;
      long const at = rest % sizes[dimension];
      rest /= sizes[dimension];
      inside &= at >= starts[dimension] && at < starts[dimension] + parts[dimension];
    }
    if (inside) append(layout, part, cell * extent(part));
  }
  layout->lower = 0;
  layout->upper = all * extent(part);
  layout->set = 1;
}

/* The part of an array that one of several processes has. */
static void darray(Layout* layout, Layout const* part) {
  int sizes[2], how[2], blocks[2], processes[2], mine[2], dimensions = 1 + any_of(2), c = any_of(2), all = 1, ranks = 1;
  int const kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
  for (int i = 0; i < dimensions; ++i) {
    sizes[i] = 1 + any_of(5);
    how[i] = kinds[any_of(4)];
    processes[i] = how[i] == MPI_DISTRIBUTE_NONE ? 1 : 1 + any_of(3);
    blocks[i] = any_of(3) == 0 ? MPI_DISTRIBUTE_DFLT_DARG : 1 + any_of(3);
    if (how[i] == MPI_DISTRIBUTE_BLOCK && blocks[i] > 0) blocks[i] += (sizes[i] - 1) / processes[i];
    all *= sizes[i];
    ranks *= processes[i];
  }
  int const rank = any_of(ranks);
  for (int i = dimensions - 1, rest = rank; i >= 0; rest /= processes[i--]) mine[i] = rest % processes[i];
  MPI_Type_create_darray(ranks, rank, dimensions, sizes, how, blocks, processes, c ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
                         part->type, &layout->type);
  for (int cell = 0; cell < all; ++cell) {
    int inside = 1;
    for (int i = 0, rest = cell; i < dimensions; ++i) {
      int const d = c ? dimensions - 1 - i : i, at = rest % sizes[d];
      int const length = blocks[d] != MPI_DISTRIBUTE_DFLT_DARG ? blocks[d]
                         : how[d] == MPI_DISTRIBUTE_CYCLIC     ? 1
                                                               : (sizes[d] + processes[d] - 1) / processes[d];
      rest /= sizes[d];
      inside &= how[d] == MPI_DISTRIBUTE_NONE || at / length % processes[d] == mine[d];
    }
    if (inside) append(layout, part, cell * extent(part));
  }
  layout->lower = 0;
  layout->upper = all * extent(part);
  layout->set = 1;
}

static void listed(Layout* layout, Layout const* part, int kind) {
  int lengths[4], places[4], number = any_of(5), length = any_of(3);
  MPI_Aint bytes[4];
  for (int i = 0; i < number; ++i) {
    int const equal = kind == 1 || kind == 3;
    lengths[i] = equal ? length : any_of(3);
    places[i] = any_of(9) - 4;
    bytes[i] = 4 * places[i] + (any_of(4) == 0);
    append_block(layout, part, kind < 2 ? places[i] * extent(part) : bytes[i], lengths[i]);
  }
  if (kind == 0) MPI_Type_indexed(number, lengths, places, part->type, &layout->type);
  if (kind == 1) MPI_Type_create_indexed_block(number, length, places, part->type, &layout->type);
  if (kind == 2) MPI_Type_create_hindexed(number, lengths, bytes, part->type, &layout->type);
  if (kind == 3) MPI_Type_create_hindexed_block(number, length, bytes, part->type, &layout->type);
}

static void strided(Layout* layout, Layout const* part, int in_bytes) {
  int const count = any_of(4), length = any_of(4), stride = any_of(7) - 3;
  MPI_Aint const bytes = in_bytes ? 4 * stride + any_of(2) : stride * extent(part);
  for (int i = 0; i < count; ++i) append_block(layout, part, i * bytes, length);
  if (in_bytes) {
    MPI_Type_create_hvector(count, length, bytes, part->type, &layout->type);
  } else {
    MPI_Type_vector(count, length, stride, part->type, &layout->type);
  }
}

static Layout* made_of(Layout* part) {
  Layout* const layout = empty();
  int const kind = any_of(12), count = any_of(4);
  if (kind < 4) {
    listed(layout, part, kind);
  } else if (kind < 6) {
    strided(layout, part, kind == 4);
  } else if (kind == 6) {
    append_block(layout, part, 0, count);
    MPI_Type_contiguous(count, part->type, &layout->type);
  } else if (kind == 7) {
    append(layout, part, 0);
    MPI_Type_dup(part->type, &layout->type);
  } else if (kind == 8) {
    subarray(layout, part);
  } else if (kind == 9) {
    darray(layout, part);
  } else {
    append(layout, part, 0);
    layout->lower = 4 * any_of(5) - 8;
    layout->upper = layout->lower + extent(part) + 4 * any_of(4);
    layout->set = 1;
    MPI_Type_create_resized(part->type, layout->lower, extent(layout), &layout->type);
  }
  release(part);
  return layout;
}

static Layout* any_type(int depth) {
  if (depth == 0 || any_of(6) == 0) return basic();
  return any_of(5) == 0 ? structure(depth) : made_of(any_type(depth - 1));
}

/* The type that the contents of another one say; types among them are freed. */
static MPI_Datatype remade(MPI_Datatype type) {
  int n, a, t, combiner;
  MPI_Type_get_envelope(type, &n, &a, &t, &combiner);
  if (combiner == MPI_COMBINER_NAMED) return type;
  int integers[64];
  MPI_Aint addresses[64];
  MPI_Datatype types[64], result = MPI_DATATYPE_NULL;
  MPI_Type_get_contents(type, n, a, t, integers, addresses, types);
  int const* const i = integers;
  int const count = n > 0 ? i[0] : 0;
  for (int k = 0; k < t; ++k) {
    MPI_Datatype const same = remade(types[k]);
    if (same != types[k]) MPI_Type_free(&types[k]);
    types[k] = same;
  }
  if (combiner == MPI_COMBINER_CONTIGUOUS) MPI_Type_contiguous(count, types[0], &result);
  if (combiner == MPI_COMBINER_VECTOR) MPI_Type_vector(count, i[1], i[2], types[0], &result);
  if (combiner == MPI_COMBINER_HVECTOR) MPI_Type_create_hvector(count, i[1], addresses[0], types[0], &result);
  if (combiner == MPI_COMBINER_INDEXED) MPI_Type_indexed(count, i + 1, i + 1 + count, types[0], &result);
  if (combiner == MPI_COMBINER_INDEXED_BLOCK) MPI_Type_create_indexed_block(count, i[1], i + 2, types[0], &result);
  if (combiner == MPI_COMBINER_HINDEXED) MPI_Type_create_hindexed(count, i + 1, addresses, types[0], &result);
  if (combiner == MPI_COMBINER_HINDEXED_BLOCK)
    MPI_Type_create_hindexed_block(count, i[1], addresses, types[0], &result);
  if (combiner == MPI_COMBINER_STRUCT) MPI_Type_create_struct(count, i + 1, addresses, types, &result);
  if (combiner == MPI_COMBINER_RESIZED) MPI_Type_create_resized(types[0], addresses[0], addresses[1], &result);
  if (combiner == MPI_COMBINER_DUP) MPI_Type_dup(types[0], &result);
  if (combiner == MPI_COMBINER_SUBARRAY) {
    MPI_Type_create_subarray(count, i + 1, i + 1 + count, i + 1 + 2 * count, i[1 + 3 * count], types[0], &result);
  }
  if (combiner == MPI_COMBINER_DARRAY) {
    int const d = i[2];
    MPI_Type_create_darray(i[0], i[1], d, integers + 3, integers + 3 + d, integers + 3 + 2 * d, integers + 3 + 3 * d,
                           i[3 + 4 * d], types[0], &result);
  }
  for (int k = 0; k < t; ++k) {
    MPI_Type_get_envelope(types[k], &n, &a, &n, &combiner);
    if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&types[k]);
  }
  return result;
}

static unsigned char from[buffer], into[buffer], packed[elements * most_bytes], heard[buffer];

static int all_as(unsigned char const* found, Layout const* layout) {
  for (int k = 0; k < elements; ++k) {
    for (int i = 0; i < layout->size; ++i) {
      long const at = middle + k * extent(layout) + layout->place[i];
      if (found[k * layout->size + i] != from[at]) return 0;
    }
  }
  return 1;
}

/* Whether no byte of a few elements lies where another one does. */
static int is_free_of_overlaps(Layout const* layout) {
  static char taken[buffer];
  int result = 1;
  for (int clear = 0; clear < 2; ++clear) {
    for (int k = 0; k < elements; ++k) {
      for (int i = 0; i < layout->size; ++i) {
        char* const byte = &taken[middle + k * extent(layout) + layout->place[i]];
        if (!clear && *byte) result = 0;
        *byte = !clear;
      }
    }
  }
  return result;
}

/* Whether so many bytes of the elements are there and no others. */
static int holds_only(unsigned char* found, Layout const* layout, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    long const at = middle + i / layout->size * extent(layout) + layout->place[i % layout->size];
    if (found[at] != from[at]) return 0;
    found[at] = 0;
  }
  for (int i = 0; i < buffer; ++i) {
    if (found[i] != 0) return 0;
  }
  return 1;
}

static void copy(void const* source, int sent, MPI_Datatype as, void* target, int received, MPI_Datatype like) {
  MPI_Sendrecv(source, sent, as, 0, 0, target, received, like, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

/* A message of any length: the elements of MPI's own types that it holds. */
static void count_elements(Layout const* layout, int number) {
  int const bytes = any_of(elements * layout->size + 1);
  int found = -1, wanted = 0;
  MPI_Count large = -1;
  MPI_Status status;
  MPI_Sendrecv(packed, bytes, MPI_BYTE, 0, 0, into, bytes, MPI_BYTE, 0, 0, MPI_COMM_SELF, &status);
  MPI_Get_elements(&status, layout->type, &found);
  MPI_Get_elements_x(&status, layout->type, &large);
  for (int i = 0; i < bytes; ++i) wanted += layout->ends[i % layout->size];
  if (bytes > 0 && !layout->ends[(bytes - 1) % layout->size]) wanted = MPI_UNDEFINED;
  expect(found == wanted && large == wanted, "how many elements a message has", number);
}

static void look_at(Layout* layout, int number) {
  int size, end = 0, bytes = elements * layout->size;
  MPI_Aint lower, length, first = 0, last = 0;
  MPI_Type_size(layout->type, &size);
  expect(size == layout->size, "its size", number);
  MPI_Type_get_extent(layout->type, &lower, &length);
  expect(lower == layout->lower && length == extent(layout), "its extent", number);
  for (int i = 0; i < layout->size; ++i) {
    if (i == 0 || layout->place[i] < first) first = layout->place[i];
    if (i == 0 || layout->place[i] >= last) last = layout->place[i] + 1;
  }
  MPI_Type_get_true_extent(layout->type, &lower, &length);
  expect(lower == first && length == last - first, "its true extent", number);

  MPI_Type_commit(&layout->type);
  memset(packed, 0, sizeof packed);
  copy(from + middle, elements, layout->type, packed, bytes, MPI_BYTE);
  expect(all_as(packed, layout), "what is sent", number);
  MPI_Datatype same = remade(layout->type);
  MPI_Type_commit(&same);
  memset(packed, 0, sizeof packed);
  MPI_Pack(from + middle, elements, same, packed, bytes, &end, MPI_COMM_SELF);
  expect(end == bytes && all_as(packed, layout), "what is packed by a type that is made of its contents", number);

  if (is_free_of_overlaps(layout)) {
    memset(into, 0, sizeof into);
    copy(packed, bytes, MPI_BYTE, into + middle, elements, layout->type);
    expect(holds_only(into, layout, bytes), "what is received", number);
    memset(heard, 0, sizeof heard);
    MPI_Allgather(from + middle, elements, same, heard + middle, elements, layout->type, MPI_COMM_SELF);
    expect(holds_only(heard, layout, bytes), "what is gathered", number);
    int const part = any_of(bytes + 1);
    memset(into, 0, sizeof into);
    copy(packed, part, MPI_BYTE, into + middle, elements, layout->type);
    expect(holds_only(into, layout, part), "what is received of a shorter message", number);
  }
  count_elements(layout, number);
  if (same != layout->type) MPI_Type_free(&same);
}

/* What many programs do: an array of structures of C, by a type that nobody resizes. */
static void structures_of_c(void) {
  struct Particle {
    double mass;
    int number;
  } sent[3] = {{1, 2}, {3, 4}, {5, 6}}, got[3] = {{0, 0}, {0, 0}, {0, 0}};
  int const lengths[] = {1, 1};
  MPI_Aint const places[] = {offsetof(struct Particle, mass), offsetof(struct Particle, number)};
  MPI_Datatype const types[] = {MPI_DOUBLE, MPI_INT};
  MPI_Datatype particle;
  MPI_Type_create_struct(2, lengths, places, types, &particle);
  MPI_Type_commit(&particle);
  MPI_Aint lower, length;
  MPI_Type_get_extent(particle, &lower, &length);
  expect(length == sizeof(struct Particle), "the extent of a structure of C", -1);
  copy(sent, 3, particle, got, 3, particle);
  for (int i = 0; i < 3; ++i) {
    expect(got[i].mass == sent[i].mass && got[i].number == sent[i].number, "an array of structures of C", -1);
  }
  MPI_Type_free(&particle);
}

/* Operations are applied to data alone. */
static void accumulated(void) {
  double const given[4] = {1, 2, 3, 4};
  double sums[4] = {10, 20, 30, 40};
  MPI_Datatype spaced, two;
  MPI_Win window;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &spaced);
  MPI_Type_contiguous(2, spaced, &two);
  MPI_Type_commit(&two);
  MPI_Win_create(sums, sizeof sums, sizeof(double), MPI_INFO_NULL, MPI_COMM_SELF, &window);
  for (int i = 0; i < 2; ++i) {
    MPI_Win_fence(0, window);
    MPI_Accumulate(given, 1, two, 0, 0, 1, two, MPI_SUM, window);
    MPI_Win_fence(0, window);
  }
  MPI_Win_free(&window);
  expect(sums[0] == 12 && sums[1] == 20 && sums[2] == 36 && sums[3] == 40, "what is accumulated", -1);
  MPI_Type_free(&two);
  MPI_Type_free(&spaced);
}

static void mistakes(void) {
  MPI_Datatype type;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int const lengths[] = {-1}, sizes[] = {4}, parts[] = {3}, starts[] = {2};
  MPI_Aint const places[] = {0};
  MPI_Datatype const types[] = {MPI_INT};
  expect(MPI_Type_contiguous(-1, MPI_INT, &type) == MPI_ERR_COUNT, "a negative count", -1);
  expect(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type) == MPI_ERR_TYPE, "no type", -1);
  expect(MPI_Type_create_hindexed(0, NULL, NULL, MPI_DATATYPE_NULL, &type) == MPI_ERR_TYPE, "no type of no blocks", -1);
  expect(MPI_Type_create_struct(1, lengths, places, types, &type) == MPI_ERR_ARG, "a negative length", -1);
  expect(MPI_Type_create_subarray(1, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type) == MPI_ERR_ARG,
         "a part beyond its array", -1);
  type = MPI_INT;
  expect(MPI_Type_vector(1, -1, 1, MPI_INT, &type) == MPI_ERR_ARG, "a negative length of a vector", -1);
  expect(type == MPI_DATATYPE_NULL, "what is left of a type that is not made", -1);
  int all[] = {4}, cyclic[] = {MPI_DISTRIBUTE_CYCLIC}, none[] = {0}, two[] = {2};
  expect(MPI_Type_create_darray(2, 2, 1, all, cyclic, two, two, MPI_ORDER_C, MPI_INT, &type) == MPI_ERR_ARG,
         "a process that is none of a darray's", -1);
  expect(MPI_Type_create_darray(2, 0, 1, all, cyclic, none, two, MPI_ORDER_C, MPI_INT, &type) == MPI_ERR_ARG,
         "blocks of no length", -1);
  expect(MPI_Type_create_darray(3, 0, 1, all, cyclic, two, two, MPI_ORDER_C, MPI_INT, &type) == MPI_ERR_ARG,
         "processes that are no grid", -1);
  expect(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &type) == MPI_ERR_ARG, "a size that no type has", -1);
  expect(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, &type) == MPI_SUCCESS && type == MPI_INTEGER8,
         "the integer of 8 bytes", -1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < buffer; ++i) from[i] = (unsigned char)(1 + (i * 7919 >> 3) % 255);
  int seen = 0;
  int const numbers = getenv("RONDO_TEST_WHOLE") != NULL ? 10000 : 2500;
  for (int number = 0; number < numbers; ++number) {
    state = 977ul * (unsigned)number + 1;
    for (int i = 0; i < 5; ++i) any_of(2);
    Layout* const layout = any_type(1 + any_of(3));
    if (layout->size < most_bytes && extent(layout) >= 0) {
      look_at(layout, number);
      ++seen;
    }
    release(layout);
  }
  expect(seen > numbers * 9 / 10, "too few types were looked at", seen);
  structures_of_c();
  accumulated();
  mistakes();
  if (wrong == 0) printf("all is well\n");
  MPI_Finalize();
  return wrong != 0;
}

/* MPI-IO: the data of every call are those that MPI promises. Says "all is well" if every rank finds what it expects.
 * On 4 processes; it makes and removes files with the name that its argument begins. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, wrong;
static char name[4096];

static void expect(int holds, char const* what) {
  if (holds) return;
  ++wrong;
  printf("rank %d: %s\n", rank, what);
}

static int class_of(int code) {
  int class = 0;
  MPI_Error_class(code, &class);
  return class;
}

static MPI_File opened(int mode) {
  MPI_File file = MPI_FILE_NULL;
  expect(MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file) == MPI_SUCCESS, "a file is opened");
  return file;
}

/* Whether the file has these ints from its begin on, and no more. */
static int has(int const* wanted, int n) {
  int found[256] = {0};
  MPI_Barrier(MPI_COMM_WORLD);
  FILE* const file = fopen(name, "rb");
  size_t const got = file ? fread(found, sizeof(int), 256, file) : 0;
  if (file) fclose(file);
  MPI_Barrier(MPI_COMM_WORLD);
  return got == (size_t)n && memcmp(found, wanted, sizeof(int) * (size_t)n) == 0;
}

static int reported = MPI_SUCCESS;
static MPI_File reported_file;

static void note(MPI_File* file, int* code, ...) {
  reported = class_of(*code);
  reported_file = *file;
}

/* A file keeps its handler when the program frees it. */
static void error_handlers(void) {
  int word = 0;
  MPI_Errhandler own, seen;
  MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR);
  int const code = MPI_File_read_at(file, 0, &word, -1, MPI_INT, MPI_STATUS_IGNORE);
  expect(class_of(code) == MPI_ERR_COUNT, "the errors of a file are returned");
  MPI_File_create_errhandler(note, &own);
  MPI_File_set_errhandler(file, own);
  MPI_File_get_errhandler(file, &seen);
  expect(seen == own, "the error handler of a file");
  MPI_Errhandler_free(&seen);
  MPI_Errhandler_free(&own);
  MPI_File_read_at(file, 0, &word, -1, MPI_INT, MPI_STATUS_IGNORE);
  expect(reported == MPI_ERR_COUNT && reported_file == file, "an error of a file is handled");
  MPI_File_call_errhandler(file, MPI_ERR_IO);
  expect(reported == MPI_ERR_IO, "the error handler of a file is called");
  MPI_File_close(&file);
  MPI_File_create_errhandler(note, &own);
  MPI_File_set_errhandler(MPI_FILE_NULL, own);
  MPI_Errhandler_free(&own);
  MPI_File_open(MPI_COMM_WORLD, "no/such/folder", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  expect(reported == MPI_ERR_NO_SUCH_FILE && reported_file == MPI_FILE_NULL, "an error without a file is handled");
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
}

static void offsets(void) {
  MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_File_set_size(file, 0);
  int block[3] = {rank, rank + 10, rank + 20}, got[3] = {-1, -1, -1}, wanted[12], count = 0;
  MPI_Status status;
  MPI_File_write_at_all(file, 12 * rank, block, 3, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  expect(count == 3, "what is written is counted");
  MPI_File_sync(file);
  for (int i = 0; i < 12; ++i) wanted[i] = i / 3 + 10 * (i % 3);
  expect(has(wanted, 12), "each rank has written its block");
  int const next = (rank + 1) % ranks;
  MPI_File_read_at(file, 12 * next, got, 3, MPI_INT, &status);
  expect(got[0] == next && got[2] == next + 20, "a rank reads the next one's block");
  got[1] = -7;
  MPI_File_read_at(file, 44, got, 3, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  expect(count == 1 && got[0] == 23 && got[1] == -7, "a read ends with the file");
  MPI_Offset size = 0;
  MPI_File_get_size(file, &size);
  expect(size == 48, "the size");
  MPI_Request request;
  MPI_File_iread_at(file, 0, got, 2, MPI_INT, &request);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  expect(count == 2 && got[1] == 10 && request == MPI_REQUEST_NULL, "a non-blocking read");
  MPI_File_read_at_all_begin(file, 12, got, 1, MPI_INT);
  MPI_File_read_at_all_end(file, got, &status);
  expect(got[0] == 1, "a split collective");
  MPI_File_close(&file);
  expect(file == MPI_FILE_NULL, "a closed file");
}

/* Rank r sees every fourth int, from the r-th on; there are two ints before all. */
static void views(void) {
  MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_File_set_size(file, 0);
  MPI_Datatype one, every_fourth, seen, etype;
  MPI_Type_contiguous(1, MPI_INT, &one);
  MPI_Type_create_resized(one, 0, 16, &every_fourth);
  MPI_Type_commit(&every_fourth);
  MPI_File_set_view(file, 8 + 4 * rank, MPI_INT, every_fourth, "native", MPI_INFO_NULL);
  MPI_Type_free(&every_fourth);
  MPI_Type_free(&one);
  int mine[3] = {rank, rank + 4, rank + 8}, got[4] = {0}, wanted[14] = {0};
  MPI_File_write_all(file, mine, 3, MPI_INT, MPI_STATUS_IGNORE);
  for (int i = 0; i < 12; ++i) wanted[i + 2] = i;
  expect(has(wanted, 14), "four views together");
  MPI_Offset place = 0, byte = 0;
  MPI_File_get_position(file, &place);
  MPI_File_get_byte_offset(file, 2, &byte);
  expect(place == 3 && byte == 8 + 4 * rank + 32, "places in a view");
  MPI_File_seek(file, -2, MPI_SEEK_END);
  MPI_File_read(file, got, 1, MPI_INT, MPI_STATUS_IGNORE);
  expect(got[0] == rank + 4, "a place from the end");
  char representation[MPI_MAX_DATAREP_STRING];
  MPI_File_get_view(file, &byte, &etype, &seen, representation);
  expect(byte == 8 + 4 * rank && etype == MPI_INT && strcmp(representation, "native") == 0, "the view");
  MPI_Type_free(&seen);
  /* In memory the ints are not side by side either. */
  int spread[6] = {-1, -1, -1, -1, -1, -1};
  MPI_Datatype every_second;
  MPI_Type_vector(3, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read(file, spread, 1, every_second, MPI_STATUS_IGNORE);
  expect(spread[0] == rank && spread[1] == -1 && spread[2] == rank + 4 && spread[4] == rank + 8, "memory with gaps");
  MPI_Type_free(&every_second);
  /* A quarter of a 4 x 4 matrix. */
  MPI_Datatype quarter;
  int const sizes[2] = {4, 4}, parts[2] = {2, 2}, starts[2] = {2 * (rank / 2), 2 * (rank % 2)};
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &quarter);
  MPI_Type_commit(&quarter);
  MPI_File_set_view(file, 0, MPI_INT, quarter, "native", MPI_INFO_NULL);
  int const four[4] = {rank, rank, rank, rank};
  int matrix[16];
  MPI_File_write_at_all(file, 0, four, 4, MPI_INT, MPI_STATUS_IGNORE);
  for (int i = 0; i < 16; ++i) matrix[i] = 2 * (i / 8) + i / 2 % 2;
  expect(has(matrix, 16), "a matrix in quarters");
  MPI_Type_free(&quarter);
  MPI_File_close(&file);
}

static void shared_position(void) {
  MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_File_set_size(file, 0);
  int const mine[2] = {rank, -rank};
  int wanted[8], got[2] = {-1, -1}, sum = 0, one = -1;
  MPI_File_write_ordered(file, mine, 2, MPI_INT, MPI_STATUS_IGNORE);
  for (int i = 0; i < 8; ++i) wanted[i] = i % 2 ? -(i / 2) : i / 2;
  expect(has(wanted, 8), "one rank after the other");
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered(file, got, 2, MPI_INT, MPI_STATUS_IGNORE);
  expect(got[0] == rank && got[1] == -rank, "what is read in order");
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  for (int i = 0; i < 2; ++i) {
    MPI_File_read_shared(file, &one, 1, MPI_INT, MPI_STATUS_IGNORE);
    sum += one;
  }
  int all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Offset place = 0;
  MPI_File_get_position_shared(file, &place);
  expect(all == 0 && place == 32, "each int is read once");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Offset size = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_size(file, &size);
  expect(size == 48, "what is written at the shared position");
  MPI_File_close(&file);
}

static void modes(void) {
  MPI_File file = opened(MPI_MODE_RDONLY);
  expect(class_of(MPI_File_write_at(file, 0, &rank, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_READ_ONLY, "read only");
  int mode = 0;
  MPI_File_get_amode(file, &mode);
  expect(mode == MPI_MODE_RDONLY, "the mode");
  MPI_File_close(&file);
  int code = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  expect(class_of(code) == MPI_ERR_FILE_EXISTS, "the file exists");
  file = opened(MPI_MODE_WRONLY | MPI_MODE_APPEND);
  MPI_Offset place = 0;
  MPI_File_get_position(file, &place);
  expect(place == 48, "appending begins at the end");
  MPI_File_close(&file);
  file = opened(MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  code = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  expect(class_of(code) == MPI_ERR_NO_SUCH_FILE, "no such file");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(name, sizeof name, "%s.data", argc > 1 ? argv[1] : "files");
  error_handlers();
  offsets();
  views();
  shared_position();
  modes();
  int all = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("all is well\n");
  MPI_Finalize();
  return all != 0;
}

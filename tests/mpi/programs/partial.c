/* Messages that end within an element of the receiver's datatype: the elements of MPI's own types that have arrived are
 * delivered [MPI 4.1, 3.2.5], by every call that receives. On 2 processes. Rank 1 writes what it has received into the
 * file that the argument names. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { number = 12, elements = 2, longest = 4 };

static FILE* table;
static int rank;
static int buffer[2 * number]; /* the elements begin in the middle */

/* A type of ints, and where they lie, counted from the begin of the first element. */
typedef struct {
  char const* name;
  MPI_Datatype type;
  int ints, extent, place[longest];
} Layout;

static Layout layouts[5];

static void make_layouts(void) {
  int const ones[] = {1, 1, 1}, two_one[] = {2, 1};
  MPI_Aint const gaps[] = {0, 8}, around[] = {8, -4};
  MPI_Datatype const ints[] = {MPI_INT, MPI_INT};
  MPI_Datatype inner;
  layouts[0] = (Layout){"contiguous", MPI_DATATYPE_NULL, 2, 2, {0, 1}};
  MPI_Type_contiguous(2, MPI_INT, &layouts[0].type);
  layouts[1] = (Layout){"structure", MPI_DATATYPE_NULL, 3, 4, {0, 1, 2}};
  MPI_Type_create_struct(2, two_one, gaps, ints, &inner);
  MPI_Type_create_resized(inner, 0, 16, &layouts[1].type);
  MPI_Type_free(&inner);
  layouts[2] = (Layout){"vector", MPI_DATATYPE_NULL, 3, 5, {0, 2, 4}};
  MPI_Type_vector(3, 1, 2, MPI_INT, &layouts[2].type);
  layouts[3] = (Layout){"backwards", MPI_DATATYPE_NULL, 2, 4, {2, -1}};
  MPI_Type_create_hindexed(2, ones, around, MPI_INT, &layouts[3].type);
  layouts[4] = (Layout){"vectors", MPI_DATATYPE_NULL, 4, 4, {0, 2, 1, 3}};
  MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
  MPI_Datatype pair;
  MPI_Type_create_hvector(2, 1, 4, inner, &pair);
  MPI_Type_create_resized(pair, 0, 16, &layouts[4].type);
  MPI_Type_free(&inner);
  MPI_Type_free(&pair);
  for (int i = 0; i < 5; ++i) MPI_Type_commit(&layouts[i].type);
}

static int wrong = 0;

static void expect(int holds, char const* what) {
  if (holds) return;
  ++wrong;
  printf("rank %d: %s\n", rank, what);
}

static void clear(void) {
  for (int i = 0; i < 2 * number; ++i) buffer[i] = -1;
}

/* Whether the first n ints of a message are where they belong, and nothing else has changed. */
static void look(char const* call, Layout const* layout, int n, MPI_Status* status) {
  int found = 0, whole = 0, good = 1, wanted[2 * number];
  for (int i = 0; i < 2 * number; ++i) wanted[i] = -1;
  for (int i = 0; i < n; ++i) wanted[number + i / layout->ints * layout->extent + layout->place[i % layout->ints]] = 10 + i;
  good = memcmp(wanted, buffer, sizeof wanted) == 0;
  MPI_Get_elements(status, layout->type, &found);
  MPI_Get_count(status, layout->type, &whole);
  good = good && found == n && whole == (n % layout->ints == 0 ? n / layout->ints : MPI_UNDEFINED);
  expect(good, call);
  if (status->MPI_SOURCE != 0 || status->MPI_TAG != 7) expect(0, "the status");
  fprintf(table, "%s, %s, %d ints:", call, layout->name, n);
  for (int i = 0; i < 2 * number; ++i) fprintf(table, " %d", buffer[i]);
  fprintf(table, "; %d elements\n", found);
}

static int const message[] = {10, 11, 12, 13, 14, 15, 16, 17};

/* Each call that receives. `way` is a communicator on which rank 0 is the other one's source. */
static char const* received(int call, Layout const* layout, MPI_Comm way, MPI_Status* status) {
  int* const begin = buffer + number;
  int index = -1, flag = 0, done = 0;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status both[2];
  MPI_Message matched;
  MPI_Datatype const type = layout->type;
  if (call > 3 && call < 12) MPI_Irecv(begin, elements, type, 0, MPI_ANY_TAG, way, &requests[1]);
  switch (call) {
    case 0:
      MPI_Recv(begin, elements, type, MPI_ANY_SOURCE, 7, way, status);
      return "MPI_Recv";
    case 1:
      MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, begin, elements, type, 0, 7, way, status);
      return "MPI_Sendrecv";
    case 2:
      MPI_Mprobe(0, 7, way, &matched, MPI_STATUS_IGNORE);
      MPI_Mrecv(begin, elements, type, &matched, status);
      return "MPI_Mrecv";
    case 3:
      MPI_Mprobe(0, 7, way, &matched, MPI_STATUS_IGNORE);
      MPI_Imrecv(begin, elements, type, &matched, &requests[0]);
      MPI_Wait(&requests[0], status);
      return "MPI_Imrecv";
    case 4:
      MPI_Wait(&requests[1], status);
      return "MPI_Wait";
    case 5:
      MPI_Waitall(2, requests, both);
      *status = both[1];
      return "MPI_Waitall";
    case 6:
      MPI_Waitany(2, requests, &index, status);
      return index == 1 ? "MPI_Waitany" : "a wrong index";
    case 7:
      MPI_Waitsome(2, requests, &done, &index, status);
      return index == 1 && done == 1 ? "MPI_Waitsome" : "a wrong index";
    case 8:
      while (!flag) MPI_Test(&requests[1], &flag, status);
      return "MPI_Test";
    case 9:
      while (!flag) MPI_Testall(2, requests, &flag, both);
      *status = both[1];
      return "MPI_Testall";
    case 10:
      while (!flag || index == MPI_UNDEFINED) MPI_Testany(2, requests, &index, &flag, status);
      return index == 1 ? "MPI_Testany" : "a wrong index";
    case 11:
      while (done == 0) MPI_Testsome(2, requests, &done, &index, status);
      return index == 1 && done == 1 ? "MPI_Testsome" : "a wrong index";
    default:
      MPI_Recv_init(begin, elements, type, 0, 7, way, &requests[0]);
      MPI_Start(&requests[0]);
      MPI_Wait(&requests[0], status);
      MPI_Request_free(&requests[0]);
      return "MPI_Recv_init";
  }
}

static void every_call(void) {
  MPI_Comm between;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 0, &between);
  for (int call = 0; call < 13; ++call) {
    for (int i = 0; i < 5; ++i) {
      for (int n = 0; n <= elements * layouts[i].ints; ++n) {
        MPI_Comm const way = call < 2 && n % 2 == 1 ? between : MPI_COMM_WORLD;
        int const target = way == between ? 0 : 1;
        MPI_Status status;
        clear();
        if (rank == 0) MPI_Send(message, n, MPI_INT, target, 7, way);
        if (rank == 1) {
          char const* const name = received(call, &layouts[i], way, &status);
          look(name, &layouts[i], n, &status);
        }
      }
    }
  }
  MPI_Comm_free(&between);
}

/* The program frees the datatype while the receive waits for its message; the request is used twice. */
static void freed(void) {
  for (int persistent = 0; persistent < 2; ++persistent) {
    MPI_Datatype type;
    MPI_Request request;
    MPI_Status status;
    clear();
    if (rank == 1) {
      MPI_Type_vector(3, 1, 2, MPI_INT, &type);
      MPI_Type_commit(&type);
      if (persistent) MPI_Recv_init(buffer + number, elements, type, 0, 7, MPI_COMM_WORLD, &request);
      else MPI_Irecv(buffer + number, elements, type, 0, 7, MPI_COMM_WORLD, &request);
      MPI_Type_free(&type);
    }
    for (int n = 4; n <= 4 + persistent; ++n) {
      if (rank == 1 && persistent) MPI_Start(&request);
      MPI_Barrier(MPI_COMM_WORLD);
      if (rank == 0) MPI_Send(message, n, MPI_INT, 1, 7, MPI_COMM_WORLD);
      if (rank == 1) {
        MPI_Wait(&request, &status);
        look(persistent ? "a freed type, persistent" : "a freed type", &layouts[2], n, &status);
      }
    }
    if (rank == 1 && persistent) MPI_Request_free(&request);
  }
}

/* A type of addresses. */
static void from_bottom(void) {
  int const ones[] = {1, 1, 1};
  int a = -1, b = -1, c = -1, found = 0;
  MPI_Aint places[3];
  MPI_Datatype const ints[] = {MPI_INT, MPI_INT, MPI_INT};
  MPI_Datatype type;
  MPI_Status status;
  MPI_Get_address(&a, &places[0]);
  MPI_Get_address(&b, &places[1]);
  MPI_Get_address(&c, &places[2]);
  MPI_Type_create_struct(3, ones, places, ints, &type);
  MPI_Type_commit(&type);
  for (int n = 2; n <= 3; ++n) {
    if (rank == 0) MPI_Send(message, n, MPI_INT, 1, 7, MPI_COMM_WORLD);
    if (rank == 0) continue;
    MPI_Recv(MPI_BOTTOM, 1, type, 0, 7, MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, type, &found);
    expect(a == 10 && b == 11 && c == (n == 2 ? -1 : 12) && found == n, "a receive at MPI_BOTTOM");
    fprintf(table, "MPI_BOTTOM: %d %d %d; %d elements\n", a, b, c, found);
  }
  MPI_Type_free(&type);
}

/* The other rank's message may be shorter, empty, or too long. */
static void replaced(void) {
  MPI_Status status;
  int found = 0, other = 1 - rank, three[3] = {rank, rank + 10, rank + 20};
  Layout const* const backwards = &layouts[3];
  clear();
  buffer[number + 2] = 20 + rank;
  buffer[number - 1] = 30 + rank;
  if (rank == 0) MPI_Sendrecv(message, 1, MPI_INT, other, 7, buffer + number, 1, backwards->type, other, 7, MPI_COMM_WORLD, &status);
  if (rank == 1) MPI_Sendrecv_replace(buffer + number, 1, backwards->type, other, 7, other, 7, MPI_COMM_WORLD, &status);
  MPI_Get_elements(&status, backwards->type, &found);
  if (rank == 0) expect(buffer[number + 2] == 21 && buffer[number - 1] == 31 && found == 2, "what is sent is replaced");
  if (rank == 1) expect(buffer[number + 2] == 10 && buffer[number - 1] == 31 && found == 1, "a part is replaced");
  if (rank == 1) fprintf(table, "MPI_Sendrecv_replace: %d %d; %d elements\n", buffer[number + 2], buffer[number - 1], found);
  if (rank == 0) MPI_Sendrecv(&rank, 1, MPI_INT, other, 7, three, 3, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Sendrecv_replace(three, 3, MPI_INT, other, 7, other, 7, MPI_COMM_WORLD, &status);
  expect(three[0] == other && three[1] == 11 && three[2] == 21, "the rest of three ints stays");
  MPI_Sendrecv_replace(three, 0, MPI_INT, other, 7, other, 7, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &found);
  expect(found == 0 && status.MPI_SOURCE == other, "nothing is replaced");
  MPI_Sendrecv_replace(three, 1, MPI_INT, rank, 7, rank, 7, MPI_COMM_WORLD, &status);
  expect(three[0] == other && status.MPI_SOURCE == rank, "a rank replaces its own");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int code = MPI_Sendrecv(message, 3, MPI_INT, rank, 7, buffer + number, 1, backwards->type, rank, 7, MPI_COMM_WORLD, &status);
  int class = MPI_SUCCESS;
  MPI_Error_class(code, &class);
  expect(class == MPI_ERR_TRUNCATE, "a message of its own is too long");
  code = MPI_Sendrecv(message, 1 + 2 * rank, MPI_INT, other, 7, buffer + number, 1, backwards->type, other, 7, MPI_COMM_WORLD, &status);
  MPI_Error_class(code, &class);
  expect(class == (rank == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "a message is too long");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* MPI_Testall tells the status of what was complete long before the rest, and waits for nothing. */
static void tested_together(void) {
  int got[2] = {-1, -1}, flag = 0, early = 0, found = 0;
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[3];
  clear();
  if (rank == 0) {
    MPI_Send(message, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(message, 2, MPI_INT, 1, 8, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(buffer + number, 1, layouts[2].type, 0, 8, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&got[1], 0, MPI_INT, MPI_PROC_NULL, 8, MPI_COMM_WORLD, &requests[2]);
    for (int i = 0; i < 100; ++i) {
      MPI_Testall(3, requests, &flag, statuses);
      early |= flag;
    }
    MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
    while (!flag) MPI_Testall(3, requests, &flag, statuses);
    MPI_Get_elements(&statuses[1], layouts[2].type, &found);
    expect(!early && got[0] == 10 && buffer[number + 2] == 11 && buffer[number + 4] == -1, "all are tested together");
    expect(statuses[0].MPI_SOURCE == 0 && statuses[0].MPI_TAG == 7 && statuses[1].MPI_TAG == 8 && found == 2,
           "the statuses of requests that are tested together");
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  table = rank == 1 && argc > 1 ? fopen(argv[1], "w") : NULL;
  if (table == NULL) table = stderr;
  make_layouts();
  every_call();
  freed();
  from_bottom();
  replaced();
  tested_together();
  for (int i = 0; i < 5; ++i) MPI_Type_free(&layouts[i].type);
  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("all is well\n");
  if (table != stderr) fclose(table);
  MPI_Finalize();
  return wrong != 0;
}

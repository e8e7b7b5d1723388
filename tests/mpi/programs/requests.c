/* Generalized requests, and the status of requests that are not complete. Says "all is well" if every rank finds what
 * it expects. */

#include <mpi.h>
#include <stdio.h>

static int rank, ranks, wrong = 0;

static void expect(int holds, char const* what) {
  if (holds) return;
  ++wrong;
  printf("rank %d: %s\n", rank, what);
}

/* What has been done with a generalized request. */
typedef struct {
  int queried, freed, cancelled, was_complete;
} Work;

static int query(void* state, MPI_Status* status) {
  Work* const work = state;
  expect(!work->freed, "a request is queried before it is freed");
  ++work->queried;
  status->MPI_SOURCE = 5;
  status->MPI_TAG = 6;
  MPI_Status_set_elements(status, MPI_INT, 3);
  MPI_Status_set_cancelled(status, work->cancelled);
  return MPI_SUCCESS;
}

static int release(void* state) {
  ++((Work*)state)->freed;
  return MPI_SUCCESS;
}

static int cancel(void* state, int complete) {
  Work* const work = state;
  ++work->cancelled;
  work->was_complete = complete;
  return MPI_SUCCESS;
}

static MPI_Request begun(Work* work) {
  MPI_Request request;
  Work const nothing = {0, 0, 0, 0};
  *work = nothing;
  MPI_Grequest_start(query, release, cancel, work, &request);
  return request;
}

static void expect_status(MPI_Status const* status, int is_cancelled, char const* what) {
  int count = 0, elements = 0, flag = 0;
  MPI_Get_count(status, MPI_INT, &count);
  MPI_Get_elements((MPI_Status*)status, MPI_INT, &elements);
  MPI_Test_cancelled(status, &flag);
  expect(status->MPI_SOURCE == 5 && status->MPI_TAG == 6 && count == 3 && elements == 3, what);
  expect(!flag == !is_cancelled, what);
}

static void generalized(void) {
  Work work;
  MPI_Status status;
  int flag = 1;
  MPI_Request request = begun(&work);
  MPI_Test(&request, &flag, &status);
  expect(!flag, "MPI_Test of a request that is not complete");
  MPI_Request_get_status(request, &flag, &status);
  expect(!flag && work.queried == 0, "MPI_Request_get_status of a request that is not complete");
  MPI_Grequest_complete(request);
  MPI_Request_get_status(request, &flag, &status);
  expect(flag && work.queried == 1 && work.freed == 0 && request != MPI_REQUEST_NULL, "MPI_Request_get_status");
  expect_status(&status, 0, "the status of MPI_Request_get_status");
  MPI_Wait(&request, &status);
  expect(work.queried == 2 && work.freed == 1 && request == MPI_REQUEST_NULL, "MPI_Wait");
  expect_status(&status, 0, "the status of MPI_Wait");

  request = begun(&work);
  MPI_Grequest_complete(request);
  MPI_Test(&request, &flag, &status);
  expect(flag && work.queried == 1 && work.freed == 1 && request == MPI_REQUEST_NULL, "MPI_Test");
  expect_status(&status, 0, "the status of MPI_Test");

  request = begun(&work);
  MPI_Cancel(&request);
  expect(work.cancelled == 1 && work.was_complete == 0, "MPI_Cancel calls the function of the request");
  MPI_Grequest_complete(request);
  MPI_Wait(&request, &status);
  expect_status(&status, 1, "the status of a cancelled request");

  request = begun(&work);
  MPI_Grequest_complete(request);
  MPI_Request_free(&request);
  expect(work.queried == 0 && work.freed == 1 && request == MPI_REQUEST_NULL, "a complete request is freed at once");
  request = begun(&work);
  MPI_Request const copy = request;
  MPI_Request_free(&request);
  expect(work.freed == 0 && request == MPI_REQUEST_NULL, "a request that is freed goes on");
  MPI_Grequest_complete(copy);
  expect(work.queried == 0 && work.freed == 1, "a request that is freed ends");
}

/* A generalized request that is not complete delays nothing else. */
static void in_lists(void) {
  int const next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  int got = -1, index = -1, flag = 1, number = 0, indices[2];
  Work work;
  MPI_Request requests[2], send;
  MPI_Status statuses[2];
  for (int call = 0; call < 4; ++call) {
    requests[0] = begun(&work);
    MPI_Irecv(&got, 1, MPI_INT, before, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &send);
    if (call < 2) MPI_Waitany(2, requests, &index, statuses);
    if (call == 2) MPI_Waitsome(2, requests, &number, &index, statuses);
    for (flag = 0; call == 3 && !flag;) MPI_Testany(2, requests, &index, &flag, statuses);
    expect(index == 1 && got == before && work.queried == 0, "a message is complete before a generalized request");
    expect(requests[0] != MPI_REQUEST_NULL, "a request that is not complete");
    MPI_Grequest_complete(requests[0]);
    if (call == 0) MPI_Waitall(2, requests, statuses);
    if (call == 1) MPI_Waitany(2, requests, &index, statuses);
    if (call == 2) MPI_Testsome(2, requests, &number, indices, statuses);
    if (call == 3) MPI_Testall(2, requests, &flag, statuses);
    expect(work.queried == 1 && work.freed == 1 && requests[0] == MPI_REQUEST_NULL, "a completed list");
    expect_status(&statuses[0], 0, "the status in a list");
    MPI_Wait(&send, MPI_STATUS_IGNORE);
  }
}

static void expect_message(MPI_Status const* status, int source, char const* what) {
  int count = 0;
  MPI_Get_count(status, MPI_INT, &count);
  expect(status->MPI_SOURCE == source && status->MPI_TAG == 4 && count == 2, what);
}

/* The status of a receive tells whether the message is there, and leaves the request as it is. */
static void statuses_of_receives(void) {
  int const next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  int sent[2] = {rank, 7}, got[3] = {-1, -1, -1}, flag = 1;
  MPI_Request request, send, copy;
  MPI_Status status;
  for (int call = 0; call < 5; ++call) {
    MPI_Irecv(got, 3, MPI_INT, before, 4, MPI_COMM_WORLD, &request);
    MPI_Request_get_status(request, &flag, &status);
    expect(!flag, "a message that is not sent");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(sent, 2, MPI_INT, next, 4, MPI_COMM_WORLD, &send);
    copy = request;
    for (flag = 0; !flag;) MPI_Request_get_status(request, &flag, &status);
    expect_message(&status, before, "MPI_Request_get_status of a message");
    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    expect(flag && request == copy && got[0] == before && got[1] == 7 && got[2] == -1, "a message that is there");
    status.MPI_SOURCE = status.MPI_TAG = -7;
    if (call == 0) MPI_Wait(&request, &status);
    if (call == 1) MPI_Test(&request, &flag, &status);
    if (call == 2) MPI_Waitall(1, &request, &status);
    if (call == 3) MPI_Cancel(&request), MPI_Waitany(1, &request, &flag, &status);
    if (call == 4) MPI_Request_free(&request);
    if (call != 4) expect_message(&status, before, "a message is completed after MPI_Request_get_status");
    expect(request == MPI_REQUEST_NULL, "a request that is completed");
    for (flag = 0; !flag;) MPI_Request_get_status(send, &flag, &status);
    MPI_Wait(&send, &status);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* A receive that is cancelled keeps MPI_Waitall from nothing. */
static void cancelled_in_a_list(void) {
  int const next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  int got[3] = {-1, -1, -1}, flag = 0;
  MPI_Request requests[3], sends[2];
  MPI_Status statuses[3];
  for (int i = 0; i < 3; ++i) MPI_Irecv(&got[i], 1, MPI_INT, before, i, MPI_COMM_WORLD, &requests[i]);
  MPI_Cancel(&requests[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) MPI_Isend(&rank, 1, MPI_INT, next, 2 * i, MPI_COMM_WORLD, &sends[i]);
  MPI_Waitall(3, requests, statuses);
  for (int i = 0; i < 3; ++i) {
    MPI_Test_cancelled(&statuses[i], &flag);
    expect(!flag == (i != 1) && got[i] == (i == 1 ? -1 : before), "a list with a cancelled receive");
  }
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
}

static void expect_empty(MPI_Request* request, char const* what) {
  MPI_Status statuses[3];
  int flag = 0, count = -1;
  for (int i = 0; i < 3; ++i) statuses[i].MPI_SOURCE = statuses[i].MPI_TAG = 10;
  MPI_Request_get_status(*request, &flag, &statuses[0]);
  expect(flag, what);
  MPI_Test(request, &flag, &statuses[1]);
  expect(flag, what);
  MPI_Wait(request, &statuses[2]);
  for (int i = 0; i < 3; ++i) {
    MPI_Get_count(&statuses[i], MPI_INT, &count);
    expect(statuses[i].MPI_SOURCE == MPI_ANY_SOURCE && statuses[i].MPI_TAG == MPI_ANY_TAG && count == 0, what);
  }
}

/* An inactive persistent request has an empty status, before its first use and after others. */
static void inactive_requests(void) {
  int const next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  int got = -1;
  MPI_Request requests[2];
  MPI_Send_init(&rank, 1, MPI_INT, next, 6, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&got, 1, MPI_INT, before, 6, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) expect_empty(&requests[i], "a persistent request that has not been started");
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; ++i) expect_empty(&requests[i], "a persistent request that is inactive again");
  for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
}

/* A persistent message keeps its datatype when the program frees it. */
static void freed_datatypes(void) {
  int const next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  int word = 0, got = -1;
  MPI_Datatype types[2];
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) MPI_Type_dup(MPI_INT, &types[i]);
  MPI_Send_init(&word, 1, types[0], next, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&got, 1, types[1], before, 5, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) MPI_Type_free(&types[i]);
  for (int i = 0; i < 3; ++i) {
    word = 10 * rank + i;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect(got == 10 * before + i && types[0] == MPI_DATATYPE_NULL, "a persistent message of a freed datatype");
  }
  for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
}

/* The number of MPI's own elements, which may end within an element of the datatype. */
static void elements(void) {
  int const lengths[] = {1, 2};
  MPI_Aint const places[] = {0, 8};
  MPI_Datatype const parts[] = {MPI_DOUBLE, MPI_INT};
  MPI_Datatype type;
  MPI_Status status;
  int found, whole;
  MPI_Type_create_struct(2, lengths, places, parts, &type);
  MPI_Type_commit(&type);
  for (int number = 0; number < 8; ++number) {
    MPI_Status_set_elements(&status, type, number);
    MPI_Get_elements(&status, type, &found);
    MPI_Get_count(&status, type, &whole);
    expect(found == number && whole == (number % 3 == 0 ? number / 3 : MPI_UNDEFINED), "elements of a structure");
  }
  MPI_Status_set_elements_x(&status, MPI_DOUBLE, 4);
  MPI_Get_count(&status, MPI_DOUBLE, &found);
  MPI_Get_count(&status, MPI_INT, &whole);
  expect(found == 4 && whole == 8, "elements of a message");
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  generalized();
  in_lists();
  statuses_of_receives();
  cancelled_in_a_list();
  freed_datatypes();
  inactive_requests();
  elements();
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("all is well\n");
  MPI_Finalize();
  return all != 0;
}

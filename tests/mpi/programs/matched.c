// Matched probes: whoever has probed a message receives it, whatever else is received meanwhile. The error codes of
// statuses stay.
#include <mpi.h>
#include <stdio.h>

enum { unused_code = 77 };
static int wrong = 0;

static void expect_nothing(MPI_Status const* status) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  wrong += status->MPI_SOURCE != MPI_PROC_NULL || status->MPI_TAG != MPI_ANY_TAG || count != 0;
  wrong += status->MPI_ERROR != unused_code;
}

static void without_a_partner(void) {
  int word = 5, found = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Request request;
  MPI_Status status;
  status.MPI_ERROR = unused_code;
  MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status);
  expect_nothing(&status);
  wrong += message != MPI_MESSAGE_NO_PROC || MPI_Message_f2c(MPI_Message_c2f(message)) != MPI_MESSAGE_NO_PROC;
  MPI_Mrecv(&word, 1, MPI_INT, &message, &status);
  expect_nothing(&status);
  wrong += message != MPI_MESSAGE_NULL;
  MPI_Improbe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &found, &message, &status);
  expect_nothing(&status);
  wrong += !found || message != MPI_MESSAGE_NO_PROC;
  MPI_Imrecv(&word, 1, MPI_INT, &message, &request);
  wrong += message != MPI_MESSAGE_NULL || request == MPI_REQUEST_NULL;
  MPI_Test(&request, &found, &status);
  expect_nothing(&status);
  wrong += !found || word != 5;
#ifdef MPI_INTER  // of rondo/mpi.h
  wrong += MPI_MESSAGE_NO_PROC == MPI_MESSAGE_NULL;
  wrong += MPI_Message_c2f(MPI_MESSAGE_NO_PROC) == MPI_Message_c2f(MPI_MESSAGE_NULL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  wrong += MPI_Mrecv(&word, 1, MPI_INT, &message, &status) == MPI_SUCCESS;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
#endif
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Pcontrol(1);
  without_a_partner();
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
    status.MPI_ERROR = unused_code;
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
    wrong += found || status.MPI_ERROR != unused_code;
  }
  if (rank == 0 && wrong == 0) printf("all is well\n");
  MPI_Finalize();
  return wrong;
}

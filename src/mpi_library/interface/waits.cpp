// The C interface of the functions that complete requests, for MPI's requests and Rondo's
// (graph/request_completion.hpp).

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/graph/request_completion.hpp"
#include "rondo/topology.h"

namespace {

/// Makes a call with a list of requests, which may be a null pointer if it is empty.
template <typename Call>
int with(int count, MPI_Request requests[], Call const& call) {
  if (count < 0) return MPI_ERR_COUNT;
  if (count > 0 && requests == nullptr) return MPI_ERR_ARG;
  int code = MPI_SUCCESS;
  int const guard = rondo::mpi::guarded([&] { code = call(std::span(requests, static_cast<std::size_t>(count))); });
  return guard != MPI_SUCCESS ? guard : code;
}

template <typename Call>
int with(MPI_Request* request, Call const& call) {
  return with(1, request, [&](std::span<MPI_Request> one) { return call(one.data()); });
}

using Requests = std::span<MPI_Request>;

}  // namespace

int Rondo_Start(MPI_Request* request) {
  return with(request, [](MPI_Request* one) { return rondo::mpi::start(one); });
}

int Rondo_Startall(int count, MPI_Request requests[]) {
  return with(count, requests, [](Requests all) { return rondo::mpi::start_all(all); });
}

int Rondo_Wait(MPI_Request* request, MPI_Status* status) {
  return with(request, [&](MPI_Request* one) { return rondo::mpi::wait(one, status); });
}

int Rondo_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return with(count, requests, [&](Requests all) { return rondo::mpi::wait_all(all, statuses); });
}

int Rondo_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return with(count, requests, [&](Requests all) { return rondo::mpi::wait_any(all, index, status); });
}

int Rondo_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  return with(incount, requests, [&](Requests all) { return rondo::mpi::wait_some(all, outcount, indices, statuses); });
}

int Rondo_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return with(request, [&](MPI_Request* one) { return rondo::mpi::test(one, flag, status); });
}

int Rondo_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return with(count, requests, [&](Requests all) { return rondo::mpi::test_all(all, flag, statuses); });
}

int Rondo_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return with(count, requests, [&](Requests all) { return rondo::mpi::test_any(all, index, flag, status); });
}

int Rondo_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  return with(incount, requests, [&](Requests all) { return rondo::mpi::test_some(all, outcount, indices, statuses); });
}

int Rondo_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  int code = MPI_SUCCESS;
  int const guard = rondo::mpi::guarded([&] { code = rondo::mpi::get_status(request, flag, status); });
  return guard != MPI_SUCCESS ? guard : code;
}

int Rondo_Request_free(MPI_Request* request) {
  return with(request, [](MPI_Request* one) { return rondo::mpi::free_request(one); });
}

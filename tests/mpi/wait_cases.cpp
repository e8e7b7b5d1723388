// Requests of neighborhood collectives among those of messages: every call that completes requests.

#include <fmt/format.h>

#include <array>
#include <memory>

#include "mpi/cases.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "rondo/topology.h"

namespace rondo::mpi::testing {
namespace {

/// A ring with four requests: a collective, a message to the next rank, one from the last rank, another collective.
class WaitTraffic {
 public:
  explicit WaitTraffic(World const& world)
      : world_(world), next_((world.rank + 1) % world.size), last_((world.rank + world.size - 1) % world.size) {
    Rondo_Dist_graph_create_adjacent(world.comm, 1, &last_, MPI_UNWEIGHTED, 1, &next_, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                     &comm_);
  }
  ~WaitTraffic() { MPI_Comm_free(&comm_); }
  WaitTraffic(WaitTraffic const&) = delete;
  WaitTraffic& operator=(WaitTraffic const&) = delete;

  /// Ranks start the collectives in the same order, but the messages anywhere between.
  void begin(int number) {
    value_ = world_.rank * 100 + number;
    received_.fill(-1);
    requests.fill(MPI_REQUEST_NULL);
    if (world_.rank % 2 == 0) post_messages();
    Rondo_Ineighbor_allgather(&value_, 1, MPI_INT, &received_[0], 1, MPI_INT, comm_, &requests[0]);
    Rondo_Ineighbor_alltoall(&value_, 1, MPI_INT, &received_[3], 1, MPI_INT, comm_, &requests[3]);
    if (world_.rank % 2 != 0) post_messages();
  }

  void check(int number, char const* call, Report& report) const {
    int const from_last = last_ * 100 + number;
    report.expect(received_ == std::array{from_last, -1, from_last, from_last}, fmt::format("{}: what arrived", call));
    for (MPI_Request const request : requests) {
      report.expect(request == MPI_REQUEST_NULL, fmt::format("{}: requests are gone", call));
    }
  }

  std::array<MPI_Request, 4> requests{};
  MPI_Comm comm() const { return comm_; }
  int last() const { return last_; }

 private:
  void post_messages() {
    MPI_Isend(&value_, 1, MPI_INT, next_, 3, world_.comm, &requests[1]);
    MPI_Irecv(&received_[2], 1, MPI_INT, last_, 3, world_.comm, &requests[2]);
  }

  World world_;
  int next_, last_, value_ = 0;
  std::array<int, 4> received_{};
  MPI_Comm comm_ = MPI_COMM_NULL;
};

void one_after_the_other(World const& world, Report& report) {
  WaitTraffic traffic(world);
  traffic.begin(1);
  for (std::size_t i : {3, 1, 0, 2}) {
    MPI_Status status;
    report.expect_code(Rondo_Wait(&traffic.requests[i], &status), MPI_SUCCESS, "Rondo_Wait");
    if (i == 2) report.expect(status.MPI_SOURCE == traffic.last(), "the status of a message");
  }
  traffic.check(1, "Rondo_Wait", report);
  traffic.begin(2);
  for (MPI_Request& request : traffic.requests) {
    for (int done = 0; done == 0;) Rondo_Test(&request, &done, MPI_STATUS_IGNORE);
  }
  traffic.check(2, "Rondo_Test", report);
}

void together(World const& world, Report& report) {
  WaitTraffic traffic(world);
  std::array<MPI_Status, 4> statuses;
  traffic.begin(1);
  report.expect_code(Rondo_Waitall(4, traffic.requests.data(), statuses.data()), MPI_SUCCESS, "Rondo_Waitall");
  report.expect(statuses[2].MPI_SOURCE == traffic.last() && statuses[2].MPI_TAG == 3, "the status of a message");
  traffic.check(1, "Rondo_Waitall", report);
  traffic.begin(2);
  report.expect_code(Rondo_Waitall(4, traffic.requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS, "Rondo_Waitall");
  traffic.check(2, "Rondo_Waitall without statuses", report);
  traffic.begin(3);
  for (int done = 0; done == 0;) Rondo_Testall(4, traffic.requests.data(), &done, statuses.data());
  traffic.check(3, "Rondo_Testall", report);
  report.expect_code(Rondo_Waitall(4, traffic.requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS, "nothing is left");
}

void any(World const& world, Report& report) {
  WaitTraffic traffic(world);
  traffic.begin(1);
  int seen = 0, index = 0;
  for (int k = 0; k < 4; ++k) {
    report.expect_code(Rondo_Waitany(4, traffic.requests.data(), &index, MPI_STATUS_IGNORE), MPI_SUCCESS, "Waitany");
    seen |= 1 << index;
  }
  report.expect(seen == 15, "Rondo_Waitany: each once");
  traffic.check(1, "Rondo_Waitany", report);
  Rondo_Waitany(4, traffic.requests.data(), &index, MPI_STATUS_IGNORE);
  report.expect(index == MPI_UNDEFINED, "Rondo_Waitany: nothing is left");
  traffic.begin(2);
  seen = 0;
  while (seen != 15) {
    int done = 0;
    Rondo_Testany(4, traffic.requests.data(), &index, &done, MPI_STATUS_IGNORE);
    if (done != 0 && index != MPI_UNDEFINED) seen |= 1 << index;
  }
  traffic.check(2, "Rondo_Testany", report);
}

void some(World const& world, Report& report) {
  WaitTraffic traffic(world);
  for (int number = 1; number <= 2; ++number) {
    traffic.begin(number);
    int seen = 0;
    while (seen != 15) {
      std::array<int, 4> indices{};
      int count = 0;
      auto const call = number == 1 ? Rondo_Waitsome : Rondo_Testsome;
      report.expect_code(call(4, traffic.requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS,
                         "Waitsome or Testsome");
      for (int k = 0; k < count; ++k) seen += 1 << indices[static_cast<std::size_t>(k)];
    }
    traffic.check(number, number == 1 ? "Rondo_Waitsome" : "Rondo_Testsome", report);
  }
}

void persistent(World const& world, Report& report) {
  WaitTraffic traffic(world);
  int sent = 0;
  std::array<int, 2> received{};
  std::array<MPI_Request, 2> requests{};
  Rondo_Neighbor_allgather_init(&sent, 1, MPI_INT, &received[0], 1, MPI_INT, traffic.comm(), MPI_INFO_NULL,
                                &requests[0]);
  Rondo_Neighbor_alltoall_init(&sent, 1, MPI_INT, &received[1], 1, MPI_INT, traffic.comm(), MPI_INFO_NULL,
                               &requests[1]);
  report.expect_code(Rondo_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_SUCCESS, "to wait for an inactive request");
  for (int round = 0; round < 3; ++round) {
    sent = world.rank * 10 + round;
    received = {-1, -1};
    report.expect_code(Rondo_Startall(2, requests.data()), MPI_SUCCESS, "Rondo_Startall");
    report.expect_code(Rondo_Start(&requests[0]), MPI_ERR_REQUEST, "to start twice");
    report.expect_code(Rondo_Request_free(&requests[0]), MPI_ERR_REQUEST, "to free what is active");
    report.expect_code(Rondo_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS, "Rondo_Waitall");
    int const value = traffic.last() * 10 + round;
    report.expect(received == std::array{value, value}, "what arrived in this round");
  }
  int done = 0;
  report.expect_code(Rondo_Request_get_status(requests[0], &done, MPI_STATUS_IGNORE), MPI_SUCCESS, "get_status");
  report.expect(done == 1, "an inactive request is complete");
  for (MPI_Request& request : requests) report.expect_code(Rondo_Request_free(&request), MPI_SUCCESS, "free");
  report.expect(requests[0] == MPI_REQUEST_NULL, "the request is gone");
}

/// MPI lets callers free a datatype as soon as a call has been given it; the request is started later.
void persistent_with_freed_datatype(World const& world, Report& report) {
  WaitTraffic traffic(world);
  MPI_Datatype every_other = MPI_DATATYPE_NULL, other = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  std::array<int, 4> const sent{world.rank, -2, world.rank + 1, -3};
  std::array<int, 4> received{-1, -1, -1, -1};
  MPI_Request request = MPI_REQUEST_NULL;
  Rondo_Neighbor_alltoall_init(sent.data(), 1, every_other, received.data(), 1, every_other, traffic.comm(),
                               MPI_INFO_NULL, &request);
  MPI_Type_free(&every_other);
  // It may take the place of the freed one.
  MPI_Type_contiguous(2, MPI_INT, &other);
  MPI_Type_commit(&other);
  for (int round = 0; round < 2; ++round) {
    received = {-1, -1, -1, -1};
    report.expect_code(Rondo_Start(&request), MPI_SUCCESS, "Rondo_Start");
    report.expect_code(Rondo_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS, "Rondo_Wait");
    report.expect(received == std::array{traffic.last(), -1, traffic.last() + 1, -1}, "every other integer arrives");
  }
  Rondo_Request_free(&request);
  MPI_Type_free(&other);
}

/// An operation that a barrier of the MPI library carries out, and whose start or last step fails.
class FailingOperation : public RequestOperation {
 public:
  enum class Fails { start, finish };
  FailingOperation(MPI_Comm comm, Fails fails) : comm_(comm), fails_(fails) {}

  void start() override {
    if (fails_ == Fails::start) throw MpiFailure(MPI_ERR_OP);
    mpi::check(PMPI_Ibarrier(comm_, &request_));
  }
  bool active() const override { return request_ != MPI_REQUEST_NULL; }
  void wait() override { mpi::check(PMPI_Wait(&request_, MPI_STATUS_IGNORE)); }
  void finish() override { throw MpiFailure(MPI_ERR_OP); }
  std::shared_ptr<MPI_Comm const> comm() const override { return nullptr; }
  MPI_Request* mpi_request() override { return &request_; }

 private:
  MPI_Comm comm_;
  Fails fails_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

MPI_Request make_failing(World const& world) {
  return make_handle(std::make_unique<FailingOperation>(world.comm, FailingOperation::Fails::finish), Lifetime::once);
}

/// MPI_Waitsome and MPI_Testsome report an error of Rondo's own last step, which the MPI library does not know.
/// MPI_Wait returns it, and leaves the error code of the status alone.
void failing_last_step(World const& world, Report& report) {
  MPI_Request alone = make_failing(world);
  MPI_Status seen{};
  seen.MPI_ERROR = MPI_ERR_DIMS;
  report.expect_code(Rondo_Wait(&alone, &seen), MPI_ERR_OP, "Wait of a failing operation");
  report.expect(seen.MPI_ERROR == MPI_ERR_DIMS, "Wait leaves the error code of the status");
  for (auto const call : {Rondo_Waitsome, Rondo_Testsome}) {
    for (bool const ignored : {false, true}) {
      MPI_Request request = make_failing(world);
      int count = 0, index = -1, code = MPI_SUCCESS;
      MPI_Status status{};
      while (count == 0) code = call(1, &request, &count, &index, ignored ? MPI_STATUSES_IGNORE : &status);
      report.expect_code(code, MPI_ERR_IN_STATUS, "Waitsome or Testsome of a failing operation");
      if (!ignored) report.expect_code(status.MPI_ERROR, MPI_ERR_OP, "the status of a failing operation");
      report.expect(count == 1 && index == 0 && request == MPI_REQUEST_NULL, "a failing operation is complete");
    }
  }
}

/// An operation that cannot be started leaves no handle, for which every later call would look in vain.
void failing_start(World const& world, Report& report) {
  MPI_Barrier(world.comm);
  int code = MPI_SUCCESS;
  try {
    make_handle(std::make_unique<FailingOperation>(world.comm, FailingOperation::Fails::start), Lifetime::once);
  } catch (MpiFailure const& failure) {
    code = failure.code();
  }
  report.expect_code(code, MPI_ERR_OP, "a start that fails");
  MPI_Barrier(world.comm);
  report.expect(!any_handles(), "no handle is left");
  MPI_Barrier(world.comm);
}

}  // namespace

std::vector<TestCase> wait_cases() {
  return {{"requests_one_after_the_other", one_after_the_other},
          {"requests_together", together},
          {"any_request", any},
          {"some_requests", some},
          {"persistent_neighbor_collectives", persistent},
          {"persistent_neighbor_collectives_with_a_freed_datatype", persistent_with_freed_datatype},
          {"an_operation_whose_last_step_fails", failing_last_step},
          {"an_operation_that_cannot_be_started", failing_start}};
}

}  // namespace rondo::mpi::testing

// Inter-communicators against MPI's own, bit for bit.

#include <algorithm>
#include <array>
#include <cstdlib>

#include "mpi/cases.hpp"
#include "rondo/collectives.h"
#include "rondo/sparse_exchange.h"

namespace rondo::mpi::testing {
namespace {

using Ints = std::vector<int>;

/// Rank 0 and every third one against all others; a communicator of ours and MPI's own.
class TwoGroups {
 public:
  TwoGroups(World const& world, Report& report) : low_(world.rank % 3 == 0) {
    MPI_Comm_split(world.comm, low_ ? 1 : 0, world.rank, &local_);
    report.expect_code(Rondo_Intercomm_create(local_, 0, world.comm, low_ ? 1 : 0, 5, &ours), MPI_SUCCESS, "create");
    MPI_Intercomm_create(local_, 0, world.comm, low_ ? 1 : 0, 6, &theirs);
    MPI_Comm_rank(local_, &rank);
    MPI_Comm_size(local_, &size);
    MPI_Comm_remote_size(theirs, &remote_size);
  }
  ~TwoGroups() {
    for (MPI_Comm* comm : {&local_, &ours, &theirs}) MPI_Comm_free(comm);
  }
  TwoGroups(TwoGroups const&) = delete;
  TwoGroups& operator=(TwoGroups const&) = delete;

  bool low() const { return low_; }
  /// The last rank of the low group.
  int root() const { return !low_ ? remote_size - 1 : rank == size - 1 ? MPI_ROOT : MPI_PROC_NULL; }
  MPI_Comm ours = MPI_COMM_NULL, theirs = MPI_COMM_NULL;
  int rank = 0, size = 0, remote_size = 0;

 private:
  bool low_;
  MPI_Comm local_ = MPI_COMM_NULL;
};

void queries(TwoGroups const& groups, Report& report) {
  int flag = 0, type = 0, remote = 0, ours = -1, theirs = -2;
  Rondo_Comm_test_inter(groups.ours, &flag);
  Rondo_Topo_test(groups.ours, &type);
  Rondo_Comm_remote_size(groups.ours, &remote);
  report.expect(flag == 1 && type == MPI_INTER && remote == groups.remote_size, "what it is");
  for (int const high : {0, 1}) {
    // The low group asks for the place that its number says, the other one for the other.
    MPI_Comm merged = MPI_COMM_NULL, expected = MPI_COMM_NULL;
    Rondo_Intercomm_merge(groups.ours, groups.low() ? high : 1 - high, &merged);
    MPI_Intercomm_merge(groups.theirs, groups.low() ? high : 1 - high, &expected);
    MPI_Comm_rank(merged, &ours);
    MPI_Comm_rank(expected, &theirs);
    report.expect(ours == theirs, "the ranks of a merged communicator");
    MPI_Comm_free(&merged);
    MPI_Comm_free(&expected);
  }
}

/// Runs both and compares all that was received.
template <typename Ours, typename Theirs>
void compare(TwoGroups const& groups, Ours ours, Theirs theirs, char const* what, Report& report) {
  Ints mine(100, -1), expected(100, -1);
  report.expect_code(ours(mine.data(), groups.ours), MPI_SUCCESS, what);
  theirs(expected.data(), groups.theirs);
  report.expect(mine == expected, what);
}

void intercommunicators(World const& world, Report& report) {
  if (world.size < 3) return;
  TwoGroups const groups(world, report);
  queries(groups, report);
  Ints sent(40);
  for (int i = 0; i < 40; ++i) sent[static_cast<std::size_t>(i)] = 1000 * world.rank + i;
  int const mine = groups.low() ? 2 : 3, other = groups.low() ? 3 : 2, root = groups.root();
  int* const data = sent.data();
  for (char const* algorithm : {"group_allgather", "root_gathering"}) {
    setenv("RONDO_INTER_ALLGATHER", algorithm, 1);
    compare(
        groups, [&](int* to, MPI_Comm comm) { return Rondo_Allgather(data, mine, MPI_INT, to, other, MPI_INT, comm); },
        [&](int* to, MPI_Comm comm) { return MPI_Allgather(data, mine, MPI_INT, to, other, MPI_INT, comm); }, algorithm,
        report);
  }
  unsetenv("RONDO_INTER_ALLGATHER");
  compare(
      groups, [&](int* to, MPI_Comm comm) { return Rondo_Alltoall(data, 2, MPI_INT, to, 2, MPI_INT, comm); },
      [&](int* to, MPI_Comm comm) { return MPI_Alltoall(data, 2, MPI_INT, to, 2, MPI_INT, comm); }, "Alltoall", report);
  compare(
      groups, [&](int* to, MPI_Comm comm) { return Rondo_Gather(data, 3, MPI_INT, to, 3, MPI_INT, root, comm); },
      [&](int* to, MPI_Comm comm) { return MPI_Gather(data, 3, MPI_INT, to, 3, MPI_INT, root, comm); }, "Gather",
      report);
  compare(
      groups, [&](int* to, MPI_Comm comm) { return Rondo_Scatter(data, 3, MPI_INT, to, 3, MPI_INT, root, comm); },
      [&](int* to, MPI_Comm comm) { return MPI_Scatter(data, 3, MPI_INT, to, 3, MPI_INT, root, comm); }, "Scatter",
      report);
  compare(
      groups, [&](int* to, MPI_Comm comm) { return Rondo_Reduce(data, to, 4, MPI_INT, MPI_SUM, root, comm); },
      [&](int* to, MPI_Comm comm) { return MPI_Reduce(data, to, 4, MPI_INT, MPI_SUM, root, comm); }, "Reduce", report);
  compare(
      groups, [&](int* to, MPI_Comm comm) { return Rondo_Allreduce(data, to, 4, MPI_INT, MPI_MAX, comm); },
      [&](int* to, MPI_Comm comm) { return MPI_Allreduce(data, to, 4, MPI_INT, MPI_MAX, comm); }, "Allreduce", report);
  auto const broadcast = [&](auto function) {
    return [&, function](int* to, MPI_Comm comm) {
      if (root == MPI_ROOT) std::copy(sent.begin(), sent.end(), to);
      return function(to, 40, MPI_INT, root, comm);
    };
  };
  compare(groups, broadcast(&Rondo_Bcast), broadcast(&MPI_Bcast), "Bcast", report);
  report.expect_code(Rondo_Barrier(groups.ours), MPI_SUCCESS, "Barrier");
}

void overlapping_groups(World const& world, Report& report) {
  MPI_Comm inter = world.comm;
  report.expect_code(Rondo_Intercomm_create(world.comm, 0, world.comm, 0, 7, &inter), MPI_ERR_COMM,
                     "a group with itself");
  report.expect(inter == MPI_COMM_NULL, "no communicator after an error");
  int size = 0;
  report.expect_code(Rondo_Comm_remote_size(world.comm, &size), MPI_ERR_COMM, "no inter-communicator");
}

std::string said_of_exchange;
void listen_to_exchange(char const* text) { said_of_exchange = text; }

/// Its messages to a rank's own number would be for another one.
void sparse_exchange_of_two_groups(World const& world, Report& report) {
  if (world.size < 2) return;
  TwoGroups const groups(world, report);
  Rondo_comm_on_error(listen_to_exchange);
  Rondo_comm_init(groups.theirs);
  report.expect(said_of_exchange == "comm_init: expected a communicator of one group, got an inter-communicator",
                "comm_init: " + said_of_exchange);
  said_of_exchange.clear();
  Rondo_comm_init(world.comm);
  Rondo_comm_finalize();
  report.expect(said_of_exchange.empty(), "UNINIT after an error: " + said_of_exchange);
}

/// MPI's own names of collectives without blocking, and of what completes them, are this library's.
void requests_by_name(World const& world, Report& report) {
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  int value = world.rank, sum = -1, told = world.rank;
  setenv("RONDO_ALLREDUCE_ALGORITHM", "fastest", 1);
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  report.expect(MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, own, requests) == MPI_ERR_ARG || world.size == 1,
                "an algorithm that there is not");
  setenv("RONDO_ALLREDUCE_ALGORITHM", "recursive_doubling", 1);
  setenv("RONDO_BCAST_ALGORITHM", "binomial", 1);
  MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, own, &requests[0]);
  MPI_Ibcast(&told, 1, MPI_INT, world.size - 1, own, &requests[1]);
  MPI_Ibarrier(own, &requests[2]);  // the library's own
  unsetenv("RONDO_ALLREDUCE_ALGORITHM");
  unsetenv("RONDO_BCAST_ALGORITHM");
  report.expect(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS, "an error");
  for (MPI_Request const request : requests) report.expect(request == MPI_REQUEST_NULL, "a request that is left");
  report.expect(sum == world.size * (world.size - 1) / 2, "another sum");
  report.expect(told == world.size - 1, "another broadcast");
  MPI_Comm_free(&own);
}

}  // namespace

std::vector<TestCase> platform_cases() {
  return {{"intercommunicators_do_what_mpis_own_do", intercommunicators},
          {"collectives_by_choice_without_blocking_bear_mpis_names", requests_by_name},
          {"groups_that_overlap", overlapping_groups},
          {"a_sparse_exchange_of_two_groups_is_refused", sparse_exchange_of_two_groups}};
}

}  // namespace rondo::mpi::testing

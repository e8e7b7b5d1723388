// Inter-group all-to-all broadcast: every byte at every receiver, by every algorithm and by the library's collectives.

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "mpi/cases.hpp"
#include "rondo/intergroup.h"

namespace rondo::mpi::testing {
namespace {

using InfoPairs = std::vector<std::pair<char const*, char const*>>;

std::vector<InfoPairs> fully_connected() {
  std::vector<InfoPairs> result;
  for (char const* algorithm : {"group_allgather", "root_gathering"}) {
    for (char const* broadcast : {"binomial", "scatter_allgather", "scatter_ring_allgather", "multiple_messages"}) {
      for (char const* allgather : {"bruck", "recursive_doubling", "ring"}) {
        result.push_back({{"algorithm", algorithm}, {"allgather", allgather}, {"broadcast", broadcast}});
      }
    }
    result.push_back({{"algorithm", algorithm}, {"building_blocks", "mpi"}});
  }
  return result;
}

std::vector<InfoPairs> all_options(int senders, int receivers) {
  std::vector<InfoPairs> result = fully_connected();
  result.push_back({{"algorithm", "ring_allgather"}});
  result.push_back({{"algorithm", "ring_optimal"}});
  if (senders >= receivers) {
    for (char const* allgather : {"bruck", "recursive_doubling", "ring"})
      result.push_back({{"algorithm", "receiver_allgather"}, {"allgather", allgather}});
  }
  if (senders % 2 == 0 && receivers % 2 == 0) result.push_back({{"algorithm", "ring_sequences"}});
  result.push_back({{"algorithm", "torus_rings"}});
  if (senders % 2 == 0 && senders + receivers == 4) result.push_back({{"algorithm", "torus_rings"}, {"torus", "2,2"}});
  if (senders % 2 == 0 && senders + receivers == 6) result.push_back({{"algorithm", "torus_rings"}, {"torus", "3,2"}});
  if (senders == 4 && receivers == 4) result.push_back({{"algorithm", "torus_rings"}, {"torus", "2,2,2"}});
  return result;
}

void set(MPI_Comm groupcomm, InfoPairs const& info, Report& report) {
  for (auto const& [option, value] : info) {
    report.expect_code(Rondo_Intergroup_option_set(groupcomm, option, value), MPI_SUCCESS, option);
  }
}

/// Back to what a new communicator has.
void reset(MPI_Comm groupcomm, Report& report) {
  set(groupcomm,
      {{"algorithm", "group_allgather"},
       {"allgather", "bruck"},
       {"broadcast", "binomial"},
       {"building_blocks", "schedule"},
       {"torus", ""}},
      report);
}

std::string name(int senders, int receivers, InfoPairs const& info) {
  std::string text = fmt::format("{} senders, {} receivers", senders, receivers);
  for (auto const& [option, value] : info) text += fmt::format(", {}", value);
  return text;
}

/// Which ranks send, and which of them a rank is among the senders or the receivers.
struct Roles {
  std::vector<char> sends;

  int senders() const { return static_cast<int>(std::count(sends.begin(), sends.end(), char{1})); }
  bool is_sender(int rank) const { return sends[static_cast<std::size_t>(rank)] != 0; }
  int index(int rank) const {
    char const mine = sends[static_cast<std::size_t>(rank)];
    return static_cast<int>(std::count(sends.begin(), sends.begin() + rank, mine));
  }
};

int element(int sender, int k, int turn) { return 1000 * (sender + 1) + k + 100000 * turn; }

constexpr int untouched = -7;

/// A block of `count` integers a sender, twice over the same request.
void exchange(World const& world, Roles const& roles, MPI_Comm groupcomm, int count, std::string const& what,
              Report& report) {
  bool const sender = roles.is_sender(world.rank);
  int const p = roles.senders();
  std::vector<int> send(static_cast<std::size_t>(sender ? count : 0));
  std::vector<int> receive(static_cast<std::size_t>(p * count + 1), untouched);
  Rondo_Intergroup_request request = RONDO_INTERGROUP_REQUEST_NULL;
  int const made = Rondo_Intergroup_allgather_init(send.data(), receive.data(), count, MPI_INT, groupcomm, &request);
  report.expect_code(made, MPI_SUCCESS, what + ": init");
  if (request == RONDO_INTERGROUP_REQUEST_NULL) return;
  for (int turn = 0; turn < 2; ++turn) {
    for (std::size_t k = 0; k < send.size(); ++k) {
      send[k] = element(roles.index(world.rank), static_cast<int>(k), turn);
    }
    report.expect_code(Rondo_Intergroup_start(&request), MPI_SUCCESS, what + ": start");
    std::vector<int> expected(receive.size(), untouched);
    for (int i = 0; i < (sender ? 0 : p * count); ++i) {
      expected[static_cast<std::size_t>(i)] = element(i / count, i % count, turn);
    }
    report.expect(receive == expected, what + ": other integers");
  }
  report.expect_code(Rondo_Intergroup_request_free(&request), MPI_SUCCESS, what + ": free");
  report.expect(request == RONDO_INTERGROUP_REQUEST_NULL, what + ": a freed request is null");
}

/// The senders have blocks of different numbers of integers, some of them empty.
void exchange_of_sizes(World const& world, Roles const& roles, MPI_Comm groupcomm, std::string const& what,
                       Report& report) {
  int const p = roles.senders();
  std::vector<int> counts, expected;
  for (int i = 0; i < p; ++i) {
    counts.push_back((3 * i + 2) % 5);
    for (int k = 0; k < counts.back(); ++k) expected.push_back(element(i, k, 0));
  }
  expected.push_back(untouched);
  std::vector<int> receive(expected.size(), untouched), send;
  bool const sender = roles.is_sender(world.rank);
  int const own = sender ? counts[static_cast<std::size_t>(roles.index(world.rank))] : 0;
  for (int k = 0; k < own; ++k) send.push_back(element(roles.index(world.rank), k, 0));
  Rondo_Intergroup_request request = RONDO_INTERGROUP_REQUEST_NULL;
  report.expect_code(
      Rondo_Intergroup_allgatherv_init(send.data(), receive.data(), counts.data(), MPI_INT, groupcomm, &request),
      MPI_SUCCESS, what + ": init of sizes");
  if (request == RONDO_INTERGROUP_REQUEST_NULL) return;
  report.expect_code(Rondo_Intergroup_start(&request), MPI_SUCCESS, what + ": start of sizes");
  if (!sender) report.expect(receive == expected, what + ": other integers of other sizes");
  report.expect_code(Rondo_Intergroup_request_free(&request), MPI_SUCCESS, what + ": free");
}

bool by_library(InfoPairs const& info) {
  return std::ranges::any_of(info, [](auto const& each) { return std::string_view(each.second) == "mpi"; });
}

void exchange_by_all(World const& world, Roles const& roles, int salt, Report& report) {
  MPI_Comm groupcomm = MPI_COMM_NULL;
  int const created = Rondo_Intergroup_create(world.comm, roles.is_sender(world.rank) ? 1 : 0, &groupcomm);
  report.expect_code(created, MPI_SUCCESS, "create");
  if (groupcomm == MPI_COMM_NULL) return;
  int p = 0;
  int q = 0;
  report.expect_code(Rondo_Intergroup_sizes(groupcomm, &p, &q), MPI_SUCCESS, "sizes");
  report.expect(p == roles.senders() && q == world.size - p, "the sizes of the groups");
  int combination = salt;
  for (InfoPairs const& info : all_options(p, q)) {
    ++combination;
    if (world.effort == Effort::sampled && combination % (world.size > 4 ? 4 : 2) != 0) continue;
    reset(groupcomm, report);
    set(groupcomm, info, report);
    // Blocks that are cut in segments of unequal size, of one element, and empty ones.
    for (int const count : {5, 1, 0}) {
      if (world.effort == Effort::sampled && count != (combination % 3 == 0 ? 1 : 5)) continue;
      exchange(world, roles, groupcomm, count, name(p, q, info), report);
    }
    if (!by_library(info)) exchange_of_sizes(world, roles, groupcomm, name(p, q, info), report);
  }
  MPI_Comm_free(&groupcomm);
}

void every_split(World const& world, Report& report) {
  for (int p = 1; p < world.size; ++p) {
    Roles roles{std::vector<char>(static_cast<std::size_t>(world.size), 0)};
    std::fill_n(roles.sends.begin(), p, char{1});
    exchange_by_all(world, roles, p, report);
  }
}

/// The groups lie in the communicator in any order.
void interleaved(World const& world, Report& report) {
  if (world.size < 2) return;
  Roles roles{std::vector<char>(static_cast<std::size_t>(world.size), 0)};
  for (std::size_t r = 1; r < roles.sends.size(); r += 2) roles.sends[r] = 1;
  exchange_by_all(world, roles, 0, report);
  if (world.size < 3) return;
  for (char& sends : roles.sends) sends = sends == 0 ? 1 : 0;
  exchange_by_all(world, roles, 1, report);
}

/// Ranks of one half are senders to the other ranks of that half, while the other half does the same.
void halves(World const& world, Report& report) {
  if (world.size < 4) return;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(world.comm, world.rank % 2, -world.rank, &half);
  World part{half, 0, 0, world.effort};
  MPI_Comm_rank(half, &part.rank);
  MPI_Comm_size(half, &part.size);
  Roles roles{std::vector<char>(static_cast<std::size_t>(part.size), 0)};
  roles.sends[0] = 1;
  exchange_by_all(part, roles, world.rank % 2, report);
  MPI_Comm_free(&half);
}

void expect_init(MPI_Comm groupcomm, int count, MPI_Datatype type, int expected, char const* what, Report& report) {
  std::vector<int> data(64);
  std::vector<int> into(1024);
  Rondo_Intergroup_request request = RONDO_INTERGROUP_REQUEST_NULL;
  int const code = Rondo_Intergroup_allgather_init(data.data(), into.data(), count, type, groupcomm, &request);
  report.expect_code(code, expected, fmt::format("init with {}", what));
  report.expect((request == RONDO_INTERGROUP_REQUEST_NULL) == (expected != MPI_SUCCESS), "no request after an error");
  if (request != RONDO_INTERGROUP_REQUEST_NULL) Rondo_Intergroup_request_free(&request);
}

/// Ranks pass wrong sizes for the block of the only sender.
void wrong_sizes(MPI_Comm groupcomm, bool culprit, Report& report) {
  int data[4] = {};
  int const two = 2, other = 3, negative = -1;
  Rondo_Intergroup_request request = RONDO_INTERGROUP_REQUEST_NULL;
  auto const init = [&](int const* counts) {
    return Rondo_Intergroup_allgatherv_init(data, data, counts, MPI_INT, groupcomm, &request);
  };
  report.expect_code(init(culprit ? &other : &two), MPI_ERR_NOT_SAME, "another size of a sender");
  report.expect_code(init(culprit ? &negative : &two), MPI_ERR_COUNT, "a negative size");
  report.expect_code(init(culprit ? nullptr : &two), MPI_ERR_ARG, "no sizes");
  report.expect_code(
      culprit ? Rondo_Intergroup_allgather_init(data, data, 2, MPI_INT, groupcomm, &request) : init(&two),
      MPI_ERR_NOT_SAME, "one size among sizes of senders");
  report.expect_code(Rondo_Intergroup_allgather_init(data, data, 2, MPI_INT, groupcomm, culprit ? nullptr : &request),
                     MPI_ERR_ARG, "no place for the request at one rank");
  set(groupcomm, {{"building_blocks", "mpi"}}, report);
  report.expect_code(init(&two), MPI_ERR_ARG, "sizes with the library's collectives");
  report.expect(request == RONDO_INTERGROUP_REQUEST_NULL, "no request after an error");
  reset(groupcomm, report);
}

/// One rank is wrong, and every rank is told.
void wrong_intergroup_requests(World const& world, Report& report) {
  if (world.size < 2) return;
  bool const culprit = world.rank == world.size - 1;
  MPI_Comm groupcomm = MPI_COMM_NULL;
  report.expect_code(Rondo_Intergroup_create(world.comm, world.rank == 0 ? 1 : 0, &groupcomm), MPI_SUCCESS, "create");
  MPI_Datatype gaps = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  expect_init(groupcomm, culprit ? 2 : 1, MPI_INT, MPI_ERR_NOT_SAME, "another size", report);
  expect_init(groupcomm, culprit ? -1 : 1, MPI_INT, MPI_ERR_COUNT, "a negative count", report);
  expect_init(groupcomm, 1, culprit ? MPI_DATATYPE_NULL : MPI_INT, MPI_ERR_TYPE, "no datatype", report);
  expect_init(groupcomm, 1, culprit ? gaps : MPI_INT, MPI_ERR_TYPE, "a datatype with gaps", report);
  set(groupcomm, {{"broadcast", culprit ? "scatter_allgather" : "binomial"}}, report);
  expect_init(groupcomm, 1, MPI_INT, MPI_ERR_NOT_SAME, "another broadcast", report);
  reset(groupcomm, report);
  set(groupcomm, {{"algorithm", "ring_sequences"}}, report);
  expect_init(groupcomm, 1, MPI_INT, MPI_ERR_DIMS, "an odd number of senders", report);
  set(groupcomm, {{"algorithm", "torus_rings"}, {"torus", "2,2,2,2,2"}}, report);
  expect_init(groupcomm, 1, MPI_INT, MPI_ERR_DIMS, "a torus of other ranks", report);
  std::string const ring = fmt::format("{}", world.size), with_one = ring + ",1";
  set(groupcomm, {{"torus", culprit ? with_one.c_str() : ring.c_str()}}, report);
  expect_init(groupcomm, 1, MPI_INT, MPI_ERR_NOT_SAME, "another torus", report);
  report.expect_code(Rondo_Intergroup_option_set(groupcomm, "torus", "2,,2"), MPI_ERR_ARG, "a torus without extents");
  report.expect_code(Rondo_Intergroup_option_set(groupcomm, "torus", "65536,65536"), MPI_ERR_DIMS, "a torus too large");
  set(groupcomm, {{"algorithm", "ring_optimal"}, {"building_blocks", "mpi"}}, report);
  expect_init(groupcomm, 1, MPI_INT, MPI_ERR_ARG, "a ring of the library's collectives", report);
  reset(groupcomm, report);
  wrong_sizes(groupcomm, culprit, report);
  expect_init(groupcomm, 1, MPI_INT, MPI_SUCCESS, "nothing wrong", report);
  MPI_Type_free(&gaps);
  MPI_Comm_free(&groupcomm);
}

void wrong_handles(World const& world, Report& report) {
  MPI_Comm groupcomm = world.comm;
  report.expect_code(Rondo_Intergroup_create(world.comm, 1, &groupcomm), MPI_ERR_GROUP, "create without receivers");
  report.expect(groupcomm == MPI_COMM_NULL, "no communicator after an error");
  report.expect_code(Rondo_Intergroup_create(world.comm, 0, &groupcomm), MPI_ERR_GROUP, "create without senders");
  report.expect_code(Rondo_Intergroup_create(MPI_COMM_NULL, 1, &groupcomm), MPI_ERR_COMM, "create on no communicator");
  report.expect_code(Rondo_Intergroup_create(world.comm, 1, nullptr), MPI_ERR_ARG, "create without a result");
  int p = 0;
  int q = 0;
  report.expect_code(Rondo_Intergroup_sizes(world.comm, &p, &q), MPI_ERR_TOPOLOGY, "sizes without groups");
  report.expect_code(Rondo_Intergroup_option_set(world.comm, "algorithm", "group_allgather"), MPI_ERR_TOPOLOGY,
                     "an option without groups");
  Rondo_Intergroup_request request = RONDO_INTERGROUP_REQUEST_NULL;
  report.expect_code(Rondo_Intergroup_allgather_init(&p, &q, 1, MPI_INT, MPI_COMM_NULL, &request), MPI_ERR_COMM,
                     "init without a communicator");
  report.expect_code(Rondo_Intergroup_start(&request), MPI_ERR_REQUEST, "start of no request");
  report.expect_code(Rondo_Intergroup_request_free(&request), MPI_ERR_REQUEST, "free of no request");
  if (world.size < 2) return;
  int const is_sender = world.rank == 0 ? 1 : 0;
  for (int const culprit : {0, world.size - 1}) {
    MPI_Comm* const kept = world.rank == culprit ? nullptr : &groupcomm;
    report.expect_code(Rondo_Intergroup_create(world.comm, is_sender, kept), MPI_ERR_ARG,
                       "create without a result at one rank");
    report.expect(groupcomm == MPI_COMM_NULL, "no communicator after an error at another rank");
  }
  report.expect_code(Rondo_Intergroup_create(world.comm, is_sender, &groupcomm), MPI_SUCCESS, "create");
  report.expect_code(Rondo_Intergroup_option_set(groupcomm, "algorithm", "ring_optima"), MPI_ERR_ARG,
                     "an unknown value");
  report.expect_code(Rondo_Intergroup_option_set(groupcomm, "algoritm", "ring_optimal"), MPI_ERR_ARG,
                     "an unknown option");
  report.expect_code(Rondo_Intergroup_option_set(groupcomm, nullptr, "bruck"), MPI_ERR_ARG, "no option");
  MPI_Comm_free(&groupcomm);
}

}  // namespace

std::vector<TestCase> intergroup_cases() {
  return {{"bring_every_block_to_every_receiver", every_split},
          {"take_groups_that_lie_in_any_order", interleaved},
          {"serve_two_communicators_at_the_same_time", halves},
          {"tell_every_rank_of_a_wrong_intergroup_request", wrong_intergroup_requests},
          {"refuse_wrong_intergroup_handles", wrong_handles}};
}

}  // namespace rondo::mpi::testing

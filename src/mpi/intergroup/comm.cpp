#include "mpi/intergroup/comm.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "mpi/runtime/attached.hpp"
#include "mpi/runtime/communicator_kind.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

template <typename Enum, std::size_t N>
Enum named(std::array<std::pair<std::string_view, Enum>, N> const& words, std::string_view name) {
  auto const found = std::find_if(words.begin(), words.end(), [&](auto const& word) { return word.first == name; });
  if (found == words.end()) throw MpiFailure(MPI_ERR_ARG);
  return found->second;
}

using Options = IntergroupOptions;

constexpr std::array<std::pair<std::string_view, Options::Algorithm>, 5> algorithms{
    {{"group_allgather", Options::Algorithm::group_allgather},
     {"root_gathering", Options::Algorithm::root_gathering},
     {"ring_sequences", Options::Algorithm::ring_sequences},
     {"ring_allgather", Options::Algorithm::ring_allgather},
     {"ring_optimal", Options::Algorithm::ring_optimal}}};
constexpr std::array<std::pair<std::string_view, IntraAllgather>, 3> allgathers{
    {{"bruck", IntraAllgather::bruck},
     {"recursive_doubling", IntraAllgather::recursive_doubling},
     {"ring", IntraAllgather::ring}}};
constexpr std::array<std::pair<std::string_view, Broadcast>, 3> broadcasts{
    {{"binomial", Broadcast::binomial},
     {"scatter_allgather", Broadcast::scatter_allgather},
     {"scatter_ring_allgather", Broadcast::scatter_ring_allgather}}};
constexpr std::array<std::pair<std::string_view, Options::BuildingBlocks>, 2> building_block_kinds{
    {{"schedule", Options::BuildingBlocks::schedule}, {"mpi", Options::BuildingBlocks::mpi}}};

}  // namespace

void IntergroupOptions::set(std::string_view option, std::string_view value) {
  if (option == "algorithm") {
    algorithm = named(algorithms, value);
  } else if (option == "allgather") {
    allgather = named(allgathers, value);
  } else if (option == "broadcast") {
    broadcast = named(broadcasts, value);
  } else if (option == "building_blocks") {
    building_blocks = named(building_block_kinds, value);
  } else {
    throw MpiFailure(MPI_ERR_ARG);
  }
}

std::shared_ptr<IntergroupComm> intergroup_of(MPI_Comm comm, bool is_sender) {
  expect_intra(comm);
  int ranks = 0;
  int rank = 0;
  check(MPI_Comm_size(comm, &ranks));
  check(MPI_Comm_rank(comm, &rank));
  auto ordered = std::make_unique<SubComm>(comm, 0, is_sender ? rank : ranks + rank);
  MPI_Comm_set_errhandler(ordered->handle(), MPI_ERRORS_RETURN);
  int const mine = is_sender ? 1 : 0;
  int senders = 0;
  check(MPI_Allreduce(&mine, &senders, 1, MPI_INT, MPI_SUM, ordered->handle()));
  if (senders == 0 || senders == ranks) throw MpiFailure(MPI_ERR_GROUP);
  IntergroupComm content{std::move(ordered), Groups(senders, ranks - senders)};
  check(MPI_Comm_rank(content.ordered->handle(), &content.rank.value));
  return std::make_shared<IntergroupComm>(std::move(content));
}

MPI_Comm create_intergroup_comm(MPI_Comm comm, bool is_sender) {
  auto content = intergroup_of(comm, is_sender);
  MPI_Comm result = MPI_COMM_NULL;
  check(MPI_Comm_dup(comm, &result));
  Attached<IntergroupComm>::attach(result, std::move(content));
  return result;
}

}  // namespace rondo::mpi

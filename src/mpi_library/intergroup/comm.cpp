// Makes communicators of two groups: a communicator in which the senders come first, and the options of its
// collectives.

#include "mpi_library/intergroup/comm.hpp"

#include <optional>
#include <utility>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/communicator_kind.hpp"

namespace rondo::mpi {

namespace {

/// Sets the option to the value with this name. Throws MpiFailure with MPI_ERR_ARG if no value has it.
template <typename Enum>
void set_value(Enum& option, std::string_view name) {
  std::optional<Enum> const value = value_of<Enum>(name);
  if (!value) throw MpiFailure(MPI_ERR_ARG);
  option = *value;
}

/// Reads the extents of a torus; unset for an empty text. Throws MpiFailure: MPI_ERR_ARG for any other text without
/// extents, MPI_ERR_DIMS for a torus with too many ranks.
std::optional<Torus> torus_in(std::string_view text) {
  auto const extents = extents_in(text);
  if (!extents) throw MpiFailure(MPI_ERR_ARG);
  if (extents->empty()) return std::nullopt;
  try {
    return Torus(*extents);
  } catch (InputError const&) {
    throw MpiFailure(MPI_ERR_DIMS);
  }
}

}  // namespace

void set_option(problem::Intergroup& problem, std::string_view option, std::string_view value) {
  if (option == "algorithm") {
    set_value(problem.algorithm, value);
  } else if (option == "allgather") {
    set_value(problem.allgather, value);
  } else if (option == "broadcast") {
    set_value(problem.broadcast, value);
  } else if (option == "building_blocks") {
    set_value(problem.building_blocks, value);
  } else if (option == "torus") {
    problem.torus = torus_in(value);
  } else {
    throw MpiFailure(MPI_ERR_ARG);
  }
}

/// Senders get the lower ranks of the ordered communicator, as schedules number them.
std::shared_ptr<IntergroupComm> intergroup_of(MPI_Comm comm, bool is_sender, int code) {
  expect_intra(comm);
  int ranks = 0;
  int rank = 0;
  check(MPI_Comm_size(comm, &ranks));
  check(MPI_Comm_rank(comm, &rank));
  auto ordered = std::make_unique<SubComm>(comm, 0, is_sender ? rank : ranks + rank);
  // Errors on it become MpiFailures. The handler that it inherits may abort the program.
  MPI_Comm_set_errhandler(ordered->handle(), MPI_ERRORS_RETURN);
  check(agree(ordered->handle(), {code, {}}));
  int const mine = is_sender ? 1 : 0;
  int senders = 0;
  check(PMPI_Allreduce(&mine, &senders, 1, MPI_INT, MPI_SUM, ordered->handle()));
  if (senders == 0 || senders == ranks) throw MpiFailure(MPI_ERR_GROUP);
  IntergroupComm content{std::move(ordered), {Groups(senders, ranks - senders), Bytes(0)}};
  check(MPI_Comm_rank(content.ordered->handle(), &content.rank.value));
  return std::make_shared<IntergroupComm>(std::move(content));
}

/// The state is an attribute of a duplicate of the communicator.
MPI_Comm create_intergroup_comm(MPI_Comm comm, bool is_sender, int code) {
  auto content = intergroup_of(comm, is_sender, code);
  MPI_Comm result = MPI_COMM_NULL;
  check(MPI_Comm_dup(comm, &result));
  Attached<IntergroupComm>::attach(result, std::move(content));
  return result;
}

}  // namespace rondo::mpi

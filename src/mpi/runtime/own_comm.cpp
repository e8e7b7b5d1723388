// Makes and duplicates communicators, and carries error handlers over. Under SMPI the numbers of communicators can be
// drawn beforehand: the broadcast by which SMPI tells ranks a new number is replaced while a communicator is made.

#include "mpi/runtime/own_comm.hpp"

#include <numeric>

#include "mpi/runtime/failure.hpp"

#ifdef SMPI_H
// SMPI's broadcast function. SimGrid's library exports it, but no installed header declares it. Among other things,
// it tells the ranks of a new communicator the communicator's number.
namespace simgrid::smpi::colls {
__attribute__((weak)) extern int (*bcast)(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
}
#endif

namespace rondo::mpi {

#ifdef SMPI_H

namespace {

using Bcast = int (*)(void*, int, MPI_Datatype, int, MPI_Comm);

// Simulated ranks take turns. No rank runs between the moment when the library's broadcast is replaced and the
// moment when the replacement is called and restores it, so that no other rank ever calls the replacement.
Bcast usual_bcast = nullptr;
int number_in_hand = 0;

int take_number(void* buffer, int, MPI_Datatype, int, MPI_Comm) {
  simgrid::smpi::colls::bcast = usual_bcast;
  number_in_hand = *static_cast<int*>(buffer);
  return MPI_SUCCESS;
}

int give_number(void* buffer, int, MPI_Datatype, int, MPI_Comm) {
  simgrid::smpi::colls::bcast = usual_bcast;
  *static_cast<int*>(buffer) = number_in_hand;
  return MPI_SUCCESS;
}

/// Makes a communicator while `instead` takes the place of the broadcast that carries its number.
template <typename Make>
int with_bcast(Bcast instead, Make const& make) {
  usual_bcast = simgrid::smpi::colls::bcast;
  simgrid::smpi::colls::bcast = instead;
  int const code = make();
  // If the call failed, it may not have reached the broadcast, which then restores nothing.
  if (simgrid::smpi::colls::bcast == instead) simgrid::smpi::colls::bcast = usual_bcast;
  return code;
}

}  // namespace

bool CommNumbers::available() { return &simgrid::smpi::colls::bcast != nullptr; }

/// Makes communicators of this rank alone, to learn numbers that no communicator has.
CommNumbers CommNumbers::draw() {
  CommNumbers numbers;
  MPI_Group self = MPI_GROUP_NULL;
  check(PMPI_Comm_group(MPI_COMM_SELF, &self));
  for (int& number : numbers.drawn) {
    MPI_Comm alone = MPI_COMM_NULL;
    check(with_bcast(take_number, [&] { return PMPI_Comm_create(MPI_COMM_SELF, self, &alone); }));
    number = number_in_hand;
    check(PMPI_Comm_free(&alone));
  }
  check(PMPI_Group_free(&self));
  return numbers;
}

/// Makes a communicator with the next number, if numbers have been drawn.
template <typename Make>
MPI_Comm NewComms::made(Make const& make) {
  MPI_Comm result = MPI_COMM_NULL;
  if (!numbered_) {
    check(make(&result));
    return result;
  }
  if (numbers_.empty()) throw MpiFailure(MPI_ERR_INTERN);
  number_in_hand = numbers_.front();
  numbers_ = numbers_.subspan(1);
  check(with_bcast(give_number, [&] { return make(&result); }));
  return result;
}

#else

bool CommNumbers::available() { return false; }

CommNumbers CommNumbers::draw() { throw MpiFailure(MPI_ERR_INTERN); }

template <typename Make>
MPI_Comm NewComms::made(Make const& make) {
  if (numbered_) throw MpiFailure(MPI_ERR_INTERN);
  MPI_Comm result = MPI_COMM_NULL;
  check(make(&result));
  return result;
}

#endif

MPI_Comm NewComms::duplicate(MPI_Comm original) {
  return made([&](MPI_Comm* result) { return PMPI_Comm_dup(original, result); });
}

MPI_Comm NewComms::duplicate(MPI_Comm original, MPI_Info info) {
  return made([&](MPI_Comm* result) { return PMPI_Comm_dup_with_info(original, info, result); });
}

MPI_Comm NewComms::of_group(MPI_Comm original, MPI_Group group) {
  return made([&](MPI_Comm* result) { return PMPI_Comm_create(original, group, result); });
}

/// Errors on it return codes, which become exceptions.
OwnComm::OwnComm(MPI_Comm original) {
  // The name PMPI_ is necessary: librondo_mpi's own MPI_Comm_dup also copies a topology, and needs an OwnComm for
  // that.
  check(PMPI_Comm_dup(original, &comm_));
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

OwnComm::OwnComm(MPI_Comm original, int color, int key) {
  check(PMPI_Comm_split(original, color, key, &comm_));
  if (comm_ != MPI_COMM_NULL) MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

OwnComm::OwnComm(MPI_Comm original, NewComms& comms) : comm_(comms.duplicate(original)) {
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

OwnComm::OwnComm(MPI_Comm original, MPI_Group group, NewComms& comms) : comm_(comms.of_group(original, group)) {
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

OwnComm::~OwnComm() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

OwnGroup::OwnGroup(MPI_Comm comm) { check(MPI_Comm_group(comm, &group_)); }

OwnGroup::OwnGroup(OwnGroup const& whole, std::vector<int> const& ranks) {
  check(MPI_Group_incl(whole.group_, static_cast<int>(ranks.size()), ranks.data(), &group_));
}

std::vector<int> OwnGroup::translated(std::vector<int> const& ranks, OwnGroup const& into) const {
  std::vector<int> result(ranks.size());
  check(MPI_Group_translate_ranks(group_, static_cast<int>(ranks.size()), ranks.data(), into.group_, result.data()));
  return result;
}

std::vector<int> ranks_below(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// A communicator that is made for the caller reports errors as the original does.
void inherit_errhandler(MPI_Comm from, MPI_Comm into) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  check(MPI_Comm_get_errhandler(from, &handler));
  check(MPI_Comm_set_errhandler(into, handler));
  // Some MPIs return their own handler, others a new reference. This frees both correctly.
  if (handler != MPI_ERRORS_RETURN && handler != MPI_ERRORS_ARE_FATAL) MPI_Errhandler_free(&handler);
}

/// The standard guarantees 32767.
int largest_tag(MPI_Comm comm) {
  int* bound = nullptr;
  int found = 0;
  check(MPI_Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&bound), &found));
  constexpr int least_bound = 32767;
  return found != 0 ? *bound : least_bound;
}

}  // namespace rondo::mpi

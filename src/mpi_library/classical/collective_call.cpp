#include "mpi_library/classical/collective_call.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/classical/classical_comm.hpp"
#include "mpi_library/classical/classical_request.hpp"

namespace rondo::mpi {
namespace {

using enum ClassicalCollective;

std::optional<Party> party_of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return std::nullopt;
  int inter = 0;
  Party party;
  check(MPI_Comm_test_inter(comm, &inter));
  if (inter != 0) return std::nullopt;
  check(MPI_Comm_rank(comm, &party.rank));
  check(MPI_Comm_size(comm, &party.ranks));
  if (party.ranks == 1) return std::nullopt;
  return party;
}

std::shared_ptr<ClassicalComm> carried_by(MPI_Comm comm) {
  auto known = std::make_shared<ClassicalComm>();
  known->carrier = comm;
  Attached<ClassicalComm>::attach(comm, known);
  return known;
}

/// Whether `count` elements can be there.
bool usable(void const* buffer, int count, MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL || count < 0) return false;
  return count == 0 || buffer != nullptr || !dense(type);  // else their addresses may be absolute
}

bool none_is_negative(int const* counts, int ranks) {
  return counts != nullptr && std::all_of(counts, counts + ranks, [](int n) { return n >= 0; });
}

/// Whether the lists that this rank has of a v variant are there.
bool usable_counts(CollectiveCall const& call, Party party) {
  if (!call.by_counts) return true;
  bool const is_root = party.rank == call.root;
  bool const gets = call.collective == gather ? is_root : call.collective != scatter;
  bool const gives = call.collective == scatter ? is_root : call.collective == alltoall && call.send != MPI_IN_PLACE;
  bool const placed = call.collective == reduce_scatter || call.displacements != nullptr;
  if (gets && !(placed && none_is_negative(call.counts, party.ranks))) return false;
  return !gives || (call.send_displacements != nullptr && none_is_negative(call.send_counts, party.ranks));
}

bool usable_reduction([[maybe_unused]] MPI_Datatype type, MPI_Op op) {
  if (op == MPI_OP_NULL) return false;
#ifdef SMPI_H
  // SMPI looks at an operation and its type together in its own collectives; in MPI_Reduce_local it ends the program.
  char from = 0;
  char into = 0;
  if (PMPI_Allreduce(&from, &into, 0, type, op, MPI_COMM_SELF) != MPI_SUCCESS) return false;
#endif
  return true;
}

/// Whether the arguments of this rank are right, as far as it can tell. What else is wrong with them the MPI library
/// says itself.
bool usable(CollectiveCall const& call, Party party) {
  if (call.collective == barrier) return true;
  bool const is_root = party.rank == call.root;
  bool const rooted = has_root(call.collective);
  if (rooted && (call.root < 0 || call.root >= party.ranks)) return false;
  if (call.collective == bcast) return call.send != MPI_IN_PLACE && usable(call.send, call.send_count, call.send_type);
  if (!usable_counts(call, party)) return false;
  bool const gets = !rooted || is_root || call.collective == scatter;
  bool const gives = !rooted || is_root || call.collective != scatter;
  bool const in_place = call.send == MPI_IN_PLACE;
  if (in_place && rooted && (!is_root || call.collective == scatter)) return false;
  if (call.receive == MPI_IN_PLACE && !(call.collective == scatter && is_root)) return false;
  if (gets && call.receive != MPI_IN_PLACE && !usable(call.receive, call.receive_count, call.receive_type))
    return false;
  if (gives && !in_place && !usable(call.send, call.send_count, call.send_type)) return false;
  return !reduces(call.collective) || usable_reduction(call.send_type, call.op);
}

Bytes bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  check(MPI_Type_size(type, &size));
  return Bytes(std::int64_t{size} * count);
}

/// The sizes of a v variant, as far as this rank knows them: the others are nothing, for only other ranks look at them.
problem::BlockSizes known_sizes(CollectiveCall const& call, Party party) {
  bool const by_pairs = call.collective == alltoall;
  bool const is_root = party.rank == call.root;
  auto const p = static_cast<std::size_t>(party.ranks);
  auto const self = static_cast<std::size_t>(party.rank);
  std::vector<Bytes> each(by_pairs ? p * p : p, Bytes(0));
  bool const gets = call.collective == gather ? is_root : call.collective != scatter;
  bool const gives = (call.collective == scatter && is_root) || (by_pairs && call.send != MPI_IN_PLACE);
  for (std::size_t i = 0; i < p; ++i) {
    if (gets) each[by_pairs ? i * p + self : i] = bytes_of(call.counts[i], call.receive_type);
    if (gives) each[by_pairs ? self * p + i : i] = bytes_of(call.send_counts[i], call.send_type);
    if (by_pairs && !gives) each[self * p + i] = bytes_of(call.counts[i], call.receive_type);
  }
  if (call.collective == gather && !is_root) each[self] = bytes_of(call.send_count, call.send_type);
  if (call.collective == scatter && !is_root) each[self] = bytes_of(call.receive_count, call.receive_type);
  return {*std::max_element(each.begin(), each.end()), each};
}

/// The sizes of the schedule's blocks, by its Unit.
problem::BlockSizes sizes_of(CollectiveCall const& call, Party party) {
  if (call.collective == barrier) return Bytes(0);
  if (call.by_counts && reduces(call.collective)) {
    std::vector<Bytes> each(call.counts, call.counts + party.ranks);
    return {*std::max_element(each.begin(), each.end()), each};
  }
  if (call.by_counts) return known_sizes(call, party);
  if (call.collective == reduce_scatter) return Bytes(call.receive_count);
  if (reduces(call.collective)) return Bytes(call.send_count);
  bool const sent =
      call.collective == bcast || (call.collective == scatter ? party.rank == call.root : call.send != MPI_IN_PLACE);
  return sent ? bytes_of(call.send_count, call.send_type) : bytes_of(call.receive_count, call.receive_type);
}

/// Throws InputError where others would have to know the sizes of this rank.
void expect_own_sizes_do(CollectiveCall const& call, problem::ClassicalAlgorithm algorithm) {
  using enum problem::ClassicalAlgorithm;
  bool const told = call.collective == allgather || call.collective == reduce_scatter;
  if (!call.by_counts || told) return;
  for (auto const straight : {linear, linear_sync, linear_nb, spread_out, pairwise, two_process}) {
    if (algorithm == straight) return;
  }
  throw InputError("a rank knows its own counts only, so that blocks can go straight to their ranks alone");
}

problem::Classical problem_of(CollectiveCall const& call, Choice const& choice, Party party) {
  expect_own_sizes_do(call, choice.algorithm);
  problem::Classical problem{call.collective, party.ranks, sizes_of(call, party), choice.algorithm};
  if (has_root(call.collective)) problem.root = call.root;
  problem.radix = choice.radix;
  problem.group_size = choice.group_size;
  problem.distances = choice.distances;
  problem.children = choice.children;
  problem.segment = choice.segment;
  if (call.op == MPI_OP_NULL) return problem;
  std::int64_t const element = std::max<std::int64_t>(bytes_of(1, call.send_type).value, 1);
  if (choice.segment.value > 0) problem.segment = Bytes(std::max<std::int64_t>(choice.segment.value / element, 1));
  int commutes = 0;
  check(MPI_Op_commutative(call.op, &commutes));
  problem.commutative = commutes != 0;
  return problem;
}

/// Says of which parts a hierarchical collective is put together, on the ranks that share memory. Its segments are
/// those of the whole, so that levels overlap.
void set_hierarchy(problem::Classical& problem, Choice const& choice, ClassicalComm& known) {
  if (problem.algorithm != problem::ClassicalAlgorithm::hierarchical) return;
  if (!choice.hierarchy.stated()) {
    throw InputError("expected the algorithms of its parts, by _INTRA and _INTER, got none");
  }
  problem.hierarchy = choice.hierarchy;
  problem.hierarchy.segment = std::exchange(problem.segment, Bytes(0));
  problem.hierarchy.group_of = known.hosts();
}

/// Throws InputError where parts of a composition cut blocks, at every rank alike: a block of a call is described by a
/// datatype, which has no parts.
void expect_whole_blocks(Schedule const& schedule, ClassicalCollective collective, Party party) {
  if (reduces(collective) || collective == bcast) return;
  Layout const& layout = schedule.program(Rank(party.rank)).layout();
  std::uint32_t const slots = layout[collective == scatter ? Buffer::receive : Buffer::send].slots;
  std::uint32_t const blocks = collective == alltoall ? static_cast<std::uint32_t>(party.ranks) : 1;
  if (slots > blocks) throw InputError("a part of it cuts blocks, which are kept whole here");
}

/// The operation, if one is chosen that can do it. Throws MpiFailure, and WrongChoice.
std::unique_ptr<ClassicalRequest> chosen_request(CollectiveCall const& call, MPI_Comm comm) {
  auto known = Attached<ClassicalComm>::if_any(comm);
  auto const choice = choice_of(call.collective, known == nullptr ? Hints() : known->hints);
  auto const party = choice ? party_of(comm) : std::nullopt;
  if (!party || !usable(call, *party)) return nullptr;
  if (known == nullptr) known = carried_by(comm);
  if (!known->messages) known->messages.emplace(comm);
  std::shared_ptr<Schedule const> schedule;
  try {
    problem::Classical problem = problem_of(call, *choice, *party);
    set_hierarchy(problem, *choice, *known);
    schedule = known->schedules.of(problem);
    expect_whole_blocks(*schedule, call.collective, *party);
  } catch (InputError const& error) {
    known->note(comm, choice->said + ": " + error.what() + "; the MPI library's own algorithm is used");
    return nullptr;
  }
  return std::make_unique<ClassicalRequest>(std::move(known), std::move(schedule), call, *party);
}

/// Says what is wrong with a choice before the error that ends the program. Where a rank is a process of its own, the
/// end of the others may kill it before it has said anything, so that each rank says it.
void say_wrong(MPI_Comm comm, std::string const& text) {
#ifdef SMPI_H
  ClassicalComm().note(comm, text);
#else
  static_cast<void>(comm);
  std::fprintf(stderr, "rondo: %s\n", text.c_str());
#endif
}

/// What is wrong with a choice is said, and an error of MPI's.
template <typename Work>
void said_if_wrong(MPI_Comm comm, Work const& work) {
  try {
    work();
  } catch (WrongChoice const& wrong) {
    say_wrong(comm, wrong.what());
    throw MpiFailure(wrong.code);
  }
}

}  // namespace

std::optional<int> by_choice(CollectiveCall const& call, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return std::nullopt;
  bool done = false;
  int const code = guarded([&] {
    said_if_wrong(comm, [&] {
      auto const request = chosen_request(call, comm);
      done = request != nullptr;
      if (!done) return;
      request->start();
      request->wait();
      request->finish();
    });
  });
  if (code != MPI_SUCCESS) return code;
  return done ? std::optional(MPI_SUCCESS) : std::nullopt;
}

std::unique_ptr<Requested> requested_by_choice(CollectiveCall const& call, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return nullptr;
  std::unique_ptr<ClassicalRequest> request;
  said_if_wrong(comm, [&] { request = chosen_request(call, comm); });
  if (request != nullptr) request->keep_types();
  return request;
}

void take_hints(MPI_Comm comm, MPI_Info info) {
  Hints hints = hints_of(info);
  auto known = Attached<ClassicalComm>::if_any(comm);
  if (hints.empty() && known == nullptr) return;
  if (known == nullptr) known = carried_by(comm);
  known->hints = std::move(hints);
  if (!known->messages && party_of(comm)) known->messages.emplace(comm);
}

}  // namespace rondo::mpi

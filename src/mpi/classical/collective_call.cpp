#include "mpi/classical/collective_call.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "mpi/classical/call_memory.hpp"
#include "mpi/classical/classical_comm.hpp"
#include "mpi/runtime/attached.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/guarded.hpp"
#include "mpi/runtime/local_copy.hpp"
#include "mpi/runtime/operation.hpp"
#include "mpi/runtime/progress.hpp"

namespace rondo::mpi {
namespace {

using enum ClassicalCollective;

/// The calling rank among those that the collective is of.
struct Party {
  int rank = 0;
  int ranks = 0;
};

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

/// Whether `count` elements can be there.
bool usable(void const* buffer, int count, MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL || count < 0) return false;
  return count == 0 || buffer != nullptr || !dense(type);  // else their addresses may be absolute
}

bool usable_counts(CollectiveCall const& call, int ranks) {
  bool const displaced = call.collective != allgather || call.displacements != nullptr;
  return call.counts == nullptr ||
         (displaced && std::all_of(call.counts, call.counts + ranks, [](int n) { return n >= 0; }));
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
  if (!usable_counts(call, party.ranks)) return false;
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

/// The sizes of the schedule's blocks, by its Unit.
problem::BlockSizes sizes_of(CollectiveCall const& call, Party party) {
  if (call.collective == barrier) return Bytes(0);
  Bytes const element = reduces(call.collective) ? Bytes(1) : bytes_of(1, call.receive_type);
  if (call.counts != nullptr) {
    std::vector<Bytes> each;
    for (int i = 0; i < party.ranks; ++i) each.emplace_back(element.value * call.counts[i]);
    return {*std::max_element(each.begin(), each.end()), each};
  }
  if (call.collective == reduce_scatter) return Bytes(call.receive_count);
  if (reduces(call.collective)) return Bytes(call.send_count);
  bool const sent =
      call.collective == bcast || (call.collective == scatter ? party.rank == call.root : call.send != MPI_IN_PLACE);
  return sent ? bytes_of(call.send_count, call.send_type) : bytes_of(call.receive_count, call.receive_type);
}

problem::Classical problem_of(CollectiveCall const& call, Choice const& choice, Party party) {
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

Combine combine_by(MPI_Op op) {
  return [op](Slot const& arriving, Slot const& present, Join join) {
    auto const* const in = reinterpret_cast<void*>(arriving.piece.address);  // NOLINT(performance-no-int-to-ptr)
    auto* const into = reinterpret_cast<void*>(present.piece.address);       // NOLINT(performance-no-int-to-ptr)
    if (join == Join::before) return check(MPI_Reduce_local(in, into, present.piece.count, present.piece.type, op));
    check(MPI_Reduce_local(into, const_cast<void*>(in), present.piece.count, present.piece.type, op));
    LocalCopy(arriving, present).run();
  };
}

void follow(Schedule const& schedule, CollectiveCall const& call, Party party, MPI_Comm messages) {
  constexpr int tag = 1;  // operations of one communicator follow each other
  CallMemory memory(call, party.rank, party.ranks);
  Rank const rank(party.rank);
  Operation operation(Rounds(schedule, rank, memory.table(schedule.program(rank).layout()), combine_by(call.op)),
                      messages, tag);
  Progress& progress = Progress::of_this_process();
  progress.start(operation);
  progress.wait(operation);
  memory.finish();
}

/// Whether it was carried out. Throws MpiFailure, and WrongChoice.
bool carry_out(CollectiveCall const& call, MPI_Comm comm) {
  auto known = Attached<ClassicalComm>::if_any(comm);
  auto const choice = choice_of(call.collective, known == nullptr ? Hints() : known->hints);
  auto const party = choice ? party_of(comm) : std::nullopt;
  if (!party || !usable(call, *party)) return false;
  if (known == nullptr) Attached<ClassicalComm>::attach(comm, known = std::make_shared<ClassicalComm>());
  if (!known->messages) known->messages.emplace(comm);
  std::shared_ptr<Schedule const> schedule;
  try {
    schedule = known->schedules.of(problem_of(call, *choice, *party));
  } catch (InputError const& error) {
    known->note(comm, choice->said + ": " + error.what() + "; the MPI library's own algorithm is used");
    return false;
  }
  follow(*schedule, call, *party, known->messages->handle());
  return true;
}

}  // namespace

std::optional<int> by_choice(CollectiveCall const& call, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return std::nullopt;
  bool done = false;
  int const code = guarded([&] {
    try {
      done = carry_out(call, comm);
    } catch (WrongChoice const& wrong) {
      ClassicalComm().note(comm, wrong.what());
      throw MpiFailure(wrong.code);
    }
  });
  if (code != MPI_SUCCESS) return code;
  return done ? std::optional(MPI_SUCCESS) : std::nullopt;
}

void take_hints(MPI_Comm comm, MPI_Info info) {
  Hints hints = hints_of(info);
  auto known = Attached<ClassicalComm>::if_any(comm);
  if (hints.empty() && known == nullptr) return;
  if (known == nullptr) Attached<ClassicalComm>::attach(comm, known = std::make_shared<ClassicalComm>());
  known->hints = std::move(hints);
}

}  // namespace rondo::mpi

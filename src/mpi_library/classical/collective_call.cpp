// Decides for each call of a collective whether a schedule of Rondo carries it out: the choice must apply to the
// collective, the number of ranks and the sizes. All ranks decide alike, because they read the same choice and the same
// arguments.

#include "mpi_library/classical/collective_call.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/classical/classical_comm.hpp"
#include "mpi_library/classical/classical_request.hpp"
#include "mpi_library/classical/unused_choices.hpp"

namespace rondo::mpi {
namespace {

using enum ClassicalCollective;

/// The rank and the number of ranks; unset on inter-communicators and on a single rank, where nothing is sent.
std::optional<Caller> caller_in(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return std::nullopt;
  int inter = 0;
  check(MPI_Comm_test_inter(comm, &inter));
  if (inter != 0) return std::nullopt;
  Caller const caller{rank_in(comm), size_of(comm)};
  if (caller.ranks == 1) return std::nullopt;
  return caller;
}

/// Attaches an empty state to the communicator.
std::shared_ptr<ClassicalComm> attached_comm(MPI_Comm comm) {
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

/// Whether the lists that this rank has to give in a v variant exist.
bool usable_counts(CollectiveCall const& call, Caller caller) {
  if (!call.by_counts) return true;
  bool const is_root = caller.rank == call.root;
  bool const gets = call.collective == gather ? is_root : call.collective != scatter;
  bool const gives = call.collective == scatter ? is_root : call.collective == alltoall && call.send != MPI_IN_PLACE;
  bool const placed = call.collective == reduce_scatter || call.displacements != nullptr;
  if (gets && !(placed && none_is_negative(call.counts, caller.ranks))) return false;
  return !gives || (call.send_displacements != nullptr && none_is_negative(call.send_counts, caller.ranks));
}

/// Whether the operator accepts the datatype.
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

/// Whether the arguments of this rank are right, as far as it can tell. The MPI library itself reports all other
/// errors.
bool usable(CollectiveCall const& call, Caller caller) {
  if (call.collective == barrier) return true;
  bool const is_root = caller.rank == call.root;
  bool const rooted = has_root(call.collective);
  if (rooted && (call.root < 0 || call.root >= caller.ranks)) return false;
  if (call.collective == bcast) return call.send != MPI_IN_PLACE && usable(call.send, call.send_count, call.send_type);
  if (!usable_counts(call, caller)) return false;
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

/// The sizes of a v variant as far as this rank knows them. The unknown ones are 0, because only other ranks need them.
problem::BlockSizes known_sizes(CollectiveCall const& call, Caller caller) {
  bool const by_pairs = call.collective == alltoall;
  bool const is_root = caller.rank == call.root;
  auto const p = static_cast<std::size_t>(caller.ranks);
  auto const self = static_cast<std::size_t>(caller.rank);
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

/// Whether a rank knows only its own counts instead of those of all ranks.
bool is_by_own_counts(CollectiveCall const& call) {
  return call.by_counts && call.collective != allgather && call.collective != reduce_scatter;
}

/// The sizes of the schedule's blocks, in its Unit.
problem::BlockSizes sizes_of(CollectiveCall const& call, Caller caller) {
  if (call.collective == barrier) return Bytes(0);
  if (call.by_counts && reduces(call.collective)) {
    std::vector<Bytes> each(call.counts, call.counts + caller.ranks);
    return {*std::max_element(each.begin(), each.end()), each};
  }
  if (call.by_counts) return known_sizes(call, caller);
  if (call.collective == reduce_scatter) return Bytes(call.receive_count);
  if (reduces(call.collective)) return Bytes(call.send_count);
  bool const sent =
      call.collective == bcast || (call.collective == scatter ? caller.rank == call.root : call.send != MPI_IN_PLACE);
  return sent ? bytes_of(call.send_count, call.send_type) : bytes_of(call.receive_count, call.receive_type);
}

/// The size that the rules of a selection compare: the bytes of the vector, or of the largest block. All ranks know the
/// same; nothing if a rank knows only its own counts.
std::optional<Bytes> bytes_of_largest(CollectiveCall const& call, Caller caller) {
  if (is_by_own_counts(call)) return std::nullopt;
  Bytes const largest = sizes_of(call, caller).block;
  bool const in_elements = reduces(call.collective) && call.collective != barrier;
  return in_elements ? Bytes(largest.value * bytes_of(1, call.send_type).value) : largest;
}

/// Throws InputError if other ranks would have to know the sizes of this rank.
void expect_own_sizes_do(CollectiveCall const& call, bool direct) {
  if (direct || !is_by_own_counts(call)) return;
  throw InputError("a rank knows its own counts only, so that blocks can go straight to their ranks alone");
}

bool is_direct(problem::ClassicalAlgorithm algorithm) {
  return algorithm == "linear" || algorithm == "linear_sync" || algorithm == "linear_nb" || algorithm == "spread_out" ||
         algorithm == "pairwise" || algorithm == "two_process";
}

/// Collectives without an operator count as commutative.
bool commutes(CollectiveCall const& call) {
  if (call.op == MPI_OP_NULL) return true;
  int result = 0;
  check(MPI_Op_commutative(call.op, &result));
  return result != 0;
}

/// The problem of a call. Segments count elements if there is an operator, which works on whole elements.
problem::Classical problem_of(CollectiveCall const& call, Choice const& choice, Caller caller) {
  expect_own_sizes_do(call, is_direct(choice.algorithm));
  problem::Classical problem{call.collective, caller.ranks, sizes_of(call, caller), choice.algorithm};
  if (has_root(call.collective)) problem.root = call.root;
  problem.radix = choice.radix;
  problem.group_size = choice.group_size;
  problem.distances = choice.distances;
  problem.children = choice.children;
  problem.segment = choice.segment;
  if (call.op == MPI_OP_NULL) return problem;
  std::int64_t const element = std::max<std::int64_t>(bytes_of(1, call.send_type).value, 1);
  if (choice.segment.value > 0) problem.segment = Bytes(std::max<std::int64_t>(choice.segment.value / element, 1));
  problem.commutative = commutes(call);
  return problem;
}

/// Sets the levels of a hierarchical collective on the ranks that share memory. Its segments are those of the whole
/// collective, so that levels overlap.
void set_hierarchy(problem::Classical& problem, Choice const& choice, ClassicalComm& known) {
  if (problem.algorithm != "hierarchical") return;
  if (!choice.hierarchy.stated()) {
    throw InputError("expected the algorithms of its parts, by _INTRA and _INTER, got none");
  }
  problem.hierarchy = choice.hierarchy;
  problem.hierarchy.segment = std::exchange(problem.segment, Bytes(0));
  problem.hierarchy.group_of = known.hosts();
}

/// Throws InputError if the vectors that all ranks reduce have more elements than MPI can count.
void expect_countable(CollectiveCall const& call, Caller caller) {
  if (call.collective != reduce_scatter) return;
  std::int64_t all = std::int64_t{call.receive_count} * caller.ranks;
  if (call.counts != nullptr) all = std::accumulate(call.counts, call.counts + caller.ranks, std::int64_t{0});
  if (all > std::numeric_limits<int>::max()) throw InputError("its vector has more elements than an int counts");
}

/// Schedules are cached by problem, because programs repeat calls.
std::unique_ptr<ClassicalRequest> by_algorithm(CollectiveCall const& call, Choice const& choice, Caller caller,
                                               std::shared_ptr<ClassicalComm> const& known) {
  problem::Classical problem = problem_of(call, choice, caller);
  set_hierarchy(problem, choice, *known);
  std::shared_ptr<Schedule const> schedule = known->schedules.of(problem);
  SlotSizes sizes(schedule->program(Rank(caller.rank)).layout());
  return std::make_unique<ClassicalRequest>(known, std::move(schedule), std::move(sizes), call, caller);
}

/// The schedule of a file has been proved for one root and one size of blocks; it is turned to the root of the call.
std::unique_ptr<ClassicalRequest> by_schedule(CollectiveCall const& call, Choice const& choice, Caller caller,
                                              std::shared_ptr<ClassicalComm> const& known) {
  ProvedSchedule& proved = known->schedule_of(choice, call.collective);
  expect_own_sizes_do(call, proved.direct());
  ScheduleOfRank const& mine = proved.of(call.root, commutes(call));
  return std::make_unique<ClassicalRequest>(known, mine.schedule, proved.sizes(mine, sizes_of(call, caller)), call,
                                            caller);
}

/// The operation for a call, if an algorithm or a schedule is chosen that can do it. Throws MpiFailure, and
/// WrongChoice.
std::unique_ptr<ClassicalRequest> chosen_request(CollectiveCall const& call, MPI_Comm comm) {
  auto known = Attached<ClassicalComm>::if_any(comm);
  static Hints const& none = *new Hints;
  Hints const& hints = known == nullptr ? none : known->hints;
  std::optional<Choice> choice =
      known == nullptr ? choice_of(call.collective, none) : known->choices.of(call.collective, hints);
  auto const selection = choice ? std::nullopt : selection_file(hints);
  auto const caller = choice || selection ? caller_in(comm) : std::nullopt;
  if (!caller || !usable(call, *caller)) return nullptr;
  if (known == nullptr) known = attached_comm(comm);
  if (!known->messages) known->messages.emplace(comm);
  if (selection) {
    Choice const* const selected =
        chosen_in(known->selection(*selection), call.collective, caller->ranks, bytes_of_largest(call, *caller));
    if (selected == nullptr) return nullptr;
    note_selection();
    choice = *selected;
  }
  try {
    expect_countable(call, *caller);
    return choice->schedule.empty() ? by_algorithm(call, *choice, *caller, known)
                                    : by_schedule(call, *choice, *caller, known);
  } catch (InputError const& error) {
    known->note(comm, choice->origin + ": " + error.what() + "; the MPI library's own algorithm is used");
    return nullptr;
  }
}

/// Prints what is wrong with a choice before the error that ends the program. If each rank is a process, the end of the
/// others may kill a rank before it has printed anything, so that each rank prints it.
void say_wrong(MPI_Comm comm, std::string const& text) {
#ifdef SMPI_H
  ClassicalComm().note(comm, text);
#else
  static_cast<void>(comm);
  std::fprintf(stderr, "rondo: %s\n", text.c_str());
#endif
}

/// Runs `work`; if a choice is wrong, prints why and throws an error of MPI.
template <typename Work>
void report_wrong_choice(MPI_Comm comm, Work const& work) {
  try {
    work();
  } catch (WrongChoice const& wrong) {
    if (wrong.reported == Reported::no) say_wrong(comm, wrong.what());
    throw MpiFailure(wrong.code);
  }
}

/// The call without the arguments that MPI ignores at this rank, which may be anything, such as the handles of freed
/// datatypes.
CollectiveCall significant_part(CollectiveCall call, MPI_Comm comm) {
  int rank = 0;
  if (call.collective == gather || call.collective == scatter) rank = rank_in(comm);
  bool const ignores_receive = call.receive == MPI_IN_PLACE || (call.collective == gather && rank != call.root);
  bool const ignores_send =
      (call.send == MPI_IN_PLACE && !reduces(call.collective)) || (call.collective == scatter && rank != call.root);
  if (ignores_receive) {
    call.receive_count = 0;
    call.receive_type = MPI_DATATYPE_NULL;
  }
  if (ignores_send) {
    call.send_count = 0;
    call.send_type = MPI_DATATYPE_NULL;
  }
  return call;
}

/// Carries the call out as the last one with the same arguments, if there is one.
bool repeated(CollectiveCall const& call, MPI_Comm comm) {
  auto const recent = Attached<RecentCalls>::if_any(comm);
  ClassicalRequest* const request = recent == nullptr ? nullptr : recent->find(call);
  if (request == nullptr) return false;
  try {
    request->carry_out();
  } catch (...) {
    recent->forget();
    throw;
  }
  return true;
}

}  // namespace

bool is_usable(CollectiveCall const& call, MPI_Comm comm) {
  auto const caller = caller_in(comm);
  return caller && usable(call, *caller);
}

/// Carries the call out by the chosen algorithm. Unset if there is none, so that the MPI library has to do it.
std::optional<int> by_choice(CollectiveCall const& whole, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || threads_call_at_once()) return std::nullopt;
  bool done = false;
  int const code = guarded([&] {
    report_wrong_choice(comm, [&] {
      CollectiveCall const call = significant_part(whole, comm);
      done = repeated(call, comm);
      if (done) return;
      auto request = chosen_request(call, comm);
      done = request != nullptr;
      if (!done) return;
      request->carry_out();
      RecentCalls::keep(comm, call, std::move(request));
    });
  });
  if (code != MPI_SUCCESS) return code;
  return done ? std::optional(MPI_SUCCESS) : std::nullopt;
}

/// The request for a non-blocking or persistent call; null if no algorithm is chosen.
std::unique_ptr<ClassicalRequest> requested_by_choice(CollectiveCall const& call, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || threads_call_at_once()) return nullptr;
  std::unique_ptr<ClassicalRequest> request;
  report_wrong_choice(comm, [&] { request = chosen_request(significant_part(call, comm), comm); });
  if (request != nullptr) request->keep_types();
  return request;
}

/// Stores the hints of an info. The library's own communicator is made now, because only here all ranks are certain to
/// call.
void take_hints(MPI_Comm comm, MPI_Info info) {
  Hints hints = hints_of(info);
  auto known = Attached<ClassicalComm>::if_any(comm);
  if (hints.empty() && known == nullptr) return;
  if (known == nullptr) known = attached_comm(comm);
  known->hints = std::move(hints);
  known->choices.forget();
  if (!known->messages && caller_in(comm)) known->messages.emplace(comm);
}

}  // namespace rondo::mpi

// Classical collectives by the algorithms that a program or its user names: the same bytes as by the MPI library's own.

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "generate/classical.hpp"
#include "mpi/cases.hpp"
#include "mpi/classical_called.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/classical/calls.hpp"
#include "mpi_library/classical/classical_request.hpp"
#include "mpi_library/graph/request_completion.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "problem/classical.hpp"

namespace rondo::mpi::testing {
namespace {

using enum ClassicalCollective;

/// A communicator of its own that has been told something.
class ToldComm {
 public:
  ToldComm(World const& world, std::vector<std::pair<std::string, std::string>> const& hints) {
    MPI_Comm_dup(world.comm, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    for (auto const& [key, value] : hints) MPI_Info_set(info, key.c_str(), value.c_str());
    take_hints(comm_, info);
    MPI_Info_free(&info);
  }
  ToldComm(ToldComm const&) = delete;
  ToldComm& operator=(ToldComm const&) = delete;
  ~ToldComm() { MPI_Comm_free(&comm_); }
  MPI_Comm handle() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

std::string key(ClassicalCollective collective, char const* what) {
  return "rondo_" + enum_name(problem::kind_of(collective)) + "_" + what;
}

/// SMPI 3.32 joins what it scans in another order than that of the ranks, and an alltoallv in place of elements with
/// gaps writes into the gaps. MPICH 4.0.2 writes past the end of its own
/// memory in a reduce-scatter of elements that end with a gap, where the operator does not commute.
bool library_is_right(ClassicalCollective collective, Values const& values, [[maybe_unused]] Shape const& shape) {
#ifdef SMPI_H
  bool const fails =
      collective == scan || collective == exscan || (collective == alltoall && shape.in_place && shape.sizes_differ);
#else
  bool const fails = collective == reduce_scatter;
#endif
  return !fails || values.op == MPI_SUM;
}

/// Whether Rondo says by itself, without its MPI interfaces, that the algorithm cannot do this.
bool cannot(ClassicalCollective collective, problem::ClassicalAlgorithm algorithm, int ranks, int group_size) {
  problem::Classical problem{collective, ranks, Bytes(8), algorithm};
  problem.group_size = group_size;
  try {
    generate::generate(problem);
  } catch (InputError const&) {
    return true;
  }
  return false;
}

std::vector<Shape> shapes(ClassicalCollective collective, World const& world) {
  std::vector<Shape> result;
  std::vector<int> const counts = world.effort == Effort::sampled ? std::vector{5} : std::vector{0, 1, 2, 23};
  for (int const count : counts) {
    for (bool const in_place : {false, true}) {
      result.push_back({count, world.size - 1, in_place});
      if (has_root(collective)) result.push_back({count, 0, in_place});
      if (collective == gather || collective == scatter || collective == allgather || collective == alltoall ||
          collective == reduce_scatter) {
        result.push_back({count, has_root(collective) ? world.size / 2 : 0, in_place, true});
      }
    }
  }
  return result;
}

/// Whether each block goes straight from its source to its target, so that others need not know its size.
bool is_straight(problem::ClassicalAlgorithm algorithm) {
  return algorithm == "linear" || algorithm == "linear_sync" || algorithm == "linear_nb" || algorithm == "spread_out" ||
         algorithm == "pairwise" || algorithm == "two_process";
}

/// Whether a rank does not know enough for this algorithm.
bool unknown_sizes(ClassicalCollective collective, problem::ClassicalAlgorithm algorithm, Shape const& shape) {
  bool const own_only = collective == gather || collective == scatter || collective == alltoall;
  return shape.sizes_differ && own_only && !is_straight(algorithm);
}

/// The same as by_choice, as an operation that is started twice.
std::optional<int> by_request(CollectiveCall const& call, MPI_Comm comm) {
  auto const request = requested_by_choice(call, comm);
  if (request == nullptr) return std::nullopt;
  for (int time = 0; time < 2; ++time) {
    request->start();
    request->wait();
    request->finish();
    // Where the result replaces the operand, maybe at the root alone, a second start would have other operands.
    if (call.send == MPI_IN_PLACE || has_root(call.collective)) break;
  }
  return MPI_SUCCESS;
}

using Hint = std::pair<char const*, char const*>;

using Carry = std::optional<int> (*)(CollectiveCall const&, MPI_Comm);

void try_algorithm(World const& world, Report& report, ClassicalCollective collective,
                   problem::ClassicalAlgorithm algorithm, Hint const& hint, std::vector<Values> const& all_values,
                   Carry carry) {
  constexpr int group_size = 2;
  ToldComm const told(world, {{key(collective, "algorithm"), enum_name(algorithm)},
                              {key(collective, hint.first), hint.second},
                              {key(collective, "group_size"), std::to_string(group_size)}});
  bool const refused = world.size == 1 || cannot(collective, algorithm, world.size, group_size);
  for (Values const& values : all_values) {
    for (Shape const& shape : shapes(collective, world)) {
      Called ours(collective, values, shape, world);
      Called theirs(collective, values, shape, world);
      std::string const what =
          fmt::format("{} {} ({} {}) of {} {} at root {}{}{}", enum_name(algorithm),
                      enum_name(problem::kind_of(collective)), hint.first, hint.second, shape.count, values.name,
                      shape.root, shape.in_place ? " in place" : "", shape.sizes_differ ? " by counts" : "");
      std::optional<int> const code = carry(ours.call, told.handle());
      bool const unknown = unknown_sizes(collective, algorithm, shape);
      // Whether it keeps the order of ranks is for the prover to say.
      bool const may_refuse = refused || unknown || (reduces(collective) && values.op != MPI_SUM);
      report.expect(code == MPI_SUCCESS || (!code && may_refuse), what + " is not carried out");
      if (code != MPI_SUCCESS) continue;
      report.expect(!refused && !unknown, what + " is carried out");
      bool const right = library_is_right(collective, values, shape);
      report.expect(!right || library(theirs.call, told.handle()) == MPI_SUCCESS, what + " by the library");
      if (collective == exscan && world.rank == 0) continue;
      report.expect(!right || ours.same_as(theirs), what + " gives other values");
      if (collective == alltoall && shape.sizes_differ) {
        Called serial(collective, values, shape, world);
        serial.exchange_serially(values, world);
        report.expect(ours.received_as(serial), what + " gives other values than were sent");
      }
      if (!reduces(collective) || collective == barrier) continue;
      Called serial(collective, values, shape, world);
      serial.reduce_serially(values, shape, world);
      report.expect(ours.same_as(serial), what + " gives other values than a serial reduction");
    }
  }
}

void chosen_algorithms_give_what_the_library_gives(World const& world, Report& report) {
  TwoValues const values;
  for (ClassicalCollective const collective :
       {bcast, gather, scatter, allgather, alltoall, reduce, reduce_scatter, scan, exscan, allreduce, barrier}) {
    for (auto const algorithm : problem::classical_algorithms(collective)) {
      try_algorithm(world, report, collective, algorithm, {"segment", "12B"}, values.all(), by_choice);
      bool const in_tree = algorithm == "binomial" || algorithm == "knomial" || algorithm == "bine";
      if (in_tree && has_root(collective)) {
        try_algorithm(world, report, collective, algorithm, {"children", "at_once"}, values.all(), by_choice);
      }
    }
  }
}

void requests_of_chosen_algorithms_give_what_the_library_gives(World const& world, Report& report) {
  TwoValues const values;
  for (ClassicalCollective const collective :
       {bcast, gather, scatter, allgather, alltoall, reduce, reduce_scatter, scan, exscan, allreduce, barrier}) {
    auto const algorithms = problem::classical_algorithms(collective);
    for (auto const algorithm : {algorithms.front(), algorithms.back()}) {
      try_algorithm(world, report, collective, algorithm, {"segment", "12B"}, values.all(), by_request);
    }
  }
}

/// Three at once, of which ranks wait for another one first; a real MPI frees the datatype while they are under way.
void requests_overlap(World const& world, Report& report) {
  ToldComm const told(world, {{"rondo_allreduce_algorithm", "ring"},
                              {"rondo_bcast_algorithm", "binomial"},
                              {"rondo_alltoall_algorithm", "bruck"}});
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  auto const p = static_cast<std::size_t>(world.size);
  std::vector<int> ranks(7, world.rank), sums(7), told_by_last(10, world.rank), sent(2 * p, world.rank), got(2 * p);
  std::vector<MPI_Request> requests;
  auto const begin = [&](CollectiveCall const& call) {
    std::unique_ptr<RequestOperation> made = requested_by_choice(call, told.handle());
    report.expect(made != nullptr || world.size == 1, "a request");
    if (made != nullptr) requests.push_back(make_handle(std::move(made), Lifetime::once));
  };
  begin(calls::of(allreduce, ranks.data(), sums.data(), 7, MPI_INT, MPI_SUM));
  begin(calls::of(bcast, told_by_last.data(), 5, pair, world.size - 1));
  begin(calls::of(alltoall, sent.data(), 1, pair, got.data(), 1, pair));
#ifndef SMPI_H  // which loses it
  MPI_Type_free(&pair);
#endif
  if (world.size == 1) return;
  if (world.rank % 2 != 0) std::swap(requests.front(), requests.back());
  for (MPI_Request& request : requests) {
    report.expect(wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, "an error");
    report.expect(request == MPI_REQUEST_NULL, "a request that is left");
  }
  if (pair != MPI_DATATYPE_NULL) MPI_Type_free(&pair);
  report.expect(sums == std::vector(7, world.size * (world.size - 1) / 2), "another sum");
  report.expect(told_by_last == std::vector(10, world.size - 1), "another broadcast");
  for (std::size_t i = 0; i < got.size(); ++i) {
    report.expect(got[i] == static_cast<int>(i) / 2, "another all-to-all");
  }
}

/// Where the order of ranks matters, these keep it for any number of ranks.
void operators_that_do_not_commute_are_joined_in_order(World const& world, Report& report) {
  TwoValues const values;
  Values const lines = values.all().back();
  for (auto const& [collective, algorithm] :
       {std::pair(reduce, "binomial"), std::pair(reduce, "in_order_binary"), std::pair(allreduce, "recursive_doubling"),
        std::pair(allreduce, "allgather_reduce"), std::pair(reduce_scatter, "linear"),
        std::pair(reduce_scatter, "nonoverlapping"), std::pair(reduce_scatter, "recursive_doubling"),
        std::pair(reduce_scatter, "butterfly"), std::pair(reduce_scatter, "noncommutative"), std::pair(scan, "linear"),
        std::pair(exscan, "recursive_doubling")}) {
    ToldComm const told(world, {{key(collective, "algorithm"), algorithm}});
    Called const called(collective, lines, {7, world.size / 2}, world);
    report.expect(world.size == 1 || by_choice(called.call, told.handle()) == MPI_SUCCESS,
                  fmt::format("{} {}", algorithm, enum_name(problem::kind_of(collective))));
  }
}

void the_environment_chooses_before_the_info_and_wrong_words_are_errors(World const& world, Report& report) {
  TwoValues const values;
  auto const code_of = [&](std::vector<std::pair<std::string, std::string>> const& hints) {
    ToldComm const told(world, hints);
    Called const called(bcast, values.all().front(), {3, 0}, world);
    return by_choice(called.call, told.handle());
  };
  auto const is = [&](std::optional<int> const& code, int expected, std::string const& what) {
    report.expect(code && *code == expected, what);
  };
  report.expect(!code_of({}), "nothing is chosen");
  is(code_of({{"rondo_bcast_algorithm", "swing"}}), MPI_ERR_INFO_VALUE, "an algorithm of other collectives");
  is(code_of({{"rondo_bcast_algorithm", "chain"}, {"rondo_bcast_radix", "1"}}), MPI_ERR_INFO_VALUE, "a radix of 1");
  is(code_of({{"rondo_bcast_algorithm", "chain"}, {"rondo_bcast_segment", "large"}}), MPI_ERR_INFO_VALUE, "a segment");
  is(code_of({{"rondo_bcast_algorithm", "bine"}, {"rondo_bcast_distances", "near"}}), MPI_ERR_INFO_VALUE, "distances");
  is(code_of({{"rondo_bcast_algorithm", "bine"}, {"rondo_bcast_children", "all"}}), MPI_ERR_INFO_VALUE, "children");
  MPI_Barrier(world.comm);
  setenv("RONDO_BCAST_ALGORITHM", "fastest", 1);
  MPI_Barrier(world.comm);
  is(code_of({{"rondo_bcast_algorithm", "chain"}}), MPI_ERR_ARG, "the environment's algorithm");
  MPI_Barrier(world.comm);
  setenv("RONDO_BCAST_ALGORITHM", "linear", 1);
  MPI_Barrier(world.comm);
  auto const code = code_of({{"rondo_bcast_algorithm", "fastest"}});
  report.expect(world.size == 1 ? !code : code == MPI_SUCCESS, "the environment's algorithm before the info's");
  MPI_Barrier(world.comm);
  unsetenv("RONDO_BCAST_ALGORITHM");
  MPI_Barrier(world.comm);
}

/// The sum of all ranks' values, by calls with the same buffers and other contents, and by others between them.
void repeated_calls_read_their_buffers_anew(World const& world, Report& report) {
  for (char const* const algorithm : {"recursive_doubling", "ring", "rabenseifner"}) {
    ToldComm const told(world, {{"rondo_allreduce_algorithm", algorithm}});
    std::vector<int> sent(5), got(5), other(5);
    auto const sum = [&](void const* from, std::vector<int>& into, int i) {
      report.expect(by_choice(calls::of(allreduce, from, into.data(), 5, MPI_INT, MPI_SUM), told.handle()) ==
                        (world.size == 1 ? std::nullopt : std::optional(MPI_SUCCESS)),
                    fmt::format("{}, call {}", algorithm, i));
      int const ranks = world.size;
      for (int k = 0; k < 5 && ranks > 1; ++k) {
        report.expect(into[static_cast<std::size_t>(k)] == ranks * (ranks - 1) / 2 + ranks * (k + i),
                      fmt::format("{}, call {}, element {}", algorithm, i, k));
      }
    };
    auto const fill = [&](std::vector<int>& values, int i) {
      for (int k = 0; k < 5; ++k) values[static_cast<std::size_t>(k)] = world.rank + k + i;
    };
    for (int i = 0; i < 4; ++i) {
      fill(sent, i);
      sum(sent.data(), got, i);
      fill(other, i);
      sum(MPI_IN_PLACE, other, i);
      // Half of the ranks have the same arguments as before.
      if (world.rank % 2 == 0) std::vector<int>(sent).swap(sent);
    }
  }
}

/// A repeated call takes the operation of the last one, unless the choice or an argument has changed.
void an_operation_is_kept_for_the_same_call(World const& world, Report& report) {
  if (world.size == 1) return;
  ToldComm const told(world, {{"rondo_allreduce_algorithm", "ring"}});
  std::vector<int> sent(3, 1), got(3);
  CollectiveCall const call = calls::of(allreduce, sent.data(), got.data(), 3, MPI_INT, MPI_SUM);
  by_choice(call, told.handle());
  auto const recent = Attached<RecentCalls>::of(told.handle());
  CollectiveCall shorter = call;
  shorter.send_count = shorter.receive_count = 2;
  report.expect(recent->find(shorter) == nullptr, "another count");
  report.expect(recent->find(call) != nullptr, "the same call");
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "rondo_allreduce_algorithm", "recursive_doubling");
  take_hints(told.handle(), info);
  MPI_Info_free(&info);
  report.expect(recent->find(call) == nullptr, "another algorithm by the info");
  by_choice(call, told.handle());
  report.expect(recent->find(call) != nullptr, "the same algorithm");
  MPI_Barrier(world.comm);
  setenv("RONDO_ALLREDUCE_ALGORITHM", "bine", 1);
  MPI_Barrier(world.comm);
  report.expect(recent->find(call) == nullptr, "another algorithm by the environment");
  by_choice(call, told.handle());
  MPI_Barrier(world.comm);
  unsetenv("RONDO_ALLREDUCE_ALGORITHM");
  MPI_Barrier(world.comm);
  report.expect(recent->find(call) == nullptr, "no algorithm by the environment");

  MPI_Op sum = MPI_OP_NULL;
  MPI_Op_create(
      [](void* in, void* into, int* count, MPI_Datatype*) {
        for (int i = 0; i < *count; ++i) static_cast<int*>(into)[i] += static_cast<int*>(in)[i];
      },
      1, &sum);
  CollectiveCall own_operator = call;
  own_operator.op = sum;
  by_choice(own_operator, told.handle());
  report.expect(recent->find(own_operator) == nullptr, "an operator whose handle may be used again");
  MPI_Op_free(&sum);
}

/// What is wrong with them the library says itself.
void wrong_arguments_are_left_to_the_library(World const& world, Report& report) {
  ToldComm const told(world, {{"rondo_reduce_algorithm", "binomial"}, {"rondo_bcast_algorithm", "binomial"}});
  int value = 0;
  CollectiveCall const good{reduce,  &value,  1,       MPI_INT, &value,  1, MPI_INT,
                            nullptr, nullptr, nullptr, nullptr, MPI_SUM, 0};
  auto const refuses = [&](CollectiveCall const& call, char const* what) {
    report.expect(!by_choice(call, told.handle()), what);
  };
  CollectiveCall wrong = good;
  wrong.root = world.size;
  refuses(wrong, "a root that is no rank");
  wrong = good;
  wrong.op = MPI_OP_NULL;
  refuses(wrong, "no operator");
  wrong = good;
  wrong.send_type = wrong.receive_type = MPI_DATATYPE_NULL;
  refuses(wrong, "no datatype");
  wrong = good;
  wrong.collective = bcast;
  wrong.send_count = -1;
  refuses(wrong, "a negative count");
  report.expect(!by_choice(good, MPI_COMM_NULL), "no communicator");
}

}  // namespace

std::vector<TestCase> classical_cases() {
  return {{"chosen_algorithms_give_what_the_library_gives", chosen_algorithms_give_what_the_library_gives},
          {"requests_of_chosen_algorithms_give_what_the_library_gives",
           requests_of_chosen_algorithms_give_what_the_library_gives},
          {"requests_overlap", requests_overlap},
          {"operators_that_do_not_commute_are_joined_in_order", operators_that_do_not_commute_are_joined_in_order},
          {"the_environment_chooses_before_the_info_and_wrong_words_are_errors",
           the_environment_chooses_before_the_info_and_wrong_words_are_errors},
          {"repeated_calls_read_their_buffers_anew", repeated_calls_read_their_buffers_anew},
          {"an_operation_is_kept_for_the_same_call", an_operation_is_kept_for_the_same_call},
          {"wrong_arguments_are_left_to_the_library", wrong_arguments_are_left_to_the_library}};
}

}  // namespace rondo::mpi::testing

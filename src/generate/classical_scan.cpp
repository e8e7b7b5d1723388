// Scan: rank r gets the reduction of the vectors of ranks 0 to r. In an exscan its own vector is left out.

#include "generate/classical.hpp"

namespace rondo::generate::classical {
namespace {

constexpr Place own_block = send_slot(0);
constexpr Place result = receive_slot(0);
/// The reduction of the rank's own block and of all blocks that have arrived, if this is not the result.
constexpr Place partial = intermediate_slot(0);
/// A block that has arrived, if it is joined with two places.
constexpr Place arrived = intermediate_slot(1);

/// A program with a send slot and, if the rank is owed a result, a receive slot; rank 0 of an exscan is owed nothing.
ProgramBuilder with_slots(problem::Classical const& problem, int rank, std::uint32_t intermediate) {
  bool const owed = problem.collective == ClassicalCollective::scan || rank > 0;
  Layout layout{problem.sizes.block, {}};
  layout[Buffer::send].slots = 1;
  layout[Buffer::receive].slots = owed ? 1 : 0;
  layout[Buffer::intermediate].slots = intermediate;
  return ProgramBuilder(std::move(layout));
}

/// The chain: in round r + 1 rank r sends to the next rank.
ProgramBuilder chain_program(problem::Classical const& problem, int rank) {
  bool const inclusive = problem.collective == ClassicalCollective::scan;
  bool const last = rank + 1 == problem.ranks;
  bool const passes_on_more = !inclusive && rank > 0 && !last;
  ProgramBuilder builder = with_slots(problem, rank, passes_on_more ? 1 : 0);
  if (inclusive) builder.copy(own_block, result);
  for (int round = 1; round <= rank; ++round) builder.begin_round();
  if (rank > 0) builder.receive(rank - 1, {&result, 1}, inclusive ? Join::before : Join::none);
  if (passes_on_more) {
    builder.copy(own_block, partial);
    builder.copy(result, partial, Join::before);
  }
  if (last) return builder;
  builder.begin_round();
  Place const from = inclusive ? result : passes_on_more ? partial : own_block;
  builder.send(rank + 1, {&from, 1});
  return builder;
}

/// Recursive doubling: at distance 1, 2, 4, ... two ranks exchange the reduction over their runs of that length.
ProgramBuilder doubling_program(problem::Classical const& problem, int rank) {
  bool const inclusive = problem.collective == ClassicalCollective::scan;
  ProgramBuilder builder = with_slots(problem, rank, 2);
  builder.copy(own_block, partial);
  if (inclusive) builder.copy(own_block, result);
  bool begun = inclusive;
  for (int mask = 1; mask < problem.ranks; mask *= 2) {
    builder.begin_round();
    int const partner = rank ^ mask;
    if (partner >= problem.ranks) continue;
    builder.send(partner, {&partial, 1});
    if (partner > rank) {
      builder.receive(partner, {&partial, 1}, Join::after);
      continue;
    }
    builder.receive(partner, {&arrived, 1});
    builder.copy(arrived, result, begun ? Join::before : Join::none);
    builder.copy(arrived, partial, Join::before);
    begun = true;
  }
  return builder;
}

/// The schedule of programs that are written rank by rank.
template <typename ProgramOf>
Schedule of_programs(problem::Classical const& problem, ProgramOf const& program_of) {
  Schedule schedule;
  schedule.ranks = problem.ranks;
  schedule.promises = {1, Links::any};
  for (int rank = 0; rank < problem.ranks; ++rank) {
    schedule.programs.push_back(program_of(problem, rank).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
  }
  return schedule;
}

}  // namespace

Schedule scan_linear(problem::Classical const& problem) { return of_programs(problem, chain_program); }
Schedule scan_recursive_doubling(problem::Classical const& problem) { return of_programs(problem, doubling_program); }

}  // namespace rondo::generate::classical

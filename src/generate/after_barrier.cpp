// Writes a dissemination barrier of empty messages in front of a schedule: in round t each rank sends to the rank 2^t
// further on.

#include "generate/after_barrier.hpp"

#include <numeric>

namespace rondo::generate {
namespace {

/// Adds a slot without bytes behind all others, from which the empty messages of a barrier are sent and into which they
/// are received.
Place add_empty_slot(Layout& layout) {
  BufferLayout& buffer = layout[Buffer::intermediate];
  if (buffer.sizes.empty()) buffer.sizes.assign(buffer.slots, layout.block);
  buffer.sizes.push_back(Bytes(0));
  return intermediate_slot(buffer.slots++);
}

/// The rounds of the barrier at one rank. ceil(log2 ranks) rounds suffice, after which every rank has heard of every
/// other one.
void write_barrier(ProgramBuilder& builder, Place const& place, int rank, int ranks) {
  for (int distance = 1; distance < ranks; distance *= 2) {
    builder.begin_round();
    builder.receive((rank + ranks - distance) % ranks, {&place, 1});
    builder.send((rank + distance) % ranks, {&place, 1});
  }
}

/// Copies one round of a schedule into a program. Round 0 only has the copies before the first round.
void write_round(ProgramBuilder& builder, Schedule const& schedule, Rank rank, int round) {
  Program const& program = schedule.program(rank);
  if (round > 0) builder.begin_round();
  for (Transfer const& each : program.receives(round)) {
    builder.receive(schedule.peer(rank, each).value, program.places(each), each.join, program.label(each));
  }
  for (Transfer const& each : program.sends(round)) {
    builder.send(schedule.peer(rank, each).value, program.places(each), program.label(each));
  }
  for (Copy const& each : program.copies(round)) builder.copy(each.from, each.into, each.join);
}

/// A schedule in which each rank follows its own program, which `write` writes.
template <typename Write>
Schedule written(int ranks, Write const& write) {
  Schedule result;
  result.ranks = ranks;
  result.promises = {0, Links::any};
  for (int rank = 0; rank < ranks; ++rank) result.programs.push_back(write(Rank(rank)));
  result.program_of.resize(result.programs.size());
  std::iota(result.program_of.begin(), result.program_of.end(), 0u);
  return result;
}

}  // namespace

Schedule empty_barrier(int ranks) {
  return written(ranks, [&](Rank rank) {
    Layout layout{Bytes(0), {}};
    Place const place = add_empty_slot(layout);
    ProgramBuilder builder(std::move(layout));
    write_barrier(builder, place, rank.value, ranks);
    return std::move(builder).finish();
  });
}

Schedule after_barrier(Schedule const& schedule) {
  Schedule result = written(schedule.ranks, [&](Rank rank) {
    Program const& program = schedule.program(rank);
    Layout layout = program.layout();
    Place const place = add_empty_slot(layout);
    ProgramBuilder builder(std::move(layout));
    write_barrier(builder, place, rank.value, schedule.ranks);
    for (int round = 0; round <= program.rounds(); ++round) write_round(builder, schedule, rank, round);
    return std::move(builder).finish();
  });
  result.labels = schedule.labels;
  return result;
}

}  // namespace rondo::generate

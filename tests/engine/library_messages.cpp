#include "library_messages.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <simgrid/s4u.hpp>
#include <vector>

#include "base/error.hpp"
#include "engine/smpi/simulation.hpp"
#include "generate/classical.hpp"

// SimGrid's library exports it, and no header that it installs declares it: takes the algorithms that are configured.
namespace simgrid::smpi::colls {
void set_collectives();
}

namespace rondo::test {
namespace {

/// The counts and displacements of a rank's blocks in bytes, as the v variants take them.
struct Counts {
  std::vector<int> counts, displacements;
  int total = 0;

  void add(Bytes size) {
    counts.push_back(static_cast<int>(size.value));
    displacements.push_back(total);
    total += counts.back();
  }
};

Counts of_all_ranks(problem::Classical const& problem) {
  Counts result;
  for (Bytes const size : problem.sizes.each) result.add(size);
  return result;
}

/// The call of a v variant. What a rank has of it: what it sends to others in a scatterv, else what it gets of them.
void call_with_counts(problem::Classical const& problem, MPI_Comm world) {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  bool const by_pairs = problem.collective == ClassicalCollective::alltoall;
  Counts sent, got;
  if (by_pairs) {
    for (int other = 0; other < problem.ranks; ++other) {
      sent.add(problem.sizes.each[static_cast<std::size_t>(rank * problem.ranks + other)]);
      got.add(problem.sizes.each[static_cast<std::size_t>(other * problem.ranks + rank)]);
    }
  } else {
    sent = got = of_all_ranks(problem);
  }
  std::vector<char> from(static_cast<std::size_t>(sent.total) + 1), into(static_cast<std::size_t>(got.total) + 1);
  int const own = got.counts[static_cast<std::size_t>(rank)];
  switch (problem.collective) {
    case ClassicalCollective::gather:
      MPI_Gatherv(from.data(), own, MPI_BYTE, into.data(), got.counts.data(), got.displacements.data(), MPI_BYTE,
                  problem.root, world);
      return;
    case ClassicalCollective::scatter:
      MPI_Scatterv(from.data(), sent.counts.data(), sent.displacements.data(), MPI_BYTE, into.data(), own, MPI_BYTE,
                   problem.root, world);
      return;
    case ClassicalCollective::allgather:
      MPI_Allgatherv(from.data(), own, MPI_BYTE, into.data(), got.counts.data(), got.displacements.data(), MPI_BYTE,
                     world);
      return;
    case ClassicalCollective::alltoall:
      MPI_Alltoallv(from.data(), sent.counts.data(), sent.displacements.data(), MPI_BYTE, into.data(),
                    got.counts.data(), got.displacements.data(), MPI_BYTE, world);
      return;
    case ClassicalCollective::reduce_scatter:
      MPI_Reduce_scatter(from.data(), into.data(), got.counts.data(), MPI_BYTE, MPI_BOR, world);
      return;
    default:
      throw ContractViolation("a collective that has a v variant");
  }
}

void call(problem::Classical const& problem, MPI_Comm world) {
  if (!problem.sizes.each.empty()) return call_with_counts(problem, world);
  auto const m = static_cast<int>(problem.sizes.block.value);
  std::size_t const slots = works_on_vector(problem.collective) ? 1 : static_cast<std::size_t>(problem.ranks);
  std::vector<char> from(slots * static_cast<std::size_t>(m) + 1), into(slots * static_cast<std::size_t>(m) + 1);
  switch (problem.collective) {
    case ClassicalCollective::bcast:
      MPI_Bcast(from.data(), m, MPI_BYTE, problem.root, world);
      return;
    case ClassicalCollective::gather:
      MPI_Gather(from.data(), m, MPI_BYTE, into.data(), m, MPI_BYTE, problem.root, world);
      return;
    case ClassicalCollective::scatter:
      MPI_Scatter(from.data(), m, MPI_BYTE, into.data(), m, MPI_BYTE, problem.root, world);
      return;
    case ClassicalCollective::allgather:
      MPI_Allgather(from.data(), m, MPI_BYTE, into.data(), m, MPI_BYTE, world);
      return;
    case ClassicalCollective::alltoall:
      MPI_Alltoall(from.data(), m, MPI_BYTE, into.data(), m, MPI_BYTE, world);
      return;
    case ClassicalCollective::allreduce:
      MPI_Allreduce(from.data(), into.data(), m, MPI_BYTE, MPI_BOR, world);
      return;
    case ClassicalCollective::reduce:
      MPI_Reduce(from.data(), into.data(), m, MPI_BYTE, MPI_BOR, problem.root, world);
      return;
    case ClassicalCollective::reduce_scatter:
      MPI_Reduce_scatter_block(from.data(), into.data(), m, MPI_BYTE, MPI_BOR, world);
      return;
    case ClassicalCollective::scan:
      MPI_Scan(from.data(), into.data(), m, MPI_BYTE, MPI_BOR, world);
      return;
    case ClassicalCollective::exscan:
      MPI_Exscan(from.data(), into.data(), m, MPI_BYTE, MPI_BOR, world);
      return;
    case ClassicalCollective::barrier:
      MPI_Barrier(world);
      return;
  }
  throw ContractViolation("a collective that MPI has");
}

/// SMPI's name of the collective, by which its algorithm is configured; none for what it has one algorithm of.
std::string configured(problem::Classical const& problem) {
  bool const sized = !problem.sizes.each.empty();
  switch (problem.collective) {
    case ClassicalCollective::scan:
    case ClassicalCollective::exscan:
      return "";
    case ClassicalCollective::gather:
    case ClassicalCollective::scatter:
      return sized ? "" : enum_name(kind_of(problem));
    case ClassicalCollective::allgather:
    case ClassicalCollective::alltoall:
      return enum_name(kind_of(problem)) + (sized ? "v" : "");
    default:
      return enum_name(kind_of(problem));
  }
}

}  // namespace

LibraryRun library_messages(problem::Classical const& problem, std::string const& name) {
  std::string const collective = configured(problem);
  // All ranks are in one process: whoever comes first selects the algorithm, as the others do once more.
  RankProgram const program = [&](MPI_Comm world, std::vector<std::byte>& /*result*/) {
    if (!collective.empty()) {
      simgrid::s4u::Engine::set_config("smpi/" + collective + ":" + name);
      simgrid::smpi::colls::set_collectives();
    }
    call(problem, world);
  };
  Platform const machine{
      .topology = FullyConnected{problem.ranks}, .latency = Seconds(1e-6), .bandwidth = BytesPerSecond(1e9)};
  EngineOptions options;
  options.log = Log::messages;
  options.timeout = Seconds(60);
  Outcome<ProgramRun> const outcome = simulate_program(problem.ranks, program, machine, options);
  if (!outcome.result) return {{}, to_string(outcome.failure) + ": " + outcome.error};
  LibraryRun run;
  for (MessageTimes const& times : outcome.result->timing.message_times) {
    if (times.source != times.target) {
      ++run.messages[{times.source.value, times.target.value, times.bytes.value}];
    }
  }
  return run;
}

Messages schedule_messages(problem::Classical const& problem) {
  Schedule const schedule = generate::generate(problem);
  Messages messages;
  for (int r = 0; r < schedule.ranks; ++r) {
    Program const& program = schedule.program(Rank(r));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) {
        ++messages[{r, schedule.peer(Rank(r), send).value, program.bytes(send).value}];
      }
    }
  }
  return messages;
}

std::string difference(Messages const& theirs, Messages const& ours) {
  auto const count = [](Messages const& messages, auto const& key) {
    auto const found = messages.find(key);
    return found == messages.end() ? 0 : found->second;
  };
  for (Messages const* side : {&theirs, &ours}) {
    for (auto const& [key, number] : *side) {
      auto const& [source, target, bytes] = key;
      if (count(theirs, key) == count(ours, key)) continue;
      return fmt::format("{} to {}, {} bytes: {} of theirs, {} of ours", source, target, bytes, count(theirs, key),
                         count(ours, key));
    }
  }
  return "";
}

}  // namespace rondo::test

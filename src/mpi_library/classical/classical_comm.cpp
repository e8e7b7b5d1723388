// Makes schedules, host groups and selections of a communicator at their first use, and keeps them for later calls.

#include "mpi_library/classical/classical_comm.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/error.hpp"
#include "generate/classical.hpp"
#include "json/value.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/classical/proved_schedule.hpp"
#include "mpi_library/classical/unused_choices.hpp"
#include "schedule/verify.hpp"

namespace rondo::mpi {
namespace {

/// Whether two problems have the same schedule.
bool same(problem::Classical const& a, problem::Classical const& b) {
  auto const all = [](problem::Classical const& each) {
    return std::tie(each.collective, each.ranks, each.sizes.block, each.sizes.each, each.algorithm, each.root,
                    each.segment, each.radix, each.group_size, each.distances, each.children, each.commutative,
                    each.hierarchy.lanes, each.hierarchy.segment);
  };
  auto const same_level = [](problem::PhaseAlgorithms const& one, problem::PhaseAlgorithms const& other) {
    return one.default_algorithm == other.default_algorithm && one.exceptions == other.exceptions;
  };
  return all(a) == all(b) && std::ranges::equal(a.hierarchy.levels, b.hierarchy.levels, same_level);
}

/// Generates the schedule. If the operator does not commute, the order of contributions is proved first: a schedule
/// that mixes it up would give wrong results without an error.
std::shared_ptr<Schedule const> made(problem::Classical const& problem) {
  auto schedule = std::make_shared<Schedule const>(generate::generate(problem));
  if (!problem.commutative && !verify(*schedule, generate::promise(problem)).valid()) {
    throw InputError("it does not keep the order of ranks, which an operator that does not commute needs");
  }
  return schedule;
}

}  // namespace

/// Moves a schedule that is used to the front, so that the least recently used one is dropped.
std::shared_ptr<Schedule const> RecentSchedules::of(problem::Classical const& problem) {
  for (auto each = cache_.begin(); each != cache_.end(); ++each) {
    if (!same(each->problem, problem)) continue;
    cache_.splice(cache_.begin(), cache_, each);
    return cache_.front().schedule;
  }
  cache_.push_front({problem, made(problem)});
  if (cache_.size() > most) cache_.pop_back();
  return cache_.front().schedule;
}

/// The host of each rank, named by the lowest rank on it.
std::vector<int> const& ClassicalComm::hosts() {
  if (!host_of.empty()) return host_of;
  MPI_Comm const comm = messages->handle();
  int const rank = rank_in(comm), ranks = size_of(comm);
  MPI_Comm on_host = MPI_COMM_NULL;
  check(PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &on_host));
  int first = rank;
  check(PMPI_Bcast(&first, 1, MPI_INT, 0, on_host));
  check(PMPI_Comm_free(&on_host));
  host_of.resize(static_cast<std::size_t>(ranks));
  check(PMPI_Allgather(&first, 1, MPI_INT, host_of.data(), 1, MPI_INT, comm));
  return host_of;
}

/// The schedule of a file, read and proved once. A schedule for another number of ranks is skipped if the choice is a
/// variable, which applies to communicators of all sizes.
ProvedSchedule& ClassicalComm::schedule_of(Choice const& choice, ClassicalCollective collective) {
  std::unique_ptr<ProvedSchedule>& known = proved[{choice.schedule, collective}];
  MPI_Comm const comm = messages->handle();
  if (known == nullptr) {
    int const ranks = size_of(comm), all = size_of(MPI_COMM_WORLD);
    bool const must_fit = choice.for_these_ranks || ranks == all;
    known = std::make_unique<ProvedSchedule>(FileForAll{choice.schedule, choice.where, comm}, collective,
                                             must_fit ? OtherRanks::refused : OtherRanks::passed_over);
  }
  if (known->refusal().empty()) return *known;
  if (known->for_other_ranks()) throw InputError(known->refusal());
  throw WrongChoice(choice.where + ": " + known->refusal(), choice.code, Reported::yes);
}

/// The rules of a selection file. Rank 0 reads it for all.
Selection const& ClassicalComm::selection(Setting const& file) {
  auto const [known, is_new] = selections.try_emplace(file.value);
  SharedSelection& shared = known->second;
  if (is_new) {
    FileForAll const named{file.value, file.where, messages->handle()};
    SharedFile read = share_file(named, json::largest_file, [&](std::string const& text) {
      parse_selection(text, file.value);
      return 0;
    });
    shared.refusal = std::move(read.refusal);
    if (shared.refusal.empty()) shared.rules = parse_selection(read.text, file.value);
  }
  if (shared.refusal.empty()) return shared.rules;
  note_selection();
  throw WrongChoice(file.where + ": " + shared.refusal, file.code, Reported::yes);
}

int ClassicalComm::next_tag() {
  if (last_tag < 0) last_tag = largest_tag(messages->handle());
  int const tag = operations;
  operations = operations == last_tag ? 0 : operations + 1;
  return tag;
}

void ClassicalComm::note(MPI_Comm comm, std::string const& text) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (notes.insert(text).second && rank == 0) std::fprintf(stderr, "rondo: %s\n", text.c_str());
}

}  // namespace rondo::mpi

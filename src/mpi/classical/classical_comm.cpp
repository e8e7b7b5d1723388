#include "mpi/classical/classical_comm.hpp"

#include <cstdio>
#include <utility>

#include "base/error.hpp"
#include "generate/classical.hpp"
#include "schedule/verify.hpp"

namespace rondo::mpi {
namespace {

bool same(problem::Classical const& a, problem::Classical const& b) {
  auto const all = [](problem::Classical const& each) {
    return std::tie(each.collective, each.ranks, each.sizes.block, each.sizes.each, each.algorithm, each.root,
                    each.segment, each.radix, each.group_size, each.distances, each.children, each.commutative);
  };
  return all(a) == all(b);
}

std::shared_ptr<Schedule const> made(problem::Classical const& problem) {
  auto schedule = std::make_shared<Schedule const>(generate::generate(problem));
  if (!problem.commutative && !verify(*schedule, generate::promise(problem)).valid()) {
    throw InputError("it does not keep the order of ranks, which an operator that does not commute needs");
  }
  return schedule;
}

}  // namespace

std::shared_ptr<Schedule const> RecentSchedules::of(problem::Classical const& problem) {
  for (auto each = known_.begin(); each != known_.end(); ++each) {
    if (!same(each->problem, problem)) continue;
    known_.splice(known_.begin(), known_, each);
    return known_.front().schedule;
  }
  known_.push_front({problem, made(problem)});
  if (known_.size() > most) known_.pop_back();
  return known_.front().schedule;
}

int ClassicalComm::next_tag() {
  int const tag = operations;
  operations = operations == largest_tag(messages->handle()) ? 0 : operations + 1;
  return tag;
}

void ClassicalComm::note(MPI_Comm comm, std::string const& text) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (notes.insert(text).second && rank == 0) std::fprintf(stderr, "rondo: %s\n", text.c_str());
}

}  // namespace rondo::mpi

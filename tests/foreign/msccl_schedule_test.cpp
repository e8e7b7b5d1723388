// Rondo's own schedules as MSCCL XML: written, read back and proved against the promise of the file that is written and
// against their own.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "classical_forms.hpp"
#include "foreign/msccl.hpp"
#include "generate/classical.hpp"
#include "generate/generate.hpp"
#include "schedule/verify.hpp"

namespace rondo {
namespace {

using problem::Classical;

msccl::Algorithm written_and_read(msccl::Algorithm const& algorithm) {
  std::string text;
  msccl::write(algorithm, [&](std::string_view piece) { text += piece; });
  return msccl::read(text, "x.xml");
}

std::string fault_of(BlockGraph const& graph, Collective const& promise, Slots slots) {
  TaskProof const verdict = prove(graph, &promise, slots);
  return verdict.valid() ? "" : rule_of(verdict.violations.front()) + ": " + verdict.violations.front().text;
}

/// Every algorithm on all ranks with blocks of one size: what is written keeps the promise of the schedule.
TEST(MscclSchedules, of_every_algorithm_on_all_ranks_keep_their_promises) {
  int written = 0, named = 0;
  for (ClassicalCollective const collective :
       {ClassicalCollective::bcast, ClassicalCollective::gather, ClassicalCollective::scatter,
        ClassicalCollective::allgather, ClassicalCollective::alltoall, ClassicalCollective::reduce_scatter,
        ClassicalCollective::reduce, ClassicalCollective::scan, ClassicalCollective::exscan,
        ClassicalCollective::allreduce, ClassicalCollective::barrier}) {
    for (int const p : {2, 3, 4, 6, 8, 12}) {
      for (Classical const& problem : test::every_form(collective, p, Bytes(27720))) {
        Schedule const schedule = generate::generate(problem);
        Collective const promise = generate::promise(problem);
        msccl::Algorithm algorithm;
        try {
          algorithm = written_and_read(msccl::of_schedule(schedule, promise, "a & b"));
        } catch (InputError const&) {
          continue;  // blocks of several sizes, or an operator that does not commute
        }
        ++written;
        EXPECT_EQ(algorithm.name, "a & b");
        std::string const what = enum_name(problem.algorithm) + " on " + std::to_string(p);
        BlockGraph const graph = msccl::tasks(algorithm, Bytes(1));
        EXPECT_EQ(fault_of(graph, promise, {}), "") << what;
        if (auto const own = msccl::promise(algorithm)) {
          ++named;
          EXPECT_EQ(fault_of(graph, *own, {}), "") << what;
        }
      }
    }
  }
  EXPECT_GE(written, 500);
  EXPECT_GE(named, 200);
}

/// What each collective is called in the file.
TEST(MscclSchedules, are_named_as_what_they_promise) {
  using msccl::Kind;
  std::vector<std::pair<ClassicalCollective, Kind>> const cases = {
      {ClassicalCollective::allgather, Kind::allgather}, {ClassicalCollective::alltoall, Kind::alltoall},
      {ClassicalCollective::allreduce, Kind::allreduce}, {ClassicalCollective::reduce_scatter, Kind::reduce_scatter},
      {ClassicalCollective::bcast, Kind::broadcast},     {ClassicalCollective::reduce, Kind::reduce},
      {ClassicalCollective::scan, Kind::custom},         {ClassicalCollective::gather, Kind::custom}};
  for (auto const& [collective, kind] : cases) {
    Classical const problem = test::every_form(collective, 4, Bytes(8)).front();
    auto const algorithm =
        msccl::of_schedule(generate::generate(problem), generate::promise(problem), enum_name(problem.algorithm));
    EXPECT_EQ(algorithm.kind, kind) << enum_name(algorithm.kind);
  }
}

/// 7 bytes in 3 parts are of 3, 2 and 2 bytes.
TEST(MscclSchedules, of_blocks_that_differ_in_size_are_refused) {
  int refused = 0;
  for (Classical const& problem : test::every_form(ClassicalCollective::allreduce, 3, Bytes(7))) {
    if (problem.algorithm != "ring") continue;
    Schedule const schedule = generate::generate(problem);
    EXPECT_THROW(msccl::of_schedule(schedule, generate::promise(problem), ""), InputError);
    ++refused;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace rondo

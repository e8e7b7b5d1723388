// What makes a schedule for one root and one size of blocks one for all others.

#include <gtest/gtest.h>

#include <map>

#include "classical_forms.hpp"
#include "generate/classical.hpp"
#include "schedule/other_root_and_size.hpp"
#include "schedule/verify.hpp"

namespace rondo {
namespace {

using enum ClassicalCollective;

std::uint32_t pieces_of(Collective const& promise, Classical const& whole) {
  return static_cast<std::uint32_t>(held(promise, whole.root).size() / held(whole, whole.root).size());
}

TEST(Followed, a_schedule_with_a_root_holds_for_every_other_one) {
  for (int ranks = 1; ranks <= 9; ++ranks) {
    for (auto const collective : {bcast, gather, scatter, reduce}) {
      for (problem::Classical const& problem : test::every_form(collective, ranks, Bytes(100))) {
        if (!problem.commutative) continue;
        Schedule const schedule = generate::generate(problem);
        Classical whole{collective, ranks, Rank(problem.root)};
        Classical const from = whole;
        std::uint32_t const pieces = pieces_of(generate::promise(problem), whole);
        for (int root = 0; root < ranks; ++root) {
          whole.root = Rank(root);
          Verdict const verdict =
              verify(with_root(schedule, from, pieces, Rank(root)), in_pieces(whole, {static_cast<int>(pieces)}));
          EXPECT_TRUE(verdict.valid()) << test::name_of(problem) << ", for root " << root;
        }
      }
    }
  }
}

/// Other sizes for each block, where there are several.
problem::BlockSizes uneven(ClassicalCollective collective, int ranks) {
  if (works_on_vector(collective) || collective == scan || collective == exscan) return Bytes(101);
  int const blocks = collective == alltoall ? ranks * ranks : ranks;
  std::vector<Bytes> each;
  for (int i = 0; i < blocks; ++i) each.emplace_back(100 + i);
  return {each.back(), each};
}

/// The size of every promised block, as the rank has it that sends it.
std::map<Content, Bytes> sizes_of_blocks(Schedule const& schedule, Collective const& promise) {
  std::map<Content, Bytes> sizes;
  for (int r = 0; r < schedule.ranks; ++r) {
    std::uint32_t slot = 0;
    for (Content content : held(promise, Rank(r))) {
      if (schedule.joins()) content.origin = Rank(0);
      sizes[content] = schedule.program(Rank(r)).layout().bytes(send_slot(slot++));
    }
  }
  return sizes;
}

// Generators give every slot the size of the blocks that pass through it. Here the sizes are found without them.
TEST(Followed, slots_have_the_sizes_of_the_blocks_that_messages_take_to_them) {
  int slots = 0;
  for (int const ranks : {2, 3, 5, 8}) {
    for (auto const collective :
         {bcast, gather, scatter, allgather, alltoall, reduce, reduce_scatter, scan, exscan, allreduce}) {
      for (problem::Classical problem : test::every_form(collective, ranks, Bytes(100))) {
        problem.sizes = uneven(collective, ranks);
        Schedule const schedule = generate::generate(problem);
        Collective const promise = generate::promise(problem);
        auto const sizes = sizes_of_blocks(schedule, promise);
        for (int r = 0; r < ranks; ++r) {
          BlocksOfSlots const blocks = blocks_of_slots(schedule, promise, Rank(r));
          Layout const& layout = schedule.program(Rank(r)).layout();
          for (Buffer const buffer : {Buffer::send, Buffer::receive, Buffer::intermediate}) {
            for (std::uint32_t i = 0; i < layout[buffer].slots; ++i) {
              for (Content const& each : blocks.of({buffer, i})) {
                EXPECT_EQ(layout.bytes({buffer, i}), sizes.at(each)) << test::name_of(problem) << ", rank " << r;
                ++slots;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(slots, 10000);
}

// Rank 0 sends two blocks to rank 1, one after the other, through its only intermediate slot.
TEST(Followed, a_slot_has_all_blocks_that_pass_through_it) {
  Layout const from{Bytes(4), {BufferLayout{2, {}}, {}, {}}}, into{Bytes(4), {BufferLayout{}, {2, {}}, {1, {}}}};
  ProgramBuilder sender(from), receiver(into);
  for (std::uint32_t k = 0; k < 2; ++k) {
    Place const sent[] = {send_slot(k)}, got[] = {intermediate_slot(0)};
    sender.begin_round();
    sender.send(1, sent);
    receiver.begin_round();
    receiver.receive(0, got);
    receiver.copy(intermediate_slot(0), receive_slot(k));
  }
  Schedule schedule;
  schedule.ranks = 2;
  schedule.programs = {std::move(sender).finish(), std::move(receiver).finish()};
  schedule.program_of = {0, 1};
  Classical const promise{bcast, 2, Rank(0), 2};
  ASSERT_TRUE(verify(schedule, promise).valid());
  std::vector<Content> const both = {{Rank(0), BlockId(0)}, {Rank(0), BlockId(1)}};
  BlocksOfSlots const blocks = blocks_of_slots(schedule, promise, Rank(1));
  EXPECT_EQ(blocks.of(intermediate_slot(0)), both);
  EXPECT_EQ(blocks.of(receive_slot(1)), both);
}

}  // namespace
}  // namespace rondo

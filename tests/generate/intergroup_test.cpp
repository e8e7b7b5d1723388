#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/random.hpp"
#include "generate/generate.hpp"
#include "intergroup_check.hpp"
#include "reference.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using enum problem::IntraAllgather;
using enum problem::Broadcast;

std::string name(Groups const& groups, std::string const& what) {
  return std::to_string(groups.senders()) + " senders, " + std::to_string(groups.receivers()) + " receivers, " + what;
}

std::string name(problem::IntraAllgather kind) {
  return kind == bruck ? "bruck" : kind == recursive_doubling ? "recursive_doubling" : "ring";
}

std::string name(problem::Broadcast kind) {
  return kind == binomial ? "binomial" : kind == scatter_allgather ? "scatter_allgather" : "scatter_ring_allgather";
}

/// The blocks that ranks get although they have them: only the members of a scatter, from the allgather after it.
void expect_no_redundant_block(Verdict const& verdict, problem::Broadcast form, std::string const& what) {
  if (form == binomial) {
    EXPECT_EQ(verdict.redundant_blocks, 0) << what;
  }
}

void check_group_allgather(Groups const& groups, Bytes block, problem::IntraAllgather kind, problem::Broadcast form,
                           int ports = 1) {
  std::string const what =
      name(groups, name(kind) + " " + name(form) + " " + print(block) + " ports " + std::to_string(ports));
  problem::Intergroup problem{groups, block, kind, form};
  problem.ports = ports;
  IntergroupPromise const promise{groups, generate::intergroup_pieces({groups, block, {}, form})};
  Verdict const verdict = expect_as_in_theory(generate::intergroup_group_allgather(problem), promise,
                                              theory::group_allgather(groups, block, kind, form, ports),
                                              theory::intergroup_bounds_any(groups, ports), what, ports);
  expect_no_redundant_block(verdict, form, what);
}

void check_root_gathering(Groups const& groups, Bytes block, problem::Broadcast form, int ports = 1) {
  std::string const what = name(groups, "root " + name(form) + " " + print(block) + " ports " + std::to_string(ports));
  problem::Intergroup problem{groups, block, {}, form};
  problem.ports = ports;
  IntergroupPromise const promise{
      groups, generate::intergroup_pieces({groups, block, {}, form, {}, problem::IntergroupAlgorithm::root_gathering})};
  Verdict const verdict = expect_as_in_theory(generate::intergroup_root_gathering(problem), promise,
                                              theory::root_gathering(groups, block, form, ports),
                                              theory::intergroup_bounds_any(groups, ports), what, ports);
  expect_no_redundant_block(verdict, form, what);
}

/// All algorithms. With p >= q nothing is broadcast by group_allgather: one form is enough.
void check_all(Groups const& groups, Bytes block, int ports = 1) {
  for (problem::IntraAllgather const kind : {bruck, recursive_doubling, ring}) {
    check_group_allgather(groups, block, kind, binomial, ports);
    if (groups.senders() >= groups.receivers()) continue;
    for (problem::Broadcast const form : {scatter_allgather, scatter_ring_allgather}) {
      check_group_allgather(groups, block, kind, form, ports);
    }
  }
  for (problem::Broadcast const form : {binomial, scatter_allgather, scatter_ring_allgather}) {
    check_root_gathering(groups, block, form, ports);
  }
}

TEST(IntergroupAllgather, all_groups_up_to_16_deliver_with_theorys_counts_and_time) {
  for (int p = 1; p <= 16; ++p) {
    for (int q = 1; q <= 16; ++q) check_all(Groups(p, q), Bytes(12));
  }
}

TEST(IntergroupAllgather, all_groups_up_to_16_deliver_with_theorys_counts_and_time_on_several_ports) {
  for (int p = 1; p <= 16; ++p) {
    for (int q = 1; q <= 16; ++q) check_all(Groups(p, q), Bytes(12), 2 + (p + q) % 4);
  }
}

// The log of p to the base k + 1 with bruck, after the round in which the blocks cross: 3 rounds for 16 and 16 on 3
// ports, which is the bound.
TEST(IntergroupAllgather, takes_fewer_rounds_on_more_ports_and_never_more) {
  auto const rounds = [](Groups const& groups, problem::IntergroupAlgorithm algorithm, int ports) {
    problem::Intergroup problem{groups, Bytes(8)};
    problem.algorithm = algorithm;
    problem.ports = ports;
    Schedule const schedule = generate::generate(problem);
    EXPECT_TRUE(verify(schedule, generate::promise(problem), {.ports = ports, .linked = {}}).valid());
    return schedule.rounds();
  };
  using enum problem::IntergroupAlgorithm;
  EXPECT_EQ(rounds(Groups(16, 16), group_allgather, 1), 5);
  EXPECT_EQ(rounds(Groups(16, 16), group_allgather, 3), 3);
  EXPECT_EQ(theory::intergroup_bounds_any(Groups(16, 16), 3).rounds, 3);
  EXPECT_EQ(rounds(Groups(27, 4), group_allgather, 2), 4);     // 1 + log3 27
  EXPECT_EQ(rounds(Groups(4, 60), group_allgather, 3), 3);     // a tree of 1 + 15 members, and log4 4
  EXPECT_EQ(rounds(Groups(9, 9), root_gathering, 2), 5);       // log3 9 twice, and one from root to root
  EXPECT_EQ(rounds(Groups(12, 4), receiver_allgather, 3), 2);  // 3 blocks at once, and log4 4
  Random random(54);
  for (int k = 0; k < 100 / test::thinned; ++k) {
    Groups const groups(static_cast<int>(random.between(1, 40)), static_cast<int>(random.between(1, 40)));
    for (auto const algorithm : {group_allgather, root_gathering, receiver_allgather, ring_allgather, ring_optimal}) {
      if (algorithm == receiver_allgather && groups.senders() < groups.receivers()) continue;
      int least = std::numeric_limits<int>::max();
      for (int const ports : {1, 2, 3, 4, 6, 8}) {
        int const now = rounds(groups, algorithm, ports);
        EXPECT_LE(now, least) << name(groups, "on " + std::to_string(ports));
        least = now;
      }
    }
  }
}

// .ci/long runs it.
TEST(LongIntergroupAllgather, DISABLED_all_groups_up_to_64_deliver_with_theorys_counts_and_time) {
  for (int p = 1; p <= 64; ++p) {
    for (int q = 1; q <= 64; ++q) check_all(Groups(p, q), Bytes(12));
  }
}

// Blocks with fewer bytes than segments, of no bytes, of a prime and of a large number of bytes.
TEST(IntergroupAllgather, blocks_of_any_size_are_cut_in_segments_that_add_up) {
  for (Bytes const block : {Bytes(0), Bytes(1), Bytes(2), Bytes(7), Bytes(1048573)}) {
    for (auto const& [p, q] : {std::pair(1, 1), {1, 7}, {3, 8}, {4, 8}, {5, 23}, {7, 8}, {8, 7}, {13, 5}, {2, 33}}) {
      Groups const groups(p, q);
      check_all(groups, block);
      for (Schedule const& schedule :
           {generate::intergroup_group_allgather({groups, block, bruck, scatter_allgather}),
            generate::intergroup_root_gathering({groups, block, {}, scatter_ring_allgather})}) {
        EXPECT_EQ(schedule.program(Rank(p)).layout().bytes(Buffer::receive), p * block) << name(groups, print(block));
      }
    }
  }
}

/// (3,1) in two rounds: a_1 gives its block to a_0 while a_2 gives its own to b_0, then a_0 sends both that it holds.
Schedule three_to_one_in_two_rounds() {
  Schedule schedule;
  schedule.ranks = 4;
  schedule.program_of = {0, 1, 2, 3};
  Layout layout{Bytes(64), {}};
  layout[Buffer::send].slots = layout[Buffer::intermediate].slots = 1;
  layout[Buffer::receive].slots = 3;
  std::vector const own{send_slot(0)}, kept{intermediate_slot(0)}, last{receive_slot(2)};
  std::vector const two{send_slot(0), intermediate_slot(0)}, first{receive_slot(0), receive_slot(1)};
  std::vector<ProgramBuilder> ranks(4, ProgramBuilder(layout));
  for (ProgramBuilder& rank : ranks) rank.begin_round();
  ranks[1].send(0, own);
  ranks[0].receive(1, kept);
  ranks[2].send(3, own);
  ranks[3].receive(2, last);
  for (int const r : {0, 3}) ranks[static_cast<std::size_t>(r)].begin_round();
  ranks[0].send(3, two);
  ranks[3].receive(0, first);
  for (ProgramBuilder& rank : ranks) schedule.programs.push_back(std::move(rank).finish());
  return schedule;
}

// The paper calls 1 + ceil(log2 p) rounds optimal in start-ups; a receiver is reached by p + 1 ranks' worth of
// doubling, ceil(log2(p + 1)) rounds, and (3,1) does with them (docs/notes-intergroup.md#optimal-start-ups).
TEST(IntergroupAllgather, of_three_senders_and_a_receiver_takes_a_round_less_than_the_papers) {
  Schedule const schedule = three_to_one_in_two_rounds();
  EXPECT_TRUE(verify(schedule, IntergroupPromise{Groups(3, 1)}).valid());
  EXPECT_EQ(measure(schedule).rounds, 2);
  EXPECT_EQ(measure(generate::intergroup_group_allgather({Groups(3, 1), Bytes(64), bruck, binomial})).rounds, 3);
}

// a_i to b_i, then an allgather of p ranks: 1 + ceil(log2 p) rounds, every receiver takes p blocks [Kang19, Section
// III].
// Item [Kang19, cost for p = q]: holds.
TEST(IntergroupAllgather, takes_the_rounds_of_the_paper) {
  auto const rounds = [](int p, int q, problem::IntraAllgather kind, problem::Broadcast form) {
    return measure(generate::intergroup_group_allgather({Groups(p, q), Bytes(64), kind, form})).rounds;
  };
  EXPECT_EQ(rounds(6, 6, bruck, binomial), 4);                // 1 + 3
  EXPECT_EQ(rounds(6, 2, ring, binomial), 6);                 // 1 + 5
  EXPECT_EQ(rounds(6, 2, recursive_doubling, binomial), 5);   // 1 + (1 + 2 + 1)
  EXPECT_EQ(rounds(8, 2, recursive_doubling, binomial), 4);   // 1 + 3
  EXPECT_EQ(rounds(2, 6, bruck, binomial), 3);                // groups of 4, then pairs: 2 + 1
  EXPECT_EQ(rounds(2, 6, bruck, scatter_allgather), 5);       // 2 * 2 + 1
  EXPECT_EQ(rounds(2, 6, bruck, scatter_ring_allgather), 6);  // 2 + 3 + 1
  EXPECT_EQ(rounds(4, 13, bruck, binomial), 5);               // groups of 5 and 4: 3 + 2
  EXPECT_EQ(rounds(64, 192, bruck, binomial), 8);             // groups of 4: 2 + 6
}

/// The pairs of ranks between which a message goes in a round.
std::set<std::pair<int, int>> messages_of(Schedule const& schedule, int round) {
  std::set<std::pair<int, int>> found;
  for (int r = 0; r < schedule.ranks; ++r) {
    Program const& program = schedule.program(Rank(r));
    if (round > program.rounds()) continue;
    for (Transfer const& send : program.sends(round)) found.insert({r, send.peer});
  }
  return found;
}

// Item [Kang19, Figure 1]: holds.
TEST(IntergroupAllgather, goes_the_ways_of_the_figure) {
  // 6 senders and 2 receivers: (a) 0 and 1 send to 6 and 7, (b) which gather with 2 to 5.
  Schedule const few = generate::intergroup_group_allgather({Groups(6, 2), Bytes(64), bruck, binomial});
  EXPECT_EQ(messages_of(few, 1), (std::set<std::pair<int, int>>{{0, 6}, {1, 7}}));
  for (int round = 2; round <= few.rounds(); ++round) {
    for (auto const& [from, to] : messages_of(few, round)) EXPECT_TRUE(from >= 2 && to >= 2) << round;
  }
  // 2 senders and 6 receivers: (c) 0 to 2, 4 and 6, and 1 to 3, 5 and 7; (d) 2 and 3, 4 and 5, 6 and 7 exchange.
  Schedule const many = generate::intergroup_group_allgather({Groups(2, 6), Bytes(64), bruck, binomial});
  for (int round = 1; round < many.rounds(); ++round) {
    for (auto const& [from, to] : messages_of(many, round)) EXPECT_EQ(from % 2, to % 2) << round;
  }
  EXPECT_EQ(messages_of(many, many.rounds()),
            (std::set<std::pair<int, int>>{{2, 3}, {3, 2}, {4, 5}, {5, 4}, {6, 7}, {7, 6}}));
}

// What sets it apart from bruck: after the scatter every receiver sends one segment a round, to the next one only.
TEST(IntergroupAllgather, the_ring_after_a_scatter_goes_to_the_next_receiver_only) {
  int const p = 3, q = 6;
  Schedule const schedule = generate::intergroup_root_gathering({Groups(p, q), Bytes(64), {}, scatter_ring_allgather});
  int const scattered = 2 + 1 + 3;  // gather, across, and a tree of 6
  EXPECT_EQ(schedule.rounds(), scattered + q - 1);
  for (int b = 0; b < q; ++b) {
    Program const& program = schedule.program(Rank(p + b));
    for (int round = scattered + 1; round <= schedule.rounds(); ++round) {
      ASSERT_EQ(program.sends(round).size(), 1U);
      EXPECT_EQ(program.sends(round)[0].peer, p + (b + 1) % q);
      EXPECT_EQ(program.bytes(program.sends(round)[0]), Bytes(3 * 64 / q));
    }
  }
}

/// The volumes of the record are in words of which a block has `k`: bytes here.
void expect_recorded(nlohmann::json const& answer, Schedule const& schedule, IntergroupPromise const& promise,
                     Bytes block) {
  Measures const measures = measure(schedule);
  EXPECT_EQ(measures.rounds, answer["steps"]);
  EXPECT_EQ(measures.critical_bytes.value, answer["critical_volume"]);
  EXPECT_EQ(measures.total_bytes.value, answer["total_volume"]);
  Verdict const verdict = verify(schedule, promise);
  EXPECT_NEAR(verdict.redundant_blocks * static_cast<double>(block.value), answer["redundant_volume"], 1e-9);
  EXPECT_EQ(verdict.valid(), answer["ok"].get<bool>());
}

TEST(IntergroupAllgather, reproduces_the_recorded_schedules) {
  auto const pairs = reference::pairs("intergroup.json", "fully_connected_intergroup");
  ASSERT_GE(pairs.size(), 30U);
  for (auto const& pair : pairs) {
    auto const& request = pair["request"];
    SCOPED_TRACE(request.dump());
    Groups const groups(request["p"], request["q"]);
    Bytes const block(request.value("k", 1));
    problem::Broadcast const form = request.value("bcast", "binomial") == "binomial" ? binomial : scatter_allgather;
    problem::IntraAllgather const kind = request.value("allgather", "bruck") == "bruck" ? bruck : ring;
    bool const root = request.value("variant", "") == "root_gathering";
    IntergroupPromise const promise{
        groups,
        root ? generate::intergroup_pieces({groups, block, {}, form, {}, problem::IntergroupAlgorithm::root_gathering})
             : generate::intergroup_pieces({groups, block, {}, form})};
    Schedule const schedule = root ? generate::intergroup_root_gathering({groups, block, {}, form})
                                   : generate::intergroup_group_allgather({groups, block, kind, form});
    expect_recorded(pair["answer"], schedule, promise, block);
  }
}

TEST(IntergroupAllgather, refuses_empty_groups) {
  for (auto const& [p, q] : {std::pair(0, 4), {4, 0}, {-1, 4}, {4, -1}}) EXPECT_THROW(Groups(p, q), InputError);
  try {
    Groups(0, 5);
  } catch (InputError const& error) {
    EXPECT_STREQ(error.what(), "an inter-group collective has at least 1 sender and 1 receiver, got 0 and 5");
  }
}

// A receiver that forwards the wrong block must not go unnoticed: the promise is apart from the generator.
TEST(IntergroupAllgather, the_schedule_for_other_groups_does_not_keep_the_promise) {
  Schedule const schedule = generate::intergroup_group_allgather({Groups(5, 3), Bytes(8), bruck, binomial});
  EXPECT_FALSE(verify(schedule, IntergroupPromise{Groups(4, 4)}).valid());
  EXPECT_FALSE(verify(schedule, IntergroupPromise{Groups(6, 2)}).valid());
}

}  // namespace
}  // namespace rondo

#include "broken.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rondo::testing {
namespace {

template <typename T>
T& any_of(Random& random, std::vector<T>& items) {
  return items[random.below(items.size())];
}

Place random_place(Random& random, DraftProgram const& program) {
  auto const buffer = static_cast<Buffer>(random.below(buffer_count));
  return {buffer, static_cast<std::uint32_t>(random.below(program.layout[buffer].slots))};
}

}  // namespace

void mutate(Random& random, DraftProgram& program, std::function<int(int)> const& other_peer) {
  DraftRound& round = any_of(random, program.rounds);
  std::vector<DraftTransfer>& transfers = random.below(2) == 0 ? round.sends : round.receives;
  auto const place = [&] { return random_place(random, program); };
  switch (random.below(9)) {
    case 0:
      if (!transfers.empty()) transfers.erase(transfers.begin() + static_cast<int>(random.below(transfers.size())));
      return;
    case 1:
      if (!transfers.empty()) any_of(random, any_of(random, transfers).places) = place();
      return;
    case 2:
      if (!transfers.empty()) any_of(random, transfers).peer = other_peer(transfers[0].peer);
      return;
    case 3:
      if (!transfers.empty()) transfers.push_back(any_of(random, transfers));
      return;
    case 4:
      if (!transfers.empty()) any_of(random, transfers).places.push_back(place());
      return;
    case 5:
      if (program.rounds.size() > 2) {
        std::size_t const other = 1 + random.below(program.rounds.size() - 1);
        std::swap(program.rounds[1 + random.below(program.rounds.size() - 1)], program.rounds[other]);
      }
      return;
    case 6:
      round.copies.push_back({place(), place()});
      return;
    case 7: {
      BufferLayout& buffer = program.layout.buffers[random.below(buffer_count)];
      buffer.sizes.assign(buffer.slots, 8_B);
      any_of(random, buffer.sizes) = 4_B;
      return;
    }
    default:
      std::swap(round.sends, any_of(random, program.rounds).sends);
      return;
  }
}

void mutate_join(Random& random, DraftProgram& program) {
  DraftRound& round = any_of(random, program.rounds);
  auto const any_join = [&] { return static_cast<Join>(random.below(3)); };
  switch (random.below(3)) {
    case 0:
      if (!round.receives.empty()) any_of(random, round.receives).join = any_join();
      return;
    case 1:
      if (!round.copies.empty()) any_of(random, round.copies).join = any_join();
      return;
    default:
      round.copies.push_back({random_place(random, program), random_place(random, program), any_join()});
      return;
  }
}

bool sends_in_round_0(Draft const& draft) {
  return std::any_of(draft.programs.begin(), draft.programs.end(), [](DraftProgram const& program) {
    return !program.rounds.empty() && !(program.rounds[0].sends.empty() && program.rounds[0].receives.empty());
  });
}

void trim(Draft& draft) {
  std::size_t rounds = 1;
  for (DraftProgram const& program : draft.programs) {
    for (std::size_t k = rounds; k < program.rounds.size(); ++k) {
      if (!program.rounds[k].sends.empty() || !program.rounds[k].receives.empty()) rounds = k + 1;
    }
  }
  for (DraftProgram& program : draft.programs) program.rounds.resize(std::min(rounds, program.rounds.size()));
}

Found found(Verdict const& verdict) {
  Found faults;
  for (Violation const& each : verdict.violations) {
    bool const circle = each.fault == Fault::circular_wait;
    faults.insert({each.fault, circle ? 0 : each.rank.value, circle ? 0 : each.round});
  }
  return faults;
}

namespace {

Found only(Found const& all, std::initializer_list<Fault> kinds) {
  Found some;
  for (auto const& each : all) {
    if (std::find(kinds.begin(), kinds.end(), std::get<0>(each)) != kinds.end()) some.insert(each);
  }
  return some;
}

}  // namespace

bool holds(Found const& all, Fault fault) { return !only(all, {fault}).empty(); }

void expect_same(Verdict const& verdict, NaiveVerdict const& naive) {
  Found const mine = found(verdict);
  EXPECT_EQ(verdict.delivered, naive.delivered);
  EXPECT_NEAR(verdict.redundant_blocks, naive.redundant_blocks, 1e-9);
  EXPECT_EQ(verdict.valid(), naive.delivered && naive.faults.empty());
  auto const exact = {Fault::lost_block,     Fault::wrong_place,       Fault::duplicate,    Fault::overwritten,
                      Fault::unmatched_send, Fault::unmatched_receive, Fault::ports,        Fault::missing,
                      Fault::doubled,        Fault::foreign,           Fault::out_of_order, Fault::differing_bits};
  EXPECT_EQ(only(mine, exact), only(naive.faults, exact));
  bool const shifted = holds(naive.faults, Fault::unmatched_send) || holds(naive.faults, Fault::unmatched_receive);
  for (Fault const kind : {Fault::not_held, Fault::size_mismatch, Fault::round_mismatch}) {
    Found const some = only(mine, {kind});
    Found const all = only(naive.faults, {kind});
    EXPECT_TRUE(std::includes(all.begin(), all.end(), some.begin(), some.end())) << to_string(kind);
    bool const follows = shifted || (kind == Fault::not_held && holds(naive.faults, Fault::size_mismatch));
    EXPECT_TRUE(follows || some.empty() == all.empty()) << to_string(kind);
  }
  EXPECT_TRUE(shifted || holds(mine, Fault::circular_wait) == holds(naive.faults, Fault::circular_wait));
  EXPECT_FALSE(holds(mine, Fault::malformed));
}

}  // namespace rondo::testing

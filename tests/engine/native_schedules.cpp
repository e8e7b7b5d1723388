#include "native_schedules.hpp"
#include "base/ids.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace rondo::testing {

namespace {

/// The messages that a rank posts an end of, by round, in the order of the list.
using ByRound = std::vector<std::vector<std::uint32_t>>;

ByRound ends_of(int rank, std::vector<PlannedMessage> const& planned) {
  ByRound ends(1);
  for (std::uint32_t i = 0; i < planned.size(); ++i) {
    auto const post = [&](int round) {
      if (round == never) return;
      if (at(round) >= ends.size()) ends.resize(at(round) + 1);
      if (ends[at(round)].empty() || ends[at(round)].back() != i) ends[at(round)].push_back(i);
    };
    if (planned[i].source == rank) post(planned[i].sent);
    if (planned[i].target == rank) post(planned[i].received);
  }
  return ends;
}

int last_round(std::vector<PlannedMessage> const& planned) {
  int last = 0;
  for (PlannedMessage const& parcel : planned) last = std::max({last, parcel.sent, parcel.received});
  return last;
}

Program program_of(int rank, std::vector<PlannedMessage> const& planned, Layout const& layout) {
  ProgramBuilder builder(layout);
  ByRound const ends = ends_of(rank, planned);
  int const last = last_round(planned);
  for (int round = 1; round <= last; ++round) {
    builder.begin_round();
    if (at(round) >= ends.size()) continue;
    for (std::uint32_t const i : ends[at(round)]) {
      Place const from[] = {send_slot(i)};
      Place const into[] = {receive_slot(i)};
      if (planned[i].source == rank && planned[i].sent == round) builder.send(planned[i].target, from);
      if (planned[i].target == rank && planned[i].received == round) builder.receive(planned[i].source, into);
    }
  }
  return std::move(builder).finish();
}

Layout layout_of(std::vector<PlannedMessage> const& planned) {
  Layout layout;
  layout.block = 1_B;
  for (PlannedMessage const& parcel : planned) {
    layout[Buffer::send].sizes.emplace_back(parcel.bytes);
    layout[Buffer::receive].sizes.emplace_back(parcel.bytes);
  }
  layout[Buffer::send].slots = layout[Buffer::receive].slots = static_cast<std::uint32_t>(planned.size());
  return layout;
}

}  // namespace

Schedule schedule_of(int ranks, std::vector<PlannedMessage> const& planned) {
  Schedule schedule;
  schedule.ranks = ranks;
  Layout const layout = layout_of(planned);
  for (int rank = 0; rank < ranks; ++rank) {
    schedule.programs.push_back(program_of(rank, planned, layout));
    schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
  }
  schedule.promises.ports = 0;
  return schedule;
}

std::vector<PlannedMessage> random_payloads(Random& random, int ranks, int rounds, int ports) {
  std::vector<PlannedMessage> planned;
  for (int round = 1; round <= rounds; ++round) {
    std::map<int, int> sends, receives;
    auto const tries = random.between(0, 4 * ranks);
    for (int i = 0; i < tries; ++i) {
      auto const source = static_cast<int>(random.below(static_cast<std::uint64_t>(ranks)));
      auto const target = static_cast<int>(random.below(static_cast<std::uint64_t>(ranks)));
      bool const full = ports > 0 && (sends[source] >= ports || receives[target] >= ports);
      if (source == target || full) continue;
      ++sends[source];
      ++receives[target];
      planned.push_back({source, target, round, round, 1000 * random.between(0, 3)});
    }
  }
  return planned;
}

Schedule random_isomorphic(Random& random, Torus const& torus, int rounds, int most) {
  auto const d = torus.dimensions();
  Layout layout;
  layout.block = 1000_B;
  for (Buffer const buffer : {Buffer::send, Buffer::receive}) layout[buffer].slots = 8;
  Schedule schedule;
  schedule.ranks = torus.size();
  schedule.torus = torus;
  ProgramBuilder builder(layout);
  std::int32_t peers = 0;
  while (rounds > 0) {
    builder.begin_round();
    for (std::int64_t messages = random.between(1, most); messages > 0; --messages) {
      std::vector<int> offset;
      for (int j = 0; j < d; ++j) offset.push_back(static_cast<int>(random.between(-3, 3)));
      if (torus.is_self(offset)) continue;
      for (int const c : offset) schedule.offsets.push_back(c);
      for (int const c : offset) schedule.offsets.push_back(-c);
      std::vector<Place> const places(at(random.between(0, 8)), send_slot(0));
      builder.send(peers, places);
      builder.receive(peers + 1, places);
      peers += 2;
    }
    --rounds;
  }
  schedule.programs.push_back(std::move(builder).finish());
  schedule.promises.ports = 0;
  return schedule;
}

Schedule expanded(Schedule const& isomorphic) {
  Program const& all = isomorphic.programs.front();
  Schedule schedule;
  schedule.ranks = isomorphic.ranks;
  schedule.promises = isomorphic.promises;
  for (int rank = 0; rank < isomorphic.ranks; ++rank) {
    ProgramBuilder builder(all.layout());
    for (int round = 1; round <= all.rounds(); ++round) {
      builder.begin_round();
      for (Transfer const& send : all.sends(round)) {
        builder.send(isomorphic.peer(Rank(rank), send).value, all.places(send));
      }
      for (Transfer const& receive : all.receives(round)) {
        builder.receive(isomorphic.peer(Rank(rank), receive).value, all.places(receive));
      }
    }
    schedule.programs.push_back(std::move(builder).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
  }
  return schedule;
}

Timing simulate_native(Schedule const& schedule, Platform const& platform) {
  Outcome const outcome = rondo::simulate_native(schedule, platform, {});
  EXPECT_TRUE(outcome.result) << to_string(outcome.failure) << ": " << outcome.error;
  return outcome.result.value_or(Timing{});
}

Seconds finish(Timing const& timing, int rank) {
  return timing.finish.size() == 1 ? timing.finish.front() : timing.finish[at(rank)];
}

}  // namespace rondo::testing

#include "draft.hpp"

#include <algorithm>
#include <cstdlib>

namespace rondo::testing {
namespace {

Program built(DraftProgram const& draft) {
  ProgramBuilder builder(draft.layout);
  for (std::size_t round = 0; round < draft.rounds.size(); ++round) {
    if (round > 0) builder.begin_round();
    for (DraftTransfer const& receive : draft.rounds[round].receives)
      builder.receive(receive.peer, receive.places, receive.join);
    for (DraftTransfer const& send : draft.rounds[round].sends) builder.send(send.peer, send.places);
    for (Copy const& copy : draft.rounds[round].copies) builder.copy(copy.from, copy.into, copy.join);
  }
  return std::move(builder).finish();
}

/// A copy of a program with its peers renamed.
template <typename Peer>
DraftProgram drafted(Program const& program, Peer const& peer) {
  DraftProgram draft{program.layout(), {}};
  auto const transfer = [&](Transfer const& each) {
    auto const places = program.places(each);
    return DraftTransfer{peer(each), {places.begin(), places.end()}, each.join};
  };
  for (int number = 0; number <= program.rounds(); ++number) {
    DraftRound& round = draft.round(number);
    for (Transfer const& send : program.sends(number)) round.sends.push_back(transfer(send));
    for (Transfer const& receive : program.receives(number)) round.receives.push_back(transfer(receive));
    for (Copy const& copy : program.copies(number)) round.copies.push_back(copy);
  }
  return draft;
}

Draft one_program(Torus const& torus, Neighborhood const& neighborhood, Bytes block) {
  Draft draft = blank({1}, static_cast<std::uint32_t>(neighborhood.size()), block);
  draft.torus = torus;
  draft.ranks = torus.size();
  draft.of(0).round(0);
  return draft;
}

/// The index of an offset and, behind it, of its opposite.
int add_offset(Draft& draft, std::vector<int> const& offset) {
  auto const dimensions = static_cast<std::size_t>(draft.torus->dimensions());
  auto const index = static_cast<int>(draft.offsets.size() / dimensions);
  for (int const sign : {1, -1}) {
    for (int const c : offset) draft.offsets.push_back(sign * c);
  }
  return index;
}

/// One hop of every block that has still `left` > 0 hops to go in this dimension and direction.
void combine(Draft& draft, std::vector<int> const& moving, std::vector<int>& hops, std::vector<bool>& started,
             int peer) {
  DraftRound& round = draft.of(0).rounds.emplace_back();
  round.sends.push_back({peer, {}});
  round.receives.push_back({peer + 1, {}});
  for (int const i : moving) {
    auto const block = static_cast<std::size_t>(i);
    auto const slot = static_cast<std::uint32_t>(i);
    bool const ends_in_receive = hops[block] % 2 != 0;
    Place const waiting = ends_in_receive ? intermediate_slot(slot) : receive_slot(slot);
    round.sends[0].places.push_back(started[block] ? waiting : send_slot(slot));
    round.receives[0].places.push_back(ends_in_receive ? receive_slot(slot) : intermediate_slot(slot));
    started[block] = true;
    --hops[block];
  }
}

}  // namespace

Schedule Draft::schedule() const {
  Schedule schedule;
  schedule.ranks = ranks;
  for (DraftProgram const& each : programs) schedule.programs.push_back(built(each));
  for (std::uint32_t i = 0; programs.size() > 1 && i < programs.size(); ++i) schedule.program_of.push_back(i);
  schedule.torus = torus;
  schedule.offsets = offsets;
  schedule.promises = promises;
  return schedule;
}

Draft blank(std::vector<int> const& extents, std::uint32_t slots, Bytes block) {
  Draft draft;
  draft.torus = Torus(extents);
  draft.ranks = draft.torus->size();
  DraftProgram program;
  program.layout.block = block;
  for (BufferLayout& buffer : program.layout.buffers) buffer.slots = slots;
  draft.programs.assign(static_cast<std::size_t>(draft.ranks), program);
  return draft;
}

Draft expanded(Schedule const& schedule) {
  Draft draft{schedule.ranks, {}, schedule.torus, {}, schedule.promises};
  for (int r = 0; r < schedule.ranks; ++r) {
    draft.programs.push_back(
        drafted(schedule.program(Rank(r)), [&](Transfer const& each) { return schedule.peer(Rank(r), each).value; }));
  }
  return draft;
}

Draft straightforward(Torus const& torus, Neighborhood const& neighborhood, Bytes block) {
  Draft draft = one_program(torus, neighborhood, block);
  for (int i = 0; i < neighborhood.size(); ++i) {
    auto const slot = static_cast<std::uint32_t>(i);
    if (torus.is_self(neighborhood[i])) {
      draft.of(0).round(0).copies.push_back({send_slot(slot), receive_slot(slot)});
      continue;
    }
    int const peer = add_offset(draft, {neighborhood[i].begin(), neighborhood[i].end()});
    draft.of(0).rounds.push_back({{{peer, {send_slot(slot)}}}, {{peer + 1, {receive_slot(slot)}}}, {}});
  }
  return draft;
}

Draft hop_by_hop(Torus const& torus, Neighborhood const& neighborhood, Bytes block) {
  Draft draft = one_program(torus, neighborhood, block);
  auto const blocks = static_cast<std::size_t>(neighborhood.size());
  std::vector<int> hops(blocks, 0);
  std::vector<bool> started(blocks, false);
  auto const length = [&](std::size_t i, std::size_t j) {
    return torus.extent(static_cast<int>(j)) == 1 ? 0 : neighborhood[static_cast<int>(i)][j];
  };
  auto const dimensions = static_cast<std::size_t>(torus.dimensions());
  for (std::size_t i = 0; i < blocks; ++i) {
    for (std::size_t j = 0; j < dimensions; ++j) hops[i] += std::abs(length(i, j));
    auto const slot = static_cast<std::uint32_t>(i);
    if (hops[i] == 0) draft.of(0).round(0).copies.push_back({send_slot(slot), receive_slot(slot)});
  }
  for (std::size_t j = 0; j < dimensions; ++j) {
    for (int const sign : {1, -1}) {
      for (int h = 0;; ++h) {
        std::vector<int> moving;
        for (std::size_t i = 0; i < blocks; ++i) {
          if (h < sign * length(i, j)) moving.push_back(static_cast<int>(i));
        }
        if (moving.empty()) break;
        std::vector<int> unit(dimensions, 0);
        unit[j] = sign;
        combine(draft, moving, hops, started, add_offset(draft, unit));
      }
    }
  }
  draft.promises.links = Links::unit;
  return draft;
}

}  // namespace rondo::testing

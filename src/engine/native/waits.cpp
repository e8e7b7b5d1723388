#include "engine/native/waits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.hpp"
#include "engine/native/costs.hpp"
#include "schedule/shortest_cycle.hpp"

namespace rondo::native {

namespace {

std::string cycle_text(std::vector<Wait const*> const& cycle) {
  constexpr std::size_t most_named = 16;
  std::string text = "deadlock: circular wait: ";
  for (std::size_t i = 0; i < std::min(cycle.size(), most_named); ++i) {
    text += fmt::format("{}rank {} waits in round {} for rank {}", i == 0 ? "" : ", ", cycle[i]->rank, cycle[i]->round,
                        cycle[i]->on);
  }
  if (cycle.size() > most_named) text += fmt::format(", and so on, {} ranks in all", cycle.size());
  return text;
}

/// For each rank of the cycle, one of its waits for the next rank.
std::vector<Wait const*> waits_along(std::vector<std::uint32_t> const& ranks, std::vector<Wait> const& waits) {
  std::vector<Wait const*> cycle;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    auto const next = static_cast<std::int32_t>(ranks[(i + 1) % ranks.size()]);
    cycle.push_back(&*std::find_if(waits.begin(), waits.end(), [&](Wait const& wait) {
      return wait.rank == static_cast<std::int32_t>(ranks[i]) && wait.on == next;
    }));
  }
  return cycle;
}

}  // namespace

/// A receive waits if its send has not been posted. A send waits if no posted receive meets it.
std::vector<Wait> waits_of(Schedule const& schedule, Messages const& messages, std::vector<RoundPosition> const& ranks,
                           std::vector<bool> const& left) {
  std::vector<Wait> waits;
  std::vector<bool> met = left;
  Column<std::uint32_t> const matching = match(schedule, messages);
  Peers const peers(schedule);
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    RoundPosition const& own = ranks[at(rank)];
    for (std::uint32_t i = messages.first_receive[at(rank)]; i < own.receive_end; ++i) {
      if (matching[i] != nothing) met[matching[i]] = true;
      if (i < own.receive) continue;
      bool const posted = matching[i] != nothing && matching[i] < ranks[at(messages.source[matching[i]])].send_end;
      Transfer const& receive = schedule.program(Rank(rank)).receives(own.round)[i - own.receive];
      if (!posted) waits.push_back({rank, peers(rank, receive), own.round});
    }
  }
  for (std::uint32_t m = 0; m < messages.source.size(); ++m) {
    RoundPosition const& own = ranks[at(messages.source[m])];
    if (m >= own.send && m < own.send_end && !met[m])
      waits.push_back({messages.source[m], messages.target[m], own.round});
  }
  std::stable_sort(waits.begin(), waits.end(), [](Wait const& a, Wait const& b) { return a.rank < b.rank; });
  return waits;
}

std::string describe_standstill(int ranks, std::vector<Wait> const& waits) {
  std::vector<std::vector<std::uint32_t>> edges(static_cast<std::size_t>(ranks));
  for (Wait const& wait : waits) {
    if (wait.on != nobody) edges[static_cast<std::size_t>(wait.rank)].push_back(static_cast<std::uint32_t>(wait.on));
  }
  auto const cycle = shortest_cycle(edges);
  if (!cycle.empty()) return cycle_text(waits_along(cycle, waits));
  // Without a cycle, every chain of waits ends at a partner that is no rank, or that waits for nothing.
  Wait const& wait = *std::find_if(waits.begin(), waits.end(), [&](Wait const& each) {
    return each.on == nobody || edges[static_cast<std::size_t>(each.on)].empty();
  });
  std::string const begin = fmt::format("deadlock: rank {} waits in round {} for ", wait.rank, wait.round);
  if (wait.on == nobody) return begin + "a partner that is no rank";
  return begin + fmt::format("rank {}, which never posts the other end", wait.on);
}

}  // namespace rondo::native

// The text about a deadlock. It names the shortest circular wait, since a deadlock of many ranks has many cycles and
// a person reads one.

#include "engine/native/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ids.hpp"
#include "engine/native/messages.hpp"
#include "schedule/shortest_cycle.hpp"

namespace rondo::native {

namespace {

/// The cycle as one line; of a long one the first ranks are named.
std::string cycle_text(std::vector<Wait const*> const& cycle) {
  constexpr std::size_t most_named = 16;
  std::string text = "deadlock: circular wait: ";
  for (std::size_t i = 0; i < std::min(cycle.size(), most_named); ++i) {
    text += fmt::format("{}rank {} waits in round {} for rank {}", i == 0 ? "" : ", ", cycle[i]->rank, cycle[i]->round,
                        cycle[i]->on);
  }
  if (cycle.size() > most_named) text += fmt::format(", ... ({} ranks in total)", cycle.size());
  return text;
}

/// For each rank of the cycle, one of its waits for the next rank.
std::vector<Wait const*> waits_along(std::vector<std::uint32_t> const& ranks, std::vector<Wait> const& waits) {
  std::vector<Wait const*> cycle;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    auto const next = static_cast<std::int32_t>(ranks[(i + 1) % ranks.size()]);
    // There is one: each edge of the cycle comes from a wait.
    cycle.push_back(&*std::find_if(waits.begin(), waits.end(), [&](Wait const& wait) {
      return wait.rank == static_cast<std::int32_t>(ranks[i]) && wait.on == next;
    }));
  }
  return cycle;
}

}  // namespace

/// A receive waits if its send has not been posted. A send waits if no posted receive matches it.
std::vector<Wait> waits_of(Schedule const& schedule, Messages const& messages, std::vector<RoundPosition> const& ranks,
                           std::vector<bool> const& sender_continues) {
  std::vector<Wait> waits;
  std::vector<bool> matched = sender_continues;
  Column<std::uint32_t> const message_of_receive = match(schedule, messages);
  Peers const peers(schedule);
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    RoundPosition const& position = ranks[at(rank)];
    for (std::uint32_t i = messages.first_receive[at(rank)]; i < position.receive_end; ++i) {
      std::uint32_t const message = message_of_receive[i];
      if (message != nothing) matched[message] = true;
      // Receives before own.receive belong to completed rounds. They only mark their messages as matched.
      if (i < position.receive) continue;
      bool const send_posted = message != nothing && message < ranks[at(messages.source[message])].send_end;
      Transfer const& receive = schedule.program(Rank(rank)).receives(position.round)[i - position.receive];
      if (!send_posted) waits.push_back({rank, peers(rank, receive), position.round});
    }
  }
  for (std::uint32_t m = 0; m < messages.source.size(); ++m) {
    RoundPosition const& position = ranks[at(messages.source[m])];
    // Only sends of the sender's current round can wait.
    if (m >= position.send && m < position.send_end && !matched[m])
      waits.push_back({messages.source[m], messages.target[m], position.round});
  }
  // Stable: of one rank, receives stay before sends, in posting order.
  std::stable_sort(waits.begin(), waits.end(), [](Wait const& a, Wait const& b) { return a.rank < b.rank; });
  return waits;
}

/// A shortest cycle of waits if there is one.
std::string deadlock_text(int ranks, std::vector<Wait> const& waits) {
  std::vector<std::vector<std::uint32_t>> edges(at(ranks));
  for (Wait const& wait : waits) {
    if (wait.on != nobody) edges[at(wait.rank)].push_back(static_cast<std::uint32_t>(wait.on));
  }
  auto const cycle = shortest_cycle(edges);
  if (!cycle.empty()) return cycle_text(waits_along(cycle, waits));
  // Without a cycle, every chain of waits ends at a rank that does not exist, or at one that waits for nothing.
  Wait const& wait = *std::find_if(waits.begin(), waits.end(), [&](Wait const& candidate) {
    return candidate.on == nobody || edges[at(candidate.on)].empty();
  });
  std::string const begin = fmt::format("deadlock: rank {} waits in round {} for ", wait.rank, wait.round);
  if (wait.on == nobody) return begin + "a rank that does not exist";
  return begin + fmt::format("rank {}, which never posts the matching send or receive", wait.on);
}

}  // namespace rondo::native

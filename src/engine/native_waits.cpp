#include "engine/native_waits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/native_costs.hpp"
#include "schedule/circle.hpp"

namespace rondo::native {

namespace {

std::string circle_text(std::vector<Wait const*> const& circle) {
  constexpr std::size_t most_named = 16;
  std::string text = "deadlock: circular wait: ";
  for (std::size_t i = 0; i < std::min(circle.size(), most_named); ++i) {
    text += fmt::format("{}rank {} waits in round {} for rank {}", i == 0 ? "" : ", ", circle[i]->rank,
                        circle[i]->round, circle[i]->on);
  }
  if (circle.size() > most_named) text += fmt::format(", and so on, {} ranks in all", circle.size());
  return text;
}

/// For each rank of the circle its wait for the next one.
std::vector<Wait const*> waits_along(std::vector<std::uint32_t> const& ranks, std::vector<Wait> const& waits) {
  std::vector<Wait const*> circle;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    auto const next = static_cast<std::int32_t>(ranks[(i + 1) % ranks.size()]);
    circle.push_back(&*std::find_if(waits.begin(), waits.end(), [&](Wait const& wait) {
      return wait.rank == static_cast<std::int32_t>(ranks[i]) && wait.on == next;
    }));
  }
  return circle;
}

}  // namespace

std::string describe_standstill(int ranks, std::vector<Wait> const& waits) {
  std::vector<std::vector<std::uint32_t>> edges(static_cast<std::size_t>(ranks));
  for (Wait const& wait : waits) {
    if (wait.on != nobody) edges[static_cast<std::size_t>(wait.rank)].push_back(static_cast<std::uint32_t>(wait.on));
  }
  auto const circle = smallest_circle(edges);
  if (!circle.empty()) return circle_text(waits_along(circle, waits));
  // Every chain of waits ends at something that is never posted.
  Wait const& wait = *std::find_if(waits.begin(), waits.end(), [&](Wait const& each) {
    return each.on == nobody || edges[static_cast<std::size_t>(each.on)].empty();
  });
  std::string const begin = fmt::format("deadlock: rank {} waits in round {} for ", wait.rank, wait.round);
  if (wait.on == nobody) return begin + "a partner that is no rank";
  return begin + fmt::format("rank {}, which never posts the other end", wait.on);
}

}  // namespace rondo::native

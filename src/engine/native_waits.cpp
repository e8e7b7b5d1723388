#include "engine/native_waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/native_costs.hpp"

namespace rondo::native {

namespace {

using Circle = std::vector<Wait const*>;

/// The waits as a graph over the ranks that wait.
class WaitGraph {
 public:
  explicit WaitGraph(std::vector<Wait> const& waits) {
    for (Wait const& wait : waits) index_.try_emplace(wait.rank, 0);
    std::size_t next = 0;
    for (auto& [rank, index] : index_) index = next++;
    waits_.resize(next);
    for (Wait const& wait : waits) {
      if (index_.contains(wait.on)) waits_[index_[wait.rank]].push_back(&wait);
    }
  }

  Circle smallest_circle() const {
    Circle best;
    for (std::size_t start = 0; start < waits_.size() && (best.empty() || best.size() > 1); ++start) {
      Circle circle = circle_through(start, best.empty() ? waits_.size() : best.size() - 1);
      if (!circle.empty()) best = std::move(circle);
    }
    return best;
  }

 private:
  /// A shortest circle through `start` of at most `limit` ranks; breadth first.
  Circle circle_through(std::size_t start, std::size_t limit) const {
    std::vector<std::size_t> reached{start}, depth(waits_.size(), 0);
    std::vector<Wait const*> by(waits_.size(), nullptr);
    for (std::size_t i = 0; i < reached.size() && depth[reached[i]] < limit; ++i) {
      for (Wait const* wait : waits_[reached[i]]) {
        std::size_t const on = index_.at(wait->on);
        if (on == start) return path(wait, start, by);
        if (by[on] != nullptr) continue;
        by[on] = wait;
        depth[on] = depth[reached[i]] + 1;
        reached.push_back(on);
      }
    }
    return {};
  }

  Circle path(Wait const* last, std::size_t start, std::vector<Wait const*> const& by) const {
    Circle circle{last};
    while (index_.at(circle.back()->rank) != start) circle.push_back(by[index_.at(circle.back()->rank)]);
    std::reverse(circle.begin(), circle.end());
    return circle;
  }

  std::map<std::int32_t, std::size_t> index_;
  std::vector<std::vector<Wait const*>> waits_;
};

}  // namespace

std::string describe_standstill(std::vector<Wait> const& waits) {
  constexpr std::size_t most_named = 16;
  Circle const circle = WaitGraph(waits).smallest_circle();
  if (circle.empty()) {
    // Every circle-free chain of waits ends at something that is never posted.
    auto const waiting = [&](std::int32_t rank) {
      return std::any_of(waits.begin(), waits.end(), [&](Wait const& wait) { return wait.rank == rank; });
    };
    auto const end = std::find_if(waits.begin(), waits.end(), [&](Wait const& wait) { return !waiting(wait.on); });
    Wait const& wait = end == waits.end() ? waits.front() : *end;
    if (wait.on == nobody) {
      return fmt::format("deadlock: rank {} waits in {} for a partner that is no rank", wait.rank, wait.what);
    }
    return fmt::format("deadlock: rank {} waits in {} for rank {}, which never posts the other end", wait.rank,
                       wait.what, wait.on);
  }
  std::string text = "deadlock: circular wait: ";
  for (std::size_t i = 0; i < std::min(circle.size(), most_named); ++i) {
    text += fmt::format("{}rank {} waits in {} for rank {}", i == 0 ? "" : ", ", circle[i]->rank, circle[i]->what,
                        circle[i]->on);
  }
  if (circle.size() > most_named) text += fmt::format(", and so on, {} ranks in all", circle.size());
  return text;
}

}  // namespace rondo::native

// Cuts of small random networks against all sets of their vertices.

#include "optimum/cuts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/ids.hpp"
#include "optimum/network_bound.hpp"

namespace rondo::optimum::test {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

 private:
  std::mt19937_64 random_;
};

/// Ranks, some routers between them, and links both ways of any capacity. No two ranks share a host.
Network random_network(Draw& draw) {
  Network network{.ranks = draw.between(2, 6), .vertices = 0, .links = {}};
  network.vertices = network.ranks + draw.between(0, 4);
  for (int r = 0; r < network.ranks; ++r) network.host_of.push_back(r);
  for (int v = 1; v < network.vertices; ++v) {
    for (int other = 0; other < v; ++other) {
      bool const joined = other == (v * 7) % v || draw.between(0, 2) == 0;  // a tree, and more
      if (!joined) continue;
      network.links.push_back({v, other, double(draw.between(1, 9)), LinkKind::cable, 0});
      network.links.push_back({other, v, double(draw.between(1, 9)), LinkKind::cable, 0});
    }
  }
  return network;
}

/// What has to leave the ranks of a set, from what each collective is: nothing of it is taken from the code under test.
std::int64_t leaving(ClassicalCollective collective, std::vector<bool> const& inside, int root,
                     std::vector<std::int64_t> const& sizes) {
  using enum ClassicalCollective;
  std::int64_t within = 0, outside = 0;
  bool all = true, none = true;
  std::size_t const p = sizes.size();
  for (std::size_t r = 0; r < p; ++r) {
    (inside[r] ? within : outside) += sizes[r];
    (inside[r] ? none : all) = false;
  }
  if (all || none) return 0;
  bool const has_root = inside[at(root)];
  std::int64_t const vector = sizes.front();
  switch (collective) {
    case bcast:
      return has_root ? vector : 0;
    case gather:
      return has_root ? 0 : within;
    case scatter:
      return has_root ? outside : 0;
    case allgather:
      return within;
    case alltoall:
      return std::ranges::count(inside.begin(), inside.begin() + std::ptrdiff_t(p), true) *
             std::ranges::count(inside.begin(), inside.begin() + std::ptrdiff_t(p), false) * vector;
    case reduce:
      return has_root ? 0 : vector;
    case reduce_scatter:
      return outside;
    case scan:
    case exscan: {
      std::size_t const first = std::size_t(std::find(inside.begin(), inside.end(), true) - inside.begin());
      bool const later = std::find(inside.begin() + std::ptrdiff_t(first), inside.begin() + std::ptrdiff_t(p), false) !=
                         inside.begin() + std::ptrdiff_t(p);
      return later ? vector : 0;
    }
    case allreduce:
      return vector;
    case barrier:
      return 0;
  }
  return 0;
}

/// The longest time of all sets of vertices.
double longest(Network const& network, ClassicalCollective collective, int root,
               std::vector<std::int64_t> const& sizes) {
  double most = 0;
  for (unsigned set = 1; set + 1 < (1U << network.vertices); ++set) {
    std::vector<bool> inside;
    for (int v = 0; v < network.vertices; ++v) inside.push_back(((set >> v) & 1U) != 0);
    double capacity = 0;
    for (NetworkLink const& link : network.links) {
      if (inside[at(link.from)] && !inside[at(link.to)]) capacity += *link.capacity;
    }
    std::int64_t const bytes = leaving(collective, inside, root, sizes);
    if (bytes > 0) most = std::max(most, double(bytes) / capacity);
  }
  return most;
}

Demand demand(ClassicalCollective collective, int root, std::vector<std::int64_t> const& sizes) {
  using enum ClassicalCollective;
  bool const by_rank = collective == allgather || collective == gather;
  bool const by_number = collective == scatter || collective == reduce_scatter;
  Classical const promise{.collective = collective, .ranks = int(sizes.size()), .root = Rank(root)};
  return *demand_of(
      promise,
      [&](Content const& content) {
        return by_rank ? sizes[at(content.origin)] : by_number ? sizes[content.block.value] : sizes.front();
      },
      collective == alltoall, 1000);
}

TEST(Cuts, of_flows_are_the_best_of_all_sets) {
  using enum ClassicalCollective;
  Draw draw(60);
  for (int i = 0; i < 400; ++i) {
    Network const network = random_network(draw);
    std::vector<std::int64_t> sizes;
    for (int r = 0; r < network.ranks; ++r) sizes.push_back(draw.between(1, 1000));
    int const root = draw.between(0, network.ranks - 1);
    for (auto const collective : {bcast, gather, scatter, allgather, reduce, reduce_scatter, allreduce, scan, exscan}) {
      Demand const wanted = demand(collective, root, sizes);
      double const expected = longest(network, collective, root, sizes);
      double found = 0;
      for (Side const& each : min_cuts(network, wanted, 1e-6)) {
        found = std::max(found, cut_of(network, wanted, each)->seconds);
      }
      ASSERT_NEAR(found, expected, 1e-8 * expected) << "network " << i << ", collective " << int(collective);
    }
  }
}

/// Every set as a partition of its own: its bytes are those of the definition, leaving and entering.
TEST(Cuts, of_any_set_count_what_each_collective_owes) {
  using enum ClassicalCollective;
  Draw draw(61);
  for (int i = 0; i < 200; ++i) {
    Network const network = random_network(draw);
    std::vector<std::int64_t> sizes;
    for (int r = 0; r < network.ranks; ++r) sizes.push_back(draw.between(1, 1000));
    int const root = draw.between(0, network.ranks - 1);
    for (auto const collective :
         {bcast, gather, scatter, allgather, alltoall, reduce, reduce_scatter, allreduce, scan, exscan}) {
      Demand const wanted = demand(collective, root, sizes);
      std::vector<int> part_of;
      std::vector<bool> inside, outside;
      for (int r = 0; r < network.ranks; ++r) {
        part_of.push_back(draw.between(0, 1) - 1);
        inside.push_back(part_of.back() == 0);
        outside.push_back(!inside.back());
      }
      Crossing const found = crossing(wanted, part_of, 1);
      ASSERT_EQ(std::max<std::int64_t>(found.out.front(), 0), leaving(collective, inside, root, sizes))
          << int(collective);
      ASSERT_EQ(std::max<std::int64_t>(found.in.front(), 0), leaving(collective, outside, root, sizes))
          << int(collective);
    }
  }
}

}  // namespace
}  // namespace rondo::optimum::test

#include "optimum/lengths.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/index.hpp"
#include "base/random.hpp"
#include "optimum/cuts.hpp"

namespace rondo::optimum::test {
namespace {

/// Both ways over each pair, with these capacities in turn.
Network joined(int ranks, int vertices, std::vector<std::pair<int, int>> const& pairs,
               std::vector<double> const& capacities) {
  Network network{.ranks = ranks, .vertices = vertices, .links = {}};
  std::size_t i = 0;
  for (auto const& [a, b] : pairs) {
    network.links.push_back({a, b, capacities[i++ % capacities.size()]});
    network.links.push_back({b, a, capacities[i++ % capacities.size()]});
  }
  for (int r = 0; r < ranks; ++r) network.host_of.push_back(r);
  return network;
}

// Two vertices joined with each of three others: 12 ordered pairs are a link apart, 2 + 6 pairs two links. 28 blocks
// pass 12 links, 28/12 each. No cut says as much: the best ones are 2 blocks a link, such as 4 blocks over the 2 links
// of a vertex of the three.
TEST(Lengths, say_more_than_any_cut_between_two_and_three_vertices) {
  Network const network = joined(5, 5, {{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}}, {1});
  Demand const demand{.ranks = 5, .items = {}, .pairs = {}, .each_pair = 3000};
  EXPECT_NEAR(seconds_by_lengths(network, demand, find_lengths(network, demand)), 7000, 1e-6);
  for (unsigned set = 1; set + 1 < 32; ++set) {
    Side side{{}, false};
    for (int v = 0; v < 5; ++v) side.inside.push_back((set >> v & 1U) != 0);
    auto const cut = cut_of(network, demand, side);
    ASSERT_TRUE(cut);
    EXPECT_LE(cut->seconds, 6000 + 1e-6);
  }
}

struct RandomQuestion {
  Network network;
  Demand demand;
};

RandomQuestion random_question(Random& random) {
  int const ranks = static_cast<int>(random.between(2, 6)), vertices = ranks + static_cast<int>(random.between(0, 3));
  std::vector<std::pair<int, int>> pairs;
  for (int v = 1; v < vertices; ++v) {
    pairs.emplace_back(static_cast<int>(random.below(static_cast<std::uint64_t>(v))), v);
    for (int u = 0; u < v; ++u) {
      if (random.below(4) == 0) pairs.emplace_back(u, v);
    }
  }
  std::vector<double> capacities;
  for (int i = 0; i < 7; ++i) capacities.push_back(static_cast<double>(random.between(1, 5)));
  RandomQuestion result{joined(ranks, vertices, pairs, capacities), {.ranks = ranks, .items = {}, .pairs = {}}};
  if (random.below(4) == 0) result.network.links[random.below(result.network.links.size())].capacity.reset();
  if (random.below(2) == 0) {
    result.demand.each_pair = random.between(0, 1000);
  } else {
    for (int k = 0; k < 5; ++k) {
      auto const rank = [&] { return static_cast<int>(random.below(static_cast<std::uint64_t>(ranks))); };
      result.demand.pairs.push_back({rank(), rank(), random.between(0, 1000)});
    }
    std::erase_if(result.demand.pairs, [](Pair const& each) { return each.from == each.to; });
  }
  return result;
}

/// Adds what each link carries if all bytes of a pair take one way, the cheapest by these prices.
void route(Network const& network, Demand const& demand, std::vector<double> const& price, std::vector<double>& loads) {
  for (int from = 0; from < demand.ranks; ++from) {
    std::vector<double> far(at(network.vertices), 1e300);
    std::vector<std::size_t> by(far.size(), 0);
    far[at(from)] = 0;
    for (int turn = 0; turn < network.vertices; ++turn) {
      for (std::size_t i = 0; i < price.size(); ++i) {
        NetworkLink const& link = network.links[i];
        if (far[at(link.from)] + price[i] >= far[at(link.to)]) continue;
        far[at(link.to)] = far[at(link.from)] + price[i];
        by[at(link.to)] = i;
      }
    }
    for (int to = 0; to < demand.ranks; ++to) {
      double bytes = to == from ? 0 : static_cast<double>(demand.each_pair.value_or(0));
      for (Pair const& each : demand.pairs)
        bytes += each.from == from && each.to == to ? static_cast<double>(each.bytes) : 0;
      for (int v = to; v != from; v = network.links[by[at(v)]].from) loads[by[at(v)]] += bytes;
    }
  }
}

/// How long the busiest link is busy.
double seconds_of(Network const& network, std::vector<double> const& loads) {
  double longest = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (network.links[i].capacity) longest = std::max(longest, loads[i] / *network.links[i].capacity);
  }
  return longest;
}

/// By routes along drawn prices.
double seconds_by_some_routes(Random& random, Network const& network, Demand const& demand) {
  std::vector<double> loads(network.links.size(), 0), price;
  for (std::size_t i = 0; i < network.links.size(); ++i) price.push_back(1 + random.unit());
  route(network, demand, price, loads);
  return seconds_of(network, loads);
}

/// By good routes: bytes are split over many, each the cheapest after the links that were busiest so far have
/// become dearer.
double seconds_by_split_routes(Network const& network, Demand const& demand) {
  constexpr int turns = 20000;
  std::vector<double> loads(network.links.size(), 0), price(network.links.size(), 0);
  for (std::size_t i = 0; i < price.size(); ++i)
    price[i] = network.links[i].capacity ? 1 / *network.links[i].capacity : 1e-9;
  double routed = 0;  // how often all bytes
  for (int turn = 0; turn < turns; ++turn) {
    std::vector<double> now(loads.size(), 0);
    route(network, demand, price, now);
    double const busiest = seconds_of(network, now);
    if (busiest == 0) return 0;
    routed += 1 / busiest;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      loads[i] += now[i] / busiest;
      if (network.links[i].capacity) price[i] *= std::exp(0.01 * now[i] / *network.links[i].capacity / busiest);
    }
  }
  return seconds_of(network, loads) / routed;
}

TEST(Lengths, beat_no_routes_whatever_they_are) {
  Random random(60);
  int said = 0;
  for (int i = 0; i < 1000; ++i) {
    auto const [network, demand] = random_question(random);
    std::vector<Lengths> all{find_lengths(network, demand)};
    for (int k = 0; k < 3; ++k) {
      Lengths& drawn = all.emplace_back();
      for (std::size_t l = 0; l < network.links.size(); ++l) drawn.push_back(random.between(0, 20));
    }
    for (int k = 0; k < 4; ++k) {
      double const possible = seconds_by_some_routes(random, network, demand);
      for (Lengths const& each : all) {
        double const bound = seconds_by_lengths(network, demand, each);
        said += bound > 0 ? 1 : 0;
        ASSERT_LE(bound, possible * (1 + 1e-9)) << "network " << i;
      }
    }
  }
  EXPECT_GT(said, 8000);
}

/// No lengths say more than what some routes take: between the two, both are the optimum.
TEST(Lengths, say_nearly_what_good_routes_take) {
  Random random(61);
  int said = 0;
  for (int i = 0; i < 100; ++i) {
    auto const [network, demand] = random_question(random);
    Lengths const lengths = find_lengths(network, demand);
    if (lengths.empty()) continue;
    double const bound = seconds_by_lengths(network, demand, lengths);
    double const possible = seconds_by_split_routes(network, demand);
    ASSERT_LE(bound, possible * (1 + 1e-9)) << "network " << i;
    ASSERT_GE(bound, possible * 0.97) << "network " << i;
    ++said;
  }
  EXPECT_GT(said, 60);
}

}  // namespace
}  // namespace rondo::optimum::test

#include "optimum/lengths.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/ids.hpp"
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

double best_cut(Network const& network, Demand const& demand) {
  double best = 0;
  for (unsigned set = 1; set + 1 < 1U << network.vertices; ++set) {
    for (bool const entering : {false, true}) {
      Side side{{}, entering};
      for (int v = 0; v < network.vertices; ++v) side.inside.push_back((set >> v & 1U) != 0);
      if (auto const cut = cut_of(network, demand, side)) best = std::max(best, cut->seconds);
    }
  }
  return best;
}

// Two vertices joined with each of three others: 12 ordered pairs are a link apart, 2 + 6 pairs two links. 28 blocks
// pass 12 links, 28/12 each. No cut says as much: the best ones are 2 blocks a link, such as 4 blocks over the 2 links
// of a vertex of the three.
TEST(Lengths, say_more_than_any_cut_between_two_and_three_vertices) {
  Network const network = joined(5, 5, {{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}}, {1});
  Demand const demand{.ranks = 5, .items = {}, .pairs = {}, .each_pair = 3000};
  EXPECT_NEAR(seconds_by_lengths(network, demand, find_lengths(network, demand)), 7000, 1e-6);
  EXPECT_NEAR(best_cut(network, demand), 6000, 1e-6);
}

// Two vertices joined with each of three others. Each of the two wants the block of the other one, each of the three
// the blocks of the other two. The 6 links from the two to the three carry 8 blocks: each of the three gets 2, and the
// blocks of the two pass one of the three. No cut says more than 1 block a link, such as the 2 blocks over the 2 links
// to one of the three.
TEST(Lengths, say_more_than_any_cut_where_several_want_a_block) {
  Network const network = joined(5, 5, {{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}}, {1});
  Demand demand{.ranks = 5, .items = {}, .pairs = {{0, 1, 1200}, {1, 0, 1200}}};
  for (std::vector<int> const& ranks : {std::vector{2, 3, 4}, {3, 2, 4}, {4, 2, 3}}) {
    Requirement const owing{{false, {ranks[0]}}, {false, {ranks[1], ranks[2]}}};
    demand.items.push_back({.bytes = 1200, .joined = false, .owed = {owing}});
  }
  EXPECT_NEAR(seconds_by_lengths(network, demand, find_lengths(network, demand)), 1600, 1e-6);
  EXPECT_NEAR(best_cut(network, demand), 1200, 1e-6);
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

RankSet random_ranks(Random& random, int ranks) {
  RankSet set;
  for (int r = 0; r < ranks; ++r) {
    if (random.below(2) == 0) set.listed.push_back(r);
  }
  if (set.listed.empty()) set.listed.push_back(static_cast<int>(random.below(at(ranks))));
  return set;
}

/// Blocks that several ranks want, vectors to which several contribute, and at times pairs.
RandomQuestion random_trees(Random& random) {
  RandomQuestion question = random_question(random);
  Demand& demand = question.demand;
  if (random.below(2) == 0) demand.each_pair.reset();
  if (random.below(2) == 0) demand.pairs.clear();
  auto const one = [&] { return RankSet{false, {static_cast<int>(random.below(at(demand.ranks)))}}; };
  for (int i = static_cast<int>(random.between(1, 6)); i > 0; --i) {
    bool const joined = random.below(3) == 0;
    RankSet some = random.below(4) == 0 ? RankSet{.all = true} : random_ranks(random, demand.ranks);
    RankSet from = random.below(4) == 0 ? random_ranks(random, demand.ranks) : one();
    Requirement const owing =
        joined ? Requirement{std::move(some), one()} : Requirement{std::move(from), std::move(some)};
    demand.items.push_back({.bytes = random.between(0, 1000), .joined = joined, .owed = {owing}});
  }
  return question;
}

/// Adds what each link carries if the bytes of each item take the cheapest ways, links that several ways share once.
void route_items(Network const& network, Demand const& demand, std::vector<double> const& price,
                 std::vector<double>& loads) {
  auto const listed = [&](RankSet const& set) {
    std::vector<int> all = set.listed;
    for (int r = 0; set.all && r < demand.ranks; ++r) all.push_back(r);
    return all;
  };
  for (Item const& item : demand.items) {
    Requirement const& owing = item.owed.front();
    auto const tail = [&](std::size_t i) { return item.joined ? network.links[i].to : network.links[i].from; };
    auto const head = [&](std::size_t i) { return item.joined ? network.links[i].from : network.links[i].to; };
    std::vector<double> far(at(network.vertices), 1e300);
    std::vector<std::size_t> by(far.size(), 0);
    for (int const root : listed(item.joined ? owing.to : owing.from)) far[at(root)] = 0;
    for (int turn = 0; turn < network.vertices; ++turn) {
      for (std::size_t i = 0; i < price.size(); ++i) {
        if (far[at(tail(i))] + price[i] >= far[at(head(i))]) continue;
        far[at(head(i))] = far[at(tail(i))] + price[i];
        by[at(head(i))] = i;
      }
    }
    std::set<std::size_t> used;
    for (int end : listed(item.joined ? owing.from : owing.to)) {
      for (; far[at(end)] > 0; end = tail(by[at(end)])) used.insert(by[at(end)]);
    }
    for (std::size_t const i : used) loads[i] += static_cast<double>(item.bytes);
  }
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
  route_items(network, demand, price, loads);
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
    auto const [network, demand] = i % 2 == 0 ? random_question(random) : random_trees(random);
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

// Cuts are lengths, too: 1 across it, 0 elsewhere.
TEST(Lengths, of_trees_say_nearly_what_the_best_cut_says_or_more) {
  Random random(62);
  int said = 0, more = 0;
  for (int i = 0; i < 300; ++i) {
    auto const [network, demand] = random_trees(random);
    Lengths const lengths = find_lengths(network, demand);
    if (lengths.empty()) continue;
    double const bound = seconds_by_lengths(network, demand, lengths), cut = best_cut(network, demand);
    ASSERT_GE(bound, cut * 0.99) << "network " << i;
    ++said;
    more += bound > cut * 1.01 ? 1 : 0;
  }
  EXPECT_GT(said, 250);
  EXPECT_GT(more, 5);
}

// So find_lengths seeks none.
TEST(Lengths, say_no_more_than_cuts_where_all_ranks_want_all_blocks) {
  Random random(63);
  for (int i = 0; i < 200; ++i) {
    auto [network, demand] = random_question(random);
    demand.pairs.clear();
    demand.each_pair.reset();
    bool const joined = random.below(2) == 0;
    for (int r = 0; r < demand.ranks; ++r) {
      RankSet const one{false, {r}}, all{.all = true};
      Requirement const owing = joined ? Requirement{all, one} : Requirement{one, all};
      demand.items.push_back({.bytes = random.between(0, 1000), .joined = joined, .owed = {owing}});
    }
    EXPECT_TRUE(find_lengths(network, demand).empty());
    double const cut = best_cut(network, demand);
    for (int k = 0; k < 20; ++k) {
      Lengths drawn;
      for (std::size_t l = 0; l < network.links.size(); ++l) drawn.push_back(random.between(0, 5));
      ASSERT_LE(seconds_by_lengths(network, demand, drawn), cut * (1 + 1e-9)) << "network " << i;
    }
  }
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

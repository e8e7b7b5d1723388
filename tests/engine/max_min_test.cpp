// Max-min fair rates against two other ways to them: progressive filling of all flows at once, and the same in exact
// fractions on small cases. And against the definition itself: nothing over its capacity, and a bottleneck for each.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "engine/native/max_min.hpp"

namespace rondo {
namespace {

using native::MaxMin;

struct Flow {
  std::vector<MaxMin::Link> route;
  int cap = 1;
};

struct Network {
  std::vector<int> capacities;
  std::vector<Flow> flows;
};

/// A fraction of 64-bit parts in lowest terms; the denominators of small cases are products of small numbers.
class Fraction {
 public:
  explicit Fraction(std::int64_t above = 0, std::int64_t below = 1)
      : above_(above / std::gcd(above, below)), below_(below / std::gcd(above, below)) {}
  friend Fraction operator-(Fraction a, Fraction b) {
    std::int64_t const common = std::lcm(a.below_, b.below_);
    return Fraction(a.above_ * (common / a.below_) - b.above_ * (common / b.below_), common);
  }
  friend Fraction operator/(Fraction a, int b) { return Fraction(a.above_, a.below_ * b); }
  friend bool operator<(Fraction a, Fraction b) { return (a - b).above_ < 0; }
  double value() const { return static_cast<double>(above_) / static_cast<double>(below_); }

 private:
  std::int64_t above_, below_;
};

double value_of(Fraction number) { return number.value(); }
double value_of(double number) { return number; }

/// Progressive filling, literally: the least of all caps and of all equal shares of links stops flows, then the next.
template <typename Number>
std::vector<double> filled(Network const& network) {
  std::vector<Number> left;
  for (int const capacity : network.capacities) left.push_back(Number(capacity));
  std::vector<std::optional<Number>> rate(network.flows.size());
  for (std::size_t stopped = 0; stopped < rate.size(); ++stopped) {
    std::vector<int> open(left.size(), 0);
    std::optional<Number> least;
    std::size_t which = 0;
    for (std::size_t f = 0; f < rate.size(); ++f) {
      if (rate[f]) continue;
      for (auto const link : network.flows[f].route) ++open[link];
    }
    for (std::size_t f = 0; f < rate.size(); ++f) {
      if (rate[f]) continue;
      Number share(network.flows[f].cap);
      for (auto const link : network.flows[f].route) share = std::min(share, left[link] / open[link]);
      if (!least || share < *least) least = share, which = f;
    }
    rate[which] = least;
    for (auto const link : network.flows[which].route) left[link] = left[link] - *least;
  }
  std::vector<double> result;
  for (auto const& each : rate) result.push_back(value_of(*each));
  return result;
}

Flow random_flow(Random& random, std::size_t links, int longest) {
  Flow flow;
  for (auto hops = random.between(0, longest); hops > 0; --hops) {
    auto const link = static_cast<MaxMin::Link>(random.below(links));
    bool const there = std::find(flow.route.begin(), flow.route.end(), link) != flow.route.end();
    if (!there || random.below(10) == 0) flow.route.push_back(link);
  }
  flow.cap = static_cast<int>(random.between(1, 4));
  return flow;
}

Network random_links(Random& random, std::int64_t links) {
  Network network;
  for (; links > 0; --links) network.capacities.push_back(static_cast<int>(random.between(1, 8)));
  return network;
}

/// A network whose flows come and go, in MaxMin and in the network that oracles solve whole.
class Changing {
 public:
  Changing(Network network, int longest)
      : network_(std::move(network)),
        longest_(longest),
        rates_(std::vector<double>(network_.capacities.begin(), network_.capacities.end())) {}

  void come(Random& random) {
    network_.flows.push_back(random_flow(random, network_.capacities.size(), longest_));
    ids_.push_back(rates_.add(network_.flows.back().route, network_.flows.back().cap));
  }
  void go(Random& random) {
    if (ids_.empty()) return;
    auto const which = static_cast<std::ptrdiff_t>(random.below(ids_.size()));
    rates_.remove(ids_[at(which)]);
    ids_.erase(ids_.begin() + which);
    network_.flows.erase(network_.flows.begin() + which);
  }
  void change(Random& random, std::size_t about) {
    for (auto changes = random.between(1, 3); changes > 0; --changes) {
      random.below(2 * about) < ids_.size() ? go(random) : come(random);
    }
    rates_.solve();
  }

  Network const& network() const { return network_; }
  double rate(std::size_t flow) const { return rates_.rate(ids_[flow]); }

 private:
  Network network_;
  int longest_;
  MaxMin rates_;
  std::vector<MaxMin::Flow> ids_;
};

void expect_rates(Changing const& changing, std::vector<double> const& expected, double tolerance) {
  for (std::size_t f = 0; f < expected.size(); ++f) {
    ASSERT_NEAR(changing.rate(f), expected[f], tolerance * expected[f]) << "flow " << f;
  }
}

TEST(MaxMin, is_exact_on_small_networks_while_flows_come_and_go) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    Changing changing(random_links(random, random.between(1, 5)), 3);
    for (int i = 0; i < 40; ++i) {
      changing.change(random, 4);
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", change " << i);
      expect_rates(changing, filled<Fraction>(changing.network()), 1e-12);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(MaxMin, is_the_full_solution_on_larger_networks_while_flows_come_and_go) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    Changing changing(random_links(random, random.between(10, 60)), 9);
    for (int i = 0; i < 300; ++i) {
      changing.change(random, 60);
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", change " << i);
      expect_rates(changing, filled<double>(changing.network()), 1e-11);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(MaxMin, is_the_full_solution_after_very_many_changes) {
  // Sums that are kept up to date must not drift away.
  Random random(7);
  Changing changing(random_links(random, 30), 6);
  for (int i = 1; i <= 60'000; ++i) {
    changing.change(random, 60);
    if (i % 500 != 0) continue;
    SCOPED_TRACE(::testing::Message() << "change " << i);
    expect_rates(changing, filled<double>(changing.network()), 1e-11);
    if (HasFatalFailure()) return;
  }
}

TEST(MaxMin, does_not_add_up_what_rates_differ_by_that_stay) {
  // Two flows have half of the first link each. One that has next to nothing comes and goes there two million times,
  // which changes their halves by less than counts. The second link, which one of them crosses, is full in the end.
  MaxMin rates({8, 4.4});
  std::vector<MaxMin::Link> const both{0, 1}, first{0}, second{1};
  auto const a = rates.add(both, 100), b = rates.add(first, 100);
  rates.solve();
  for (int i = 0; i < 2'000'000; ++i) {
    auto const least = rates.add(first, 7e-13);
    rates.solve();
    rates.remove(least);
    rates.solve();
  }
  ASSERT_EQ(rates.rate(a), 4);
  auto const c = rates.add(second, 0.4 + 2e-7);
  rates.solve();
  EXPECT_NEAR(rates.rate(c), 0.4 + 2e-7, 1e-12);
  EXPECT_NEAR(rates.rate(a), 4 - 2e-7, 1e-12);
  EXPECT_NEAR(rates.rate(b), 4 + 2e-7, 1e-12);
}

TEST(MaxMin, gives_each_flow_a_bottleneck_and_no_link_more_than_it_carries) {
  Random random(99);
  Changing changing(random_links(random, 40), 5);
  for (int i = 0; i < 400; ++i) {
    changing.change(random, 80);
    Network const& network = changing.network();
    std::vector<double> load(network.capacities.size(), 0), fastest(network.capacities.size(), 0);
    for (std::size_t f = 0; f < network.flows.size(); ++f) {
      for (auto const link : network.flows[f].route) {
        load[link] += changing.rate(f);
        fastest[link] = std::max(fastest[link], changing.rate(f));
      }
    }
    for (std::size_t l = 0; l < load.size(); ++l) ASSERT_LE(load[l], network.capacities[l] * (1 + 1e-11));
    for (std::size_t f = 0; f < network.flows.size(); ++f) {
      auto const& route = network.flows[f].route;
      double const rate = changing.rate(f);
      bool const full = std::any_of(route.begin(), route.end(), [&](auto link) {
        return load[link] >= network.capacities[link] * (1 - 1e-11) && fastest[link] <= rate * (1 + 1e-11);
      });
      ASSERT_TRUE(full || std::abs(rate - network.flows[f].cap) <= 1e-11) << "change " << i << ", flow " << f;
    }
  }
}

TEST(MaxMin, tells_which_rates_have_changed) {
  // Two flows share the first link; the third is alone on the second.
  MaxMin rates({8, 8});
  std::vector<MaxMin::Link> const first{0}, second{1};
  auto const a = rates.add(first, 100), b = rates.add(first, 100), c = rates.add(second, 5);
  EXPECT_EQ(rates.solve().size(), 3U);
  EXPECT_EQ(rates.rate(a), 4);
  EXPECT_EQ(rates.rate(b), 4);
  EXPECT_EQ(rates.rate(c), 5);
  rates.remove(a);
  auto const changed = rates.solve();
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0], b);
  EXPECT_EQ(rates.rate(b), 8);
}

TEST(MaxMin, counts_a_link_twice_where_a_route_does) {
  MaxMin rates({8});
  std::vector<MaxMin::Link> const twice{0, 0}, once{0};
  auto const a = rates.add(twice, 100), b = rates.add(once, 100);
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(a), 8.0 / 3);
  EXPECT_DOUBLE_EQ(rates.rate(b), 8.0 / 3);
}

TEST(MaxMin, forgets_a_flow_that_goes_before_the_rates_are_solved) {
  MaxMin rates({8});
  std::vector<MaxMin::Link> const route{0};
  auto const a = rates.add(route, 100);
  rates.remove(a);
  EXPECT_TRUE(rates.solve().empty());
  auto const b = rates.add(route, 100);
  rates.solve();
  EXPECT_EQ(rates.rate(b), 8);
}

}  // namespace
}  // namespace rondo

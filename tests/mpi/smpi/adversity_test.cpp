// Sparse exchanges with the order of events varied by seed: sizes, who sends to whom, and how long each rank dawdles
// before it packs, exchanges and unpacks. Three exchanges, one behind the other, make a run.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <simgrid/s4u.hpp>

#include "base/random.hpp"
#include "mpi/sparse_traffic.hpp"
#include "sanitized.hpp"
#include "simulated_ranks.hpp"

namespace rondo::mpi::testing {
namespace {

constexpr int runs_a_simulation = 200 / test::thinned;

void dawdle(Random& random) {
  // A message takes a microsecond and a byte a nanosecond here.
  if (random.below(2) == 0) simgrid::s4u::this_actor::sleep_for(random.unit() * 20e-6);
}

SparseExchange::Options drawn(Random& random) {
  SparseExchange::Options options;
  constexpr ExchangeAlgorithm algorithms[] = {ExchangeAlgorithm::nbx, ExchangeAlgorithm::nbx_tagged,
                                              ExchangeAlgorithm::personalized, ExchangeAlgorithm::personalized_rooted};
  options.exchange.rules.algorithm = algorithms[random.below(4)];
  options.exchange.rules.barrier = random.below(2) == 0 ? problem::Barrier::dissemination : problem::Barrier::tree;
  options.exchange.completion = random.below(2) == 0 ? Completion::poll : Completion::wait;
  options.exchange.waited_bytes = static_cast<int>(random.between(1, 2000));
  options.exchange.numbers = random.below(2) == 0 ? 2 : 0;
  options.delivery = random.below(2) == 0 ? Delivery::sorted : Delivery::arrival;
  return options;
}

/// The numbers of `common` are the same at all ranks, those of `own` are not.
std::string run(World const& world, Random& common, Random& own) {
  auto const options = drawn(common);
  SparseExchange comm(world.comm, options);
  for (int exchange = 0; exchange < 3; ++exchange) {
    auto const shape = static_cast<TrafficShape>(common.below(shapes));
    int const largest = common.below(4) == 0 ? 4000 : 40;
    Traffic const sent = traffic(shape, world.size, common.bits(), largest);
    dawdle(own);
    pack(comm, sent);
    dawdle(own);
    comm.exchange();
    dawdle(own);
    std::string const wrong = receive_all(comm, sent, options.delivery);
    if (!wrong.empty()) return fmt::format("exchange {}: {}", exchange, wrong);
  }
  return "";
}

template <int first_seed, int seeds>
void run_seeds(World const& world, Report& report) {
  for (int seed = first_seed; seed < first_seed + seeds; ++seed) {
    Random common(static_cast<std::uint64_t>(seed * 16 + world.size));
    Random own(static_cast<std::uint64_t>(seed * 1000 + world.rank));
    std::string const wrong = run(world, common, own);
    report.expect(wrong.empty(), fmt::format("seed {}: {}", seed, wrong));
    // A rank that has given up would leave the others waiting.
    if (!wrong.empty()) throw std::runtime_error(wrong);
  }
}

TEST(SparseExchangeAdversity, no_message_is_lost_doubled_or_mixed_in_a_thousand_runs) {
  TestCase const batch{"adversity", run_seeds<0, runs_a_simulation>};
  for (int ranks = 2; ranks <= 6; ++ranks) {
    SCOPED_TRACE(fmt::format("{} ranks", ranks));
    EXPECT_EQ(run_simulated(batch, ranks), std::vector<std::string>());
  }
}

TEST(SparseExchangeAdversity, LongNoMessageIsLostDoubledOrMixedInAThousandMoreRuns) {
  TestCase const batch{"adversity", run_seeds<1000, 200>};
  for (int ranks = 2; ranks <= 6; ++ranks) {
    SCOPED_TRACE(fmt::format("{} ranks", ranks));
    EXPECT_EQ(run_simulated(batch, ranks), std::vector<std::string>());
  }
}

TEST(SparseExchangeAdversity, more_ranks_in_fewer_runs) {
  TestCase const batch{"adversity", run_seeds<0, 6>};
  for (int const ranks : {13, 32}) EXPECT_EQ(run_simulated(batch, ranks), std::vector<std::string>()) << ranks;
}

}  // namespace
}  // namespace rondo::mpi::testing

#include "base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "base/error.hpp"

namespace rondo {
namespace {

TEST(Random, gives_the_published_numbers_of_splitmix64) {
  // The reference sequence of splitmix64 for seed 1234567 (Vigna's splitmix64.c, as listed on Rosetta Code).
  constexpr std::array<std::uint64_t, 5> published = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                                      4593380528125082431u, 16408922859458223821u};
  Random random(1234567);
  for (std::uint64_t const number : published) EXPECT_EQ(random.bits(), number);
}

TEST(Random, stays_in_its_bounds_and_reaches_every_value) {
  Random random(1);
  std::array<int, 7> below{};
  std::array<int, 5> between{};
  for (int i = 0; i < 7000; ++i) {
    ++below.at(random.below(7));
    ++between.at(static_cast<std::size_t>(random.between(-2, 2) + 2));
    double const unit = random.unit();
    EXPECT_TRUE(0 <= unit && unit < 1);
  }
  // Each count is binomial with mean 1000 or 1400; 200 is more than six standard deviations.
  for (int const count : below) EXPECT_NEAR(count, 1000, 200);
  for (int const count : between) EXPECT_NEAR(count, 1400, 220);
}

TEST(Random, refuses_an_empty_range) {
  Random random(1);
  EXPECT_THROW(random.below(0), ContractViolation);
  EXPECT_THROW(random.between(1, 0), ContractViolation);
}

TEST(Random, spans_all_64_bits) {
  Random random(1);
  EXPECT_EQ(random.between(5, 5), 5);
  EXPECT_NO_THROW(random.between(INT64_MIN / 2, INT64_MAX / 2));
}

}  // namespace
}  // namespace rondo

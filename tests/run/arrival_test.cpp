// Ranks that come late, in records: what is counted from 0, from the last arrival and from each rank's own.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/ids.hpp"
#include "problem/run_options.hpp"
#include "run/families.hpp"

namespace rondo {
namespace {

using namespace testing;

std::string const ring = R"({"kind": "allgather", "ranks": 8})";

Record late_record(std::string const& arrival, std::string const& engine = "native",
                   std::string const& collective = ring, std::string const& algorithm = "ring") {
  Record record = record_of({.collective = collective, .more = R"({"arrival": )" + arrival + "}"}, algorithm, engine);
  EXPECT_EQ(record.error.value_or(""), "") << arrival;
  return record;
}

Json without_walls(Record const& record) {
  Json json = to_json(record);
  for (char const* key : {"wall_s", "setup_wall_s", "expanded"}) json.erase(key);
  return json;
}

TEST(Arrivals, of_none_and_within_0_leave_the_record_as_it_is_without_them) {
  for (char const* engine : {"native", "smpi"}) {
    Json const plain = without_walls(record_of({.collective = ring}, "ring", engine));
    ASSERT_FALSE(plain["theory"]["time_s"].is_null());
    ASSERT_FALSE(plain.contains("after_last_arrival_s"));
    for (char const* arrival : {R"({"kind": "none"})", R"({"kind": "one_late", "spread": "0s"})",
                                R"({"kind": "normal", "spread": "0us"})", R"({"kind": "exponential", "spread": "0us"})",
                                R"({"kind": "list", "values": ["0s", "0s", "0s", "0s", "0s", "0s", "0s", "0s"]})"}) {
      EXPECT_EQ(plain.dump(), without_walls(late_record(arrival, engine)).dump()) << arrival << engine;
    }
  }
}

TEST(Arrivals, count_times_from_0_from_the_last_one_and_from_each_ranks_own) {
  // A message of 64 B takes 1.064 us. The ring of 8 ranks takes 7 of them one after the other; the last rank of them
  // has to send 7 and to receive 7 from when it comes.
  double const message = 1.064e-6;
  for (char const* engine : {"native", "smpi"}) {
    Record const record = late_record(R"({"kind": "one_late", "spread": "50us"})", engine);
    EXPECT_NEAR(*record.time_s, 50e-6 + 7 * message, 1e-15);
    EXPECT_NEAR(*record.after_last_arrival_s, 7 * message, 1e-15);
    ASSERT_EQ(record.rank_times_s->size(), 8U);
    EXPECT_NEAR(record.rank_times_s->back(), 7 * message, 1e-15);
    double const sum = std::accumulate(record.rank_times_s->begin(), record.rank_times_s->end(), 0.0);
    EXPECT_NEAR(*record.mean_rank_time_s, sum / 8, 1e-15);
    EXPECT_FALSE(record.theory.time_s);
    EXPECT_EQ(record.theory.rounds, 7);
    EXPECT_LE(*record.bound.time_s, *record.time_s);
    EXPECT_EQ(record.delivered, true);
  }
}

TEST(Arrivals, come_in_a_record_and_out_of_it) {
  Record const record = late_record(R"({"kind": "linear", "spread": "50us"})");
  Json const json = to_json(record);
  EXPECT_EQ(to_json(record_of(json)).dump(), json.dump());
}

TEST(Arrivals, are_of_programs_too) {
  std::string const pattern = R"({"kind": "sparse_exchange", "pattern": {"kind": "hypercube", "ranks": 8}})";
  Record const plain = record_of({.collective = pattern}, "personalized", "smpi");
  Record const late = late_record(R"({"kind": "one_late", "spread": "1ms"})", "smpi", pattern, "personalized");
  // The reduce-scatter before everything else needs all ranks.
  EXPECT_GT(*late.time_s, 1e-3);
  EXPECT_NEAR(*late.after_last_arrival_s, *late.time_s - 1e-3, 1e-15);
  EXPECT_LE(*late.after_last_arrival_s, *plain.time_s * (1 + 1e-9));
  EXPECT_GT(*late.after_last_arrival_s, 0);
}

/// What docs/model.md says, written down again.
std::uint64_t next(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
std::uint64_t first_of(std::uint64_t state) { return next(state); }

TEST(Arrivals, are_drawn_by_the_rule_of_the_page) {
  using enum problem::ArrivalKind;
  for (std::uint64_t const seed : {1ULL, 77ULL}) {
    for (problem::ArrivalKind const kind : {uniform, normal, exponential}) {
      auto const times = problem::arrivals({kind, Seconds(2e-5)}, 200, seed);
      for (std::uint64_t rank = 0; rank < 200; ++rank) {
        std::uint64_t state = first_of(first_of(first_of(first_of(seed) ^ 0) ^ 1) ^ rank) ^ 0;
        auto const unit = [&] { return static_cast<double>(next(state) / 2048) / 9007199254740992.0; };
        double const u = unit(), v = unit();
        double due = 2e-5 * u;
        if (kind == exponential) due = -2e-5 * std::log(1 - u);
        if (kind == normal) {
          double const z = std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * 3.141592653589793 * v);
          due = std::min(std::max(1e-5 + z * 2e-5 / 6, 0.0), 2e-5);
        }
        ASSERT_NEAR(times[rank].value, due, 1e-18) << enum_name(kind) << " rank " << rank;
      }
    }
  }
}

TEST(Arrivals, have_the_means_that_their_kinds_say_and_stay_where_they_are_beside_more_ranks) {
  using enum problem::ArrivalKind;
  for (auto const& [kind, mean] : {std::pair(uniform, 0.5), {normal, 0.5}, {exponential, 1.0}}) {
    auto const many = problem::arrivals({kind, Seconds(1)}, 40000, 3);
    double sum = 0;
    for (Seconds const time : many) sum += time.value;
    // Of 40,000 draws with a deviation of at most 1 the mean is within 0.025 of its own but once in 10^6 times.
    EXPECT_NEAR(sum / 40000, mean, 0.025) << enum_name(kind);
    auto const few = problem::arrivals({kind, Seconds(1)}, 10, 3);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin())) << enum_name(kind);
    EXPECT_NE(few, problem::arrivals({kind, Seconds(1)}, 10, 4));
    EXPECT_NE(few, problem::arrivals({kind, Seconds(1)}, 10, 3, 1));
  }
}

}  // namespace
}  // namespace rondo

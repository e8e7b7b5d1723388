// Decisions held against the cut-off of theory: message combining is faster while D*alpha + V*m*beta < s*(alpha +
// m*beta) [Traeff16, Section 3.1, corrected], that is for m < m* = alpha/beta * (s-D)/(V-s) where D < s and V > s.

#include "run/points/tune.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "base/error.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// alpha = 1 us, 1/beta = 1 GB/s: alpha/beta is 1000 bytes. `more` is a merge patch.
Job job_of(int hosts, std::string const& collective, std::string const& more = "{}") {
  Json document = Json::parse(R"({"machine": {"topology": {"kind": "fully_connected"}, "latency": "1us",
    "bandwidth": "1GBps"}, "algorithm": "straightforward", "block": "64B"})");
  document["machine"]["topology"]["hosts"] = hosts;
  document["collective"] = Json::parse(collective);
  document.merge_patch(Json::parse(more));
  if (document["collective"]["kind"] == "sparse_exchange") document["algorithm"] = "nbx";
  return {"s.json", scenario::Sweep(document, "s.json"), {}};
}

std::string moore(std::string const& torus, int radius, std::string const& kind = "isomorphic_alltoall") {
  return R"({"kind": ")" + kind + R"(", "torus": )" + torus + R"(, "neighborhood": {"kind": "moore", "radius": )" +
         std::to_string(radius) + "}}";
}

TuneOptions options_for(std::vector<std::string> algorithms, std::int64_t to = 1 << 20) {
  TuneOptions options;
  options.algorithms = std::move(algorithms);
  options.sizes.to = Bytes(to);
  return options;
}

Decisions decisions(Job const& job, TuneOptions const& options) { return tune(job, options).at(0); }

struct Stencil {
  char const* name;
  int hosts;
  std::string collective;
  std::int64_t last;  ///< the largest block that is smaller than m*
};

TEST(Tune, cut_offs_are_those_of_the_closed_form_and_smpi_confirms_them) {
  // s, D, V as in docs/notes.md#exact-counts
  std::vector<Stencil> const table{
      {"Moore(2,1): 1000*(8-4)/(12-8) = 1000", 9, moore("[3, 3]", 1), 999},
      {"Moore(3,1): 1000*(26-6)/(54-26) = 714.28", 27, moore("[3, 3, 3]", 1), 714},
      {"octant(3,3): 1000*(63-9)/(288-63) = 240", 64,
       R"({"kind": "isomorphic_alltoall", "torus": [4, 4, 4], "neighborhood": {"kind": "octant", "radius": 3}})", 239},
  };
  for (Stencil const& row : table) {
    Decisions const found = decisions(job_of(row.hosts, row.collective), options_for({"straightforward", "torus"}));
    ASSERT_EQ(found.choices.size(), 2u) << row.name;
    EXPECT_EQ(found.choices[0].algorithm, "torus") << row.name;
    EXPECT_EQ(found.choices[0].from, Bytes(1)) << row.name;
    EXPECT_EQ(found.choices[0].to, Bytes(row.last)) << row.name;
    EXPECT_EQ(found.choices[1].algorithm, "straightforward") << row.name;
    EXPECT_EQ(found.choices[1].from, Bytes(row.last + 1)) << row.name;
    EXPECT_EQ(found.choices[1].to, Bytes(1 << 20)) << row.name;
    EXPECT_EQ(found.cut_offs.at(0).confirmed, true) << row.name;
    EXPECT_EQ(found.engine, scenario::Engine::native) << row.name;
  }
}

TEST(Tune, at_a_cut_off_in_whole_bytes_both_are_as_fast_and_the_first_named_has_it) {
  Decisions const found = decisions(job_of(9, moore("[3, 3]", 1)), options_for({"torus", "straightforward"}));
  EXPECT_EQ(found.choices.at(0).to, Bytes(1000));
  EXPECT_DOUBLE_EQ(found.cut_offs.at(0).at_last.below.value, found.cut_offs.at(0).at_last.above.value);
  EXPECT_EQ(found.cut_offs.at(0).confirmed, true);
}

TEST(Tune, an_allgather_that_always_combines_has_one_range) {
  // W = s: no cut-off
  Decisions const found =
      decisions(job_of(27, moore("[3, 3, 3]", 1, "isomorphic_allgather")), options_for({"straightforward", "torus"}));
  ASSERT_EQ(found.choices.size(), 1u);
  EXPECT_EQ(found.choices[0].algorithm, "torus");
  EXPECT_EQ(found.choices[0].to, Bytes(1 << 20));
  EXPECT_TRUE(found.cut_offs.empty());
}

/// Sizes at which combining wins, by the inequality in whole nanoseconds.
std::vector<BestRange> by_the_inequality(std::vector<std::vector<int>> const& offsets, std::int64_t alpha,
                                         std::int64_t to) {
  std::int64_t const s = std::ssize(offsets);
  std::int64_t rounds = 0, volume = 0;
  for (std::size_t j = 0; j < offsets[0].size(); ++j) {
    int up = 0, down = 0;
    for (auto const& offset : offsets) {
      up = std::max(up, offset[j]);
      down = std::max(down, -offset[j]);
      volume += std::abs(offset[j]);
    }
    rounds += up + down;
  }
  std::vector<BestRange> ranges;
  for (std::int64_t m = 1; m <= to; ++m) {
    std::size_t const best = rounds * alpha + volume * m < s * (alpha + m) ? 1 : 0;
    if (ranges.empty() || ranges.back().algorithm != best) ranges.push_back({Bytes(m), Bytes(m), best});
    ranges.back().to = Bytes(m);
  }
  return ranges;
}

TEST(Tune, random_neighborhoods_have_the_cut_off_of_the_inequality) {
  std::mt19937 random(11);
  auto const number = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  for (int i = 0; i < 100 / test::sampled; ++i) {
    std::vector<std::vector<int>> offsets;
    for (int a = -2; a <= 2; ++a) {
      for (int b = -2; b <= 2; ++b) {
        if ((a != 0 || b != 0) && number(0, 2) > 0) offsets.push_back({a, b});
      }
    }
    if (offsets.empty()) continue;
    int const alpha = number(50, 3000);  // ns; a byte takes one
    Json collective = Json::parse(R"({"kind": "isomorphic_alltoall", "torus": [7, 7]})");
    collective["neighborhood"] = {{"kind", "offsets"}, {"offsets", offsets}};
    Job const job = job_of(49, collective.dump(), R"({"machine": {"latency": ")" + std::to_string(alpha) + R"(ns"}})");
    TuneOptions options = options_for({"straightforward", "torus"}, 4000);
    options.engine = scenario::Engine::native;
    std::vector<BestRange> found;
    for (Choice const& each : decisions(job, options).choices) {
      found.push_back({each.from, each.to, each.algorithm == "torus" ? 1u : 0u});
    }
    EXPECT_EQ(found, by_the_inequality(offsets, alpha, 4000)) << collective << " " << alpha;
  }
}

TEST(LongTune, by_default_chooses_among_all_and_names_those_that_are_as_fast) {
  // On even extents all of torus, direct and parity take D = 6 rounds and V = 54 blocks.
  Decisions const found = decisions(job_of(64, moore("[4, 4, 4]", 1)), {});
  EXPECT_EQ(found.algorithms, problem::algorithms(problem::Kind::isomorphic_alltoall));
  ASSERT_EQ(found.choices.size(), 2u);
  EXPECT_EQ(found.choices[0].algorithm, "torus");
  EXPECT_EQ(found.choices[0].to, Bytes(714));
  for (char const* same : {"direct", "parity"}) {
    EXPECT_EQ(std::count(found.choices[0].as_fast.begin(), found.choices[0].as_fast.end(), same), 1) << same;
  }
}

TEST(Tune, what_a_machine_does_not_allow_is_left_out_unless_it_was_asked_for) {
  std::string const ring = R"({"machine": {"topology": {"kind": "ring"}, "neighbors_only": true}})";
  std::string const collective =
      R"({"kind": "isomorphic_alltoall", "torus": [8], "neighborhood": {"kind": "moore", "radius": 2}})";
  Decisions const found = decisions(job_of(8, collective, ring), {});
  EXPECT_EQ(std::count(found.algorithms.begin(), found.algorithms.end(), "straightforward"), 0);
  EXPECT_EQ(std::count(found.algorithms.begin(), found.algorithms.end(), "torus"), 1);
  auto const out = std::find_if(found.left_out.begin(), found.left_out.end(),
                                [](LeftOut const& each) { return each.algorithm == "straightforward"; });
  ASSERT_NE(out, found.left_out.end());
  EXPECT_NE(out->why.find("invalid schedule"), std::string::npos) << out->why;
  EXPECT_THROW(tune(job_of(8, collective, ring), options_for({"straightforward", "torus"})), InputError);
}

TEST(Tune, the_native_engine_searches_on_shared_links_and_smpi_confirms) {
  // Links of a fully connected machine have one user each: sharing changes nothing, and the cut-off is the same.
  Job const shared = job_of(9, moore("[3, 3]", 1), R"({"machine": {"links": "shared"}})");
  Decisions const found = decisions(shared, options_for({"straightforward", "torus"}, 4096));
  EXPECT_EQ(found.engine, scenario::Engine::native);
  ASSERT_EQ(found.choices.size(), 2u);
  EXPECT_EQ(found.choices[0].to, Bytes(999));
  EXPECT_EQ(found.cut_offs.at(0).confirmed, true);
}

TEST(Tune, programs_are_searched_by_smpi) {
  Job const job = job_of(8, R"({"kind": "sparse_exchange", "pattern": {"kind": "random", "ranks": 8, "targets": 2}})");
  TuneOptions options = options_for({}, 64);
  options.sizes.per_doubling = 1;
  Decisions const found = decisions(job, options);
  EXPECT_EQ(found.engine, scenario::Engine::smpi);
  EXPECT_EQ(found.algorithms, (std::vector<std::string>{"nbx", "nbx_tagged", "personalized", "personalized_rooted"}));
  EXPECT_EQ(found.choices.front().from, Bytes(1));
  EXPECT_EQ(found.choices.back().to, Bytes(64));
}

TEST(Tune, loggp_is_decided_but_not_confirmed) {
  std::string const loggp = R"({"engine": "native", "machine": {"latency": null, "bandwidth": null, "timing": "loggp",
    "loggp": {"L": "1us", "o": "100ns", "g": "200ns", "G": "1ns/B"}}})";
  Decisions const found =
      decisions(job_of(27, moore("[3, 3, 3]", 1), loggp), options_for({"straightforward", "torus"}));
  EXPECT_EQ(found.engine, scenario::Engine::native);
  EXPECT_NE(found.engine_because.find("loggp"), std::string::npos) << found.engine_because;
  ASSERT_EQ(found.cut_offs.size(), 1u);
  EXPECT_FALSE(found.cut_offs[0].confirmed.has_value());
  EXPECT_TRUE(found.confirmed());
}

TEST(Tune, a_sweep_over_more_than_algorithm_and_block_is_decided_problem_by_problem) {
  Job const job = job_of(9, moore("[3, 3]", 1), R"({"sweep": {"/machine/latency": ["1us", "2us"],
    "/block": ["1B", "2B"], "/algorithm": ["straightforward", "torus"]}})");
  std::vector<Decisions> const found = tune(job, options_for({"straightforward", "torus"}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].choices.at(0).to, Bytes(999));   // m* = 1000
  EXPECT_EQ(found[1].choices.at(0).to, Bytes(1999));  // m* = 2000
  EXPECT_EQ(found[1].axes.at(0).second, "2us");
  EXPECT_EQ(found[1].axes.size(), 1u);
}

TEST(Tune, an_algorithm_that_the_collective_does_not_have_is_refused) {
  try {
    tune(job_of(9, moore("[3, 3]", 1)), options_for({"torsu"}));
    FAIL();
  } catch (InputError const& refused) {
    EXPECT_NE(std::string(refused.what()).find("did you mean \"torus\""), std::string::npos) << refused.what();
  }
}

}  // namespace
}  // namespace rondo

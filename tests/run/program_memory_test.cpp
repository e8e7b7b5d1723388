// The memory of programs of sparse exchanges, as their records have it, against closed forms: what a rank holds at the
// end of the exchange that takes most.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "run/points/run.hpp"
#include "theory/sparse_exchange.hpp"
#include "topology/point_cloud.hpp"

namespace rondo {
namespace {

using scenario::Json;

Record memory_record(Json const& collective, std::string const& algorithm, std::string const& block) {
  Json document = Json::parse(R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 64}, "latency": "1us",
                                  "bandwidth": "1GBps"}})");
  document["collective"] = collective;
  document["algorithm"] = algorithm;
  document["block"] = block;
  return run_point(scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json"), "s.json", 1, {});
}

TEST(ProgramMemory, on_a_graph_is_that_of_a_number_to_and_from_each_neighbor) {
  // A star of 5: its centre, rank 0, sends and receives 4 messages of 16 + 12 bytes, those it sends in buffers that
  // grow 0, 1, 3, 6, 10, 16, 25, 39. Counting first takes 4 bytes for each of 5 ranks and the 2 of the half; at a root,
  // for 5 ranks and the 5 of a signal. Waiting takes a buffer of 28 + 1 bytes, and 4.
  Json collective =
      Json::parse(R"({"graph": {"kind": "edges", "ranks": 5, "edges": [[0, 1], [0, 2], [0, 3], [4, 0]]}})");
  for (char const* kind : {"independent_set", "coloring"}) {
    for (bool const waits : {false, true}) {
      collective["kind"] = kind;
      collective["completion"] = waits ? "wait" : "poll";
      std::int64_t const messages = 4 * 39 + 4 * 28 + (waits ? 28 + 1 + 4 : 0);
      for (auto const& [algorithm, words] :
           {std::pair("nbx", 0), {"nbx_tagged", 0}, {"personalized", 7}, {"personalized_rooted", 10}}) {
        Record const record = memory_record(collective, algorithm, "12B");
        EXPECT_EQ(record.error.value_or(""), "");
        EXPECT_EQ(record.sparse.memory_bytes, messages + 4 * words) << kind << ", " << algorithm << ", " << waits;
        EXPECT_EQ(record.sparse_theory.memory_bytes, record.sparse.memory_bytes);
      }
    }
  }
}

/// The bisection of points that all lie at one place, which are cut by the rank that held them first and their order
/// there: the first exchange takes each to where it stays. Numbers of points, rank after rank.
struct Coincident {
  problem::ExchangeAlgorithm algorithm;
  std::int64_t unit;  ///< bytes of a point in a message
  std::vector<std::int64_t> held, parts;

  static std::int64_t before(std::vector<std::int64_t> const& numbers, std::size_t rank) {
    return std::accumulate(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(rank), std::int64_t{0});
  }

  /// Bytes that go from one rank to another, or to itself.
  std::int64_t sent(std::size_t from, std::size_t to) const {
    std::int64_t const begin = std::max(before(held, from), before(parts, to));
    std::int64_t const end = std::min(before(held, from + 1), before(parts, to + 1));
    return std::max<std::int64_t>(end - begin, 0) * unit;
  }

  /// The most that one of these ranks holds in the exchange among them, and in those of its halves.
  std::int64_t memory(std::size_t first, std::size_t ranks) {
    if (ranks == 1 || before(parts, first) == before(parts, first + ranks)) return 0;
    std::int64_t most = 0;
    for (std::size_t rank = first; rank < first + ranks; ++rank) {
      std::vector<std::int64_t> out, in;
      for (std::size_t other = first; other < first + ranks; ++other) {
        out.push_back(sent(rank, other));
        if (other != rank) in.push_back(sent(other, rank));
      }
      most = std::max(most, theory::sparse_memory(algorithm, static_cast<std::int64_t>(ranks), out, in,
                                                  static_cast<std::int64_t>(rank - first))
                                .value);
    }
    std::copy_n(parts.begin() + static_cast<std::ptrdiff_t>(first), ranks,
                held.begin() + static_cast<std::ptrdiff_t>(first));
    return std::max({most, memory(first, ranks / 2), memory(first + ranks / 2, ranks - ranks / 2)});
  }
};

TEST(ProgramMemory, of_a_bisection_is_that_of_the_points_that_go_and_come) {
  using enum problem::ExchangeAlgorithm;
  for (int const ranks : {1, 2, 5, 8}) {
    for (int const points : {0, 3, 200}) {
      for (double const imbalance : {0.0, 0.9}) {
        for (auto const& [word, algorithm] :
             {std::pair("nbx", nbx), {"personalized", personalized}, {"personalized_rooted", personalized_rooted}}) {
          // A point is its number, three coordinates, its first rank and its place there; 3 bytes are beside it.
          Coincident expected{algorithm, 8 + 3 * 8 + 4 + 4 + 3, {}, {}};
          PointCloud cloud{points, CloudShape::coincident};
          cloud.imbalance = imbalance;
          for (auto const& held : points_of(cloud, ranks)) expected.held.push_back(std::ssize(held));
          for (int rank = 0; rank < ranks; ++rank)
            expected.parts.push_back((rank + 1) * points / ranks - rank * points / ranks);
          Json const collective{{"kind", "bisection"},   {"ranks", ranks},         {"points", points},
                                {"cloud", "coincident"}, {"imbalance", imbalance}, {"completion", "poll"}};
          Record const record = memory_record(collective, word, "3B");
          EXPECT_EQ(record.error.value_or(""), "");
          EXPECT_EQ(record.sparse.memory_bytes, expected.memory(0, static_cast<std::size_t>(ranks)))
              << word << ", " << collective;
        }
      }
    }
  }
}

}  // namespace
}  // namespace rondo

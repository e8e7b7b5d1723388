#pragma once

// Max-min fair rates in exact fractions, by progressive filling and nothing else, and a machine's links for them.

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/routing.hpp"

namespace rondo::testing {

using Exact = boost::multiprecision::cpp_rational;

/// What a user wrote: the shortest decimal that reads as this number, which is 0 or more.
Exact written(double number);
inline Exact nanoseconds(Seconds time) { return 1'000'000'000 * written(time.value); }
/// Bytes a nanosecond.
inline Exact speed(BytesPerSecond bandwidth) { return written(bandwidth.value) / 1'000'000'000; }

/// The last time of the moment that opens then: two events are one moment if their times differ by at most 1e-12 of
/// themselves.
inline Exact end_of_moment(Exact const& first) { return first + first / 1'000'000'000'000; }

/// What messages of so many bytes between hosts have: the first piece that holds them, or what the machine says.
inline SizePiece piece_for(Platform const& platform, std::int64_t bytes) {
  for (SizePiece const& piece : platform.pieces) {
    if (bytes <= piece.up_to.value) return piece;
  }
  return {Bytes(bytes), platform.latency, platform.bandwidth};
}

/// The most bandwidth that a message of so many bytes can use.
inline Exact exact_speed(Platform const& platform, int from_host, int to_host, std::int64_t bytes) {
  if (from_host == to_host) return speed(platform.intra_bandwidth.value_or(platform.bandwidth));
  return speed(piece_for(platform, bytes).bandwidth);
}

/// A flow that is never faster than `cap`, and crosses these links.
struct ExactFlow {
  std::vector<std::size_t> route;
  Exact cap;
};

/// The rates of the flows, in their order.
std::vector<Exact> fair_rates(std::vector<Exact> const& capacity, std::vector<ExactFlow> const& flows);

/// The way of a message from its start on.
struct ExactWay {
  std::vector<std::size_t> shared;  ///< links
  std::vector<LinkId> links;        ///< between routers
  Exact startup;                    ///< in nanoseconds
};

/// What flows share: NICs out of hosts, NICs into hosts, memories of hosts, links of the topology. What is not shared
/// has more capacity than any number of flows asks for.
class ExactLinks {
 public:
  explicit ExactLinks(Platform const& platform);
  std::vector<Exact> const& capacity() const { return capacity_; }
  /// Chooses the way of a message of so many bytes that starts now, and is under way until `end`: under ugal that is
  /// what ways are chosen by.
  ExactWay start(int from_host, int to_host, std::int64_t bytes);
  void end(ExactWay const& way);

 private:
  Exact load(std::vector<LinkId> const& links) const;

  Platform const& platform_;
  Routes routes_;
  std::vector<Exact> capacity_;
  std::vector<int> under_way_;  ///< messages, by link between routers
};

}  // namespace rondo::testing

#pragma once

// Max-min fair rates in exact fractions, by progressive filling and nothing else, and a machine's links for them.

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/platform.hpp"

namespace rondo::testing {

using Exact = boost::multiprecision::cpp_rational;

inline Exact nanoseconds(Seconds time) { return Exact(std::llround(1e9 * time.value)); }
/// Bytes a nanosecond.
inline Exact speed(BytesPerSecond bandwidth) { return Exact(std::llround(1e-3 * bandwidth.value), 1'000'000); }

/// What messages of so many bytes between hosts have: the first piece that holds them, or what the machine says.
inline SizePiece piece_for(Platform const& platform, std::int64_t bytes) {
  for (SizePiece const& piece : platform.pieces) {
    if (bytes <= piece.up_to.value) return piece;
  }
  return {Bytes(bytes), platform.latency, platform.bandwidth};
}

/// The start-up of a message of so many bytes.
inline Exact exact_startup(Platform const& platform, int from_host, int to_host, std::int64_t bytes) {
  if (from_host == to_host) return nanoseconds(platform.intra_latency.value_or(platform.latency));
  int const more = std::max(0, hops(platform, from_host, to_host) - 1);
  return nanoseconds(piece_for(platform, bytes).latency) + more * nanoseconds(platform.hop_latency);
}

/// The most bandwidth that it can use.
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

/// What flows share: NICs out of hosts, NICs into hosts, memories of hosts, links of the topology. What is not shared
/// has more capacity than any number of flows asks for.
class ExactLinks {
 public:
  explicit ExactLinks(Platform const& platform);
  std::vector<Exact> const& capacity() const { return capacity_; }
  std::vector<std::size_t> route(int from_host, int to_host) const;

 private:
  Platform const& platform_;
  std::vector<Exact> capacity_;
};

}  // namespace rondo::testing

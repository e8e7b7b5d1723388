#pragma once

// Max-min fair rates in exact fractions, by progressive filling and nothing else, and a machine's links for them.

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
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

/// A flow that is never faster than `cap`, and crosses these links.
struct ExactFlow {
  std::vector<std::size_t> route;
  Exact cap;
};

/// The rates of the flows, in their order.
std::vector<Exact> fair_rates(std::vector<Exact> const& capacity, std::vector<ExactFlow> const& flows);

/// The way of a message from its start on.
struct ExactWay {
  std::vector<std::vector<std::size_t>> flows;  ///< what each of them shares with others
  Exact carried;                                ///< by each flow, in bytes
  Exact cap;                                    ///< of each flow
  Exact startup;                                ///< in nanoseconds
  std::vector<LinkId> links;                    ///< between routers
  std::vector<int> networks;                    ///< that it takes of those
};

/// What flows share, each by a name that tells what it is. What is not shared is not there.
class ExactLinks {
 public:
  explicit ExactLinks(Platform const& platform) : platform_(platform), routes_(platform) {}
  std::vector<Exact> const& capacity() const { return capacity_; }
  /// Chooses the way of a message of so many bytes between two ranks that starts now, and is under way until `end`:
  /// under ugal that is what ways are chosen by.
  ExactWay start(int source, int target, std::int64_t bytes);
  void end(ExactWay const& way);
  /// When a message that goes off now has got past its NICs.
  Exact pass(Exact const& now, int source, int target, std::int64_t bytes);

 private:
  enum class What { up, down, memory, to_rank, from_rank, between_ranks, link };
  /// What it is, and of which host (or network) and ranks (NIC, or link).
  using Name = std::tuple<What, std::int64_t, std::int64_t, std::int64_t>;
  /// A NIC at each end; the same one or another.
  using NicEnds = std::pair<int, int>;

  bool flow_timing() const { return platform_.timing == TimingModel::flow; }
  int on_host(int rank) const { return host_of(platform_, Rank(rank)); }
  int among(int part) const;
  int own_nic(int rank) const;
  bool striped(std::int64_t bytes) const;
  std::vector<NicEnds> nics(int source, int target, std::int64_t bytes) const;
  Exact load(std::vector<LinkId> const& links, std::vector<int> const& networks) const;
  std::size_t numbered(Name const& name, Exact const& capacity);
  void cross_island(int host, int from, int to, bool whole, std::vector<std::size_t>& shared);
  void start_within(int source, int target, ExactWay& way);
  void start_between(int source, int target, std::int64_t bytes, ExactWay& way);
  void choose_links(int source, int target, ExactWay& way);

  Platform const& platform_;
  Routes routes_;
  std::map<Name, std::size_t> numbers_;
  std::vector<Exact> capacity_;
  std::map<std::pair<int, LinkId>, int> under_way_;  ///< messages, by network and link between routers
  std::map<Name, Exact> free_;                       ///< from when on a NIC lets the next message pass
};

}  // namespace rondo::testing

#pragma once

// What the native engine reads of a schedule and a machine: partners, sizes and durations. A broken schedule is read
// without harm: a partner that is no rank is `nobody`, a place outside its buffer has no bytes.

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "platform/routing.hpp"
#include "schedule/schedule.hpp"

namespace rondo::native {

inline constexpr std::int32_t nobody = -1;

/// The partners of transfers, as ranks.
class Peers {
 public:
  explicit Peers(Schedule const& schedule);
  /// The partner of one rank, or nobody.
  std::int32_t operator()(std::int32_t rank, Transfer const& transfer) const {
    std::int32_t const peer = relative_ ? resolve(rank, transfer) : transfer.peer;
    return peer >= 0 && peer < ranks_ ? peer : nobody;
  }
  bool relative() const { return relative_; }
  /// For relative peers: the partners of all ranks, in time proportional to their number.
  void all(Transfer const& transfer, std::vector<std::int32_t>& into) const;
  /// For relative peers: what all ranks' partner tells apart, the partner of rank 0; nobody if there is no such offset.
  std::int32_t ahead(Transfer const& transfer) const;
  /// For relative peers: the rank whose partner is rank 0.
  std::int32_t behind(Transfer const& transfer) const;

 private:
  std::span<int const> offset(Transfer const& transfer) const;
  std::int32_t resolve(std::int32_t rank, Transfer const& transfer) const;
  Schedule const& schedule_;
  bool relative_;
  std::int32_t ranks_;
};

/// The bytes of the messages of a program.
class Sizes {
 public:
  explicit Sizes(Program const& program);
  std::int64_t operator()(Transfer const& transfer) const { return uniform_ ? transfer.count * block_ : sum(transfer); }

 private:
  std::int64_t sum(Transfer const& transfer) const;
  Program const* program_;
  bool uniform_;
  std::int64_t block_;
};

/// The linear timing model of a platform: how long a message holds its ports that shares bandwidth with no other.
class Costs {
 public:
  explicit Costs(Platform const& platform);
  /// Whether all pairs of ranks have the same start-up.
  bool uniform() const { return uniform_; }
  Seconds operator()(std::int32_t from, std::int32_t to, std::int64_t bytes) const {
    if (plain_) return latency_ + Bytes(checked_sum(bytes, envelope_)) / bandwidth_;
    return between_hosts(host_of(platform_, Rank(from)), host_of(platform_, Rank(to)), bytes);
  }
  /// The piece of a message's size (platform.hpp).
  std::uint8_t piece(std::int64_t bytes) const {
    return plain_ ? 0 : static_cast<std::uint8_t>(piece_of(platform_, bytes));
  }

 private:
  Seconds between_hosts(int from, int to, std::int64_t bytes) const {
    Way const own = routes_.way(from, to, piece_of(platform_, bytes));
    return own.startup + Bytes(checked_sum(bytes, envelope_)) / own.bandwidth;
  }

  Platform const& platform_;
  Routes routes_;
  bool uniform_;
  bool plain_;  ///< uniform, and all sizes cost latency_ and bandwidth_
  Seconds latency_;
  std::int64_t envelope_;
  BytesPerSecond bandwidth_;
};

}  // namespace rondo::native

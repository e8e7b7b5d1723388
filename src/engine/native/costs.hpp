#pragma once

// The values that the native engine reads from a schedule and a machine: partners, sizes and durations. A broken
// schedule is read without harm: a partner rank that does not exist becomes `nobody`, and a place outside its buffer
// has no bytes.

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "platform/paths.hpp"
#include "schedule/schedule.hpp"

namespace rondo::native {

/// Stands for a rank that does not exist.
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
  /// For relative peers: the partners of all ranks, in time proportional to the number of ranks.
  void all(Transfer const& transfer, std::vector<std::int32_t>& into) const;
  /// For relative peers: the partner of rank 0, which identifies the offset of all ranks; nobody if there is no such
  /// offset.
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

/// The linear timing model of a platform: how long a message occupies its ports if it shares no bandwidth with others.
class Costs {
 public:
  explicit Costs(Platform const& platform);
  /// Whether all pairs of ranks have the same start-up.
  bool uniform() const { return uniform_; }
  Seconds operator()(std::int32_t from, std::int32_t to, std::int64_t bytes) const {
    if (plain_) return latency_ + Bytes(checked_sum(bytes, envelope_)) / bandwidth_;
    return between_ranks(Rank(from), Rank(to), bytes);
  }
  /// The class of a message's size (paths.hpp).
  SizeClass size(std::int64_t bytes) const { return plain_ ? SizeClass() : size_class(platform_, bytes); }

 private:
  Seconds between_ranks(Rank from, Rank to, std::int64_t bytes) const {
    SizeClass const size = size_class(platform_, bytes);
    RouteCost const cost = paths_.route_cost(from, to, size);
    return cost.startup + Bytes(paths_.flow_bytes(from, to, size, checked_sum(bytes, envelope_))) / cost.bandwidth;
  }

  Platform const& platform_;
  Paths paths_;
  bool uniform_;
  bool plain_;  ///< uniform, and the start-up and bandwidth are latency_ and bandwidth_ for every size
  Seconds latency_;
  std::int64_t envelope_;
  BytesPerSecond bandwidth_;
};

}  // namespace rondo::native

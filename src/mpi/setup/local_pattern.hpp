#pragma once

// A rank's part of the communication pattern of [Mirsadeghi17, Algorithm 1], T in the paper, as it knows it itself.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "generate/common_neighbors.hpp"

namespace rondo::mpi {

/// `sender` onloads this rank: it has a message for it, or will have, with what it and `partner` had for this rank.
struct Onloading {
  Rank sender, partner;
  friend auto operator<=>(Onloading const&, Onloading const&) = default;
};

/// What an iteration of Algorithm 1 means to a rank.
struct LocalIteration {
  int pairing_rounds = 0;  ///< rounds of Algorithm 2 until this rank was paired or terminal; 0: not in the loop
  std::optional<Rank> partner = {};      ///< the friend it combines with
  std::vector<Rank> onloads, offloads;   ///< ascending: its targets that it serves for both, and that the friend does
  std::vector<Onloading> incoming = {};  ///< by their senders
  friend bool operator==(LocalIteration const&, LocalIteration const&) = default;
};

struct LocalPattern {
  std::vector<LocalIteration> iterations;
  std::vector<Rank> targets;      ///< to be sent to after all iterations, ascending
  std::vector<Rank> sources;      ///< to be received from after all iterations, ascending
  int friends = 0;                ///< before the first iteration
  int savable_messages = 0;       ///< exchanges with friends that are targets too
  generate::SetupMessages setup;  ///< sent by this rank
  friend bool operator==(LocalPattern const&, LocalPattern const&) = default;
};

/// What the parts of all ranks are together. Throws ContractViolation where the two sides of a pair do not agree.
generate::CombiningPattern whole_pattern(std::vector<LocalPattern> const& parts, generate::Combining combining);

/// As numbers, to be handed from process to process.
std::vector<std::int64_t> encoded(LocalPattern const& part);
/// Throws ContractViolation for numbers that encode no pattern.
LocalPattern decoded(std::span<std::int64_t const> numbers);

}  // namespace rondo::mpi

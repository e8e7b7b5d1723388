#pragma once

// A rank's own part of the communication pattern of [Mirsadeghi17, Algorithm 1] (T in the paper), as far as the rank
// knows it.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "generate/common_neighbors.hpp"

namespace rondo::mpi {

/// `sender` takes this rank over from `partner`: it sends this rank one message with everything that both of them had
/// for it.
struct Onloading {
  Rank sender, partner;
  friend auto operator<=>(Onloading const&, Onloading const&) = default;
};

/// The result of an iteration of Algorithm 1 for one rank.
struct LocalIteration {
  int pairing_rounds = 0;  ///< rounds of Algorithm 2 until this rank was paired or terminal; 0: not in the loop
  std::optional<Rank> partner = {};  ///< the friend it combines with
  std::vector<Rank> onloads,
      offloads;  ///< ascending: the targets that this rank serves for both, and those that its friend serves
  std::vector<Onloading> incoming = {};  ///< by their senders
  friend bool operator==(LocalIteration const&, LocalIteration const&) = default;
};

/// What a rank knows at the end.
struct LocalPattern {
  std::vector<LocalIteration> iterations;
  std::vector<Rank> targets;      ///< to be sent to after all iterations, ascending
  std::vector<Rank> sources;      ///< to be received from after all iterations, ascending
  int friends = 0;                ///< before the first iteration
  int savable_messages = 0;       ///< exchanges with friends that are targets too
  generate::SetupMessages setup;  ///< sent by this rank
  friend bool operator==(LocalPattern const&, LocalPattern const&) = default;
};

/// The pattern that the parts of all ranks form together. Throws ContractViolation if the two sides of a pair disagree.
generate::CombiningPattern whole_pattern(std::vector<LocalPattern> const& parts, generate::Combining combining);

/// The pattern as numbers, which one process can send to another.
std::vector<std::int64_t> encoded(LocalPattern const& part);
/// The inverse of encoded. Throws ContractViolation for numbers that encode no pattern.
LocalPattern decoded(std::span<std::int64_t const> numbers);

}  // namespace rondo::mpi

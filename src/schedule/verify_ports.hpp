#pragma once

// Finds rounds in which a rank posts more sends or receives than the schedule promises or the machine allows.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/verify_cells.hpp"

namespace rondo::verification {

/// The direction of a message, seen from the rank.
enum class Direction : std::uint8_t { sent, received };

/// Too many operations of one rank in one round.
struct PortExcess {
  Rank rank;
  int round = 0;
  std::size_t sends = 0;
  std::size_t receives = 0;
  bool past_promise = false;  ///< whether more than is promised; otherwise more than is allowed
  int ports = 0;              ///< how many ports are promised or allowed

  std::optional<Content> first_block = {};  ///< the first block of the operations that are too many
  std::size_t operations = 0;               ///< how many of these carry blocks
  std::string named = {};                   ///< the names of the first of them

  /// Notes which blocks one of the operations carries, if there are too many in its direction.
  void add(Direction direction, Rank partner, std::span<Packed const> blocks, Findings const& findings);
  void report(Findings& findings) const;
};

/// All excesses of a schedule.
class PortExcesses {
 public:
  explicit PortExcesses(Subject const& subject);
  /// The excesses of a round, by rank.
  std::span<PortExcess> of(int round);

 private:
  std::vector<PortExcess> excesses_;
};

/// The excess of a rank among those of a round; null if the rank is not among them.
PortExcess* find(std::span<PortExcess> excesses, Rank rank);

}  // namespace rondo::verification

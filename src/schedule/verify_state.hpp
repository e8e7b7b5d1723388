#pragma once

// The state of a replay (verify_replay.cpp): the content of every slot, a list of all writes, and the rounds in which
// a rank posts more sends or receives than the schedule promises or the machine allows.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/column.hpp"
#include "schedule/verify_parts.hpp"

namespace rondo::verification {

/// What has written a cell.
enum class By : std::uint8_t { message, copy, join };

/// A slot during the replay. Questions about its history concern the current round only, so one round number is
/// enough to answer them.
class Cell {
 public:
  Packed content = nothing;
  Count count = 1;  ///< of its content; only where contents carry counts

  /// Whether its content was sent or copied.
  bool was_read() const { return (last_ & read) != 0; }
  bool was_read_in(int round) const { return was_read() && is_in(round); }
  /// Whether a message wrote it, or it was joined, in this round.
  bool was_received_in(int round) const { return (last_ & received) != 0 && is_in(round); }

  void note_read(int round) { last_ = at(round) | read | (was_received_in(round) ? received : 0); }
  void note_received(int round) { last_ = at(round) | received; }
  void note_copied() { last_ = 0; }

  static constexpr int most_rounds = (1 << 30) - 1;

 private:
  static constexpr std::uint32_t read = 1, received = 2;
  static std::uint32_t at(int round) { return static_cast<std::uint32_t>(round) << 2; }
  bool is_in(int round) const { return (last_ & ~(read | received)) == at(round); }

  std::uint32_t last_ = 0;  ///< the round in which it was last read or received, and which of that
};

/// The slots of the followed ranks, and what they are owed in their receive buffers.
class Cells {
 public:
  Cells(Subject const& subject, Fingerprints& fingerprints);

  /// The slot at a place; null if the place is outside its buffer.
  Cell* find(int followed, Place place) {
    BufferRanges const& ranges = ranges_[static_cast<std::size_t>(followed)];
    auto const buffer = static_cast<std::size_t>(place.buffer());
    return place.slot() < ranges.slots[buffer] ? &cells_[ranges.first[buffer] + place.slot()] : nullptr;
  }
  /// The number of a slot among those of its rank: send, receive, intermediate.
  std::uint32_t slot(int followed, Cell const* cell) const {
    std::size_t const first = ranges_[static_cast<std::size_t>(followed)].first[0];
    return static_cast<std::uint32_t>(static_cast<std::size_t>(cell - cells_.data()) - first);
  }
  /// The mark of a slot's content; only if contents carry marks.
  Mark& mark(Cell const* cell) { return marks_[static_cast<std::size_t>(cell - cells_.data())]; }
  /// The content that is owed at a place; `nothing` if none is.
  Packed owed(int followed, Place place) const {
    auto const rank = static_cast<std::size_t>(followed);
    if (place.buffer() != Buffer::receive || place.slot() >= owed_slots(followed)) return nothing;
    return owed_[owed_first_[rank] + place.slot()];
  }
  std::uint32_t owed_slots(int followed) const {
    auto const rank = static_cast<std::size_t>(followed);
    return static_cast<std::uint32_t>(owed_first_[rank + 1] - owed_first_[rank]);
  }

 private:
  /// Where the buffers of a rank begin, and how many slots they have.
  struct BufferRanges {
    // One entry more than there are buffers: a Place has two bits for them.
    std::array<std::size_t, buffer_count + 1> first{};
    std::array<std::uint32_t, buffer_count + 1> slots{};
  };
  std::vector<BufferRanges> ranges_;
  Column<Cell> cells_;
  Column<Mark> marks_;  ///< by cell; empty where contents carry none
  Column<Packed> owed_;
  std::vector<std::size_t> owed_first_;
};

/// Notes all writes of the replay, to count the blocks that a rank received although it held them already. They are
/// counted rank by rank after the replay, because a look-up for each move during the replay would miss the caches.
class Writes {
 public:
  explicit Writes(Subject const& subject);
  /// `slot` counts through the buffers of the rank, as Cells::slot does.
  void note(int followed, std::uint32_t slot, Packed content, By by) {
    std::size_t const i = next_[static_cast<std::size_t>(followed)]++;
    contents_[i] = content;
    by_[i] = by;
    if (!slots_.empty()) slots_[i] = slot;
  }
  /// The redundant receives of all followed ranks together.
  Redundant redundant() const;

 private:
  Redundant redundant(int followed) const;

  Subject const& subject_;
  // By rank, in order:
  Column<Packed> contents_;
  Column<By> by_;
  std::vector<std::uint32_t> slots_;       ///< empty where all slots of all ranks have one size
  std::vector<std::size_t> first_, next_;  ///< by rank, where its writes begin and end
};

/// The size of a slot; unset where the layout gives it no size, which is reported as malformed.
std::optional<Bytes> size_of(Layout const& layout, Place place);
/// The first of these blocks whose name is known.
std::optional<Content> first_of(std::span<Packed const> blocks, Findings const& findings);
/// "block 5 of rank 1 and 2 more"
std::string name_all(std::span<Packed const> blocks, Findings const& findings);
/// "", or " with block 5 of rank 1"
std::string with(std::span<Packed const> blocks, Findings const& findings);
/// "", or "; block 5 of rank 1 is owed there"
std::string owed_there(std::span<Packed const> blocks, Findings const& findings);
/// Reports the faults of a message as a whole: its other end is no rank, or does not exist, or differs in round or
/// size. `blocks` are the blocks that the message carries; for a receive that no send meets, they are the blocks owed
/// in the places that it writes.
void report_message(Subject const& subject, Message const& message, std::span<Packed const> blocks, Findings& findings);
/// Reports a message over a link that is not promised or that the machine does not have. If rank 0 stands for all,
/// check_machine_for_all examines the links of the machine separately.
void check_links(Subject const& subject, Message const& message, std::span<Packed const> blocks, Findings& findings);

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

// The cells and the writes of a replay lie in flat arrays. Excesses of sends and receives are found before the
// replay. The names of their blocks are collected during it, when contents are known.

#include "schedule/verify_state.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace rondo::verification {
namespace {

/// The most writes of a rank that follows the program: one for each place that it receives into, and its copies.
std::size_t most_writes(Program const& program) {
  std::size_t writes = 0;
  for (int round = 0; round <= program.rounds(); ++round) {
    for (Transfer const& receive : program.receives(round)) writes += receive.count;
    writes += program.copies(round).size();
  }
  return writes;
}

/// The contents of the slots of a rank at the start, through the three buffers: send, receive, intermediate.
std::vector<Packed> initial_slots(Subject const& subject, Rank rank) {
  Layout const& layout = subject.program(rank).layout();
  std::size_t count = 0;
  for (BufferLayout const& buffer : layout.buffers) count += buffer.slots;
  std::vector<Packed> slots(count, nothing);
  std::vector<Content> const blocks = held(subject.collective, rank);
  std::size_t const fitting = std::min<std::size_t>(blocks.size(), layout[Buffer::send].slots);
  std::transform(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(fitting), slots.begin(), pack);
  return slots;
}

/// The bytes of each slot, through the buffers; 0 for a slot to which a malformed layout gives no size. Empty if all
/// slots have the same size.
std::vector<Bytes> slot_sizes(Layout const& layout) {
  std::vector<Bytes> sizes;
  if (layout.uniform()) return sizes;
  for (BufferLayout const& buffer : layout.buffers) {
    for (std::uint32_t slot = 0; slot < buffer.slots; ++slot) {
      sizes.push_back(buffer.sizes.empty() ? layout.block : slot < buffer.sizes.size() ? buffer.sizes[slot] : Bytes{});
    }
  }
  return sizes;
}

/// The blocks that a rank has held so far: a hash table with linear probing.
class HeldBlocks {
 public:
  /// Room for so many different blocks.
  explicit HeldBlocks(std::size_t blocks)
      : entries_(std::bit_ceil(2 * blocks + 2), nothing), shift_(64 - std::countr_zero(entries_.size())) {}

  /// Adds a block, and returns whether it was there before.
  bool add(Packed block) {
    Packed& entry = find(block);
    return std::exchange(entry, block) == block;
  }

 private:
  /// Open addressing with the multiplicative hash of Knuth.
  Packed& find(Packed block) {
    std::size_t const mask = entries_.size() - 1;
    std::size_t i = (block * 0x9e3779b97f4a7c15ull) >> shift_;
    while (entries_[i] != block && entries_[i] != nothing) i = (i + 1) & mask;
    return entries_[i];
  }
  std::vector<Packed> entries_;
  int shift_ = 0;
};

}  // namespace

/// Lays out the cells of all ranks that are followed, and what is owed in them.
Cells::Cells(Subject const& subject, Fingerprints& fingerprints) : owed_first_{0} {
  std::size_t total = 0;
  for (int r = 0; r < subject.followed(); ++r) {
    Layout const& layout = subject.program(Rank(r)).layout();
    BufferRanges& ranges = ranges_.emplace_back();
    for (std::size_t b = 0; b < layout.buffers.size(); ++b) {
      ranges.first[b] = total;
      ranges.slots[b] = layout.buffers[b].slots;
      total += ranges.slots[b];
    }
  }
  cells_.resize(total);
  if (fingerprints.marked()) marks_.resize(total);
  for (int r = 0; r < subject.followed(); ++r) {
    std::uint32_t slot = 0;
    for (Content const& block : held(subject.collective, Rank(r))) {
      Cell* const cell = find(r, send_slot(slot++));
      if (cell == nullptr) continue;
      cell->content = pack(block);
      if (fingerprints.marked()) mark(cell) = fingerprints.mark_of(cell->content);
    }
    for (Owed const& each : rondo::owed(subject.collective, Rank(r))) owed_.push_back(fingerprints.owed(each));
    owed_first_.push_back(owed_.size());
  }
}

/// Reserves room for the writes of each rank.
Writes::Writes(Subject const& subject) : subject_(subject) {
  std::size_t total = 0;
  for (int r = 0; r < subject.followed(); ++r) {
    first_.push_back(total);
    total += most_writes(subject.program(Rank(r)));
  }
  contents_.resize(total);
  by_.resize(total);
  bool const alike =
      std::ranges::all_of(subject.schedule.programs, [](Program const& program) { return program.layout().uniform(); });
  if (!alike) slots_.resize(total);
  next_ = first_;
}

/// The sum over all ranks.
Redundant Writes::redundant() const {
  Redundant all;
  for (int r = 0; r < static_cast<int>(first_.size()); ++r) {
    Redundant const each = redundant(r);
    all.slots += each.slots;
    all.bytes += each.bytes;
  }
  return all;
}

Redundant Writes::redundant(int followed) const {
  auto const r = static_cast<std::size_t>(followed);
  Layout const& layout = subject_.program(Rank(followed)).layout();
  std::vector<Bytes> const sizes = slot_sizes(layout);
  std::vector<Packed> const slots = initial_slots(subject_, Rank(followed));
  HeldBlocks blocks(slots.size() + next_[r] - first_[r]);
  for (Packed const block : slots) {
    if (is_content(block)) blocks.add(block);
  }
  Redundant result;
  for (std::size_t i = first_[r]; i < next_[r]; ++i) {
    Packed const content = contents_[i];
    if (!is_content(content) || content == overfull || !blocks.add(content) || by_[i] != By::message) continue;
    ++result.slots;
    result.bytes += sizes.empty() ? layout.block : sizes[slots_[i]];
  }
  return result;
}

namespace {

/// The stricter limit is reported: the promise of the schedule before that of the machine.
std::optional<PortExcess> excess_of(Subject const& subject, Rank rank, int round) {
  Program const& program = subject.program(rank);
  PortExcess excess{rank, round, program.sends(round).size(), program.receives(round).size()};
  auto const exceeds = [&](int ports) {
    return ports > 0 && std::max(excess.sends, excess.receives) > static_cast<std::size_t>(ports);
  };
  excess.past_promise = exceeds(subject.schedule.promises.ports);
  excess.ports = excess.past_promise ? subject.schedule.promises.ports : subject.allowed.ports;
  return exceeds(excess.ports) ? std::optional(std::move(excess)) : std::nullopt;
}

constexpr std::size_t most_operations_named = 4;

}  // namespace

/// Adds a message of the round to the text.
void PortExcess::add(Direction direction, Rank partner, std::span<Packed const> blocks, Findings const& findings) {
  bool const sent = direction == Direction::sent;
  if ((sent ? sends : receives) <= static_cast<std::size_t>(ports) || blocks.empty()) return;
  if (!first_block) first_block = first_of(blocks, findings);
  if (++operations > most_operations_named) return;
  named += fmt::format("{}{} {} rank {}", named.empty() ? "" : ", ", name_all(blocks, findings), sent ? "to" : "from",
                       partner.value);
}

/// Reports the excess with the messages that were collected.
void PortExcess::report(Findings& findings) const {
  findings.add(Fault::ports, rank, round, first_block, [&] {
    std::string const more =
        operations > most_operations_named ? fmt::format(" and {} more", operations - most_operations_named) : "";
    return fmt::format("{} and {} are posted, but {} {} of each{}{}{}", counted(sends, "send"),
                       counted(receives, "receive"),
                       past_promise ? "the schedule promises at most" : "the machine allows at most", ports,
                       named.empty() ? "" : ": ", named, more);
  });
}

/// Excesses of all ranks that are followed, by round.
PortExcesses::PortExcesses(Subject const& subject) {
  for (int r = 0; r < subject.followed(); ++r) {
    for (int round = 1; round <= subject.program(Rank(r)).rounds(); ++round) {
      if (auto excess = excess_of(subject, Rank(r), round)) excesses_.push_back(std::move(*excess));
    }
  }
  std::stable_sort(excesses_.begin(), excesses_.end(),
                   [](PortExcess const& a, PortExcess const& b) { return a.round < b.round; });
}

/// The excesses of a round.
std::span<PortExcess> PortExcesses::of(int round) {
  auto const [first, last] =
      std::equal_range(excesses_.begin(), excesses_.end(), PortExcess{Rank(0), round, 0, 0},
                       [](PortExcess const& a, PortExcess const& b) { return a.round < b.round; });
  return {first, last};
}

PortExcess* find(std::span<PortExcess> excesses, Rank rank) {
  auto const found = std::lower_bound(excesses.begin(), excesses.end(), rank,
                                      [](PortExcess const& excess, Rank wanted) { return excess.rank < wanted; });
  return found != excesses.end() && found->rank == rank ? &*found : nullptr;
}

}  // namespace rondo::verification

#include "schedule/measure.hpp"

#include <algorithm>
#include <vector>

namespace rondo {
namespace {

/// What one message, or all messages of a rank, carry.
struct Load {
  double blocks = 0;
  Bytes bytes;

  Load& operator+=(Load const& other) {
    blocks += other.blocks;
    bytes += other.bytes;
    return *this;
  }
  void raise(Load const& other) {
    blocks = std::max(blocks, other.blocks);
    bytes = std::max(bytes, other.bytes);
  }
};

/// Broken schedules are measured too: a place outside its buffer has no size.
Bytes size_of(Layout const& layout, Place place) {
  auto const buffer = static_cast<std::size_t>(place.buffer());
  if (buffer >= layout.buffers.size()) return {};
  std::vector<Bytes> const& sizes = layout.buffers[buffer].sizes;
  if (sizes.empty()) return layout.block;
  return place.slot() < sizes.size() ? sizes[place.slot()] : Bytes{};
}

Load load_of(Program const& program, Transfer const& transfer) {
  Load load;
  for (Place const place : program.places(transfer)) load.bytes += size_of(program.layout(), place);
  load.blocks = program.layout().blocks(transfer.count, load.bytes);
  return load;
}

/// What each rank that follows a program does. Peers do not matter: the counts of a program are those of its ranks.
struct Counts {
  Load sent, received;
  std::int64_t sends = 0;
  int last_round = 0;
  int ports = 0;
};

/// Raises `largest`, by round, to the messages of the program.
Counts count(Program const& program, std::vector<Load>& largest) {
  Counts counts;
  for (int round = 1; round <= program.rounds(); ++round) {
    auto const sends = program.sends(round);
    auto const receives = program.receives(round);
    for (Transfer const& send : sends) {
      Load const load = load_of(program, send);
      counts.sent += load;
      largest[static_cast<std::size_t>(round)].raise(load);
    }
    for (Transfer const& receive : receives) counts.received += load_of(program, receive);
    counts.sends += static_cast<std::int64_t>(sends.size());
    counts.ports = std::max(counts.ports, static_cast<int>(std::max(sends.size(), receives.size())));
    if (!sends.empty() || !receives.empty()) counts.last_round = round;
  }
  return counts;
}

/// How many ranks follow each program.
std::vector<std::int64_t> followers(Schedule const& schedule) {
  std::vector<std::int64_t> ranks(schedule.programs.size(), 0);
  if (schedule.program_of.empty() && !ranks.empty()) ranks[0] = schedule.ranks;
  for (std::uint32_t const program : schedule.program_of) {
    if (program < ranks.size()) ++ranks[program];
  }
  return ranks;
}

}  // namespace

Measures measure(Schedule const& schedule) {
  Measures total;
  std::vector<Load> largest(static_cast<std::size_t>(schedule.rounds()) + 1);
  std::vector<std::int64_t> const ranks = followers(schedule);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] == 0) continue;
    Counts const each = count(schedule.programs[i], largest);
    total.rounds = std::max(total.rounds, each.last_round);
    total.volume_blocks = std::max(total.volume_blocks, each.sent.blocks);
    total.volume_bytes = std::max(total.volume_bytes, each.sent.bytes);
    total.received_blocks = std::max(total.received_blocks, each.received.blocks);
    total.total_blocks += static_cast<double>(ranks[i]) * each.sent.blocks;
    total.total_bytes += ranks[i] * each.sent.bytes;
    total.messages += ranks[i] * each.sends;
    total.ports = std::max(total.ports, each.ports);
  }
  for (Load const& load : largest) {
    total.critical_blocks += load.blocks;
    total.critical_bytes += load.bytes;
  }
  return total;
}

}  // namespace rondo

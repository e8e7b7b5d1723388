// Counts each program once, and multiplies by the number of ranks that follow it.

#include "schedule/measure.hpp"

#include <algorithm>
#include <vector>

namespace rondo {
namespace {

/// The load of one message, or of all messages of a rank. It is kept in whole numbers; volumes in blocks are computed
/// from it at the very end.
struct Load {
  std::int64_t slots = 0;
  Bytes bytes;

  Load& operator+=(Load const& other) {
    slots += other.slots;
    bytes += other.bytes;
    return *this;
  }
  void raise(Load const& other) {
    slots = std::max(slots, other.slots);
    bytes = std::max(bytes, other.bytes);
  }
};
Load operator*(std::int64_t times, Load const& load) { return {times * load.slots, times * load.bytes}; }

/// The size of a place. Broken schedules are measured too, so a place outside its buffer has size 0.
Bytes size_of(Layout const& layout, Place place) {
  auto const buffer = static_cast<std::size_t>(place.buffer());
  if (buffer >= layout.buffers.size()) return {};
  std::vector<Bytes> const& sizes = layout.buffers[buffer].sizes;
  if (sizes.empty()) return layout.block;
  return place.slot() < sizes.size() ? sizes[place.slot()] : Bytes{};
}

Load load_of(Program const& program, Transfer const& transfer) {
  Load load{transfer.count, {}};
  for (Place const place : program.places(transfer)) load.bytes += size_of(program.layout(), place);
  return load;
}

/// The counts of a rank that follows a program. They do not depend on peers, so all ranks of the program have the
/// same counts.
struct Counts {
  Load sent, received;
  Bytes reduced;
  std::int64_t sends = 0;
  int last_round = 0;
  int ports = 0;
};

/// Counts a program, and raises `largest`, which has an entry for each round, to its largest messages.
Counts count(Program const& program, std::vector<Load>& largest) {
  Counts counts;
  for (int round = 0; program.joins() > 0 && round <= program.rounds(); ++round) {
    counts.reduced += reduced_bytes(program, round);
  }
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

/// The bytes that a rank joins in a round.
Bytes reduced_bytes(Program const& program, int round) {
  Bytes joined;
  for (Transfer const& receive : program.receives(round)) {
    if (receive.join != Join::none) joined += load_of(program, receive).bytes;
  }
  for (Copy const& copy : program.copies(round)) {
    if (copy.join != Join::none) joined += size_of(program.layout(), copy.into);
  }
  return joined;
}

/// Critical volumes are sums over the rounds of the largest volume of any rank in the round.
Measures measure(Schedule const& schedule) {
  Measures total;
  Load sent_by_most, received_by_most, sent_by_all, critical;
  std::vector<Load> largest(static_cast<std::size_t>(schedule.rounds()) + 1);
  std::vector<std::int64_t> const ranks = followers(schedule);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] == 0) continue;
    Counts const each = count(schedule.programs[i], largest);
    total.rounds = std::max(total.rounds, each.last_round);
    total.reduced_bytes = std::max(total.reduced_bytes, each.reduced);
    sent_by_most.raise(each.sent);
    received_by_most.raise(each.received);
    sent_by_all += ranks[i] * each.sent;
    total.messages += ranks[i] * each.sends;
    total.ports = std::max(total.ports, each.ports);
  }
  for (Load const& load : largest) critical += load;
  Layout const& unit = unit_layout(schedule);
  auto const blocks = [&](Load const& load) { return unit.blocks(load.slots, load.bytes); };
  total.volume_blocks = blocks(sent_by_most);
  total.volume_bytes = sent_by_most.bytes;
  total.received_blocks = blocks(received_by_most);
  total.total_blocks = blocks(sent_by_all);
  total.total_bytes = sent_by_all.bytes;
  total.critical_blocks = blocks(critical);
  total.critical_bytes = critical.bytes;
  return total;
}

}  // namespace rondo

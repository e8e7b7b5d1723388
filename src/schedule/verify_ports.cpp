// Finds excesses before the replay, and collects the names of blocks during it, when contents are known.

#include "schedule/verify_ports.hpp"

#include <algorithm>

namespace rondo::verification {
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

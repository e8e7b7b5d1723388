#include "schedule/verify_ports.hpp"

#include <algorithm>

namespace rondo::verification {
namespace {

std::optional<Crowd> crowd_of(Subject const& subject, Rank rank, int round) {
  Program const& program = subject.program(rank);
  Crowd crowd{rank, round, program.sends(round).size(), program.receives(round).size()};
  auto const exceeds = [&](int ports) {
    return ports > 0 && std::max(crowd.sends, crowd.receives) > static_cast<std::size_t>(ports);
  };
  crowd.past_promise = exceeds(subject.schedule.promises.ports);
  crowd.ports = crowd.past_promise ? subject.schedule.promises.ports : subject.allowed.ports;
  return exceeds(crowd.ports) ? std::optional(std::move(crowd)) : std::nullopt;
}

constexpr std::size_t most_operations_named = 4;

}  // namespace

void Crowd::add(Direction direction, Rank partner, std::span<Packed const> blocks, Findings const& findings) {
  bool const sent = direction == Direction::sent;
  if ((sent ? sends : receives) <= static_cast<std::size_t>(ports) || blocks.empty()) return;
  if (!first_block) first_block = first_of(blocks, findings);
  if (++operations > most_operations_named) return;
  named += fmt::format("{}{} {} rank {}", named.empty() ? "" : ", ", name_all(blocks, findings), sent ? "to" : "from",
                       partner.value);
}

void Crowd::report(Findings& findings) const {
  findings.add(Fault::ports, rank, round, first_block, [&] {
    std::string const more =
        operations > most_operations_named ? fmt::format(" and {} more", operations - most_operations_named) : "";
    return fmt::format("{} and {} are posted, but {} {} of each{}{}{}", counted(sends, "send"),
                       counted(receives, "receive"),
                       past_promise ? "the schedule promises at most" : "the machine allows at most", ports,
                       named.empty() ? "" : ": ", named, more);
  });
}

Crowds::Crowds(Subject const& subject) {
  for (int r = 0; r < subject.followed(); ++r) {
    for (int round = 1; round <= subject.program(Rank(r)).rounds(); ++round) {
      if (auto crowd = crowd_of(subject, Rank(r), round)) crowds_.push_back(std::move(*crowd));
    }
  }
  std::stable_sort(crowds_.begin(), crowds_.end(), [](Crowd const& a, Crowd const& b) { return a.round < b.round; });
}

std::span<Crowd> Crowds::of(int round) {
  auto const [first, last] = std::equal_range(crowds_.begin(), crowds_.end(), Crowd{Rank(0), round, 0, 0},
                                              [](Crowd const& a, Crowd const& b) { return a.round < b.round; });
  return {first, last};
}

Crowd* find(std::span<Crowd> crowds, Rank rank) {
  auto const found = std::lower_bound(crowds.begin(), crowds.end(), rank,
                                      [](Crowd const& crowd, Rank wanted) { return crowd.rank < wanted; });
  return found != crowds.end() && found->rank == rank ? &*found : nullptr;
}

}  // namespace rondo::verification

#include <algorithm>

#include "schedule/verify_parts.hpp"

namespace rondo::verification {
namespace {

void check_rank(Subject const& subject, Rank rank, Findings& findings) {
  int const promised = subject.schedule.promises.ports;
  int const allowed = subject.allowed.ports;
  Program const& program = subject.program(rank);
  for (int round = 1; round <= program.rounds(); ++round) {
    std::size_t const sends = program.sends(round).size();
    std::size_t const receives = program.receives(round).size();
    auto const exceeds = [&](int ports) {
      return ports > 0 && std::max(sends, receives) > static_cast<std::size_t>(ports);
    };
    bool const past_promise = exceeds(promised);
    if (!past_promise && !exceeds(allowed)) continue;
    findings.add(Fault::ports, rank, round, std::nullopt, [&] {
      return fmt::format("{} and {} are posted, but {} {} of each", counted(sends, "send"),
                         counted(receives, "receive"),
                         past_promise ? "the schedule promises at most" : "the machine allows at most",
                         past_promise ? promised : allowed);
    });
  }
}

}  // namespace

void check_ports(Subject const& subject, Findings& findings) {
  for (int r = 0; r < subject.followed(); ++r) check_rank(subject, Rank(r), findings);
}

}  // namespace rondo::verification

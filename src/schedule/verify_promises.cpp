#include <algorithm>
#include <set>

#include "schedule/verify_parts.hpp"

namespace rondo::verification {
namespace {

void check_ports(Subject const& subject, Rank rank, Findings& findings) {
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

bool joined(Torus const& torus, Links links, Rank a, Rank b) {
  if (links == Links::any) return true;
  if (links == Links::unit) return torus.distance(a, b) == 1;
  std::vector<int> const from = torus.coordinates(a);
  std::vector<int> const to = torus.coordinates(b);
  int differing = 0;
  for (std::size_t j = 0; j < from.size(); ++j) differing += from[j] != to[j] ? 1 : 0;
  return differing == 1;
}

/// Calls visit(source, round, target) for each send of a rank.
template <typename Visit>
void each_send(Subject const& subject, Rank rank, Visit const& visit) {
  Program const& program = subject.program(rank);
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& send : program.sends(round)) {
      if (auto const target = subject.partner(rank, send)) visit(rank, round, *target);
    }
  }
}

void check_promised_links(Subject const& subject, Findings& findings) {
  Schedule const& schedule = subject.schedule;
  Links const links = schedule.promises.links;
  if (links == Links::any || !schedule.torus || schedule.torus->size() != schedule.ranks) return;
  for (int r = 0; r < subject.followed(); ++r) {
    each_send(subject, Rank(r), [&](Rank source, int round, Rank target) {
      if (joined(*schedule.torus, links, source, target)) return;
      findings.add(Fault::links, source, round, std::nullopt, [&] {
        return fmt::format("the message to rank {} is not along {}, as the schedule promises", target.value,
                           links == Links::unit ? "a unit link" : "one dimension");
      });
    });
  }
}

/// Whether the machine joins every rank to the ranks at the offsets that rank 0 sends to.
bool machine_joins_all(Subject const& subject) {
  Torus const& torus = *subject.schedule.torus;
  std::set<Rank> targets;
  each_send(subject, Rank(0), [&](Rank, int, Rank target) { targets.insert(target); });
  return std::all_of(targets.begin(), targets.end(), [&](Rank target) {
    std::vector<int> const offset = torus.coordinates(target);
    for (int r = 0; r < torus.size(); ++r) {
      if (!subject.allowed.linked(Rank(r), torus.add(Rank(r), offset))) return false;
    }
    return true;
  });
}

void check_machine_links(Subject const& subject, Findings& findings) {
  if (!subject.allowed.linked) return;
  // A machine need not look the same from each rank, as a mesh does not: rank 0 cannot speak for all.
  if (subject.scope == Scope::representative && machine_joins_all(subject)) return;
  for (int r = 0; r < subject.schedule.ranks; ++r) {
    each_send(subject, Rank(r), [&](Rank source, int round, Rank target) {
      if (subject.allowed.linked(source, target)) return;
      findings.add(Fault::links, source, round, std::nullopt, [&] {
        return fmt::format("the message to rank {} takes a link that the machine does not have", target.value);
      });
    });
  }
}

}  // namespace

void check_promises(Subject const& subject, Findings& findings) {
  for (int r = 0; r < subject.followed(); ++r) check_ports(subject, Rank(r), findings);
  check_promised_links(subject, findings);
  check_machine_links(subject, findings);
}

}  // namespace rondo::verification

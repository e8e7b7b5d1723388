// Counts block moves, the measure of the time that a proof takes, and finds what the machine allows.

#include "run/points/proof.hpp"

#include <memory>
#include <vector>

#include "platform/routing.hpp"

namespace rondo {
namespace {

/// The block moves of a program: what its ranks send and copy.
std::int64_t moves_of(Program const& program) {
  std::int64_t moves = 0;
  for (int round = 0; round <= program.rounds(); ++round) {
    for (Transfer const& send : program.sends(round)) moves += send.count;
    moves += std::ssize(program.copies(round));
  }
  return moves;
}

}  // namespace

bool proves(Proof proof, Schedule const& schedule) {
  if (proof != Proof::automatic) return proof == Proof::on;
  std::vector<std::int64_t> moves;
  for (Program const& program : schedule.programs) moves.push_back(moves_of(program));
  if (schedule.isomorphic()) return moves.front() <= most_moves_proved;
  std::int64_t all = 0;
  for (int rank = 0; rank < schedule.ranks && all <= most_moves_proved; ++rank) {
    all += moves[static_cast<std::size_t>(&schedule.program(Rank(rank)) - schedule.programs.data())];
  }
  return all <= most_moves_proved;
}

char const* proof_name(Proof asked, bool proved) {
  if (proved) return "proved";
  return asked == Proof::off ? "off" : "too_large";
}

bool proved_enough(std::string_view name, Proof asked) {
  // An MPI program has no schedule, and nothing about it is proved.
  if (name.empty() || name == "proved") return true;
  return asked == Proof::off || (asked == Proof::automatic && name == "too_large");
}

MachineLimits machine_limits(Platform const& machine, Schedule const& schedule) {
  MachineLimits allowed;
  // A schedule that promises no number of ports posts everything at once, and the ports serve it as they become
  // free.
  allowed.ports = schedule.promises.ports == 0 ? 0 : machine.ports;
  if (machine.neighbors_only) {
    allowed.linked = [&machine, routes = std::make_shared<Routes const>(machine)](Rank a, Rank b) {
      return routes->hops(host_of(machine, a), host_of(machine, b)) <= 1;
    };
  }
  return allowed;
}

}  // namespace rondo

// Properties of machines that follow from their values, and checks of values.

#include "platform/platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/visitor.hpp"
#include "platform/paths.hpp"
#include "platform/regular.hpp"

namespace rondo {

/// The number of hosts.
int hosts(Platform const& platform) {
  return std::visit(Visitor{[](FullyConnected const& machine) { return machine.hosts; },
                            [](Ring const& machine) { return machine.hosts; },
                            [](TorusMachine const& machine) { return machine.torus.size(); },
                            [](MeshMachine const& machine) { return machine.grid.size(); },
                            [](PlatformFile const& machine) { return machine.hosts; },
                            [](auto const& machine) { return regular::hosts(machine); }},
                    platform.topology);
}

void expect_at_least_1(std::vector<int> const& numbers, char const* what) {
  for (int const number : numbers) {
    if (number < 1) throw InputError(fmt::format("expected at least 1 {}, got {}", what, number));
  }
}

/// Throws InputError if the product of these numbers is too large; the product itself might overflow.
void expect_hosts(std::vector<int> const& factors, char const* machine) {
  std::int64_t hosts = 1;
  for (int const factor : factors) {
    hosts *= factor;
    if (hosts > Torus::most_ranks) {
      throw InputError(fmt::format("expected at most {} hosts in {}", Torus::most_ranks, machine));
    }
  }
}

void expect_links(double links) {
  constexpr double most = 1 << 27;
  if (links > most) throw InputError(fmt::format("expected at most {:.0f} links, got {:.0f}", most, links));
}

bool has_file_numbers(Platform const& platform) {
  auto const* file = std::get_if<PlatformFile>(&platform.topology);
  return file != nullptr && file->own_numbers;
}

std::int64_t ranks(Platform const& platform) { return std::int64_t{hosts(platform)} * platform.ranks_per_host; }

void expect_room(Platform const& platform, int needed) {
  if (auto const* file = std::get_if<PlatformFile>(&platform.topology)) {
    if (platform.ranks_per_host == 1) return;
    throw InputError(
        fmt::format("{}: expected one rank a host on a platform file, got {}", file->path, platform.ranks_per_host));
  }
  if (ranks(platform) >= needed) return;
  throw InputError(platform.ranks_per_host > 1
                       ? fmt::format("{} ranks, the machine carries {}", needed, ranks(platform))
                       : fmt::format("{} ranks need a host each, the machine has {}", needed, hosts(platform)));
}

bool shares_bandwidth(Platform const& platform) {
  return platform.timing == TimingModel::flow || platform.links == LinkSharing::shared || platform.ranks_per_host > 1 ||
         std::holds_alternative<PlatformFile>(platform.topology);
}

/// Throws InputError if a list does not place each rank on an existing host, or too many on one.
void check_placement(Platform const& platform) {
  auto const* list = std::get_if<ListPlacement>(&platform.placement);
  if (list == nullptr) return;
  int const count = hosts(platform);
  if (static_cast<std::int64_t>(list->host_of.size()) != ranks(platform)) {
    throw InputError(fmt::format("expected the hosts of {} ranks, {} on each of {} hosts, got {}", ranks(platform),
                                 platform.ranks_per_host, count, list->host_of.size()));
  }
  std::vector<int> on_host(static_cast<std::size_t>(count), 0);
  for (int const host : list->host_of) {
    if (host < 0 || host >= count)
      throw InputError(fmt::format("expected hosts from 0 to {}, got {}", count - 1, host));
    if (++on_host[static_cast<std::size_t>(host)] > platform.ranks_per_host) {
      throw InputError(fmt::format("expected each host {} times, got {} once more", platform.ranks_per_host, host));
    }
  }
}

/// The host of a rank, by the placement.
int host_of(Platform const& platform, Rank part) {
  Rank const rank = rank_of_part(platform, part);
  return std::visit(
      Visitor{[&](BlockPlacement) { return rank.value / platform.ranks_per_host; },
              [&](CyclicPlacement) { return rank.value % hosts(platform); },
              [&](ListPlacement const& list) { return list.host_of[static_cast<std::size_t>(rank.value)]; }},
      platform.placement);
}

int hops(Platform const& platform, int from, int to) { return Routes(platform).hops(from, to); }

/// Pieces are ranges of sizes, in rising order.
void check_pieces(Platform const& platform) {
  Bytes before(-1);
  for (SizePiece const& piece : platform.pieces) {
    if (piece.up_to <= before) {
      throw InputError(
          fmt::format("expected pieces by rising up_to, got {} after {}", print(piece.up_to), print(before)));
    }
    if (piece.bandwidth > platform.bandwidth) {
      throw InputError(fmt::format("expected at most the machine's bandwidth {} in a piece, got {}",
                                   print(platform.bandwidth), print(piece.bandwidth)));
    }
    before = piece.up_to;
  }
}

std::size_t piece_of(Platform const& platform, std::int64_t payload) {
  auto const holds = [&](SizePiece const& piece) { return payload <= piece.up_to.value; };
  return static_cast<std::size_t>(std::ranges::find_if(platform.pieces, holds) - platform.pieces.begin());
}

/// Finds sizes at which a larger message takes less time than a smaller one: a fit of pieces may produce this, and
/// users should know.
std::vector<FallingTime> falling_times(Platform const& platform) {
  constexpr double one_moment = 1e-12;  // of themselves: times that differ by less are the same
  FlowCosts const& flow = platform.flow;
  Seconds const cpus = platform.timing == TimingModel::flow ? flow.o_send + flow.o_recv + flow.match : Seconds(0);
  auto const time = [&](std::int64_t payload) {
    SizeClass const size = size_class(platform, payload);
    RouteCost const cost = Routes(platform).cost_over(1, size.piece());
    Seconds const handshake = size.greets() ? flow.handshake : Seconds(0);
    auto const bytes = static_cast<double>(payload) + static_cast<double>(platform.envelope.value);
    double const carried = size.striped() ? std::ceil(bytes / platform.nics) : bytes;
    return Seconds(cpus.value + (cost.startup + handshake).value + carried / cost.bandwidth.value);
  };
  std::vector<Bytes> ends;
  for (SizePiece const& piece : platform.pieces) ends.push_back(piece.up_to);
  if (platform.stripe_from > Bytes(0)) ends.push_back(Bytes(platform.stripe_from.value - 1));
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<FallingTime> falling;
  for (Bytes const last : ends) {
    if (last.value == std::numeric_limits<std::int64_t>::max()) break;  // no message is larger
    FallingTime const each{last, time(last.value), time(last.value + 1)};
    if (each.behind.value < (1 - one_moment) * each.time.value) falling.push_back(each);
  }
  return falling;
}

Seconds startup(Platform const& platform, int from_host, int to_host) {
  return Routes(platform).startup(from_host, to_host);
}

}  // namespace rondo

#include "mpi/sparse_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"

namespace rondo::mpi::testing {

namespace {

std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

bool sends(TrafficShape shape, int ranks, int source, int target, int chosen, Random& random) {
  switch (shape) {
    case TrafficShape::empty:
      return false;
    case TrafficShape::self:
      return source == target;
    case TrafficShape::all_to_one:
      return target == chosen;
    case TrafficShape::one_to_all:
      return source == chosen;
    case TrafficShape::all_to_all:
      return true;
    case TrafficShape::ring:
      return target == (source + 1) % ranks;
    case TrafficShape::sparse:
      return random.below(3) == 0;
  }
  return false;
}

}  // namespace

Traffic traffic(TrafficShape shape, int ranks, std::uint64_t seed, int largest) {
  Random random(seed);
  Traffic result;
  result.number = static_cast<int>(random.below(1 << 20));
  int const chosen = static_cast<int>(random.below(static_cast<std::uint64_t>(ranks)));
  result.size.assign(index(ranks), std::vector<int>(index(ranks), Traffic::none));
  for (int source = 0; source < ranks; ++source) {
    for (int target = 0; target < ranks; ++target) {
      if (!sends(shape, ranks, source, target, chosen, random)) continue;
      result.size[index(source)][index(target)] = static_cast<int>(random.between(0, largest));
    }
  }
  return result;
}

std::byte content(Traffic const& traffic, int source, int target, int at) {
  return static_cast<std::byte>((traffic.number * 7 + source * 31 + target * 17 + at * 13 + (at >> 8)) & 0xff);
}

void pack(SparseExchange& comm, Traffic const& traffic) {
  int const rank = comm.rank().value;
  constexpr int pieces = 3;
  for (int piece = 0; piece < pieces; ++piece) {
    for (int target = 0; target < comm.size(); ++target) {
      int const size = traffic.size[index(rank)][index(target)];
      if (size == Traffic::none) continue;
      std::vector<std::byte> bytes;
      for (int at = size * piece / pieces; at < size * (piece + 1) / pieces; ++at) {
        bytes.push_back(content(traffic, rank, target, at));
      }
      comm.pack_bytes(bytes.data(), bytes.size(), Rank(target));
    }
  }
}

std::string receive_all(SparseExchange& comm, Traffic const& traffic, Delivery delivery) {
  int const rank = comm.rank().value;
  std::vector<int> left, read(index(comm.size()), 0), announced(read);
  for (auto const& of_source : traffic.size) left.push_back(std::max(of_source[index(rank)], 0));
  int before = -1;
  while (comm.receive()) {
    int const source = comm.from().value;
    if (delivery == Delivery::sorted && source < before) return fmt::format("source {} after {}", source, before);
    before = source;
    bool const empty = traffic.size[index(source)][index(rank)] == 0;
    if (empty && announced[index(source)]++ == 0) continue;
    if (left[index(source)] == 0) return fmt::format("more bytes from {} than it sent", source);
    auto const byte = comm.unpack<std::byte>();
    --left[index(source)];
    if (byte != content(traffic, source, rank, read[index(source)]++)) return fmt::format("wrong byte of {}", source);
  }
  for (int source = 0; source < comm.size(); ++source) {
    bool const empty = traffic.size[index(source)][index(rank)] == 0;
    if (empty && announced[index(source)] == 0) return fmt::format("the empty message of {} did not come", source);
    if (left[index(source)] > 0) return fmt::format("{} bytes of {} did not come", left[index(source)], source);
  }
  return "";
}

}  // namespace rondo::mpi::testing

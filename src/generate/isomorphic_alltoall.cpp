#include <algorithm>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "generate/generate.hpp"

namespace rondo::generate {
namespace {

Layout alltoall_layout(Neighborhood const& neighborhood, Bytes block, bool intermediate) {
  auto const s = static_cast<std::uint32_t>(neighborhood.size());
  Layout layout{block, {}};
  layout[Buffer::send].slots = s;
  layout[Buffer::receive].slots = s;
  layout[Buffer::intermediate].slots = intermediate ? s : 0;
  return layout;
}

Schedule isomorphic(Torus const& torus, std::vector<int> offsets, Promises promises, ProgramBuilder builder) {
  Schedule schedule;
  schedule.ranks = torus.size();
  schedule.torus = torus;
  schedule.offsets = std::move(offsets);
  schedule.promises = promises;
  schedule.programs.push_back(std::move(builder).finish());
  return schedule;
}

void append(std::vector<int>& offsets, std::span<int const> offset, int sign) {
  for (int const c : offset) offsets.push_back(sign * c);
}

/// How far each block has come on its way of single hops [Traeff16, Algorithm 1].
class Itinerary {
 public:
  Itinerary(Torus const& torus, Neighborhood const& neighborhood)
      : all_(static_cast<std::size_t>(neighborhood.size()), 0) {
    for (int i = 0; i < neighborhood.size(); ++i) {
      for (int j = 0; j < torus.dimensions(); ++j) {
        if (torus.extent(j) > 1) all_[at(i)] += std::abs(neighborhood[i][static_cast<std::size_t>(j)]);
      }
    }
    left_ = all_;
  }

  bool stays(int i) const { return all_[at(i)] == 0; }
  std::int64_t volume() const { return std::accumulate(all_.begin(), all_.end(), std::int64_t{0}); }

  /// Block i takes a hop: the place it is sent from and the place it is received in. With an odd number of hops left it
  /// goes to the receive buffer, so that its last hop ends there; before its first hop it lies in the send buffer.
  Copy hop(int i) {
    auto const slot = static_cast<std::uint32_t>(i);
    int const left = left_[at(i)]--;
    bool const odd = left % 2 != 0;
    bool const first = left == all_[at(i)];
    Place const from = first ? send_slot(slot) : odd ? intermediate_slot(slot) : receive_slot(slot);
    return {from, odd ? receive_slot(slot) : intermediate_slot(slot)};
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::vector<int> all_;
  std::vector<int> left_;
};

/// The rounds that move every block along one dimension in one direction, hop by hop.
class DimensionPass {
 public:
  DimensionPass(Neighborhood const& neighborhood, Itinerary& itinerary, ProgramBuilder& builder)
      : neighborhood_(neighborhood), itinerary_(itinerary), builder_(builder) {}

  void run(int dimension, int sign) {
    auto const j = static_cast<std::size_t>(dimension);
    int farthest = 0;
    for (int i = 0; i < neighborhood_.size(); ++i) farthest = std::max(farthest, sign * neighborhood_[i][j]);
    int const ahead = 2 * dimension + (sign > 0 ? 0 : 1);
    int const behind = 2 * dimension + (sign > 0 ? 1 : 0);
    for (int h = 0; h < farthest; ++h) {
      from_.clear();
      into_.clear();
      for (int i = 0; i < neighborhood_.size(); ++i) {
        if (sign * neighborhood_[i][j] <= h) continue;
        Copy const hop = itinerary_.hop(i);
        from_.push_back(hop.from);
        into_.push_back(hop.into);
      }
      builder_.begin_round();
      builder_.receive(behind, into_);
      builder_.send(ahead, from_);
    }
  }

 private:
  Neighborhood const& neighborhood_;
  Itinerary& itinerary_;
  ProgramBuilder& builder_;
  std::vector<Place> from_, into_;
};

/// +e_j at index 2j, -e_j at 2j + 1.
std::vector<int> unit_offsets(int dimensions) {
  auto const d = static_cast<std::size_t>(dimensions);
  std::vector<int> offsets(2 * d * d, 0);
  for (std::size_t j = 0; j < d; ++j) {
    offsets[(2 * j) * d + j] = +1;
    offsets[(2 * j + 1) * d + j] = -1;
  }
  return offsets;
}

bool is_permutation_of_dimensions(std::vector<int> order, int dimensions) {
  std::vector<int> all(static_cast<std::size_t>(dimensions));
  std::iota(all.begin(), all.end(), 0);
  std::sort(order.begin(), order.end());
  return order == all;
}

}  // namespace

Schedule isomorphic_alltoall_straightforward(Torus const& torus, Neighborhood const& neighborhood, Bytes block) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  ProgramBuilder builder(alltoall_layout(neighborhood, block, false));
  std::vector<int> offsets;
  std::int32_t peers = 0;
  for (int i = 0; i < neighborhood.size(); ++i) {
    auto const slot = static_cast<std::uint32_t>(i);
    if (torus.is_self(neighborhood[i])) builder.copy(send_slot(slot), receive_slot(slot));
  }
  for (int i = 0; i < neighborhood.size(); ++i) {
    if (torus.is_self(neighborhood[i])) continue;
    append(offsets, neighborhood[i], +1);
    append(offsets, neighborhood[i], -1);
    Place const from = send_slot(static_cast<std::uint32_t>(i));
    Place const into = receive_slot(static_cast<std::uint32_t>(i));
    builder.begin_round();
    builder.receive(peers + 1, {&into, 1});
    builder.send(peers, {&from, 1});
    peers += 2;
  }
  return isomorphic(torus, std::move(offsets), {1, Links::any}, std::move(builder));
}

Schedule isomorphic_alltoall_torus(Torus const& torus, Neighborhood const& neighborhood, Bytes block,
                                   std::vector<int> const& dimension_order) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  expects(is_permutation_of_dimensions(dimension_order, torus.dimensions()), "a permutation of the dimensions");
  ProgramBuilder builder(alltoall_layout(neighborhood, block, true));
  Itinerary itinerary(torus, neighborhood);
  builder.reserve(static_cast<std::size_t>(2 * itinerary.volume()));
  for (int i = 0; i < neighborhood.size(); ++i) {
    auto const slot = static_cast<std::uint32_t>(i);
    if (itinerary.stays(i)) builder.copy(send_slot(slot), receive_slot(slot));
  }
  DimensionPass pass(neighborhood, itinerary, builder);
  for (int const j : dimension_order) {
    if (torus.extent(j) == 1) continue;
    pass.run(j, +1);
    pass.run(j, -1);
  }
  return isomorphic(torus, unit_offsets(torus.dimensions()), {1, Links::unit}, std::move(builder));
}

}  // namespace rondo::generate

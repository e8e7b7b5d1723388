// Arithmetic of ranks on a torus, in row-major order: the last coordinate changes fastest. Then the same arithmetic
// with open dimensions.

#include "topology/torus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <system_error>
#include <vector>

#include "base/error.hpp"

namespace rondo {
namespace {

/// The representative of `value` in [0, extent).
int wrap(std::int64_t value, int extent) {
  // Most offsets are short, and a division is slow.
  if (value >= 0 && value < extent) return static_cast<int>(value);
  if (value < 0 && value >= -extent) return static_cast<int>(value + extent);
  auto const remainder = static_cast<int>(value % extent);
  return remainder < 0 ? remainder + extent : remainder;
}

/// The rank whose coordinates are move(coordinate of `from`, dimension), wrapped into the extents.
template <typename Move>
Rank moved(Rank from, std::vector<int> const& extents, std::vector<int> const& strides, Move const& move) {
  int result = 0;
  int rest = from.value;
  for (std::size_t j = extents.size(); j-- > 0;) {
    int const above = rest / extents[j];
    result += strides[j] * wrap(move(std::int64_t{rest - above * extents[j]}, j), extents[j]);
    rest = above;
  }
  return Rank(result);
}

}  // namespace

/// Throws InputError if there are too many ranks.
Torus::Torus(std::vector<int> extents) : extents_(std::move(extents)), strides_(extents_.size()) {
  std::int64_t ranks = 1;
  for (std::size_t j = extents_.size(); j-- > 0;) {
    if (extents_[j] < 1) {
      throw InputError(fmt::format("a torus extent must be an integer from 1 to {}, got {}", most_ranks, extents_[j]));
    }
    strides_[j] = static_cast<int>(ranks);
    ranks *= extents_[j];
    if (ranks > most_ranks) throw InputError(fmt::format("a torus has at most {} ranks", most_ranks));
  }
  size_ = static_cast<int>(ranks);
}

/// The digits of the rank in the mixed radix of the extents.
std::vector<int> Torus::coordinates(Rank rank) const {
  expects(0 <= rank.value && rank.value < size_, "a rank of the torus");
  std::vector<int> result(extents_.size());
  for (std::size_t j = 0; j < extents_.size(); ++j) result[j] = rank.value / strides_[j] % extents_[j];
  return result;
}

/// Coordinates are wrapped around.
Rank Torus::rank(std::span<int const> coordinates) const {
  expects(coordinates.size() == extents_.size(), "as many coordinates as dimensions");
  int result = 0;
  for (std::size_t j = 0; j < extents_.size(); ++j) result += strides_[j] * wrap(coordinates[j], extents_[j]);
  return Rank(result);
}

Rank Torus::add(Rank from, std::span<int const> offset) const {
  expects(offset.size() == extents_.size(), "as many coordinates as dimensions");
  return moved(from, extents_, strides_,
               [&](std::int64_t coordinate, std::size_t j) { return coordinate + offset[j]; });
}

Rank Torus::subtract(Rank from, std::span<int const> offset) const {
  expects(offset.size() == extents_.size(), "as many coordinates as dimensions");
  return moved(from, extents_, strides_,
               [&](std::int64_t coordinate, std::size_t j) { return coordinate - offset[j]; });
}

Rank Torus::shift(Rank from, int dimension, int steps) const {
  std::vector<int> offset(extents_.size(), 0);
  offset.at(static_cast<std::size_t>(dimension)) = steps;
  return add(from, offset);
}

bool Torus::is_self(std::span<int const> offset) const { return distance(offset) == 0; }

/// The fewest hops, in each dimension the shorter way.
int Torus::distance(std::span<int const> offset) const {
  expects(offset.size() == extents_.size(), "as many coordinates as dimensions");
  int hops = 0;
  for (std::size_t j = 0; j < extents_.size(); ++j) {
    int const forward = wrap(offset[j], extents_[j]);
    hops += std::min(forward, extents_[j] - forward);
  }
  return hops;
}

/// Computed without lists, because bounds call it for all pairs.
int Torus::distance(Rank from, Rank to) const {
  int hops = 0;
  for (std::size_t j = 0; j < extents_.size(); ++j) {
    int const forward =
        wrap(to.value / strides_[j] % extents_[j] - from.value / strides_[j] % extents_[j], extents_[j]);
    hops += std::min(forward, extents_[j] - forward);
  }
  return hops;
}

/// Reads "4,4,2"; unset if the text is anything else.
std::optional<std::vector<int>> extents_in(std::string_view text) {
  std::vector<int> extents;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t const end = std::min(text.find(',', begin), text.size());
    int extent = 0;
    auto const [stop, error] = std::from_chars(text.data() + begin, text.data() + end, extent);
    bool const whole = error == std::errc() && stop == text.data() + end && extent >= 1;
    if (!whole || end + 1 == text.size()) return std::nullopt;
    extents.push_back(extent);
    begin = end + 1;
  }
  return extents;
}

namespace {

/// Whether the rank at the offset (or at its opposite, sign -1) exists.
bool stays_inside(Torus const& torus, Boundary const& boundary, Rank from, std::span<int const> offset, int sign) {
  std::vector<int> const coordinates = torus.coordinates(from);
  expects(offset.size() == coordinates.size(), "as many coordinates as dimensions");
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    if (boundary.closes(j)) continue;
    int const reached = coordinates[j] + sign * offset[j];
    if (reached < 0 || reached >= torus.extents()[j]) return false;
  }
  return true;
}

}  // namespace

/// If all dimensions are alike, the list is left out, so that equal boundaries compare equal.
Boundary Boundary::closed_in(std::vector<bool> const& closed) {
  bool const some_open = std::ranges::count(closed, false) > 0;
  bool const some_closed = std::ranges::count(closed, true) > 0;
  Boundary result(!some_open);
  if (some_open && some_closed) result.closed_ = closed;
  return result;
}

std::optional<Rank> add(Torus const& torus, Boundary const& boundary, Rank from, std::span<int const> offset) {
  if (boundary != Boundary::periodic && !stays_inside(torus, boundary, from, offset, +1)) return std::nullopt;
  return torus.add(from, offset);
}

std::optional<Rank> subtract(Torus const& torus, Boundary const& boundary, Rank from, std::span<int const> offset) {
  if (boundary != Boundary::periodic && !stays_inside(torus, boundary, from, offset, -1)) return std::nullopt;
  return torus.subtract(from, offset);
}

/// Whether some rank has a neighbor at the offset.
bool fits(Torus const& torus, std::span<int const> offset, Boundary const& boundary) {
  expects(offset.size() == torus.extents().size(), "as many coordinates as dimensions");
  for (std::size_t j = 0; j < offset.size(); ++j) {
    if (!boundary.closes(j) && std::abs(offset[j]) >= torus.extents()[j]) return false;
  }
  return true;
}

/// Offsets that do not fit become 0, so that indices of neighbors stay.
Neighborhood fitting(Torus const& torus, Neighborhood const& neighborhood, Boundary const& boundary) {
  std::vector<std::vector<int>> offsets;
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::vector<int> offset(neighborhood[i].begin(), neighborhood[i].end());
    if (!fits(torus, offset, boundary)) offset.assign(offset.size(), 0);
    offsets.push_back(std::move(offset));
  }
  return {neighborhood.dimensions(), offsets};
}

/// Replaces equivalent coordinates by one of them, so that blocks to the same rank share hops.
Neighborhood alike_modulo_extents(Torus const& torus, Neighborhood const& neighborhood, Boundary const& boundary) {
  std::vector<std::vector<int>> offsets;
  for (int i = 0; i < neighborhood.size(); ++i) offsets.emplace_back(neighborhood[i].begin(), neighborhood[i].end());
  for (std::size_t j = 0; j < torus.extents().size(); ++j) {
    if (!boundary.closes(j)) continue;
    int const extent = torus.extents()[j];
    auto const residue = [&](int c) { return (c % extent + extent) % extent; };
    std::map<int, int> smallest;
    for (auto const& offset : offsets) {
      int& representative = smallest.try_emplace(residue(offset[j]), offset[j]).first->second;
      representative = std::min(representative, offset[j]);
    }
    for (auto& offset : offsets) offset[j] = smallest.at(residue(offset[j]));
  }
  return {neighborhood.dimensions(), offsets};
}

}  // namespace rondo

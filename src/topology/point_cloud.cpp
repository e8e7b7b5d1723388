// Draws points of the shapes of clouds; the same seed gives the same points on every machine.

#include "topology/point_cloud.hpp"

#include <cmath>

#include "base/random.hpp"

namespace rondo {
namespace {

/// How many points each rank holds. The numbers are proportional to random weights and sum up to the points of the
/// cloud.
std::vector<std::int64_t> shares(PointCloud const& cloud, int ranks, Random& random) {
  std::vector<double> up_to;
  for (int rank = 0; rank < ranks; ++rank) {
    double const weight = 1 + cloud.imbalance * (2 * random.unit() - 1);
    up_to.push_back((rank == 0 ? 0 : up_to.back()) + weight);
  }
  std::vector<std::int64_t> result;
  std::int64_t before = 0;
  for (double const sum : up_to) {
    double const share = up_to.back() > 0 ? sum / up_to.back() : 1;
    auto const until = static_cast<std::int64_t>(std::floor(static_cast<double>(cloud.points) * share));
    result.push_back(until - before);
    before = until;
  }
  return result;
}

constexpr std::size_t clusters = 8;

/// Draws the positions of points.
class PointSampler {
 public:
  PointSampler(PointCloud const& cloud, Random& random) : cloud_(cloud), random_(random) {
    for (auto& centre : centres_) centre = in_box(0.9);
  }

  /// A point of a cluster lies in a box of a tenth of the cloud's extents, which begins at a drawn corner.
  std::array<double, 3> place() {
    if (cloud_.shape == CloudShape::uniform) return in_box(1);
    if (cloud_.shape == CloudShape::coincident) return centres_.front();
    auto place = in_box(0.1);
    auto const& centre = centres_[random_.below(clusters)];
    for (std::size_t i = 0; i < place.size(); ++i) place[i] += centre[i];
    return place;
  }

 private:
  std::array<double, 3> in_box(double scale) {
    std::array<double, 3> place = {};
    for (std::size_t i = 0; i < place.size(); ++i) place[i] = random_.unit() * scale * cloud_.box[i];
    return place;
  }

  PointCloud const& cloud_;
  Random& random_;
  std::array<std::array<double, 3>, clusters> centres_ = {};
};

}  // namespace

/// The points by rank.
std::vector<std::vector<CloudPoint>> points_of(PointCloud const& cloud, int ranks) {
  Random random(cloud.seed);
  std::vector<std::vector<CloudPoint>> result;
  std::vector<std::int64_t> const held = shares(cloud, ranks, random);
  PointSampler drawing(cloud, random);
  for (int rank = 0; rank < ranks; ++rank) {
    auto& points = result.emplace_back();
    for (std::int64_t index = 0; index < held[static_cast<std::size_t>(rank)]; ++index) {
      points.push_back({drawing.place(), rank, static_cast<std::uint32_t>(index)});
    }
  }
  return result;
}

}  // namespace rondo

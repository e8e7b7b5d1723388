// Makes Cartesian communicators by the MPI library, and attaches their topology. The most balanced extents are
// searched among all factorizations with extents in falling order. They have the least difference between the first
// and the last extent.

#include "mpi_library/graph/cart_comm.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/graph/cartesian_graph.hpp"
#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {
namespace {

/// Whether base^exponent is at most `bound`.
bool power_fits(std::int64_t base, std::size_t exponent, std::int64_t bound) {
  std::int64_t power = 1;
  for (std::size_t i = 0; i < exponent && power <= bound; ++i) power *= base;
  return power <= bound;
}

/// All divisors, ascending.
std::vector<int> divisors(int number) {
  std::vector<int> result;
  for (std::int64_t small = 1; small * small <= number; ++small) {
    if (number % small != 0) continue;
    result.push_back(static_cast<int>(small));
    if (small * small != number) result.push_back(static_cast<int>(number / small));
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Tries the divisors of the number of places for one extent after the other. No extent is larger than the one before
/// it.
class Search {
 public:
  Search(int places, std::size_t count) : divisors_(divisors(places)), extents_(count) { choose(0, places); }
  std::vector<int> const& best() const { return best_; }

 private:
  /// Chooses the extents from position `next` on; `left` is the product that they must have.
  void choose(std::size_t next, int left) {
    std::size_t const open = extents_.size() - next;
    if (open == 0) return finish(left);
    for (int const extent : divisors_) {
      if (next > 0 && extent > extents_[next - 1]) return;
      // No extent that follows is larger, so that their product must not need it; and the last is at most their mean.
      if (left % extent != 0 || !power_fits_at_least(extent, open, left)) continue;
      extents_[next] = extent;
      if (!promising(left / extent, open - 1)) continue;
      choose(next + 1, left / extent);
    }
  }
  static bool power_fits_at_least(int extent, std::size_t open, int left) {
    return extent == 1 ? left == 1 : !power_fits(extent, open, static_cast<std::int64_t>(left) - 1);
  }
  /// Whether the smallest of the remaining extents can be large enough for a difference that is no larger than the best
  /// one so far.
  bool promising(int left, std::size_t open) const {
    std::int64_t const least = static_cast<std::int64_t>(extents_.front()) - difference_;
    return least <= 1 || power_fits(least, open, left);
  }
  /// Keeps a complete choice if it is better than the best so far.
  void finish(int left) {
    std::int64_t const difference = static_cast<std::int64_t>(extents_.front()) - extents_.back();
    if (left != 1 || difference > difference_) return;
    if (difference == difference_ && !is_larger_at_the_small_end()) return;
    difference_ = difference;
    best_ = extents_;
  }

  bool is_larger_at_the_small_end() const {
    return std::lexicographical_compare(best_.rbegin(), best_.rend(), extents_.rbegin(), extents_.rend());
  }

  std::vector<int> divisors_, extents_, best_;
  std::int64_t difference_ = std::numeric_limits<int>::max();
};

}  // namespace

/// The extents of a balanced grid, as MPI_Dims_create returns them: descending.
std::vector<int> balanced_extents(int places, int count) {
  if (count == 0) return {};
  // At most 30 extents can be above 1.
  auto const searched = static_cast<std::size_t>(std::min(count, 31));
  std::vector<int> result = Search(places, searched).best();
  result.resize(static_cast<std::size_t>(count), 1);
  return result;
}

/// MPI_Dims_create: extents that are not 0 stay. Throws MpiFailure if their product does not divide the number of
/// places.
void fill_in_extents(int places, std::vector<int>& extents) {
  if (places <= 0) throw MpiFailure(MPI_ERR_ARG);
  int left = places;
  for (int const extent : extents) {
    if (extent < 0 || (extent > 0 && left % extent != 0)) throw MpiFailure(MPI_ERR_DIMS);
    if (extent > 0) left /= extent;
  }
  auto const open = std::count(extents.begin(), extents.end(), 0);
  if (open == 0 && left != 1 && !extents.empty()) throw MpiFailure(MPI_ERR_DIMS);
  std::vector<int> const chosen = balanced_extents(left, static_cast<int>(open));
  auto next = chosen.begin();
  for (int& extent : extents) {
    if (extent == 0) extent = *next++;
  }
}

namespace {

/// The arguments of MPI_Cart_get.
struct CartesianGrid {
  std::vector<int> extents, periods, coordinates;
};

/// Asks the MPI library for the grid of a Cartesian communicator. Throws MpiFailure for any other communicator.
CartesianGrid grid_of(MPI_Comm comm) {
  int dimensions = 0;
  check(PMPI_Cartdim_get(comm, &dimensions));
  auto const d = static_cast<std::size_t>(dimensions);
  CartesianGrid grid{std::vector<int>(d), std::vector<int>(d), std::vector<int>(d)};
  check(PMPI_Cart_get(comm, dimensions, grid.extents.data(), grid.periods.data(), grid.coordinates.data()));
  return grid;
}

/// The grid as a naming of ranks in row-major order.
CartesianNaming naming_of_grid(MPI_Comm comm) {
  CartesianGrid const grid = grid_of(comm);
  int const ranks = size_of(comm);
  return {grid.extents, std::vector<bool>(grid.periods.begin(), grid.periods.end()), CartesianNaming::Order::row_major,
          ranks};
}

/// Collective. The topology of a Cartesian communicator, with its grid.
std::shared_ptr<ProcessTopology const> grid_topology(MPI_Comm comm) {
  auto topology = std::make_shared<ProcessTopology>(cartesian_topology(comm));
  OwnComm const own(comm);
  topology->grid = cartesian_graph(own.handle(), naming_of_grid(comm), *topology);
  return topology;
}

/// The error class of a grid that is wrong or has more places than ranks; MPI_SUCCESS for a right one.
int grid_error(int ranks, int dimensions, int const* extents, int const* periods) {
  if (dimensions < 0) return MPI_ERR_DIMS;
  if (dimensions > 0 && (extents == nullptr || periods == nullptr)) return MPI_ERR_ARG;
  int places = 1;
  for (int j = 0; j < dimensions; ++j) {
    // A division is used because the product of the caller's numbers may be too large for an integer.
    if (extents[j] <= 0 || extents[j] > ranks / places) return MPI_ERR_DIMS;
    places *= extents[j];
  }
  return MPI_SUCCESS;
}

/// The vote of this rank about its arguments.
Vote vote_on_grid(MPI_Comm comm, int dimensions, int const* extents, int const* periods) {
  int const ranks = size_of(comm);
  Vote vote;
  vote.code = grid_error(ranks, dimensions, extents, periods);
  if (vote.code != MPI_SUCCESS) return vote;
  vote.arguments.add(dimensions);
  for (int j = 0; j < dimensions; ++j) {
    vote.arguments.add(extents[j]);
    vote.arguments.add(periods[j] != 0 ? 1 : 0);
  }
  return vote;
}

/// The vote of this rank about the dimensions that remain.
Vote vote_on_part(std::size_t dimensions, int const* remaining) {
  Vote vote;
  if (remaining == nullptr && dimensions > 0) vote.code = MPI_ERR_ARG;
  if (vote.code != MPI_SUCCESS) return vote;
  for (std::size_t j = 0; j < dimensions; ++j) vote.arguments.add(remaining[j] != 0 ? 1 : 0);
  return vote;
}

}  // namespace

/// Ranks are not reordered, so that offsets and ranks stay related as the program states.
MPI_Comm create_cartesian(MPI_Comm comm, int dimensions, int const* extents, int const* periods) {
  expect_intra(comm);
  check(agree(comm, vote_on_grid(comm, dimensions, extents, periods)));
  MPI_Comm result = MPI_COMM_NULL;
  check(PMPI_Cart_create(comm, dimensions, extents, periods, 0, &result));
  if (result != MPI_COMM_NULL) attach_topology(result, grid_topology(result), MPI_INFO_NULL);
  return result;
}

int rank_on_grid(MPI_Comm comm, int dimensions, int const* extents, int const* periods) {
  expect_intra(comm);
  int const ranks = size_of(comm), rank = rank_in(comm);
  check(grid_error(ranks, dimensions, extents, periods));
  int places = 1;
  for (int j = 0; j < dimensions; ++j) places *= extents[j];
  return rank < places ? rank : MPI_UNDEFINED;
}

/// The coordinates in the remaining dimensions number the ranks of a part; the other coordinates say which part it is.
MPI_Comm cartesian_part(MPI_Comm comm, int const* remaining) {
  CartesianGrid const grid = grid_of(comm);
  check(agree(comm, vote_on_part(grid.extents.size(), remaining)));
  std::vector<int> extents, periods;
  int color = 0, key = 0;
  for (std::size_t j = 0; j < grid.extents.size(); ++j) {
    int& number = remaining[j] != 0 ? key : color;
    number = number * grid.extents[j] + grid.coordinates[j];
    if (remaining[j] == 0) continue;
    extents.push_back(grid.extents[j]);
    periods.push_back(grid.periods[j]);
  }
  // Without a dimension there is a single place, that of rank 0, as in MPI_Cart_create.
  bool const left_over = extents.empty() && color != 0;
  MPI_Comm ranks = MPI_COMM_NULL;
  check(PMPI_Comm_split(comm, left_over ? MPI_UNDEFINED : color, key, &ranks));
  if (left_over) return MPI_COMM_NULL;
  MPI_Comm const result = create_cartesian(ranks, static_cast<int>(extents.size()), extents.data(), periods.data());
  check(MPI_Comm_free(&ranks));
  return result;
}

void carry_on(MPI_Comm original, MPI_Comm duplicate, NewComms& comms) {
  auto const found = find_attached_topology(original);
  if (found != nullptr) attach_same_topology(duplicate, *found, comms);
}

void carry_on(MPI_Comm original, MPI_Comm duplicate, MPI_Info info) {
  auto const found = find_attached_topology(original);
  if (found != nullptr) attach_topology(duplicate, found->topology, info);
}

std::optional<CartesianNaming> cartesian_naming(MPI_Comm comm) {
  auto const home = find_attached_topology(comm);
  if (home == nullptr || home->topology->kind != ProcessTopology::Kind::cartesian) return std::nullopt;
  return naming_of_grid(comm);
}

}  // namespace rondo::mpi

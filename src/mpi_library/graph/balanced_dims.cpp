// Searches the most balanced extents: among all factorizations with extents in falling order, the one with the least
// difference between the first and the last.

#include "mpi_library/graph/balanced_dims.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "mpi/runtime/failure.hpp"

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

}  // namespace rondo::mpi

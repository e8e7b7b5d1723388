#include "mpi/runtime/units.hpp"

#include <fmt/format.h>

#include <limits>

#include "base/error.hpp"

namespace rondo::mpi {

Units units(Bytes size) {
  struct Width {
    std::int64_t bytes;
    MPI_Datatype type;
  };
  Width const widths[] = {
      {1, MPI_BYTE}, {2, MPI_INT16_T}, {4, MPI_INT32_T}, {8, MPI_INT64_T}, {16, MPI_C_DOUBLE_COMPLEX}};
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  for (auto const& [bytes, type] : widths) {
    std::int64_t const count = size.value / bytes;
    if (count <= most && size.value % bytes == 0) return {type, static_cast<int>(count)};
  }
  throw InputError(
      fmt::format("a message of {} bytes does not fit MPI's counts: past {} bytes expected at most {} and a multiple "
                  "of 2, 4, 8 or 16 with a quotient up to {}",
                  size.value, most, 16 * most, most));
}

}  // namespace rondo::mpi

// Chooses the narrowest datatype for which the count fits an int.

#include "mpi/runtime/typed_count.hpp"

#include <fmt/format.h>

#include <limits>

#include "base/error.hpp"

namespace rondo::mpi {

TypedCount typed_count(Bytes size) {
  struct UnitType {
    std::int64_t bytes;
    MPI_Datatype type;
  };
  // Narrowest first. MPI_C_DOUBLE_COMPLEX only stands for 16 bytes; nothing is computed.
  UnitType const unit_types[] = {
      {1, MPI_BYTE}, {2, MPI_INT16_T}, {4, MPI_INT32_T}, {8, MPI_INT64_T}, {16, MPI_C_DOUBLE_COMPLEX}};
  constexpr std::int64_t largest_count = std::numeric_limits<int>::max();
  for (auto const& [bytes, type] : unit_types) {
    std::int64_t const count = size.value / bytes;
    if (count <= largest_count && size.value % bytes == 0) return {type, static_cast<int>(count)};
  }
  throw InputError(
      fmt::format("a message of {} bytes does not fit MPI's counts, which are ints: expected at most {} bytes, or a "
                  "multiple of 2, 4, 8 or 16 bytes with a quotient of at most {}",
                  size.value, largest_count, largest_count));
}

}  // namespace rondo::mpi

// typed_count() chooses the narrowest datatype for which the count fits an int. MPI_Type_get_true_extent tells the
// reach of an element, but not in SMPI. There the arguments of the type's constructor are read instead, recursively.

#include "mpi/runtime/datatypes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"

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

namespace {

#ifndef SMPI_H

/// The reach of one element.
Reach reach_of_one(MPI_Datatype type) {
  MPI_Aint first = 0, extent = 0;
  check(PMPI_Type_get_true_extent(type, &first, &extent));
  return {first, first + extent};
}

#else

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  check(PMPI_Type_get_extent(type, &lower, &extent));
  return extent;
}

/// How a datatype was made, and how many arguments that took.
struct Envelope {
  explicit Envelope(MPI_Datatype type) {
    check(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  }
  /// Whether the type is one of MPI's own, or one that SMPI cannot take apart.
  bool whole() const { return combiner == MPI_COMBINER_NAMED || types == 0; }

  int integers = 0, addresses = 0, types = 0, combiner = 0;
};

/// The arguments with which a type was made; derived types among them are copies.
class Contents {
 public:
  /// Asks MPI for the arguments of the constructor.
  explicit Contents(MPI_Datatype type) : envelope_(type) {
    integers_.resize(static_cast<std::size_t>(envelope_.integers));
    addresses_.resize(static_cast<std::size_t>(envelope_.addresses));
    types_.resize(static_cast<std::size_t>(envelope_.types));
    check(PMPI_Type_get_contents(type, envelope_.integers, envelope_.addresses, envelope_.types, integers_.data(),
                                 addresses_.data(), types_.data()));
  }
  ~Contents() {
    for (MPI_Datatype& type : types_) {
      if (Envelope(type).combiner != MPI_COMBINER_NAMED) PMPI_Type_free(&type);
    }
  }
  Contents(Contents const&) = delete;
  Contents& operator=(Contents const&) = delete;

  /// Calls `found` with the place, the length and the type of each block; of evenly spaced blocks only with the first
  /// and the last.
  template <typename Found>
  void each_block(Found const& found) const {
    MPI_Datatype const type = types_.front();
    switch (envelope_.combiner) {
      case MPI_COMBINER_DUP:
      case MPI_COMBINER_RESIZED:
        return found(0, 1, type);
      case MPI_COMBINER_CONTIGUOUS:
        return found(0, integers_.at(0), type);
      case MPI_COMBINER_VECTOR:
        return spaced(integers_.at(2) * extent_of(type), found);
      case MPI_COMBINER_HVECTOR:
        return spaced(addresses_.at(0), found);
      case MPI_COMBINER_INDEXED:
      case MPI_COMBINER_HINDEXED:
      case MPI_COMBINER_STRUCT:
        return listed(found);
      default:
        throw MpiFailure(MPI_ERR_TYPE);
    }
  }

 private:
  /// Only the first and the last of equally spaced blocks matter.
  template <typename Found>
  void spaced(MPI_Aint stride, Found const& found) const {
    if (integers_.at(0) == 0) return;
    found(0, integers_.at(1), types_.front());
    found((integers_.at(0) - 1) * stride, integers_.at(1), types_.front());
  }

  /// The blocks of types with lists of lengths and of places, in bytes or in extents. SMPI calls all types that it
  /// stores in this form indexed; among them are resized types, which it stores as structures with marks for their
  /// bounds.
  template <typename Found>
  void listed(Found const& found) const {
    auto const number = static_cast<std::size_t>(integers_.at(0));
    for (std::size_t i = 0; i < number; ++i) {
      MPI_Datatype const type = types_.size() > 1 ? types_.at(i) : types_.front();
      MPI_Aint const address = addresses_.empty() ? integers_.at(1 + number + i) * extent_of(type) : addresses_.at(i);
      found(address, integers_.at(1 + i), type);
    }
  }

  Envelope envelope_;
  std::vector<int> integers_;
  std::vector<MPI_Aint> addresses_;
  std::vector<MPI_Datatype> types_;
};

Reach reach_of_one(MPI_Datatype type) {
  int size = 0;
  check(PMPI_Type_size(type, &size));
  if (Envelope(type).whole()) return {0, size};
  Reach result;
  bool empty = true;
  Contents(type).each_block([&](MPI_Aint at, MPI_Aint length, MPI_Datatype part) {
    Reach const block = reach(part, length);
    if (block.first == block.end) return;
    result.first = empty ? at + block.first : std::min(result.first, at + block.first);
    result.end = empty ? at + block.end : std::max(result.end, at + block.end);
    empty = false;
  });
  return result;
}

#endif

}  // namespace

/// The reach of `count` elements, each an extent behind the one before.
Reach reach(MPI_Datatype type, MPI_Aint count) {
  MPI_Aint lower = 0, extent = 0;
  check(PMPI_Type_get_extent(type, &lower, &extent));
  Reach const one = reach_of_one(type);
  if (count <= 0 || one.first == one.end) return {};
  MPI_Aint const last = (count - 1) * extent;
  return {one.first + std::min<MPI_Aint>(last, 0), one.end + std::max<MPI_Aint>(last, 0)};
}

}  // namespace rondo::mpi

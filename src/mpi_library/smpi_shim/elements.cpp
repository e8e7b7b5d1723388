// MPI_Get_elements: how many of MPI's own elements a message has brought, which may end within an element of its type.
// MPI_Status_set_elements: the same number, in the status of a generalized request.

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/datatype.hpp"

namespace rondo::mpi {
namespace {

MPI_Count size_of(MPI_Datatype type) { return bounds_of(type).size; }

/// Counts elements of MPI's own types, in the order of the data, as long as there are bytes for them.
class Elements {
 public:
  explicit Elements(MPI_Count bytes) : bytes_(bytes) {}

  /// Counts the basic elements of so many elements of a type, as far as the bytes reach.
  void count(MPI_Count number, MPI_Datatype type) {
    MPI_Count const size = size_of(type);
    if (size == 0 || number == 0 || ends_) return;
    MPI_Count const whole = std::min(number, bytes_ / size);
    if (whole > 0) {
      found_ += whole * in_one(type);
      bytes_ -= whole * size;
    }
    if (whole < number && bytes_ > 0) count_parts(type);
  }

  /// None if the bytes that are left are no element.
  std::optional<MPI_Count> found() const { return bytes_ == 0 ? std::optional(found_) : std::nullopt; }

  /// The basic elements of one element of a type.
  static MPI_Count in_one(MPI_Datatype type) {
    if (is_pair(type)) return 2;
    if (known(type) == nullptr) return 1;
    Elements all(size_of(type));
    all.count_parts(type);
    return all.found_;
  }

 private:
  static bool is_pair(MPI_Datatype type) {
    std::array const pairs{MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT,
                           MPI_2INT,      MPI_2FLOAT,     MPI_2DOUBLE,  MPI_LONG_DOUBLE_INT};
    return std::find(pairs.begin(), pairs.end(), type) != pairs.end();
  }

  /// The parts of a single element of the type.
  void count_parts(MPI_Datatype type) {
    DerivedType const* const made = known(type);
    if (made == nullptr) {
      // The second part of a pair is an int, or as large as the first.
      MPI_Count const half = size_of(type) / 2;
      if (is_pair(type) && bytes_ >= half) {
        ++found_;
        bytes_ -= half;
      }
      ends_ = true;
      return;
    }
    std::vector<MPI_Datatype> const& types = made->making.types;
    if (made->making.combiner != MPI_COMBINER_STRUCT) {
      MPI_Count const size = size_of(types.front());
      return count(size == 0 ? 0 : made->bounds.size / size, types.front());
    }
    for (std::size_t i = 0; i < types.size(); ++i) {
      bool const is_mark = types[i] == MPI_LB || types[i] == MPI_UB;
      if (!is_mark) count(made->making.integers[i + 1], types[i]);
    }
  }

  MPI_Count bytes_, found_ = 0;
  bool ends_ = false;  ///< within an element of one of MPI's own types
};

/// The bytes of so many basic elements of elements of a type.
MPI_Count bytes_of(MPI_Count number, MPI_Datatype type) {
  MPI_Count const in_one = Elements::in_one(type), size = size_of(type);
  if (number <= 0 || in_one == 0) return 0;
  MPI_Count const whole = number / in_one * size;
  for (MPI_Count rest = 0; rest < size; ++rest) {
    Elements part(rest);
    part.count(1, type);
    if (part.found() == number % in_one) return whole + rest;
  }
  return whole;
}

/// SMPI's own functions take the number of elements for a number of bytes.
int set_elements(char const* function, MPI_Status* status, MPI_Datatype type, MPI_Count number) {
  int const code = guarded([&] {
    if (number < 0) throw MpiFailure(MPI_ERR_COUNT);
    if (type == MPI_DATATYPE_NULL) throw MpiFailure(MPI_ERR_TYPE);
    MPI_Count const bytes = bytes_of(number, type);
    if (bytes > std::numeric_limits<int>::max()) throw MpiFailure(MPI_ERR_COUNT);
    check(PMPI_Status_set_elements(status, MPI_BYTE, static_cast<int>(bytes)));
  });
  return answer(MPI_COMM_WORLD, code, function);
}

/// MPI_UNDEFINED if the message ends within a basic element.
MPI_Count elements(MPI_Status const* status, MPI_Datatype type) {
  int bytes = 0;
  check(PMPI_Get_count(status, MPI_BYTE, &bytes));
  MPI_Count const size = size_of(type);
  if (size == 0) return bytes == 0 ? 0 : MPI_UNDEFINED;
  Elements received(bytes);
  received.count(bytes / size + 1, type);
  return received.found().value_or(MPI_UNDEFINED);
}

template <typename Number>
int tell(char const* function, MPI_Status const* status, MPI_Datatype type, Number* result) {
  return answer(MPI_COMM_WORLD, guarded([&] { *result = static_cast<Number>(elements(status, type)); }), function);
}

}  // namespace
}  // namespace rondo::mpi

extern "C" {

int MPI_Get_elements(MPI_Status* status, MPI_Datatype datatype, int* elements) {
  return rondo::mpi::tell(__func__, status, datatype, elements);
}

int MPI_Get_elements_x(MPI_Status* status, MPI_Datatype datatype, MPI_Count* elements) {
  return rondo::mpi::tell(__func__, status, datatype, elements);
}

int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype datatype, int count) {
  return rondo::mpi::set_elements(__func__, status, datatype, count);
}

int MPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype datatype, MPI_Count count) {
  return rondo::mpi::set_elements(__func__, status, datatype, count);
}

}  // extern "C"

// Derived datatypes, see types.hpp and datatype.hpp. Errors go to the error handler of MPI_COMM_WORLD.

#include "mpi_library/smpi_shim/types.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/named_constants.hpp"
#include "mpi_library/smpi_shim/answer.hpp"

namespace rondo::mpi {

/// Makes a type and reports an error to the handler of MPI_COMM_WORLD.
int make_type(char const* function, MPI_Datatype* newtype, std::function<MPI_Datatype()> const& made) {
  int const code = guarded([&] {
    if (newtype == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *newtype = made();
  });
  if (code != MPI_SUCCESS && newtype != nullptr) *newtype = MPI_DATATYPE_NULL;
  return answer(MPI_COMM_WORLD, code, function);
}

namespace types {
namespace {

int expected(int count) {
  if (count < 0) throw MpiFailure(MPI_ERR_COUNT);
  return count;
}

MPI_Aint extent_in_bytes(MPI_Datatype type) { return bounds_of(type).span.length(); }

std::vector<int> after(int first, int count, int const* rest) {
  std::vector<int> result{first};
  result.insert(result.end(), rest, rest + count);
  return result;
}

/// Blocks of the type at places that are given in bytes, or in another unit.
template <typename Places>
std::vector<TypeBlock> blocks_of(int count, int const* lengths, Places const* places, MPI_Aint unit,
                                 MPI_Datatype type) {
  std::vector<TypeBlock> result;
  for (int i = 0; i < count; ++i) result.push_back({places[i] * unit, lengths[i], type});
  return result;
}

template <typename Places>
std::vector<TypeBlock> equal_blocks(int count, int length, Places const* places, MPI_Aint unit, MPI_Datatype type) {
  return blocks_of(count, std::vector<int>(static_cast<std::size_t>(count), length).data(), places, unit, type);
}

/// The part of a dimension that the process at this place has: one block, or every so many blocks.
std::vector<Run> distributed(int size, int distribution, int argument, int processes, int place) {
  bool const by_default = argument == named_default_argument;
  int block = size;
  if (distribution == MPI_DISTRIBUTE_BLOCK) {
    block = by_default ? (size + processes - 1) / processes : argument;
  } else if (distribution == MPI_DISTRIBUTE_CYCLIC) {
    block = by_default ? 1 : argument;
  } else if (distribution != MPI_DISTRIBUTE_NONE) {
    throw MpiFailure(MPI_ERR_ARG);
  }
  if (size < 1 || block < 1 || (distribution == MPI_DISTRIBUTE_NONE && processes != 1)) throw MpiFailure(MPI_ERR_ARG);
  if (distribution == MPI_DISTRIBUTE_BLOCK && (size - 1) / block >= processes) throw MpiFailure(MPI_ERR_ARG);
  std::vector<Run> runs;
  for (MPI_Aint start = static_cast<MPI_Aint>(block) * place; start < size;
       start += static_cast<MPI_Aint>(block) * processes) {
    runs.push_back({static_cast<int>(start), static_cast<int>(std::min<MPI_Aint>(block, size - start))});
  }
  return runs;
}

/// How an array is distributed over processes, by dimension.
struct Distribution {
  int dimensions;
  int const *sizes, *distributions, *arguments, *processes;
};

Making making_of(Distribution const& lists, int size, int rank, int order, MPI_Datatype type) {
  Making making{MPI_COMBINER_DARRAY, {size, rank, lists.dimensions}, {}, {type}};
  for (int const* const list : {lists.sizes, lists.distributions, lists.arguments, lists.processes}) {
    making.integers.insert(making.integers.end(), list, list + std::max(lists.dimensions, 0));
  }
  making.integers.push_back(order);
  return making;
}

/// The part of an array that one process has.
MPI_Datatype part_of_process(int size, int rank, Distribution const& lists, int order, MPI_Datatype type,
                             Making making) {
  int const ndims = lists.dimensions;
  if (ndims < 1 || rank < 0 || rank >= size || (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)) {
    throw MpiFailure(MPI_ERR_ARG);
  }
  std::vector<PartOfDimension> dimensions;
  int left = size, place = rank;  // the processes are a grid in the order of C, whatever the order of the array
  for (int i = 0; i < ndims; ++i) {
    int const processes = lists.processes[i];
    if (processes < 1 || left % processes != 0) throw MpiFailure(MPI_ERR_ARG);
    left /= processes;
    dimensions.push_back({lists.sizes[i], distributed(lists.sizes[i], lists.distributions[i], lists.arguments[i],
                                                      processes, place / left)});
    place %= left;
  }
  if (left != 1) throw MpiFailure(MPI_ERR_ARG);
  if (order == MPI_ORDER_C) std::reverse(dimensions.begin(), dimensions.end());
  return part_of_array(dimensions, type, std::move(making));
}

}  // namespace

MPI_Datatype indexed(int count, int const* lengths, int const* places, MPI_Datatype type) {
  Making making{MPI_COMBINER_INDEXED, after(expected(count), count, lengths), {}, {type}};
  making.integers.insert(making.integers.end(), places, places + count);
  return from_blocks(blocks_of(count, lengths, places, extent_in_bytes(type), type), std::move(making));
}

MPI_Datatype hindexed(int count, int const* lengths, MPI_Aint const* places, MPI_Datatype type) {
  Making making{MPI_COMBINER_HINDEXED, after(expected(count), count, lengths), {places, places + count}, {type}};
  extent_in_bytes(type);  // MPI_ERR_TYPE without blocks too
  return from_blocks(blocks_of(count, lengths, places, 1, type), std::move(making));
}

MPI_Datatype hvector(int count, int length, MPI_Aint stride, MPI_Datatype type) {
  return strided(count, length, stride, type, {MPI_COMBINER_HVECTOR, {count, length}, {stride}, {type}});
}

MPI_Datatype structure(int count, int const* lengths, MPI_Aint const* places, MPI_Datatype const* types) {
  Making making{
      MPI_COMBINER_STRUCT, after(expected(count), count, lengths), {places, places + count}, {types, types + count}};
  std::vector<TypeBlock> blocks;
  for (int i = 0; i < count; ++i) blocks.push_back({places[i], lengths[i], types[i]});
  return mpi::structure(std::move(blocks), std::move(making));
}

/// A part of an array: a run of places in each dimension.
MPI_Datatype subarray(int ndims, int const* sizes, int const* parts, int const* starts, int order, MPI_Datatype type) {
  if (ndims < 1 || (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)) throw MpiFailure(MPI_ERR_ARG);
  Making making{MPI_COMBINER_SUBARRAY, after(ndims, ndims, sizes), {}, {type}};
  making.integers.insert(making.integers.end(), parts, parts + ndims);
  making.integers.insert(making.integers.end(), starts, starts + ndims);
  making.integers.push_back(order);
  std::vector<PartOfDimension> dimensions;
  for (int i = 0; i < ndims; ++i) {
    if (parts[i] < 1 || starts[i] < 0 || parts[i] > sizes[i] - starts[i]) throw MpiFailure(MPI_ERR_ARG);
    dimensions.push_back({sizes[i], {{starts[i], parts[i]}}});
  }
  if (order == MPI_ORDER_C) std::reverse(dimensions.begin(), dimensions.end());
  return part_of_array(dimensions, type, std::move(making));
}

/// The part of an array that a process has when the array is distributed in blocks or cyclically [MPI 4.1, 5.1.4].
MPI_Datatype darray(int size, int rank, int ndims, int const* sizes, int const* distributions, int const* arguments,
                    int const* processes, int order, MPI_Datatype type) {
  std::vector<int> named;
  for (int i = 0; i < ndims; ++i) named.push_back(named_argument(arguments[i]));
  Distribution const lists{ndims, sizes, distributions, named.data(), processes};
  return part_of_process(size, rank, lists, order, type,
                         making_of({ndims, sizes, distributions, arguments, processes}, size, rank, order, type));
}

MPI_Datatype named_darray(int size, int rank, int ndims, int const* sizes, int const* distributions,
                          int const* arguments, int const* processes, int order, MPI_Datatype type) {
  Distribution const lists{ndims, sizes, distributions, arguments, processes};
  return part_of_process(size, rank, lists, order, type, making_of(lists, size, rank, order, type));
}

/// The named type of a class with so many bytes [MPI 4.1, 19.1.7].
MPI_Datatype match_size(int typeclass, int size) {
  struct Named {
    int typeclass;
    MPI_Datatype type;
  };
  for (auto const& [of, type] :
       {Named{MPI_TYPECLASS_INTEGER, MPI_INTEGER1}, Named{MPI_TYPECLASS_INTEGER, MPI_INTEGER2},
        Named{MPI_TYPECLASS_INTEGER, MPI_INTEGER4}, Named{MPI_TYPECLASS_INTEGER, MPI_INTEGER8},
        Named{MPI_TYPECLASS_INTEGER, MPI_INTEGER16}, Named{MPI_TYPECLASS_REAL, MPI_REAL4},
        Named{MPI_TYPECLASS_REAL, MPI_REAL8}, Named{MPI_TYPECLASS_REAL, MPI_REAL16},
        Named{MPI_TYPECLASS_COMPLEX, MPI_COMPLEX8}, Named{MPI_TYPECLASS_COMPLEX, MPI_COMPLEX16},
        Named{MPI_TYPECLASS_COMPLEX, MPI_COMPLEX32}}) {
    if (of == typeclass && bounds_of(type).size == size) return type;
  }
  throw MpiFailure(MPI_ERR_ARG);
}

MPI_Datatype vector(int count, int blocklength, int stride, MPI_Datatype oldtype) {
  Making making{MPI_COMBINER_VECTOR, {count, blocklength, stride}, {}, {oldtype}};
  return strided(count, blocklength, stride * extent_in_bytes(oldtype), oldtype, std::move(making));
}

MPI_Datatype indexed_block(int count, int blocklength, int const* displacements, MPI_Datatype oldtype) {
  Making making{MPI_COMBINER_INDEXED_BLOCK, {expected(count), blocklength}, {}, {oldtype}};
  making.integers.insert(making.integers.end(), displacements, displacements + count);
  return from_blocks(equal_blocks(count, blocklength, displacements, extent_in_bytes(oldtype), oldtype),
                     std::move(making));
}

MPI_Datatype hindexed_block(int count, int blocklength, MPI_Aint const* displacements, MPI_Datatype oldtype) {
  Making making{
      MPI_COMBINER_HINDEXED_BLOCK, {expected(count), blocklength}, {displacements, displacements + count}, {oldtype}};
  extent_in_bytes(oldtype);  // MPI_ERR_TYPE without blocks too
  return from_blocks(equal_blocks(count, blocklength, displacements, 1, oldtype), std::move(making));
}

}  // namespace types

namespace {

Interval span(MPI_Datatype type) { return bounds_of(type).span; }

/// From the first byte of data to the last.
Interval true_span(MPI_Datatype type) { return bounds_of(type).data.value_or(Interval{}); }

/// Tells where an interval begins, and how long it is; null pointers are not asked for.
template <typename Number>
int tell(char const* function, MPI_Datatype type, Interval (*interval)(MPI_Datatype), Number* lower, Number* length) {
  return answer(MPI_COMM_WORLD, guarded([&] {
                  Interval const found = interval(type);
                  if (lower != nullptr) *lower = found.lower;
                  if (length != nullptr) *length = found.length();
                }),
                function);
}

void expect_room(std::size_t wanted, int room) {
  if (room < 0 || wanted > static_cast<std::size_t>(room)) throw MpiFailure(MPI_ERR_ARG);
}

}  // namespace
}  // namespace rondo::mpi

using namespace rondo::mpi;

extern "C" {

int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint* lb, MPI_Aint* extent) {
  return tell(__func__, datatype, span, lb, extent);
}

int MPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  return tell(__func__, datatype, span, lb, extent);
}

int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint* extent) {
  return tell<MPI_Aint>(__func__, datatype, span, nullptr, extent);
}

int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint* displacement) {
  return tell<MPI_Aint>(__func__, datatype, span, displacement, nullptr);
}

int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint* displacement) {
  return answer(MPI_COMM_WORLD, guarded([&] { *displacement = span(datatype).upper; }), __func__);
}

int MPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint* true_lb, MPI_Aint* true_extent) {
  return tell(__func__, datatype, true_span, true_lb, true_extent);
}

int MPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count* true_lb, MPI_Count* true_extent) {
  return tell(__func__, datatype, true_span, true_lb, true_extent);
}

int MPI_Type_get_envelope(MPI_Datatype datatype, int* integers, int* addresses, int* datatypes, int* combiner) {
  return answer(MPI_COMM_WORLD, guarded([&] {
                  DerivedType const* const own = known(datatype);
                  if (own == nullptr) {
                    return check(PMPI_Type_get_envelope(datatype, integers, addresses, datatypes, combiner));
                  }
                  *integers = static_cast<int>(own->making.integers.size());
                  *addresses = static_cast<int>(own->making.addresses.size());
                  *datatypes = static_cast<int>(own->making.types.size());
                  *combiner = own->making.combiner;
                }),
                __func__);
}

int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int* integers,
                          MPI_Aint* addresses, MPI_Datatype* datatypes) {
  return answer(MPI_COMM_WORLD, guarded([&] {
                  DerivedType const* const own = known(datatype);
                  if (own == nullptr) {
                    return check(PMPI_Type_get_contents(datatype, max_integers, max_addresses, max_datatypes, integers,
                                                        addresses, datatypes));
                  }
                  expect_room(own->making.integers.size(), max_integers);
                  expect_room(own->making.addresses.size(), max_addresses);
                  expect_room(own->making.types.size(), max_datatypes);
                  std::copy(own->making.integers.begin(), own->making.integers.end(), integers);
                  std::copy(own->making.addresses.begin(), own->making.addresses.end(), addresses);
                  std::vector<MPI_Datatype> const types = types_in(*own);
                  std::copy(types.begin(), types.end(), datatypes);
                }),
                __func__);
}

}  // extern "C"

// Makes derived datatypes as SMPI structures (datatype.hpp), and remembers how each was made in an attribute.

#include "mpi_library/smpi_shim/datatype.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

/// SMPI calls this when a type is freed.
int forget(MPI_Datatype, int, void* attached, void*) {
  auto* const known = static_cast<DerivedType*>(attached);
  if (known->kept != MPI_DATATYPE_NULL) PMPI_Type_free(&known->kept);
  delete known;
  return MPI_SUCCESS;
}

/// The key of the attribute that holds the known facts of a type. It is made once and never freed.
int key() {
  static int const made = [] {
    int result = MPI_KEYVAL_INVALID;
    check(PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &result, nullptr));
    return result;
  }();
  return made;
}

/// Whether the rank has made any type. As long as it has not, no look-up is needed.
bool any_known = false;

/// Attaches these facts to a type and returns it.
MPI_Datatype carrying(MPI_Datatype type, DerivedType known) {
  any_known = true;
  auto holder = std::make_unique<DerivedType>(std::move(known));
  check(PMPI_Type_set_attr(type, key(), holder.get()));
  holder.release();
  return type;
}

/// Whether the type is one of MPI's own.
bool is_named(MPI_Datatype type) {
  if (known(type) != nullptr) return false;
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  check(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  return combiner == MPI_COMBINER_NAMED;
}

/// The arguments of an SMPI structure. Its first blocks are marks of its bounds. Its last block is where SMPI assumes
/// that the next element begins: a mark of the upper bound, if that is the extent, or another block. None of these has
/// a length, so that no operation is applied to them.
class Structure {
 public:
  explicit Structure(Interval span) : span_(span) {
    add({span.lower, 0, MPI_LB});
    if (span.lower != 0) add({span.upper, 0, MPI_UB});
  }

  void add(TypeBlock const& block) {
    places_.push_back(block.at);
    lengths_.push_back(block.length);
    types_.push_back(block.type);
  }

  MPI_Datatype make() {
    add(span_.lower == 0 ? TypeBlock{span_.upper, 0, MPI_UB} : TypeBlock{span_.length(), 0, MPI_BYTE});
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(PMPI_Type_create_struct(static_cast<int>(types_.size()), lengths_.data(), places_.data(), types_.data(),
                                  &type));
    return type;
  }

 private:
  Interval span_;
  std::vector<MPI_Aint> places_;
  std::vector<int> lengths_;
  std::vector<MPI_Datatype> types_;
};

/// A type without data. SMPI divides by the size of structures, so that this type, which is never sent, keeps the types
/// from which it was made.
MPI_Datatype without_data(Bounds const& bounds, Making making) {
  Structure keeper({-1, 1});
  for (MPI_Datatype const type : making.types) keeper.add({0, 0, type});
  MPI_Datatype const kept = keeper.make();
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(PMPI_Type_contiguous(0, MPI_BYTE, &type));
  return carrying(type, {bounds, std::move(making), {}, kept});
}

/// A type of one block. The type of the block is an SMPI type that is correct for a single element; it is freed here.
/// The structure also names the types from which this one was made, so that they live as long as it does.
MPI_Datatype around(MPI_Datatype inner, MPI_Aint at, Bounds const& bounds, Making making) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (bounds.size > 0) {
    Structure result(bounds.span);
    result.add({at, 1, inner});
    for (MPI_Datatype const part : making.types) result.add({0, 0, part});
    type = carrying(result.make(), {bounds, std::move(making), {}});
  } else {
    type = without_data(bounds, std::move(making));
  }
  check(PMPI_Type_free(&inner));
  return type;
}

/// Whether SMPI takes a type that can be freed for one of MPI's own types.
bool seems_basic(MPI_Datatype type) {
  DerivedType const* const own = type == MPI_DATATYPE_NULL ? nullptr : known(type);
  return own != nullptr && (own->bounds.size == 0 || own->making.combiner == MPI_COMBINER_DUP);
}

/// How many elements of one of MPI's own types the blocks have, if they all lie side by side. SMPI would turn such a
/// type into bytes, which cannot be accumulated.
std::optional<int> side_by_side(std::vector<TypeBlock> const& blocks, Bounds const& bounds) {
  if (blocks.empty() || !bounds.dense() || known(blocks.front().type) != nullptr) return std::nullopt;
  MPI_Aint const extent = bounds_of(blocks.front().type).span.length();
  MPI_Aint number = 0;
  for (TypeBlock const& block : blocks) {
    if (block.type != blocks.front().type || block.at != number * extent) return std::nullopt;
    number += block.length;
  }
  return static_cast<int>(number);
}

/// A type with these blocks. `also` is another type that has to live as long.
MPI_Datatype made_of(std::vector<TypeBlock> blocks, Bounds const& bounds, Making making,
                     MPI_Datatype also = MPI_DATATYPE_NULL) {
  if (bounds.size == 0) return without_data(bounds, std::move(making));
  if (auto const number = side_by_side(blocks, bounds); number && also == MPI_DATATYPE_NULL) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(PMPI_Type_contiguous(*number, blocks.front().type, &type));
    return carrying(type, {bounds, std::move(making), {}});
  }
  Structure result(bounds.span);
  // If blocks lie side by side and their type seems to be basic, SMPI makes a single block of bytes and forgets the
  // types.
  if (seems_basic(also) || std::any_of(making.types.begin(), making.types.end(), seems_basic)) {
    result.add({bounds.span.lower - 1, 0, MPI_BYTE});
  }
  for (TypeBlock const& block : blocks) result.add(block);
  if (also != MPI_DATATYPE_NULL) result.add({0, 0, also});
  return carrying(result.make(), {bounds, std::move(making), std::move(blocks)});
}

/// The blocks of a structure; any other type as a single block.
std::vector<TypeBlock> blocks_in(MPI_Datatype type) {
  DerivedType const* const own = known(type);
  return own != nullptr && !own->blocks.empty() ? own->blocks : std::vector<TypeBlock>{{0, 1, type}};
}

/// Removes marks, which set bounds and have no data.
std::vector<TypeBlock> without_marks(std::vector<TypeBlock> blocks) {
  auto const is_mark = [](TypeBlock const& block) { return block.type == MPI_LB || block.type == MPI_UB; };
  blocks.erase(std::remove_if(blocks.begin(), blocks.end(), is_mark), blocks.end());
  return blocks;
}

/// Throws MpiFailure for a negative count or a null type.
void expect_blocks(std::vector<TypeBlock> const& blocks) {
  for (TypeBlock const& block : blocks) {
    if (block.type == MPI_DATATYPE_NULL) throw MpiFailure(MPI_ERR_TYPE);
    if (block.length < 0) throw MpiFailure(MPI_ERR_ARG);
  }
}

/// The bounds of a type of blocks; a padded one ends at a multiple of its alignment, as a struct in C.
Bounds bounds_of_blocks(std::span<TypeBlock const> blocks, bool padded) {
  BoundsOfBlocks sum;
  MPI_Datatype last = MPI_DATATYPE_NULL;
  Bounds of;
  for (TypeBlock const& block : blocks) {
    if (block.type == MPI_LB) {
      sum.set_lower(block.at);
    } else if (block.type == MPI_UB) {
      sum.set_upper(block.at);
    } else {
      if (block.type != last) of = bounds_of(last = block.type);
      sum.add(block, of);
    }
  }
  return sum.sum(padded);
}

/// The elements of the part, from its first one on; `stride` is that of the dimension.
MPI_Datatype row_of(PartOfDimension const& dimension, MPI_Aint stride, MPI_Datatype type) {
  std::vector<int> lengths;
  std::vector<MPI_Aint> places;
  for (Run const& run : dimension.runs) {
    lengths.push_back(run.length);
    places.push_back((run.start - dimension.runs.front().start) * stride);
  }
  MPI_Datatype row = MPI_DATATYPE_NULL;
  check(lengths.size() == 1
            ? PMPI_Type_create_hvector(1, lengths.front(), 0, type, &row)
            : PMPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), type, &row));
  return row;
}

/// The same for rows, which SMPI would not place one stride apart by itself.
MPI_Datatype rows_of(PartOfDimension const& dimension, MPI_Aint stride, MPI_Datatype row) {
  MPI_Datatype rows = MPI_DATATYPE_NULL;
  if (dimension.runs.size() == 1) {
    check(PMPI_Type_create_hvector(dimension.runs.front().length, 1, stride, row, &rows));
    return rows;
  }
  std::vector<MPI_Aint> places;
  for (Run const& run : dimension.runs) {
    for (int i = 0; i < run.length; ++i) places.push_back((run.start + i - dimension.runs.front().start) * stride);
  }
  std::vector<int> const ones(places.size(), 1);
  check(PMPI_Type_create_hindexed(static_cast<int>(places.size()), ones.data(), places.data(), row, &rows));
  return rows;
}

}  // namespace

/// The facts of a type that was made here; null for other types.
DerivedType const* known(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) throw MpiFailure(MPI_ERR_TYPE);
  if (!any_known) return nullptr;
  DerivedType* result = nullptr;
  int found = 0;
  check(PMPI_Type_get_attr(type, key(), static_cast<void*>(&result), &found));
  return found == 0 ? nullptr : result;
}

Bounds bounds_of(MPI_Datatype type) {
  DerivedType const* const own = known(type);
  return own != nullptr ? own->bounds : bounds_of_named(type);
}

/// SMPI's own type is used only if elements lie behind each other without gaps.
MPI_Datatype contiguous(int count, MPI_Datatype type) {
  std::vector<TypeBlock> const blocks{{0, count, type}};
  if (count < 0) throw MpiFailure(MPI_ERR_COUNT);
  expect_blocks(blocks);
  Making making{MPI_COMBINER_CONTIGUOUS, {count}, {}, {type}};
  Bounds const bounds = bounds_of_blocks(blocks, false);
  if (count == 0 || !bounds_of(type).dense()) return made_of({{0, count, type}}, bounds, std::move(making));
  MPI_Datatype result = MPI_DATATYPE_NULL;
  check(PMPI_Type_contiguous(count, type, &result));
  return carrying(result, {bounds, std::move(making), {}});
}

/// SMPI's own type is correct if its elements end with their last blocks, and these end with their data.
MPI_Datatype strided(int count, int length, MPI_Aint stride, MPI_Datatype type, Making making) {
  if (count < 0) throw MpiFailure(MPI_ERR_COUNT);
  std::vector<TypeBlock> ends{{0, length, type}};
  expect_blocks(ends);
  if (count == 0 || length == 0) return made_of({}, {}, std::move(making));
  ends.push_back({(count - 1) * stride, length, type});
  Bounds const of = bounds_of(type);
  Bounds bounds = bounds_of_blocks(ends, false);
  bounds.size = of.size * length * count;
  MPI_Datatype result = MPI_DATATYPE_NULL;
  check(PMPI_Type_create_hvector(count, length, stride, type, &result));
  if (of.dense() && stride >= length * of.span.length()) return carrying(result, {bounds, std::move(making), {}});
  return around(result, 0, bounds, std::move(making));
}

MPI_Datatype from_blocks(std::vector<TypeBlock> blocks, Making making) {
  expect_blocks(blocks);
  Bounds const bounds = bounds_of_blocks(blocks, false);
  return made_of(std::move(blocks), bounds, std::move(making));
}

MPI_Datatype structure(std::vector<TypeBlock> blocks, Making making) {
  expect_blocks(blocks);
  Bounds const bounds = bounds_of_blocks(blocks, true);
  return made_of(without_marks(std::move(blocks)), bounds, std::move(making));
}

/// Only the bounds change; the data stay where they are.
MPI_Datatype resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent) {
  Bounds bounds = bounds_of(type);
  bounds.span = {lower, lower + extent};
  bounds.lower_is_set = bounds.upper_is_set = true;
  return made_of(blocks_in(type), bounds, {MPI_COMBINER_RESIZED, {}, {lower, extent}, {type}}, type);
}

/// Builds the array from the innermost dimension outwards; each step makes rows of the type before it.
MPI_Datatype part_of_array(std::span<PartOfDimension const> dimensions, MPI_Datatype type, Making making) {
  Bounds bounds = bounds_of(type);
  MPI_Aint stride = bounds.span.length(), at = 0;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  for (PartOfDimension const& dimension : dimensions) {
    MPI_Aint number = 0;
    for (Run const& run : dimension.runs) number += run.length;
    bounds.size *= number;
    if (bounds.size > 0) {
      MPI_Datatype const outer =
          inner == MPI_DATATYPE_NULL ? row_of(dimension, stride, type) : rows_of(dimension, stride, inner);
      if (inner != MPI_DATATYPE_NULL) check(PMPI_Type_free(&inner));
      inner = outer;
      Run const first = dimension.runs.front(), last = dimension.runs.back();
      at += first.start * stride;
      bounds.data->upper += (last.start + last.length - 1 - first.start) * stride;
    }
    stride *= dimension.size;
  }
  if (bounds.size > 0) bounds.data = Interval{bounds.data->lower + at, bounds.data->upper + at};
  if (bounds.size == 0) bounds.data.reset();
  bounds.span = {0, stride};
  bounds.lower_is_set = bounds.upper_is_set = true;
  if (inner == MPI_DATATYPE_NULL) return without_data(bounds, std::move(making));
  return around(inner, at, bounds, std::move(making));
}

/// The duplicate has the bounds of the original.
MPI_Datatype duplicate(MPI_Datatype type) {
  Bounds const bounds = bounds_of(type);
  MPI_Datatype result = MPI_DATATYPE_NULL;
  check(PMPI_Type_dup(type, &result));
  return carrying(result, {bounds, {MPI_COMBINER_DUP, {}, {}, {type}}, {}});
}

/// The types that a type was made of, as new handles that the caller frees [MPI 4.1, 5.1.13].
std::vector<MPI_Datatype> types_in(DerivedType const& made) {
  std::vector<MPI_Datatype> result = made.making.types;
  for (MPI_Datatype& type : result) {
    DerivedType const* const own = known(type);
    if (own != nullptr) {
      type = made_of(blocks_in(type), own->bounds, own->making, type);
    } else if (!is_named(type)) {
      check(PMPI_Type_dup(MPI_Datatype(type), &type));
    }
  }
  return result;
}

}  // namespace rondo::mpi

#include "mpi/exchange.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace rondo::mpi::testing {
namespace {

MPI_Datatype resized(MPI_Datatype type, MPI_Aint extent) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type, 0, extent, &result);
  MPI_Type_commit(&result);
  MPI_Type_free(&type);
  return result;
}

/// Three integers at these places, in this order.
MPI_Datatype three_ints(std::array<int, 3> const& places, MPI_Aint extent) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::array<int, 3> const lengths{1, 1, 1};
  MPI_Type_indexed(3, lengths.data(), places.data(), MPI_INT, &type);
  return resized(type, extent);
}

/// A double and four characters.
MPI_Datatype record(MPI_Aint number, MPI_Aint characters, MPI_Aint extent) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::array<int, 2> const lengths{1, 4};
  std::array<MPI_Aint, 2> const places{number, characters};
  std::array<MPI_Datatype, 2> const parts{MPI_DOUBLE, MPI_CHAR};
  MPI_Type_create_struct(2, lengths.data(), places.data(), parts.data(), &type);
  return resized(type, extent);
}

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  return extent;
}

void factorize(int ranks, std::vector<int> const& extents, std::vector<Torus>& result) {
  if (ranks == 1 && !extents.empty()) result.emplace_back(extents);
  if (extents.size() == 3) return;
  for (int extent = 1; extent <= ranks; ++extent) {
    if (ranks % extent != 0) continue;
    std::vector<int> more = extents;
    more.push_back(extent);
    factorize(ranks / extent, more, result);
  }
}

}  // namespace

Side side(Variant variant, std::vector<int> const& counts, Types const& types, int first) {
  Side result;
  bool const regular = variant == Variant::alltoall || variant == Variant::allgather;
  auto const s = static_cast<int>(counts.size());
  MPI_Aint widest = 0;
  for (int i = 0; i < s; ++i) {
    result.counts.push_back(counts[static_cast<std::size_t>(i)]);
    result.types.push_back(types[is_typed(variant) ? first + i : first]);
    widest = std::max(widest, extent_of(result.types.back()) * result.counts.back());
  }
  MPI_Aint const unit = is_typed(variant) || s == 0 ? 1 : extent_of(result.types[0]);
  MPI_Aint const step = widest / unit + (is_typed(variant) ? 4 : 1);
  for (int i = 0; i < s; ++i) result.displacements.push_back(regular ? 0 : step * (s - 1 - i));
  result.buffer.resize(static_cast<std::size_t>(regular ? widest * s : step * unit * s));
  return result;
}

bool is_allgather(Variant variant) { return variant >= Variant::allgather; }
bool is_typed(Variant variant) { return variant == Variant::alltoallw || variant == Variant::allgatherw; }

Types::Types(Family family) {
  if (family == Family::ints) {
    // With gaps; out of order; dense; out of order without a gap.
    all_ = {three_ints({0, 2, 4}, 20), three_ints({3, 0, 1}, 16), three_ints({0, 1, 2}, 12), three_ints({1, 2, 0}, 12)};
  } else {
    all_ = {record(0, 8, 12), record(16, 0, 32), record(0, 12, 16)};
  }
}

Types::~Types() {
  for (MPI_Datatype& type : all_) MPI_Type_free(&type);
}

Exchange exchange(Variant variant, Torus const& torus, Neighborhood const& neighborhood, Rank rank, Types const& types,
                  int salt, Boundary const& boundary) {
  Exchange result{variant, boundary, {}, {}, {}, {}};
  bool const of_any_size = variant == Variant::alltoallv || variant == Variant::alltoallw;
  std::vector<int> counts;
  Rank const nobody(MPI_PROC_NULL);
  for (int i = 0; i < neighborhood.size(); ++i) {
    counts.push_back(of_any_size ? (i + salt) % 4 : 1 + salt % 3);
    result.targets.push_back(add(torus, boundary, rank, neighborhood[i]).value_or(nobody).value);
    result.sources.push_back(subtract(torus, boundary, rank, neighborhood[i]).value_or(nobody).value);
  }
  std::vector<int> const one(1, 1 + salt % 3);
  result.send = is_allgather(variant) ? side(Variant::allgather, one, types, salt) : side(variant, counts, types, salt);
  result.receive = side(variant, counts, types, salt + 1);
  fill(result, rank.value, salt);
  return result;
}

void fill(Exchange& exchange, int rank, int salt) {
  for (std::size_t at = 0; at < exchange.send.buffer.size(); ++at) {
    auto const value = static_cast<unsigned>(rank) * 37 + static_cast<unsigned>(salt) * 101 + at * 13 + at / 251;
    exchange.send.buffer[at] = static_cast<std::byte>(value % 251);
  }
  std::fill(exchange.receive.buffer.begin(), exchange.receive.buffer.end(), std::byte{255});
}

int init(Exchange& exchange, MPI_Comm isocomm, Rondo_Iso_request* request) {
  Side& from = exchange.send;
  Side& into = exchange.receive;
  // A rank without neighbors has no first count and type.
  auto const count = [](Side const& side) { return side.counts.empty() ? 0 : side.counts[0]; };
  auto const type = [](Side const& side) { return side.types.empty() ? MPI_BYTE : side.types[0]; };
  switch (exchange.variant) {
    case Variant::alltoall:
      return Rondo_Iso_neighbor_alltoall_init(from.buffer.data(), count(from), type(from), into.buffer.data(),
                                              count(into), type(into), isocomm, request);
    case Variant::alltoallv:
      return Rondo_Iso_neighbor_alltoallv_init(from.buffer.data(), from.counts.data(), from.displacements.data(),
                                               type(from), into.buffer.data(), into.counts.data(),
                                               into.displacements.data(), type(into), isocomm, request);
    case Variant::alltoallw:
      return Rondo_Iso_neighbor_alltoallw_init(from.buffer.data(), from.counts.data(), from.displacements.data(),
                                               from.types.data(), into.buffer.data(), into.counts.data(),
                                               into.displacements.data(), into.types.data(), isocomm, request);
    case Variant::allgather:
      return Rondo_Iso_neighbor_allgather_init(from.buffer.data(), count(from), type(from), into.buffer.data(),
                                               count(into), type(into), isocomm, request);
    case Variant::allgatherv:
      return Rondo_Iso_neighbor_allgatherv_init(from.buffer.data(), count(from), type(from), into.buffer.data(),
                                                into.counts.data(), into.displacements.data(), type(into), isocomm,
                                                request);
    case Variant::allgatherw:
      break;
  }
  return Rondo_Iso_neighbor_allgatherw_init(from.buffer.data(), count(from), type(from), into.buffer.data(),
                                            into.counts.data(), into.displacements.data(), into.types.data(), isocomm,
                                            request);
}

std::vector<int> flat(Neighborhood const& neighborhood) {
  std::vector<int> result;
  for (int i = 0; i < neighborhood.size(); ++i) {
    result.insert(result.end(), neighborhood[i].begin(), neighborhood[i].end());
  }
  return result;
}

std::string name(Torus const& torus, Neighborhood const& neighborhood) {
  return fmt::format("torus {}, offsets {}", torus.extents(), flat(neighborhood));
}

std::vector<Torus> all_tori(int ranks) {
  std::vector<Torus> result;
  factorize(ranks, {}, result);
  return result;
}

}  // namespace rondo::mpi::testing

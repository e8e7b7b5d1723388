#include "mpi/parcels.hpp"

#include <limits>

#include "mpi/units.hpp"

namespace rondo::mpi {

namespace {

/// Calls `make` for each transfer of all rounds of the program, in their order.
template <typename Select, typename Make>
std::vector<Parcel> over_rounds(Program const& program, Select select, Make make) {
  std::vector<Parcel> result;
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& transfer : (program.*select)(round)) result.push_back(make(transfer));
  }
  return result;
}

Parcel typed(Program const& program, Transfer const& transfer, Buffers const& buffers) {
  if (program.bytes(transfer).value == 0) return {};
  std::vector<int> counts;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
  for (Place const place : program.places(transfer)) {
    auto const [type, count] = units(program.layout().bytes(place));
    MPI_Aint address = 0;
    MPI_Get_address(buffers.slot(place).data(), &address);
    counts.push_back(count);
    addresses.push_back(address);
    types.push_back(type);
  }
  Parcel result{MPI_BOTTOM, 1, MPI_DATATYPE_NULL, program.bytes(transfer).value > std::numeric_limits<int>::max()};
  MPI_Type_create_struct(static_cast<int>(counts.size()), counts.data(), addresses.data(), types.data(), &result.type);
  MPI_Type_commit(&result.type);
  return result;
}

Parcel plain(Program const& program, Transfer const& transfer) {
  static std::byte nothing{};
  Bytes const size = program.bytes(transfer);
  auto const [type, count] = units(size);
  return {&nothing, count, type, size.value > std::numeric_limits<int>::max()};
}

void free_type(Parcel& parcel) {
  if (parcel.address == MPI_BOTTOM) MPI_Type_free(&parcel.type);
}

}  // namespace

TypedParcels::TypedParcels(Program const& program, Buffers const& buffers) {
  auto const make = [&](Transfer const& transfer) { return typed(program, transfer, buffers); };
  sends_ = over_rounds(program, &Program::sends, make);
  receives_ = over_rounds(program, &Program::receives, make);
}

TypedParcels::~TypedParcels() {
  for (Parcel& parcel : sends_) free_type(parcel);
  for (Parcel& parcel : receives_) free_type(parcel);
}

PlainParcels::PlainParcels(Program const& program) {
  auto const make = [&](Transfer const& transfer) { return plain(program, transfer); };
  sends_ = over_rounds(program, &Program::sends, make);
  receives_ = over_rounds(program, &Program::receives, make);
}

}  // namespace rondo::mpi

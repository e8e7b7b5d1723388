#include "mpi/runtime/message_descriptors.hpp"

#include <limits>

#include "mpi/runtime/units.hpp"

namespace rondo::mpi {

namespace {

/// Calls `make` for each transfer of all rounds of the program, in their order.
template <typename Select, typename Make>
std::vector<MessageDescriptor> over_rounds(Program const& program, Select select, Make make) {
  std::vector<MessageDescriptor> result;
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& transfer : (program.*select)(round)) result.push_back(make(transfer));
  }
  return result;
}

MessageDescriptor typed(Program const& program, Transfer const& transfer, Buffers const& buffers) {
  if (program.bytes(transfer).value == 0) return {};
  std::vector<Piece> pieces;
  for (Place const place : program.places(transfer)) {
    auto const [type, count] = units(program.layout().bytes(place));
    pieces.push_back({absolute(buffers.slot(place).data()), count, type});
  }
  return descriptor_of(pieces);
}

MessageDescriptor plain(Program const& program, Transfer const& transfer) {
  static std::byte nothing{};
  Bytes const size = program.bytes(transfer);
  auto const [type, count] = units(size);
  return {&nothing, count, type, size.value > std::numeric_limits<int>::max(), false};
}

}  // namespace

MPI_Aint absolute(void const* pointer) {
  // Not every MPI's MPI_BOTTOM is a null pointer, and MPI_Get_address takes it for any other one.
  if (pointer == MPI_BOTTOM) return 0;
  MPI_Aint address = 0;
  MPI_Get_address(const_cast<void*>(pointer), &address);
  return address;
}

MessageDescriptor descriptor_of(Piece const& piece) {
  // The integer is an address that a caller gave, as a pointer or relative to MPI_BOTTOM.
  void* const address =
      piece.address == 0 ? MPI_BOTTOM : reinterpret_cast<void*>(piece.address);  // NOLINT(performance-no-int-to-ptr)
  MPI_Count size = 0;
  MPI_Type_size_x(piece.type, &size);
  return {address, piece.count, piece.type, size * piece.count > std::numeric_limits<int>::max(), false};
}

MessageDescriptor descriptor_of(std::span<Piece const> pieces) {
  if (pieces.empty()) return {};
  std::vector<int> counts;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
  for (Piece const& piece : pieces) {
    counts.push_back(piece.count);
    addresses.push_back(piece.address);
    types.push_back(piece.type);
  }
  MessageDescriptor result{MPI_BOTTOM, 1, MPI_DATATYPE_NULL, false, true};
  MPI_Type_create_struct(static_cast<int>(counts.size()), counts.data(), addresses.data(), types.data(), &result.type);
  MPI_Type_commit(&result.type);
  MPI_Count size = 0;
  MPI_Type_size_x(result.type, &size);
  result.synchronous = size > std::numeric_limits<int>::max();
  return result;
}

void release(MessageDescriptor& descriptor) {
  if (descriptor.own_type) MPI_Type_free(&descriptor.type);
}

TypedDescriptors::TypedDescriptors(Program const& program, Buffers const& buffers) {
  auto const make = [&](Transfer const& transfer) { return typed(program, transfer, buffers); };
  sends_ = over_rounds(program, &Program::sends, make);
  receives_ = over_rounds(program, &Program::receives, make);
}

TypedDescriptors::~TypedDescriptors() {
  for (MessageDescriptor& descriptor : sends_) release(descriptor);
  for (MessageDescriptor& descriptor : receives_) release(descriptor);
}

PlainDescriptors::PlainDescriptors(Program const& program) {
  auto const make = [&](Transfer const& transfer) { return plain(program, transfer); };
  sends_ = over_rounds(program, &Program::sends, make);
  receives_ = over_rounds(program, &Program::receives, make);
}

}  // namespace rondo::mpi

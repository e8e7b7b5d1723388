// Receives messages of derived datatypes as bytes and unpacks them, because SMPI drops the data of an element that has
// arrived in part.

#include "mpi_library/smpi_shim/receives.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/kept_errors.hpp"
#include "mpi_library/calls/library_request.hpp"
#include "mpi_library/smpi_shim/datatype.hpp"
#include "mpi_library/smpi_shim/helpers.hpp"

namespace rondo::mpi {
namespace {

/// Returns the size of the receive in bytes. needs_unpacking says whether an int can hold it.
int bytes_of(Destination const& destination) {
  return destination.count * static_cast<int>(bounds_of(destination.type).size);
}

/// Tells whether elements of the type lie in memory without gaps and in the order in which they lie in a message. Then
/// any part of a message can be received as bytes.
bool is_one_piece(MPI_Datatype type) {
  DerivedType const* const own = known(type);
  if (own == nullptr) return bounds_of(type).dense();
  int const combiner = own->making.combiner;
  return (combiner == MPI_COMBINER_CONTIGUOUS || combiner == MPI_COMBINER_DUP) &&
         is_one_piece(own->making.types.front());
}

/// Throws MpiFailure unless the type is committed. MPI_Pack_size checks that.
void expect_committed(MPI_Datatype type) {
  int unused = 0;
  check(PMPI_Pack_size(0, type, MPI_COMM_SELF, &unused));
}

/// The bytes of a message, received before they are unpacked.
class ReceivedBytes {
 public:
  /// Throws MpiFailure if the datatype is not committed.
  explicit ReceivedBytes(Destination const& destination) : destination_(destination) {
    expect_committed(destination.type);
    bytes_.resize(static_cast<std::size_t>(bytes_of(destination)));
  }
  /// Returns the memory for the message, as long as this object lives.
  Destination room() { return {bytes_.data(), static_cast<int>(bytes_.size()), MPI_BYTE}; }
  /// Unpacks the bytes of a message with this status into the destination. Throws MpiFailure.
  void deliver(MPI_Status const& status) const {
    int size = 0;
    check(PMPI_Get_count(&status, MPI_BYTE, &size));
    std::size_t const arrived = static_cast<std::size_t>(std::max(size, 0));
    unpack(std::span(bytes_).first(std::min(arrived, bytes_.size())), destination_.buffer, destination_.type);
  }

 private:
  Destination destination_;
  std::vector<std::byte> bytes_;
};

/// A receive of bytes, which are unpacked when it is complete. `kept` keeps the datatype, which the program may free
/// before that.
class BytesRequest : public LibraryRequest {
 public:
  BytesRequest(std::shared_ptr<ReceivedBytes> bytes, std::shared_ptr<void> kept, BeginReceive const& begin)
      : LibraryRequest([=](MPI_Request* request) { return begin(bytes->room(), request); }),
        bytes_(std::move(bytes)),
        kept_(std::move(kept)) {}
  void finish() override {
    LibraryRequest::finish();
    bytes_->deliver(status());
  }
  /// Without its handle nobody would unpack the bytes.
  bool ends_without_handle() const override { return false; }

 private:
  std::shared_ptr<ReceivedBytes> bytes_;
  std::shared_ptr<void> kept_;
};

/// Makes a committed type of `count` elements whose data lie at the same places when the buffer is `address` as those
/// of `type` when the buffer is MPI_BOTTOM. Throws MpiFailure.
MPI_Datatype relative_to(void const* address, int count, MPI_Datatype type) {
  MPI_Datatype result = from_blocks({{-reinterpret_cast<MPI_Aint>(address), count, type}}, {});
  check(PMPI_Type_commit(&result));
  return result;
}

/// Unpacks the first bytes of an element. The rest of the element keeps its value. For that, the element is packed, its
/// first bytes are replaced, and it is unpacked again.
void unpack_part(std::span<std::byte const> data, void* element, MPI_Datatype type) {
  std::vector<std::byte> whole(static_cast<std::size_t>(bounds_of(type).size));
  int const size = static_cast<int>(whole.size());
  int packed = 0, unpacked = 0;
  check(PMPI_Pack(element, 1, type, whole.data(), size, &packed, MPI_COMM_SELF));
  std::copy(data.begin(), data.end(), whole.begin());
  check(PMPI_Unpack(whole.data(), size, &unpacked, element, 1, type, MPI_COMM_SELF));
}

}  // namespace

void unpack(std::span<std::byte const> data, void* buffer, MPI_Datatype type) {
  if (data.empty()) return;
  auto const size = static_cast<std::size_t>(bounds_of(type).size);
  int const whole = static_cast<int>(data.size() / size);
  std::size_t const rest = data.size() % size;
  if (buffer == MPI_BOTTOM || buffer == nullptr) {
    // PMPI_Unpack accepts neither of them as a buffer.
    std::byte anchor{};
    MPI_Datatype all = relative_to(&anchor, whole + (rest > 0 ? 1 : 0), type);
    int const code = guarded([&] { unpack(data, &anchor, all); });
    check(PMPI_Type_free(&all));
    return check(code);
  }
  int position = 0;
  if (whole > 0) {
    check(
        PMPI_Unpack(data.data(), static_cast<int>(data.size() - rest), &position, buffer, whole, type, MPI_COMM_SELF));
  }
  MPI_Aint const next = whole * bounds_of(type).span.length();
  if (rest > 0) unpack_part(data.last(rest), static_cast<std::byte*>(buffer) + next, type);
}

bool needs_unpacking(Destination const& destination) {
  if (destination.count <= 0 || destination.type == MPI_DATATYPE_NULL || known(destination.type) == nullptr)
    return false;
  MPI_Aint const size = bounds_of(destination.type).size;
  return size > 0 && size <= std::numeric_limits<int>::max() / destination.count;
}

Destination plain_destination(Destination const& destination) {
  if (!needs_unpacking(destination) || !is_one_piece(destination.type)) return destination;
  expect_committed(destination.type);
  return {destination.buffer, bytes_of(destination), MPI_BYTE};
}

namespace {

int receive_and_unpack(Destination const& destination, MPI_Status* status, Receive const& work) {
  int code = MPI_SUCCESS;
  int const guard = guarded([&] {
    Destination const plain = plain_destination(destination);
    if (!needs_unpacking(plain)) return void(code = work(plain, status));
    ReceivedBytes bytes(destination);
    MPI_Status seen{};
    code = work(bytes.room(), &seen);
    if (code == MPI_SUCCESS) bytes.deliver(seen);
    if (status != MPI_STATUS_IGNORE) *status = seen;
  });
  return guard != MPI_SUCCESS ? guard : code;
}

}  // namespace

int receive(Destination const& destination, MPI_Status* status, Receive const& work) {
  return keep_error(status, [&] { return receive_and_unpack(destination, status, work); });
}

std::unique_ptr<RequestOperation> receive_request(Destination const& destination, BeginReceive const& begin) {
  return std::make_unique<BytesRequest>(std::make_shared<ReceivedBytes>(destination),
                                        keep_objects({destination.type}, MPI_OP_NULL), begin);
}

}  // namespace rondo::mpi

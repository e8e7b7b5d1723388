// Receives messages of derived datatypes as bytes and unpacks them, because SMPI drops the data of an element that
// has arrived in part. MPI_Get_elements tells how many of MPI's own elements a message has brought, which may end
// within an element of its type. MPI_Status_set_elements sets the same number in the status of a generalized request.

#include "mpi_library/smpi_shim/receives.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/request_operation.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
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

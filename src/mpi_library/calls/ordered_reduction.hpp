#pragma once

// Reductions and scans that join vectors in the order of ranks. They replace those of SMPI that are wrong: SMPI
// joins scans and non-blocking reductions by operations that do not commute in another order, and its MPI_Iexscan joins
// zeros too.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi_library/calls/request_operation.hpp"

namespace rondo::mpi {

/// What a rank passes to a reduction of vectors of `count` elements; `send` may be MPI_IN_PLACE.
struct OrderedCall {
  /// Which rank gets which result: each rank the join of the vectors of the ranks up to itself, or before it; or the
  /// root, or all ranks, the join of all vectors.
  enum class Kind : std::uint8_t { inclusive, exclusive, rooted, all };
  Kind kind;
  void const* send;
  void* receive;
  int count;
  MPI_Datatype type;
  MPI_Op op;
  MPI_Comm comm;
  int root = 0;
};

/// Whether the MPI library's own scan, and its non-blocking reductions, are wrong for this operation.
bool needs_order(MPI_Op op);

/// A reduction in which every rank that gets a result receives the vectors of all ranks and joins them, beginning with
/// the first rank's.
class OrderedReduction : public RequestOperation {
 public:
  /// Elements of the result that the rank gets.
  struct Part {
    int first = 0, count = 0;
  };
  explicit OrderedReduction(OrderedCall const& call) : OrderedReduction(call, {0, call.count}) {}
  OrderedReduction(OrderedCall const& call, Part part) : call_(call), part_(part) {}

  void start() override;
  bool active() const override { return request_ != MPI_REQUEST_NULL; }
  void wait() override;
  void finish() override;
  /// The communicator may be freed before the request is.
  std::shared_ptr<MPI_Comm const> comm() const override { return nullptr; }
  MPI_Request* mpi_request() override { return &request_; }

 private:
  std::byte* vector_of(int rank) { return received_.data() + first_ + rank * vector_bytes_; }

  bool hears() const { return call_.kind != OrderedCall::Kind::rooted || rank_ == call_.root; }
  /// The last rank whose vector is part of the result.
  int last() const;

  OrderedCall call_;
  Part part_;
  int rank_ = 0, ranks_ = 0;
  std::vector<std::byte> received_;  ///< the vectors of all ranks
  std::ptrdiff_t first_ = 0;  ///< where the address of the first vector points to; its elements may begin before it
  std::ptrdiff_t vector_bytes_ = 0, extent_ = 0;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Runs such a scan from start to end. Throws MpiFailure.
void scan_in_order(OrderedCall const& call);

}  // namespace rondo::mpi

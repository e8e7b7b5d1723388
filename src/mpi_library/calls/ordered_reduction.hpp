#pragma once

// Reductions and scans that join vectors in the order of ranks. They replace SMPI's where these are wrong: SMPI's scans
// and non-blocking reductions join vectors in another order even if the operation does not commute, and its MPI_Iexscan
// joins zeros too.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi_library/calls/request_operation.hpp"

namespace rondo::mpi {

/// What a rank passes to a reduction of vectors of `count` elements; `send` may be MPI_IN_PLACE.
struct OrderedCall {
  /// Which rank gets which result. inclusive: each rank gets the join of the vectors of the ranks up to itself;
  /// exclusive: of the ranks before it. rooted: the root gets the join of all vectors; all: all ranks get it.
  enum class Kind : std::uint8_t { inclusive, exclusive, rooted, all };
  Kind kind;
  void const* send;
  void* receive;
  int count;
  MPI_Datatype type;
  MPI_Op op;
  MPI_Comm comm;
  int root = 0;  ///< only read if `kind` is rooted
};

/// Whether the MPI library's own scans and non-blocking reductions are wrong for this operation: SMPI's are if it does
/// not commute. False for MPI_OP_NULL.
bool needs_order(MPI_Op op);

/// A reduction in which every rank that gets a result receives the vectors of all ranks and joins them, beginning with
/// the first rank's.
class OrderedReduction : public RequestOperation {
 public:
  /// The elements of the result that this rank gets.
  struct Part {
    int first = 0, count = 0;
  };
  explicit OrderedReduction(OrderedCall const& call) : OrderedReduction(call, {0, call.count}) {}
  OrderedReduction(OrderedCall const& call, Part part) : call_(call), part_(part) {}

  void start() override;
  bool active() const override { return request_ != MPI_REQUEST_NULL; }
  void wait() override;
  void finish() override;
  /// Null: the program may free the communicator before the request.
  std::shared_ptr<MPI_Comm const> comm() const override { return nullptr; }
  MPI_Request* mpi_request() override { return &request_; }

 private:
  std::byte* vector_of(int rank) { return received_.data() + first_ + rank * vector_bytes_; }

  /// Whether this rank gets the vectors of all ranks.
  bool hears() const { return call_.kind != OrderedCall::Kind::rooted || rank_ == call_.root; }
  /// The last rank whose vector is part of this rank's result; -1 if no vector is.
  int last() const;

  OrderedCall call_;
  Part part_;
  int rank_ = 0, ranks_ = 0;
  std::vector<std::byte> received_;  ///< the vectors of all ranks; empty unless hears()
  std::ptrdiff_t first_ = 0;         ///< where in received_ the address of the first vector points; its elements may
                                     ///< begin before that
  std::ptrdiff_t vector_bytes_ = 0, extent_ = 0;  ///< from one vector to the next, and from one element to the next
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Carries out a scan or reduction, and returns when this rank has its result. Throws MpiFailure.
void scan_in_order(OrderedCall const& call);

}  // namespace rondo::mpi

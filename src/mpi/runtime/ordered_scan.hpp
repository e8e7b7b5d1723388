#pragma once

// Scans by operations that do not commute, which SMPI's own scans join in another order than that of the ranks.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/runtime/requested.hpp"

namespace rondo::mpi {

/// What a rank passes to a scan; `send` may be MPI_IN_PLACE.
struct ScanCall {
  enum class Kind : std::uint8_t { inclusive, exclusive };
  Kind kind;
  void const* send;
  void* receive;
  int count;
  MPI_Datatype type;
  MPI_Op op;
  MPI_Comm comm;
};

/// Whether the MPI library's own scan is wrong for the operation.
bool needs_order(ScanCall const& call);

/// Every rank hears all vectors and joins those of the ranks up to its own, from the first on.
class OrderedScan : public Requested {
 public:
  explicit OrderedScan(ScanCall const& call) : call_(call) {}

  void start() override;
  bool active() const override { return request_ != MPI_REQUEST_NULL; }
  void wait() override;
  void finish() override;
  /// The communicator may be freed before the request is.
  std::shared_ptr<MPI_Comm const> carrier() const override { return nullptr; }
  MPI_Request* of_library() override { return &request_; }

 private:
  std::byte* vector_of(int rank) { return heard_.data() + first_ + rank * vector_bytes_; }

  ScanCall call_;
  int rank_ = 0;
  std::vector<std::byte> heard_;  ///< the vectors of all ranks
  std::ptrdiff_t first_ = 0;      ///< where the first one's address is, before which its elements may begin
  std::ptrdiff_t vector_bytes_ = 0;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Runs such a scan from its start to its end. Throws MpiFailure.
void scan_in_order(ScanCall const& call);

}  // namespace rondo::mpi

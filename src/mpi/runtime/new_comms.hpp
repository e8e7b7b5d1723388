#pragma once

// Communicators of the ranks of others, made by all of these ranks in one order: one after the other, each by a call
// that waits for other ranks, or all at once after a request that no rank has waited for.

#include <mpi.h>

#include <array>
#include <cstddef>
#include <span>

namespace rondo::mpi {

/// What SMPI knows a communicator by is a number that its rank 0 draws and broadcasts while it is made. Where ranks
/// have heard of such numbers before, none of them waits for another one.
struct CommNumbers {
  static constexpr std::size_t most = 5;
  std::array<int, most> drawn{};

  /// Whether this is an MPI library that numbers its communicators so. Others have an MPI_Comm_idup of their own.
  static bool known();
  /// Numbers that no other communicator has, drawn by one rank alone. Throws MpiFailure.
  static CommNumbers draw();
};

/// Makes communicators.
class NewComms {
 public:
  /// Every call is collective and waits for other ranks.
  NewComms() = default;
  /// No call waits. All ranks make the same communicators from the same numbers, in the same order.
  explicit NewComms(std::span<int const> numbers) : numbers_(numbers), numbered_(true) {}

  /// As MPI_Comm_dup, of which no topology is copied. Throws MpiFailure.
  MPI_Comm duplicate(MPI_Comm original);
  /// A duplicate with an info in place of the original's. Throws MpiFailure.
  MPI_Comm duplicate(MPI_Comm original, MPI_Info info);
  /// As MPI_Comm_create. Throws MpiFailure.
  MPI_Comm of_group(MPI_Comm original, MPI_Group group);

 private:
  template <typename Make>
  MPI_Comm made(Make const& make);

  std::span<int const> numbers_;
  bool numbered_ = false;
};

}  // namespace rondo::mpi

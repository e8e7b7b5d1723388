#pragma once

// Communicators that the library makes.
// All ranks make the same ones in the same order. A call that makes one waits for other ranks, unless the numbers of
// the communicators have been drawn before (NewComms).
// OwnComm is a communicator for the library's own messages, so that these never match messages of the caller.
// OwnGroup is a group of ranks.

#include <mpi.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace rondo::mpi {

/// The numbers by which SMPI knows communicators. Its rank 0 draws a number and broadcasts it while a communicator is
/// made. If ranks have learned the numbers before, none has to wait for another.
struct CommNumbers {
  /// As many as the duplicate of an inter-communicator needs: one for the result in each of the two groups, and three
  /// for the communicators that it carries.
  static constexpr std::size_t most = 5;
  std::array<int, most> drawn{};

  /// Whether this MPI library numbers its communicators in this way. Other libraries have an MPI_Comm_idup that does
  /// not wait.
  static bool available();
  /// Draws numbers that no other communicator has; only one rank may do it. Throws MpiFailure.
  static CommNumbers draw();
};

/// Makes communicators in one of the two ways.
class NewComms {
 public:
  /// Every call is collective and waits for other ranks.
  NewComms() = default;
  /// No call waits. All ranks must make the same communicators from the same numbers, in the same order. A call that
  /// finds no number left throws MpiFailure. `numbers` must outlive this object.
  explicit NewComms(std::span<int const> numbers) : numbers_(numbers), numbered_(true) {}

  /// A duplicate with the attributes of the original, but without its topology. Throws MpiFailure.
  MPI_Comm duplicate(MPI_Comm original);
  /// A duplicate with this info instead of the original's. Throws MpiFailure.
  MPI_Comm duplicate(MPI_Comm original, MPI_Info info);
  /// A communicator of the ranks of the group; MPI_COMM_NULL at other ranks. Throws MpiFailure.
  MPI_Comm of_group(MPI_Comm original, MPI_Group group);

 private:
  /// The communicator that make(&comm) makes, with the next number if numbers have been drawn.
  template <typename Make>
  MPI_Comm made(Make const& make);

  std::span<int const> numbers_;  ///< those that are not used yet
  bool numbered_ = false;         ///< whether numbers have been drawn
};

/// A communicator that is freed with this object and that returns errors instead of aborting.
class OwnComm {
 public:
  /// Collective. A duplicate. Throws MpiFailure.
  explicit OwnComm(MPI_Comm original);
  /// Collective. A communicator of the ranks that name the same color, in the order of their keys. At ranks that name
  /// MPI_UNDEFINED, handle() is MPI_COMM_NULL. Throws MpiFailure.
  OwnComm(MPI_Comm original, int color, int key);
  /// A duplicate that `comms` makes. Throws MpiFailure.
  OwnComm(MPI_Comm original, NewComms& comms);
  /// A communicator of the ranks of a group, in the order of the group, which must contain all ranks of the original.
  /// Throws MpiFailure.
  OwnComm(MPI_Comm original, MPI_Group group, NewComms& comms);
  ~OwnComm();
  OwnComm(OwnComm const&) = delete;
  OwnComm& operator=(OwnComm const&) = delete;
  MPI_Comm handle() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// The group of a communicator, or of some ranks of another group. It is freed with this object.
class OwnGroup {
 public:
  /// Throws MpiFailure.
  explicit OwnGroup(MPI_Comm comm);
  /// Throws MpiFailure.
  OwnGroup(OwnGroup const& whole, std::vector<int> const& ranks);
  ~OwnGroup() { MPI_Group_free(&group_); }
  OwnGroup(OwnGroup const&) = delete;
  OwnGroup& operator=(OwnGroup const&) = delete;
  MPI_Group handle() const { return group_; }
  /// For each of these ranks of this group, the rank of the same process in another group, or MPI_UNDEFINED. Throws
  /// MpiFailure.
  std::vector<int> translated(std::vector<int> const& ranks, OwnGroup const& into) const;

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

/// The ranks 0 to size - 1.
std::vector<int> ranks_below(int size);

/// Gives a new communicator the error handler of the communicator that it was made from, as the MPI standard requires.
void inherit_errhandler(MPI_Comm from, MPI_Comm into);

/// The largest tag that this MPI library allows.
int largest_tag(MPI_Comm comm);

}  // namespace rondo::mpi

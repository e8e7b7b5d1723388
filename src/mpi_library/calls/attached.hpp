#pragma once

// C++ values as attributes of MPI communicators. All attributes that the library attaches are made here.
// A mark tells whether a communicator joins one group or two. The MPI library knows only its own inter-communicators.
// To it, an inter-communicator of Rondo is a communicator of the local group
// (mpi_library/intergroup/inter_comm.hpp).
// The last functions remember on which communicator an operation has failed. A call that completes a request of Rondo
// names no communicator, but the error belongs to the error handler of the communicator on which the operation was
// started.

#include <mpi.h>

#include <memory>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

/// A C++ value that a communicator carries as an attribute: at most one of each type. MPI does not copy it to
/// duplicates of the communicator. If the type has a function detached(), it is called when the communicator is freed.
template <typename T>
class Attached {
 public:
  static void attach(MPI_Comm comm, std::shared_ptr<T> value) {
    auto holder = std::make_unique<std::shared_ptr<T>>(std::move(value));
    check(PMPI_Comm_set_attr(comm, keyval(), holder.get()));
    holder.release();
  }

  /// Throws MpiFailure: MPI_ERR_COMM for MPI_COMM_NULL, MPI_ERR_TOPOLOGY for a communicator without such a value.
  static std::shared_ptr<T> of(MPI_Comm comm) {
    std::shared_ptr<T> value = if_any(comm);
    if (value == nullptr) throw MpiFailure(MPI_ERR_TOPOLOGY);
    return value;
  }

  /// Returns null for a communicator without such a value. Throws MpiFailure: MPI_ERR_COMM for MPI_COMM_NULL.
  static std::shared_ptr<T> if_any(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
    std::shared_ptr<T>* holder = nullptr;
    int found = 0;
    check(MPI_Comm_get_attr(comm, keyval(), static_cast<void*>(&holder), &found));
    return found == 0 ? nullptr : *holder;
  }

  /// The value of the calling process, which its MPI_COMM_SELF carries until MPI_Finalize. It is made when it is first
  /// asked for. If ranks are threads or actors of one program, they share the program's variables, but not this value.
  /// Throws MpiFailure.
  static T& of_this_process() {
    std::shared_ptr<T> known = if_any(MPI_COMM_SELF);
    if (known == nullptr) attach(MPI_COMM_SELF, known = std::make_shared<T>());
    return *known;
  }

 private:
  static int forget(MPI_Comm, int, void* attached, void*) {
    auto* const holder = static_cast<std::shared_ptr<T>*>(attached);
    if constexpr (requires(T & value) { value.detached(); }) (*holder)->detached();
    delete holder;
    return MPI_SUCCESS;
  }
  /// The key of this type, made once and never freed.
  static int keyval() {
    static int const made = [] {
      int key = MPI_KEYVAL_INVALID;
      check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, nullptr));
      return key;
    }();
    return made;
  }
};

/// Marks the communicator as one of two groups, until it is freed. Throws MpiFailure.
void mark_inter(MPI_Comm comm);

/// Whether the communicator is marked; false for MPI_COMM_NULL. This is fast as long as no communicator of the program
/// has been marked. Throws MpiFailure.
bool is_inter(MPI_Comm comm);

/// Throws MpiFailure with MPI_ERR_COMM unless the communicator has one group.
void expect_intra(MPI_Comm comm);

/// Notes that an operation of this process is reported as failed. `comm` is MPI_COMM_NULL once the communicator has
/// been freed. Throws MpiFailure.
void note_failed(std::weak_ptr<MPI_Comm const> comm);

/// The communicator that was noted last since the previous call; MPI_COMM_NULL if none was noted, or if it has been
/// freed. Throws MpiFailure.
MPI_Comm take_failed();

}  // namespace rondo::mpi

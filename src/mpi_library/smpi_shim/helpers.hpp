#pragma once

// Non-blocking collectives in SMPI, by the algorithms of the blocking ones. SMPI's own are one round of messages
// between all ranks. Here each rank has a helper: an actor on the rank's host that carries out the blocking collective
// among the helpers of the other ranks. So a collective makes progress whatever its rank does, as with a progress
// thread that needs no CPU, and rank after rank may wait for whatever it likes.

#include <mpi.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace rondo::mpi {

/// A collective on the communicator that it is handed. Returns an error code.
using OnComm = std::function<int(MPI_Comm)>;

/// Helpers for one persistent collective alone, because ranks may start such collectives in different orders. They are
/// there from the first start until this rank has destroyed its object.
class OwnHelpers {
 public:
  OwnHelpers(int number, std::function<void()> dismiss) : number_(number), dismiss_(std::move(dismiss)) {}
  OwnHelpers(OwnHelpers const&) = delete;
  OwnHelpers& operator=(OwnHelpers const&) = delete;
  ~OwnHelpers() { dismiss_(); }
  int number() const { return number_; }

 private:
  int number_;
  std::function<void()> dismiss_;
};
/// All ranks of the communicator must call it for the same collectives in the same order. Throws MpiFailure.
std::shared_ptr<OwnHelpers> reserve_helpers(MPI_Comm comm);

/// Starts a collective of the communicator. Without helpers of its own, all ranks start it in the same order. The
/// request is SMPI's own, of a message from the helper to its rank, and complete when the helper has carried out the
/// collective. Returns an error code.
int begin_by_helper(MPI_Comm comm, OnComm const& collective, std::shared_ptr<OwnHelpers> const& own,
                    MPI_Request* request);

/// As long as what it returns lives, these datatypes and this operator stay, even if the program frees them.
std::shared_ptr<void> keep_objects(std::vector<MPI_Datatype> const& types, MPI_Op op);

/// All ranks enter before any leaves; in ceil(log2 p) rounds.
int dissemination_barrier(MPI_Comm comm);

/// To be called before MPI_Finalize.
void dismiss_helpers();

}  // namespace rondo::mpi

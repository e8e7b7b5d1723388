// Generalized requests, which the program itself completes. SMPI's own lose the status that the program gives them, and
// are not cancelled.

#include <mpi.h>

#include <memory>

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/request_operation.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "mpi_library/smpi_shim/answer.hpp"

namespace rondo::mpi {
namespace {

/// The functions of the program, and what it wants to be handed.
struct ProgramFunctions {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
  void* state;
};

/// MPI asks for the status when it completes the request, and then frees the state [MPI 4.1, 13.2].
class GeneralizedRequest : public RequestOperation {
 public:
  explicit GeneralizedRequest(ProgramFunctions const& program) : program_(program) {}
  void start() override {}
  bool active() const override { return !is_complete_; }
  /// Waits in SMPI, which notices a deadlock.
  void wait() override {
    if (is_complete_) return;
    waited_ = start_generalized();
    check(PMPI_Wait(&waited_, MPI_STATUS_IGNORE));
  }
  void finish() override {
    int const asked = ask(&status_);
    is_finished_ = true;
    int const freed = program_.free(program_.state);
    check(asked);
    check(freed);
  }
  void set_status(MPI_Status* status, int code) const override {
    MPI_Status seen = status_;
    if (!is_finished_) ask(&seen);
    if (status == MPI_STATUS_IGNORE) return;
    *status = seen;
    status->MPI_ERROR = code;
  }
  std::shared_ptr<MPI_Comm const> comm() const override { return nullptr; }
  bool let_go() override {
    is_let_go_ = true;
    if (is_complete_) program_.free(program_.state);
    return true;
  }
  int cancel() override { return program_.cancel(program_.state, is_complete_ ? 1 : 0); }

  /// Returns whether its handle has been freed before, so that nobody will finish the request.
  bool complete() {
    is_complete_ = true;
    if (waited_ != MPI_REQUEST_NULL) check(PMPI_Grequest_complete(waited_));
    if (is_let_go_) check(program_.free(program_.state));
    return is_let_go_;
  }

 private:
  int ask(MPI_Status* status) const {
    set_empty_status(status, MPI_SUCCESS);
    return program_.query(program_.state, status);
  }

  ProgramFunctions program_;
  MPI_Status status_{};
  MPI_Request waited_ = MPI_REQUEST_NULL;
  bool is_complete_ = false, is_finished_ = false, is_let_go_ = false;
};

}  // namespace
}  // namespace rondo::mpi

using namespace rondo::mpi;

extern "C" {

int MPI_Grequest_start(MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                       MPI_Grequest_cancel_function* cancel_fn, void* extra_state, MPI_Request* request) {
  int const code = guarded([&] {
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    ProgramFunctions const program{query_fn, free_fn, cancel_fn, extra_state};
    *request = make_handle(std::make_unique<GeneralizedRequest>(program), Lifetime::once);
  });
  return answer(MPI_COMM_WORLD, code, __func__);
}

int MPI_Grequest_complete(MPI_Request request) {
  int const code = guarded([&] {
    RondoRequest const* const known = find_request(request);
    auto* const made = known == nullptr ? nullptr : dynamic_cast<GeneralizedRequest*>(known->operation.get());
    if (made == nullptr) throw MpiFailure(MPI_ERR_REQUEST);
    if (made->complete()) free_handle(&request);
  });
  return answer(MPI_COMM_WORLD, code, __func__);
}

}  // extern "C"

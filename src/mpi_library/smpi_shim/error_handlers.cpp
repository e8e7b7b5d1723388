// Error handlers of files and windows. SMPI's own functions would call a predefined handler as if it were a function of
// the program.

#include "mpi_library/smpi_shim/error_handlers.hpp"

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/files.hpp"

// SimGrid's library exports this, and no header that it installs declares it.
namespace simgrid::smpi {
class Errhandler {
 public:
  void ref();
  static void unref(Errhandler* handler);
  void call(MPI_Win win, int code) const;
  void call(MPI_File file, int code) const;
};
}  // namespace simgrid::smpi

namespace rondo::mpi {
namespace {

/// Does with an error of a file or a window what its handler says.
template <typename Object>
void report(Object object, MPI_Errhandler handler, int code, char const* function) {
  if (handler == MPI_ERRHANDLER_NULL || handler == MPI_ERRORS_RETURN) return;
  if (handler == MPI_ERRORS_ARE_FATAL) return end_program(MPI_COMM_WORLD, code, function);
  handler->call(object, code);
}

}  // namespace

KeptHandler keep_handler(MPI_Errhandler handler) {
  handler->ref();
  return {handler, simgrid::smpi::Errhandler::unref};
}

int file_call(char const* function, MPI_File fh, std::function<void()> const& work) {
  int const code = guarded(work);
  if (code != MPI_SUCCESS) report(fh, files::handler_of(fh).get(), code, function);
  return code;
}

}  // namespace rondo::mpi

using namespace rondo::mpi;

extern "C" {

int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler) {
  if (errhandler == MPI_ERRHANDLER_NULL) return MPI_ERR_ARG;
  files::handler_of(file) = keep_handler(errhandler);
  return MPI_SUCCESS;
}

/// The caller frees the handler.
int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler* errhandler) {
  *errhandler = files::handler_of(file).get();
  (*errhandler)->ref();
  return MPI_SUCCESS;
}

int MPI_File_call_errhandler(MPI_File fh, int errorcode) {
  report(fh, files::handler_of(fh).get(), errorcode, __func__);
  return MPI_SUCCESS;
}

int MPI_Win_call_errhandler(MPI_Win win, int errorcode) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  int const code = PMPI_Win_get_errhandler(win, &handler);
  if (code != MPI_SUCCESS) return answer(MPI_COMM_WORLD, code, __func__);
  report(win, handler, errorcode, __func__);
  if (handler != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(&handler);
  return MPI_SUCCESS;
}

}  // extern "C"

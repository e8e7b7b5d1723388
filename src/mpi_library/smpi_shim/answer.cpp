// Reports errors through error handlers, which SMPI does not call for predefined ones. SMPI's own functions for the
// handlers of files and windows would call a predefined handler as if it were a function of the program. SMPI's
// functions for error classes, codes and texts that a program adds to MPI's own do nothing; these replace them.

#include "mpi_library/smpi_shim/answer.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/smpi_shim/call_reports.hpp"
#include "mpi_library/smpi_shim/files.hpp"

// A function of the C++ ABI. It registers a function that is called when the process ends, or when this code is
// unloaded.
extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* owner) noexcept;
extern "C" void* __dso_handle;

namespace rondo::mpi {
namespace {

void leave(void* code) {
  std::fflush(nullptr);
  ::_exit(static_cast<int>(reinterpret_cast<std::intptr_t>(code)));
}

/// Does with an error what the communicator's handler says.
void handle(MPI_Comm comm, int code, char const* function) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  // SMPI itself does not call predefined handlers.
  if (handler == MPI_ERRHANDLER_NULL || handler == MPI_ERRORS_RETURN) return;
  if (handler == MPI_ERRORS_ARE_FATAL) return end_program(comm, code, function);
  PMPI_Comm_call_errhandler(comm, code);
  PMPI_Errhandler_free(&handler);
}

}  // namespace

/// Ends all ranks, as MPI_ERRORS_ARE_FATAL demands, with a line that names the function.
void end_program(MPI_Comm comm, int code, char const* function) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::fprintf(stderr, "%s: %s\n", function, text);
  end_ranks(comm, code);
}

/// Exit codes have eight bits; a code that is a multiple of 256 would look like success.
int end_ranks(MPI_Comm comm, int code) {
  int const seen = code != 0 && code % 256 == 0 ? 1 : code & 0xff;
  // The code is passed by value: under some kinds of privatization the variables of a rank are no longer in place at
  // the end.
  __cxa_atexit(leave, reinterpret_cast<void*>(static_cast<std::intptr_t>(seen)), &__dso_handle);
  return PMPI_Abort(comm, code);
}

int answer(MPI_Comm comm, int code, char const* function) {
  if (code != MPI_SUCCESS) expect_thread_of_rank();
  if (code != MPI_SUCCESS) handle(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code, function);
  return code;
}

int with_handler_of(MPI_Comm parent, MPI_Comm const* made, int code) {
  if (code != MPI_SUCCESS || *made == MPI_COMM_NULL) return code;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(parent, &handler);
  if (handler == MPI_ERRHANDLER_NULL) return code;
  PMPI_Comm_set_errhandler(*made, handler);
  if (handler != MPI_ERRORS_RETURN && handler != MPI_ERRORS_ARE_FATAL) PMPI_Errhandler_free(&handler);
  return code;
}

int answer_request(int code, char const* function) {
  if (code == MPI_SUCCESS) return code;
  MPI_Comm const comm = take_failed();
  bool const is_of_message = code == MPI_ERR_TRUNCATE || code == MPI_ERR_IN_STATUS;
  return comm == MPI_COMM_NULL && is_of_message ? code : answer(comm, code, function);
}

}  // namespace rondo::mpi

namespace {

/// What a rank has added. A class is also a code.
struct AddedCodes {
  int last = MPI_ERR_LASTCODE;
  std::map<int, int> classes;  ///< by code
  std::map<int, std::string> texts;
};

/// Never destroyed: with privatization by mmap, the destructors of all ranks would run on the memory of one.
AddedCodes& added() {
  static AddedCodes& all = *new AddedCodes;
  return all;
}

bool is_added(int code) { return added().classes.contains(code); }

}  // namespace

extern "C" {

int MPI_Add_error_class(int* errorclass) {
  *errorclass = ++added().last;
  added().classes[*errorclass] = *errorclass;
  return MPI_SUCCESS;
}

int MPI_Add_error_code(int errorclass, int* errorcode) {
  *errorcode = ++added().last;
  added().classes[*errorcode] = errorclass;
  return MPI_SUCCESS;
}

int MPI_Add_error_string(int errorcode, char* string) {
  if (!is_added(errorcode)) return rondo::mpi::answer(MPI_COMM_WORLD, MPI_ERR_ARG, __func__);
  added().texts[errorcode] = std::string_view(string).substr(0, MPI_MAX_ERROR_STRING - 1);
  return MPI_SUCCESS;
}

int MPI_Error_class(int errorcode, int* errorclass) {
  if (!is_added(errorcode)) return PMPI_Error_class(errorcode, errorclass);
  *errorclass = added().classes[errorcode];
  return MPI_SUCCESS;
}

int MPI_Error_string(int errorcode, char* string, int* resultlen) {
  if (!is_added(errorcode)) return PMPI_Error_string(errorcode, string, resultlen);
  std::string const& text = added().texts[errorcode];
  std::memcpy(string, text.c_str(), text.size() + 1);
  *resultlen = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

// A text in Fortran ends at its last character that is no blank.

void mpi_add_error_string_(int const* errorcode, char const* string, int* ierr, std::size_t length) {
  std::string text(string, std::string_view(string, length).find_last_not_of(' ') + 1);
  *ierr = MPI_Add_error_string(*errorcode, text.data());
}

void mpi_error_string_(int const* errorcode, char* string, int* resultlen, int* ierr, std::size_t length) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  *ierr = MPI_Error_string(*errorcode, text, resultlen);
  std::string_view const written = std::string_view(text).substr(0, length);
  std::fill(std::copy(written.begin(), written.end(), string), string + length, ' ');
}

}  // extern "C"

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

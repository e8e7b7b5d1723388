// Error classes, codes and texts that a program adds to MPI's own. SMPI's functions for them do nothing.

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "mpi_library/smpi_shim/answer.hpp"

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

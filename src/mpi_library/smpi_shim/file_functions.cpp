// The functions of MPI-IO that make and end handles of files, in C, and those with texts in Fortran. functions.txt has
// the others.

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/call_reports.hpp"
#include "mpi_library/smpi_shim/files.hpp"

namespace {

using namespace rondo::mpi;

/// The files of this rank by their handles in Fortran, where 0 is MPI_FILE_NULL.
std::map<MPI_Fint, MPI_File>& files_in_fortran() {
  static std::map<MPI_Fint, MPI_File>& all = *new std::map<MPI_Fint, MPI_File>;
  return all;
}

}  // namespace

extern "C" {

int MPI_File_open(MPI_Comm comm, char const* filename, int amode, MPI_Info info, MPI_File* fh) {
  LibraryScope const here;
  if (fh != nullptr) *fh = MPI_FILE_NULL;
  return file_call(__func__, MPI_FILE_NULL, [&] { files::open(comm, filename, amode, info, fh); });
}

int MPI_File_close(MPI_File* fh) {
  LibraryScope const here;
  return file_call(__func__, MPI_FILE_NULL, [&] {
    MPI_File const closed = fh == nullptr ? MPI_FILE_NULL : *fh;
    files::close(fh);
    std::erase_if(files_in_fortran(), [&](auto const& each) { return each.second == closed; });
  });
}

int MPI_File_delete(char const* filename, MPI_Info) {
  LibraryScope const here;
  return file_call(__func__, MPI_FILE_NULL, [&] { files::remove(filename); });
}

MPI_File MPI_File_f2c(MPI_Fint file) {
  auto const known = files_in_fortran().find(file);
  return known == files_in_fortran().end() ? MPI_FILE_NULL : known->second;
}

MPI_Fint MPI_File_c2f(MPI_File file) {
  if (file == MPI_FILE_NULL) return 0;
  auto& all = files_in_fortran();
  for (auto const& [number, known] : all) {
    if (known == file) return number;
  }
  MPI_Fint const number = all.empty() ? 1 : all.rbegin()->first + 1;
  all[number] = file;
  return number;
}

// A name in Fortran ends at its last character that is no blank.

void mpi_file_open_(int* comm, char const* filename, int* amode, int* info, int* fh, int* ierr, std::size_t length) {
  MPI_File made = MPI_FILE_NULL;
  std::string const name(filename, std::string_view(filename, length).find_last_not_of(' ') + 1);
  *ierr = MPI_File_open(MPI_Comm_f2c(*comm), name.c_str(), *amode, MPI_Info_f2c(*info), &made);
  *fh = MPI_File_c2f(made);
}

void mpi_file_close_(int* fh, int* ierr) {
  MPI_File file = MPI_File_f2c(*fh);
  *ierr = MPI_File_close(&file);
  *fh = MPI_File_c2f(file);
}

void mpi_file_delete_(char const* filename, int*, int* ierr, std::size_t length) {
  std::string const name(filename, std::string_view(filename, length).find_last_not_of(' ') + 1);
  *ierr = MPI_File_delete(name.c_str(), MPI_INFO_NULL);
}

void mpi_file_set_view_(int* fh, MPI_Offset* disp, int* etype, int* filetype, char const* datarep, int*, int* ierr,
                        std::size_t length) {
  std::string const name(datarep, std::string_view(datarep, length).find_last_not_of(' ') + 1);
  *ierr = MPI_File_set_view(MPI_File_f2c(*fh), *disp, MPI_Type_f2c(*etype), MPI_Type_f2c(*filetype), name.c_str(),
                            MPI_INFO_NULL);
}

void mpi_file_get_view_(int* fh, MPI_Offset* disp, int* etype, int* filetype, char* datarep, int* ierr,
                        std::size_t length) {
  MPI_Datatype types[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  char name[MPI_MAX_DATAREP_STRING + 1] = "";
  *ierr = MPI_File_get_view(MPI_File_f2c(*fh), disp, &types[0], &types[1], name);
  if (*ierr != MPI_SUCCESS) return;
  *etype = MPI_Type_c2f(types[0]);
  *filetype = MPI_Type_c2f(types[1]);
  std::string text = name;
  text.resize(length, ' ');
  std::copy(text.begin(), text.end(), datarep);
}

}  // extern "C"

#pragma once

// MPI-IO under SMPI, whose own files have no data. The data are those of the real file with that name. The time is that
// of the disk of the rank's host, which all ranks of the host share; each host has a disk of its own, and all see the
// same files. In a scenario the disks are those of Rondo's machine. A machine without disks has no MPI-IO:
// MPI_File_open ends the program. The functions throw MpiFailure.

#include <mpi.h>

#include <cstdint>
#include <functional>

#include "mpi_library/smpi_shim/error_handlers.hpp"

namespace rondo::mpi {

/// Runs `work` and returns its error class, after the file's error handler was called.
int file_call(char const* function, MPI_File fh, std::function<void()> const& work);

namespace files {

enum class Moves : std::uint8_t { reads, writes };
/// Where a transfer begins: at an offset that the call states, at the rank's own position, at the position that all
/// ranks share, or there one rank after the other.
enum class From : std::uint8_t { offset, own, shared, ordered };

/// Moves the data of a call, and returns its status.
MPI_Status transfer(MPI_File fh, Moves moves, From from, MPI_Offset offset, void const* buf, int count,
                    MPI_Datatype datatype);
void tell(MPI_Status const& moved, MPI_Status* status);
/// The transfer is over before the call returns; its request is complete.
void begin(MPI_Status const& moved, MPI_Request* request);
/// The two halves of a split collective. All is done in the first.
void begin_split(MPI_File fh, MPI_Status const& moved);
void end_split(MPI_File fh, MPI_Status* status);

/// The error handler of a file. That of MPI_FILE_NULL is for calls without a file.
KeptHandler& handler_of(MPI_File fh);

void open(MPI_Comm comm, char const* filename, int amode, MPI_Info info, MPI_File* fh);
void close(MPI_File* fh);
void remove(char const* filename);
void get_size(MPI_File fh, MPI_Offset* size);
void set_size(MPI_File fh, MPI_Offset size);
void preallocate(MPI_File fh, MPI_Offset size);
void get_group(MPI_File fh, MPI_Group* group);
void get_amode(MPI_File fh, int* amode);
void set_info(MPI_File fh, MPI_Info info);
void get_info(MPI_File fh, MPI_Info* info);
void sync(MPI_File fh);
void set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, char const* datarep,
              MPI_Info info);
void get_view(MPI_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype, char* datarep);
void seek(MPI_File fh, MPI_Offset offset, int whence);
void get_position(MPI_File fh, MPI_Offset* offset);
void seek_shared(MPI_File fh, MPI_Offset offset, int whence);
void get_position_shared(MPI_File fh, MPI_Offset* offset);
void get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset* disp);
void get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint* extent);
void set_atomicity(MPI_File fh, int flag);
void get_atomicity(MPI_File fh, int* flag);

}  // namespace files
}  // namespace rondo::mpi

#pragma once

// MPI-IO under SMPI, whose own files have no data. The data are those of the real file with that name. The time is that
// of the disk of the rank's host, which all ranks of the host share; each host has a disk of its own, and all see the
// same files. In a scenario the disks are those of Rondo's machine. A machine without disks has no MPI-IO:
// MPI_File_open ends the program.
//
// The functions in `files` do the work of the MPI_File_... functions with their names, and throw MpiFailure instead of
// returning a code. Those that MPI makes collective must be called by all ranks of the file.

#include <mpi.h>

#include <cstdint>
#include <functional>

#include "mpi_library/smpi_shim/answer.hpp"

namespace rondo::mpi {

/// Runs `work` and returns its error class. If that is an error, the error handler of the file was called before, or
/// that of MPI_FILE_NULL.
int file_call(char const* function, MPI_File fh, std::function<void()> const& work);

namespace files {

/// The direction of a transfer.
enum class Moves : std::uint8_t { reads, writes };
/// Where a transfer begins: at an offset that the call states, at the rank's own position, at the position that all
/// ranks share, or there one rank after the other. `ordered` is collective.
enum class From : std::uint8_t { offset, own, shared, ordered };

/// Moves the data of a call, waits for the disk, and returns the status, which counts the bytes that were moved. A read
/// ends at the end of the file. `offset` counts etypes of the view, and only From::offset reads it. The other positions
/// move by the bytes of the transfer.
MPI_Status transfer(MPI_File fh, Moves moves, From from, MPI_Offset offset, void const* buf, int count,
                    MPI_Datatype datatype);
/// Writes the status of a transfer into that of the caller, which may be MPI_STATUS_IGNORE.
void tell(MPI_Status const& moved, MPI_Status* status);
/// Makes the request of a non-blocking call. It is complete, because the transfer is over before the call returns.
void begin(MPI_Status const& moved, MPI_Request* request);
/// The two halves of a split collective. begin_split stores the status of a transfer that is over already, and
/// end_split returns it. A file has at most one split collective at a time.
void begin_split(MPI_File fh, MPI_Status const& moved);
void end_split(MPI_File fh, MPI_Status* status);

/// The error handler of a file. That of MPI_FILE_NULL is for calls without a file.
KeptHandler& handler_of(MPI_File fh);

/// Rank 0 opens the file first, because it may make the file. If one rank cannot open it, all ranks throw.
void open(MPI_Comm comm, char const* filename, int amode, MPI_Info info, MPI_File* fh);
void close(MPI_File* fh);
void remove(char const* filename);
void get_size(MPI_File fh, MPI_Offset* size);
/// Sets the size of the file; preallocate only makes it larger.
void set_size(MPI_File fh, MPI_Offset size);
void preallocate(MPI_File fh, MPI_Offset size);
void get_group(MPI_File fh, MPI_Group* group);
void get_amode(MPI_File fh, int* amode);
/// The info is stored for get_info and has no effect.
void set_info(MPI_File fh, MPI_Info info);
void get_info(MPI_File fh, MPI_Info* info);
/// A barrier. All ranks see written data at once.
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
/// The flag is stored for get_atomicity and has no effect.
void set_atomicity(MPI_File fh, int flag);
void get_atomicity(MPI_File fh, int* flag);

}  // namespace files
}  // namespace rondo::mpi

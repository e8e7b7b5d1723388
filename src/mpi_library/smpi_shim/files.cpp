// MPI's files for simulated ranks, which SMPI implements in part only. Each rank opens the file of the system, and
// reads and writes it with the datatypes and views of MPI. The disk of the host gives the time (call_reports.hpp).

#include "mpi_library/smpi_shim/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/request_operation.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/call_reports.hpp"
#include "mpi_library/smpi_shim/datatype.hpp"
#include "mpi_library/smpi_shim/file_view.hpp"
#include "mpi_library/smpi_shim/receives.hpp"

namespace rondo::mpi {

namespace {

/// A type that stays valid when the program frees its own.
MPI_Datatype own_type(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) throw MpiFailure(MPI_ERR_TYPE);
  return known(type) == nullptr ? type : duplicate(type);
}

struct OpenFile {
  int descriptor = -1, mode = 0, rank = 0;
  std::string name;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Info info = MPI_INFO_NULL;
  FileView view;
  MPI_Datatype etype = MPI_BYTE, filetype = MPI_BYTE;
  std::string datarep = "native";
  MPI_Offset position = 0;            ///< the rank's own, in bytes of data
  MPI_Offset* shared = nullptr;       ///< that of all ranks; rank 0 frees it
  std::unique_ptr<MPI_Status> split;  ///< of a split collective that has begun
  bool atomic = false;
  KeptHandler handler = files::handler_of(MPI_FILE_NULL);

  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
    if (info != MPI_INFO_NULL) PMPI_Info_free(&info);
    for (MPI_Datatype type : {etype, filetype}) {
      if (known(type) != nullptr) PMPI_Type_free(&type);
    }
    if (comm != MPI_COMM_NULL) PMPI_Comm_free(&comm);
  }
  MPI_Offset unit() const {
    int size = 0;
    check(PMPI_Type_size(etype, &size));
    return std::max(size, 1);  // an empty etype has no offsets
  }
  MPI_Offset bytes() const {
    struct stat found {};
    if (::fstat(descriptor, &found) != 0) throw MpiFailure(MPI_ERR_IO);
    return found.st_size;
  }
  MPI_Offset data() const { return view.data_before(bytes()); }
};

OpenFile& opened(MPI_File fh) {
  if (fh == MPI_FILE_NULL) throw MpiFailure(MPI_ERR_FILE);
  return *reinterpret_cast<OpenFile*>(fh);
}

int error_of_system() {
  switch (errno) {
    case ENOENT:
      return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
      return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
      return MPI_ERR_ACCESS;
    case EROFS:
      return MPI_ERR_READ_ONLY;
    case EISDIR:
    case ENAMETOOLONG:
    case ENOTDIR:
      return MPI_ERR_BAD_FILE;
    case ENOSPC:
      return MPI_ERR_NO_SPACE;
    default:
      return MPI_ERR_IO;
  }
}

int flags_of(int mode) {
  int const access = mode & (MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR);
  bool const creates = (mode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0;
  if (access == MPI_MODE_RDONLY && !creates) return O_RDONLY;
  if (access == MPI_MODE_WRONLY) return O_WRONLY;
  if (access == MPI_MODE_RDWR && (mode & MPI_MODE_SEQUENTIAL) == 0) return O_RDWR;
  throw MpiFailure(MPI_ERR_AMODE);
}

/// Rank 0 opens the file first, because it may make the file.
void open_on_all(OpenFile& file) {
  int const flags = flags_of(file.mode) | O_CLOEXEC;
  int const making = (file.mode & MPI_MODE_CREATE ? O_CREAT : 0) | (file.mode & MPI_MODE_EXCL ? O_EXCL : 0);
  int code = MPI_SUCCESS, worst = MPI_SUCCESS;
  auto const open_here = [&](int how) {
    file.descriptor = ::open(file.name.c_str(), how, 0666);
    if (file.descriptor < 0) code = error_of_system();
  };
  if (file.rank == 0) open_here(flags | making);
  check(PMPI_Bcast(&code, 1, MPI_INT, 0, file.comm));
  if (file.rank != 0 && code == MPI_SUCCESS) open_here(flags);
  check(PMPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, file.comm));
  check(worst);
}

void share_position(OpenFile& file) {
  if (file.rank == 0) file.shared = new MPI_Offset(file.position);
  check(PMPI_Bcast(static_cast<void*>(&file.shared), 1, MPI_AINT, 0, file.comm));
}

/// The first byte of data of a transfer of this length. Moves the position that it is taken from.
MPI_Offset begin_of(OpenFile& file, files::Moves moves, files::From from, MPI_Offset offset, MPI_Offset& length) {
  MPI_Offset first = 0, wanted = length;
  switch (from) {
    case files::From::offset:
      first = offset * file.unit();
      break;
    case files::From::own:
      first = file.position;
      break;
    case files::From::shared:
      first = *file.shared;
      break;
    case files::From::ordered: {
      MPI_Offset before = 0;
      check(PMPI_Scan(&wanted, &before, 1, MPI_OFFSET, MPI_SUM, file.comm));
      first = *file.shared + before - wanted;  // the barriers below keep it still
      break;
    }
  }
  if (first < 0) throw MpiFailure(MPI_ERR_ARG);
  if (moves == files::Moves::reads) length = std::clamp<MPI_Offset>(file.data() - first, 0, length);
  if (from == files::From::own) file.position += length;
  if (from == files::From::shared) *file.shared += length;
  if (from == files::From::ordered) {
    MPI_Offset all = 0;
    check(PMPI_Allreduce(&length, &all, 1, MPI_OFFSET, MPI_SUM, file.comm));
    if (file.rank == 0) *file.shared += all;
    check(PMPI_Barrier(file.comm));
  }
  return first;
}

void read_data(OpenFile const& file, MPI_Offset first, std::vector<char>& data) {
  char* next = data.data();
  file.view.visit(first, static_cast<MPI_Offset>(data.size()), [&](MPI_Offset at, MPI_Offset length) {
    for (MPI_Offset done = 0; done < length;) {
      ssize_t const got = ::pread(file.descriptor, next + done, static_cast<std::size_t>(length - done), at + done);
      if (got <= 0) throw MpiFailure(MPI_ERR_IO);
      done += got;
    }
    next += length;
  });
}

void write_data(OpenFile const& file, MPI_Offset first, std::vector<char> const& data) {
  char const* next = data.data();
  file.view.visit(first, static_cast<MPI_Offset>(data.size()), [&](MPI_Offset at, MPI_Offset length) {
    for (MPI_Offset done = 0; done < length;) {
      ssize_t const put = ::pwrite(file.descriptor, next + done, static_cast<std::size_t>(length - done), at + done);
      if (put < 0) throw MpiFailure(error_of_system());
      done += put;
    }
    next += length;
  });
}

/// The elements of a call in a row.
std::vector<char> packed(void const* buf, int count, MPI_Datatype type, MPI_Offset size) {
  std::vector<char> data(static_cast<std::size_t>(size));
  int position = 0;
  if (size > 0) check(PMPI_Pack(buf, count, type, data.data(), static_cast<int>(size), &position, MPI_COMM_SELF));
  return data;
}

void truncate(OpenFile const& file, MPI_Offset size, bool grows) {
  if (size < 0) throw MpiFailure(MPI_ERR_ARG);
  int code = MPI_SUCCESS;
  if (file.rank == 0 && !(grows && file.bytes() >= size) && ::ftruncate(file.descriptor, size) != 0)
    code = error_of_system();
  check(PMPI_Bcast(&code, 1, MPI_INT, 0, file.comm));
  check(code);
}

MPI_Offset sought(OpenFile const& file, MPI_Offset position, MPI_Offset offset, int whence) {
  MPI_Offset result = offset * file.unit();
  if (whence == MPI_SEEK_CUR)
    result += position;
  else if (whence == MPI_SEEK_END)
    result += file.data();
  else if (whence != MPI_SEEK_SET)
    throw MpiFailure(MPI_ERR_ARG);
  if (result < 0) throw MpiFailure(MPI_ERR_ARG);
  return result;
}

}  // namespace

namespace files {

/// The handler of no file is never destroyed: with privatization by mmap, the destructors of all ranks would run on the
/// memory of one.
KeptHandler& handler_of(MPI_File fh) {
  static KeptHandler& of_no_file = *new KeptHandler(keep_handler(MPI_ERRORS_RETURN));
  return fh == MPI_FILE_NULL ? of_no_file : opened(fh).handler;
}

MPI_Status transfer(MPI_File fh, Moves moves, From from, MPI_Offset offset, void const* buf, int count,
                    MPI_Datatype datatype) {
  OpenFile& file = opened(fh);
  if (count < 0) throw MpiFailure(MPI_ERR_COUNT);
  if (datatype == MPI_DATATYPE_NULL) throw MpiFailure(MPI_ERR_TYPE);
  if (moves == Moves::reads && (file.mode & MPI_MODE_WRONLY) != 0) throw MpiFailure(MPI_ERR_ACCESS);
  if (moves == Moves::writes && (file.mode & MPI_MODE_RDONLY) != 0) throw MpiFailure(MPI_ERR_READ_ONLY);
  int element = 0;
  check(PMPI_Type_size(datatype, &element));
  MPI_Offset const wanted = MPI_Offset{element} * count;
  // Packing counts bytes by an int.
  if (wanted > std::numeric_limits<int>::max()) throw MpiFailure(MPI_ERR_COUNT);
  MPI_Offset length = wanted;
  MPI_Offset const first = begin_of(file, moves, from, offset, length);
  wait_for_disk(moves == Moves::writes, length);
  if (moves == Moves::writes) {
    write_data(file, first, packed(buf, count, datatype, wanted));
  } else if (length > 0) {
    std::vector<char> data(static_cast<std::size_t>(length));
    read_data(file, first, data);
    unpack(std::as_bytes(std::span(data)), const_cast<void*>(buf), datatype);
  }
  MPI_Status moved{};
  moved.count = static_cast<int>(length);
  return moved;
}

void tell(MPI_Status const& moved, MPI_Status* status) { write_status(moved, status); }

void begin(MPI_Status const& moved, MPI_Request* request) {
  *request = make_handle(std::make_unique<CompleteRequest>(moved), Lifetime::once);
}

void begin_split(MPI_File fh, MPI_Status const& moved) {
  if (opened(fh).split != nullptr) throw MpiFailure(MPI_ERR_OTHER);
  opened(fh).split = std::make_unique<MPI_Status>(moved);
}

void end_split(MPI_File fh, MPI_Status* status) {
  if (opened(fh).split == nullptr) throw MpiFailure(MPI_ERR_OTHER);
  tell(*std::exchange(opened(fh).split, nullptr), status);
}

void open(MPI_Comm comm, char const* filename, int amode, MPI_Info info, MPI_File* fh) {
  if (comm == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
  if (filename == nullptr || fh == nullptr) throw MpiFailure(MPI_ERR_ARG);
  if (!has_disk()) {
    std::fprintf(stderr, "MPI_File_open of %s: expected %s\n", filename,
                 in_a_scenario() ? "a \"machine\" with a \"disk\"" : "a machine whose hosts have a disk");
    end_ranks(comm, MPI_ERR_UNSUPPORTED_OPERATION);
  }
  auto file = std::make_unique<OpenFile>();
  file->mode = amode;
  file->name = filename;
  check(PMPI_Comm_dup(comm, &file->comm));
  check(PMPI_Comm_rank(file->comm, &file->rank));
  open_on_all(*file);
  if ((amode & MPI_MODE_APPEND) != 0) file->position = file->bytes();
  set_info(reinterpret_cast<MPI_File>(file.get()), info);
  share_position(*file);
  *fh = reinterpret_cast<MPI_File>(file.release());
}

void close(MPI_File* fh) {
  if (fh == nullptr) throw MpiFailure(MPI_ERR_FILE);
  std::unique_ptr<OpenFile> const file(&opened(*fh));
  check(PMPI_Barrier(file->comm));
  if (file->rank == 0) delete file->shared;
  if (file->rank == 0 && (file->mode & MPI_MODE_DELETE_ON_CLOSE) != 0) ::unlink(file->name.c_str());
  *fh = MPI_FILE_NULL;
}

void remove(char const* filename) {
  if (filename == nullptr) throw MpiFailure(MPI_ERR_ARG);
  if (::unlink(filename) != 0) throw MpiFailure(error_of_system());
}

void get_size(MPI_File fh, MPI_Offset* size) { *size = opened(fh).bytes(); }
void set_size(MPI_File fh, MPI_Offset size) { truncate(opened(fh), size, false); }
void preallocate(MPI_File fh, MPI_Offset size) { truncate(opened(fh), size, true); }
void get_group(MPI_File fh, MPI_Group* group) { check(PMPI_Comm_group(opened(fh).comm, group)); }
void get_amode(MPI_File fh, int* amode) { *amode = opened(fh).mode; }

void set_info(MPI_File fh, MPI_Info info) {
  OpenFile& file = opened(fh);
  if (file.info != MPI_INFO_NULL) check(PMPI_Info_free(&file.info));
  if (info != MPI_INFO_NULL) check(PMPI_Info_dup(info, &file.info));
}

void get_info(MPI_File fh, MPI_Info* info) {
  MPI_Info const own = opened(fh).info;
  check(own == MPI_INFO_NULL ? PMPI_Info_create(info) : PMPI_Info_dup(own, info));
}

void sync(MPI_File fh) { check(PMPI_Barrier(opened(fh).comm)); }

void set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, char const* datarep, MPI_Info) {
  OpenFile& file = opened(fh);
  std::string_view const representation = datarep == nullptr ? "" : datarep;
  if (representation != "native" && representation != "internal") throw MpiFailure(MPI_ERR_UNSUPPORTED_DATAREP);
  file.view = FileView(disp == MPI_DISPLACEMENT_CURRENT ? file.view.place_of(*file.shared) : disp, filetype);
  for (MPI_Datatype old :
       {std::exchange(file.etype, own_type(etype)), std::exchange(file.filetype, own_type(filetype))}) {
    if (known(old) != nullptr) PMPI_Type_free(&old);
  }
  file.datarep = representation;
  file.position = 0;
  check(PMPI_Barrier(file.comm));
  if (file.rank == 0) *file.shared = 0;
  check(PMPI_Barrier(file.comm));
}

void get_view(MPI_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype, char* datarep) {
  OpenFile const& file = opened(fh);
  *disp = file.view.displacement();
  *etype = own_type(file.etype);
  *filetype = own_type(file.filetype);
  std::snprintf(datarep, MPI_MAX_DATAREP_STRING, "%s", file.datarep.c_str());
}

void seek(MPI_File fh, MPI_Offset offset, int whence) {
  OpenFile& file = opened(fh);
  file.position = sought(file, file.position, offset, whence);
}

void get_position(MPI_File fh, MPI_Offset* offset) { *offset = opened(fh).position / opened(fh).unit(); }

void seek_shared(MPI_File fh, MPI_Offset offset, int whence) {
  OpenFile& file = opened(fh);
  MPI_Offset const place = sought(file, *file.shared, offset, whence);
  check(PMPI_Barrier(file.comm));
  if (file.rank == 0) *file.shared = place;
  check(PMPI_Barrier(file.comm));
}

void get_position_shared(MPI_File fh, MPI_Offset* offset) { *offset = *opened(fh).shared / opened(fh).unit(); }

void get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset* disp) {
  if (offset < 0) throw MpiFailure(MPI_ERR_ARG);
  *disp = opened(fh).view.place_of(offset * opened(fh).unit());
}

void get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint* extent) {
  MPI_Aint lower = 0;
  static_cast<void>(opened(fh));
  check(MPI_Type_get_extent(datatype, &lower, extent));
}

void set_atomicity(MPI_File fh, int flag) {
  opened(fh).atomic = flag != 0;
  sync(fh);
}
void get_atomicity(MPI_File fh, int* flag) { *flag = opened(fh).atomic ? 1 : 0; }

}  // namespace files
}  // namespace rondo::mpi

#pragma once

// The bytes of a file that a process sees through its view: MPI's displacement and file type, repeated to the end of
// the file. Bytes of data count the bytes that the view shows, in their order in the file.

#include <mpi.h>

#include <functional>
#include <vector>

namespace rondo::mpi {

/// The view of one process on one file.
class FileView {
 public:
  /// All bytes of the file.
  FileView() = default;
  /// Throws MpiFailure: MPI_ERR_TYPE for a type without data, MPI_ERR_ARG for a negative displacement.
  FileView(MPI_Offset displacement, MPI_Datatype filetype);

  /// Calls `visit` with the place in the file and the length of each piece of the data from byte `from` on.
  using Visit = std::function<void(MPI_Offset at, MPI_Offset length)>;
  void visit(MPI_Offset from, MPI_Offset length, Visit const& visit) const;

  /// The place in the file of a byte of data.
  MPI_Offset place_of(MPI_Offset data) const;
  /// The bytes of data that lie before this place in the file.
  MPI_Offset data_before(MPI_Offset place) const;
  MPI_Offset displacement() const { return displacement_; }

 private:
  struct Piece {
    MPI_Offset at, length;
  };
  MPI_Offset displacement_ = 0;
  MPI_Offset extent_ = 1, size_ = 1;      ///< of the file type
  std::vector<Piece> pieces_ = {{0, 1}};  ///< of one file type, by rising place
};

}  // namespace rondo::mpi

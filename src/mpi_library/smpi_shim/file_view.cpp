// Maps bytes of data to bytes of a file through a view.

#include "mpi_library/smpi_shim/file_view.hpp"

#include <algorithm>
#include <cstddef>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

/// Which bytes of one element of a type are data: those that unpacking fills.
std::vector<char> filled_bytes(MPI_Datatype type, int size) {
  MPI_Aint lower = 0, length = 0;
  check(MPI_Type_get_true_extent(type, &lower, &length));
  if (lower < 0) throw MpiFailure(MPI_ERR_TYPE);
  std::vector<char> filled(static_cast<std::size_t>(lower + length), 0);
  std::vector<char> const data(static_cast<std::size_t>(size), 1);
  int position = 0;
  check(PMPI_Unpack(data.data(), size, &position, filled.data(), 1, type, MPI_COMM_SELF));
  return filled;
}

}  // namespace

/// Finds the bytes that a file type covers by unpacking into a buffer of zeros.
FileView::FileView(MPI_Offset displacement, MPI_Datatype filetype) : displacement_(displacement) {
  if (displacement < 0) throw MpiFailure(MPI_ERR_ARG);
  int size = 0;
  MPI_Aint lower = 0, extent = 0;
  check(PMPI_Type_size(filetype, &size));
  check(MPI_Type_get_extent(filetype, &lower, &extent));
  if (size <= 0 || extent < size) throw MpiFailure(MPI_ERR_TYPE);
  size_ = size;
  extent_ = extent;
  pieces_.clear();
  std::vector<char> const filled = filled_bytes(filetype, size);
  for (auto i = filled.begin(); i != filled.end();) {
    auto const first = std::find(i, filled.end(), 1);
    i = std::find(first, filled.end(), 0);
    if (first != i) pieces_.push_back({first - filled.begin(), i - first});
  }
}

/// Calls `visit` with each contiguous part of a range of the view's data.
void FileView::visit(MPI_Offset from, MPI_Offset length, Visit const& visit) const {
  if (size_ == extent_) return visit(displacement_ + from, length);
  MPI_Offset tile = from / size_, skipped = from % size_;
  for (; length > 0; ++tile) {
    for (Piece const& piece : pieces_) {
      MPI_Offset const part = std::min(piece.length - skipped, length);
      if (part > 0) visit(displacement_ + tile * extent_ + piece.at + skipped, part);
      if (part > 0) length -= part;
      skipped = std::max<MPI_Offset>(skipped - piece.length, 0);
      if (length == 0) return;
    }
  }
}

MPI_Offset FileView::place_of(MPI_Offset data) const {
  MPI_Offset place = 0;
  visit(data, 1, [&](MPI_Offset at, MPI_Offset) { place = at; });
  return place;
}

/// The data of the view that lie before a place of the file.
MPI_Offset FileView::data_before(MPI_Offset place) const {
  MPI_Offset const seen = std::max<MPI_Offset>(place - displacement_, 0), in_tile = seen % extent_;
  MPI_Offset data = seen / extent_ * size_;
  for (Piece const& piece : pieces_) data += std::clamp<MPI_Offset>(in_tile - piece.at, 0, piece.length);
  return size_ == extent_ ? seen : data;
}

}  // namespace rondo::mpi

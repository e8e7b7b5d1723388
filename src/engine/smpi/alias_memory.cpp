// Maps one piece of memory again and again, so that a large buffer takes no more memory than a piece.

#include "engine/smpi/alias_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace rondo {

namespace {

/// The size of the file that is mapped repeatedly. Linux allows a process 65,530 maps, so it is not small.
constexpr std::size_t piece = std::size_t{4} << 20;

void* map_piece(std::byte* at, int file) {
  return mmap(at, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
}

}  // namespace

/// Maps one small file again and again, so that any number of bytes takes little memory. Data in it mean nothing; it is
/// for messages whose content does not matter.
AliasMemory::AliasMemory(Bytes bytes) : size_((static_cast<std::size_t>(bytes.value) / piece + 1) * piece) {
  void* const reserved = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) throw std::bad_alloc();
  first_ = static_cast<std::byte*>(reserved);
  int const file = memfd_create("rondo", 0);
  bool mapped = file >= 0 && ftruncate(file, static_cast<off_t>(piece)) == 0;
  for (std::size_t offset = 0; mapped && offset < size_; offset += piece)
    mapped = map_piece(first_ + offset, file) != MAP_FAILED;
  if (file >= 0) ::close(file);
  if (mapped) return;
  munmap(first_, size_);
  throw std::bad_alloc();
}

AliasMemory::~AliasMemory() { munmap(first_, size_); }

}  // namespace rondo

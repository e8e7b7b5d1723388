#pragma once

// Files that rank 0 reads for all ranks of a communicator, so that no other rank has to see them.

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>

namespace rondo::mpi {

/// A file as rank 0 has read it; the value is the same at all ranks.
struct SharedFile {
  std::string text;     ///< empty if it is refused
  std::string refusal;  ///< one line that says why; else empty
  int answer = 0;       ///< what `judge` has returned
};

/// A file, the place where it is named, and a communicator of the library's own whose ranks shall know it.
struct FileForAll {
  std::string name, where;
  MPI_Comm comm;
};

/// Collective. Rank 0 reads the file and calls `judge` with its text. If reading or judging throws, the text of the
/// exception is the refusal. Rank 0 prints it on standard error before the other ranks learn of it, because they may
/// end the program. Throws MpiFailure.
SharedFile share_file(FileForAll const& file, std::uint64_t most_bytes,
                      std::function<int(std::string const& text)> const& judge);

}  // namespace rondo::mpi

#pragma once

// Files that one rank reads for all ranks of a communicator: no other rank needs to see the file.

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>

namespace rondo::mpi {

/// A file as rank 0 has read it, the same at all ranks.
struct SharedFile {
  std::string text;     ///< empty if it is refused
  std::string refusal;  ///< one line that says why; else empty
  int answer = 0;       ///< what `judge` has returned
};

/// A file, where it is named, and a communicator of the library's own whose ranks read it.
struct FileForAll {
  std::string name, where;
  MPI_Comm comm;
};

/// Collective. Rank 0 reads the file and hands its text to `judge`, which only rank 0 calls. What
/// either throws is the refusal. Rank 0 says it on standard error before the other ranks hear of it: these may end the
/// program. Throws MpiFailure.
SharedFile share_file(FileForAll const& file, std::uint64_t most_bytes,
                      std::function<int(std::string const& text)> const& judge);

}  // namespace rondo::mpi

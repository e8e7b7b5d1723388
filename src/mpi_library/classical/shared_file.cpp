// Distributes the text of a file from rank 0.

#include "mpi_library/classical/shared_file.hpp"

#include <cstdio>
#include <exception>

#include "base/file.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {
namespace {

void share(std::string& text, long long length, MPI_Comm comm) {
  text.resize(static_cast<std::size_t>(length));
  if (length > 0) check(PMPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, comm));
}

}  // namespace

/// Rank 0 reads and judges the file and sends text, answer and refusal.
SharedFile share_file(FileForAll const& file, std::uint64_t most_bytes,
                      std::function<int(std::string const& text)> const& judge) {
  SharedFile shared;
  int rank = 0;
  check(MPI_Comm_rank(file.comm, &rank));
  if (rank == 0) {
    try {
      shared.text = read_file(file.name, most_bytes);
      shared.answer = judge(shared.text);
    } catch (std::exception const& error) {  // the other ranks wait for word
      shared.refusal = error.what();
    }
    if (!shared.refusal.empty()) {
      shared.text.clear();
      std::fprintf(stderr, "rondo: %s: %s\n", file.where.c_str(), shared.refusal.c_str());
    }
  }
  long long head[] = {shared.answer, std::ssize(shared.text), std::ssize(shared.refusal)};
  check(PMPI_Bcast(head, 3, MPI_LONG_LONG, 0, file.comm));
  shared.answer = static_cast<int>(head[0]);
  share(shared.text, head[1], file.comm);
  share(shared.refusal, head[2], file.comm);
  return shared;
}

}  // namespace rondo::mpi

// Each rank sends its number to the next one, in C++ against the installed headers, run by smpirun.

#include <cstdio>
#include <rondo/common_neighbors.hpp>
#include <rondo/sparse_exchange.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  {
    rondo::mpi::SparseExchange exchange(MPI_COMM_WORLD);
    int const rank = exchange.rank().value, size = exchange.size();
    exchange.pack(rank, rondo::Rank((rank + 1) % size));
    exchange.exchange();
    int messages = 0;
    while (exchange.receive()) {
      ++messages;
      wrong += exchange.unpack<int>() != (rank + size - 1) % size;
    }
    wrong += messages != 1;
  }
  int all = 0, rank = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::puts(all == 0 ? "all is well" : "wrong");
  MPI_Finalize();
  return all != 0;
}

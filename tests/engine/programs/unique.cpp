// C++ has one of these in a process, unless each rank has its own.

#include <mpi.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace {

int of_file = 0;

template <typename T>
struct Counter {
  static T count;
};
template <typename T>
T Counter<T>::count = 0;

inline int& in_function() {
  static int count = 0;
  return count;
}

}  // namespace

template <typename T>
inline T& unique_in_function() {
  static T count = 0;
  return count;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int* count : {&of_file, &Counter<int>::count, &in_function(), &unique_in_function<int>()}) *count += rank + 1;
  MPI_Barrier(MPI_COMM_WORLD);
  int wrong = 0;
  for (int const* count : {&of_file, &Counter<int>::count, &in_function(), &unique_in_function<int>()}) {
    wrong += *count != rank + 1 ? 1 : 0;
  }
  try {
    std::vector<std::string>(2).at(static_cast<std::size_t>(rank) + 2);
    ++wrong;
  } catch (std::out_of_range const&) {
    // Exceptions of its own pass through a program as in any other.
  }
  MPI_Finalize();
  return wrong;
}

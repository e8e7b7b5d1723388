// The standard input of programs.

#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/given_program.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

/// Three ranks: rank 0 reads the numbers 20 and 22, all others find the end of the input; each looks before and after
/// the others have run. A rank that finds something else ends with another code than 0.
struct Reading : Given {
  Reading(std::string const& source, std::string const& text) {
    folder.write(source, text);
    folder.write("numbers.txt", "20 22\n");
    of["machine"]["topology"]["hosts"] = 3;
    of["collective"]["source"] = source;
    of["collective"]["stdin"] = "numbers.txt";
  }
  json error() const { return records().at(0)["error"]; }
};

constexpr char const* in_c = R"(
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int rank, a = 0, b = 0, first, second;
  char left;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  first = scanf("%d", &a);
  MPI_Barrier(MPI_COMM_WORLD);
  second = scanf("%d", &b);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 0 && read(0, &left, 1) != 0) return 3;
  MPI_Finalize();
  if (rank == 0) return first == 1 && second == 1 && a == 20 && b == 22 ? 0 : 1;
  return first == EOF && second == EOF ? 0 : 2;
}
)";

constexpr char const* in_cpp = R"(
#include <mpi.h>
#include <iostream>
int main(int argc, char** argv) {
  int rank, a = 0, b = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bool const first = static_cast<bool>(std::cin >> a);
  MPI_Barrier(MPI_COMM_WORLD);
  bool const second = static_cast<bool>(std::cin >> b);
  MPI_Finalize();
  if (rank == 0) return first && second && a == 20 && b == 22 ? 0 : 1;
  return first || second ? 2 : 0;
}
)";

constexpr char const* in_fortran = R"(
program reads
  use mpi
  implicit none
  integer :: rank, a, b, state, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  read (*, *, iostat=state) a, b
  if (rank == 0 .and. (state /= 0 .or. a /= 20 .or. b /= 22)) stop 1
  if (rank /= 0 .and. state == 0) stop 2
  call MPI_Finalize(ierror)
end program
)";

TEST(CliProgramInput, is_that_of_rank_0_alone) {
  EXPECT_EQ(Reading("reads.c", in_c).error(), nullptr);
  EXPECT_EQ(Reading("reads.cpp", in_cpp).error(), nullptr);
  if (std::system("command -v gfortran >/dev/null") != 0) return;
  EXPECT_EQ(Reading("reads.f90", in_fortran).error(), nullptr);
}

TEST(CliProgramInput, is_empty_without_the_key) {
  Reading given("reads.c", in_c);
  given.of["collective"].erase("stdin");
  EXPECT_EQ(given.error(), "exit: rank 0 returned 1");
}

}  // namespace
}  // namespace rondo::test

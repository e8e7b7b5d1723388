#pragma once

// The pattern of common neighborhoods [Mirsadeghi17], found by the ranks of an MPI program in C++ among themselves.
// Programs link with librondo_mpi.

#include "mpi/setup/common_neighbors.hpp"

/* The mpi.h of programs that rondo-cc and rondo-cxx compile: SMPI's, and what it lacks. */
#pragma GCC system_header
#include_next <mpi.h>
#include <rondo/mpi.h>

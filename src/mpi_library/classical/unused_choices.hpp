#pragma once

// Reports choices in the environment that had no effect on a program, because a person who misspells a variable would
// otherwise measure the MPI library's own algorithms.

#include "problem/classical.hpp"

namespace rondo::mpi {

/// Notes that this process calls the collective.
void note_call(ClassicalCollective collective);

/// Notes that the selection file has an effect: a rule fits a call, or an error in the file is reported.
void note_selection();

/// If this is rank 0, it prints on standard error which settings in the environment had no effect on this program, and
/// why. Must be called before MPI_Finalize, which all ranks call.
void tell_choices_without_effect();

}  // namespace rondo::mpi

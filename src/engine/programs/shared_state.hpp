#pragma once

// Refuses user programs that would give wrong results, because they use state of the process that all ranks would
// share.

namespace rondo {

class ProgramImage;

/// The ranks of a simulation are one process. Most of the state of a process is nevertheless private to each rank
/// (rank_state.hpp, and the functions that librondo_mpi supplies). This function throws InputError, with the name of
/// the function, for a program that calls a function whose state the ranks would share.
void refuse_what_ranks_would_share(ProgramImage const& image);

}  // namespace rondo

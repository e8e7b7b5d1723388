#pragma once

namespace rondo {

class ProgramImage;

/// The ranks of a simulation are one process. Most of what a process has each rank has to itself all the same
/// (rank_state.hpp, and what librondo_mpi supplies); throws InputError for a program that calls a function whose state
/// the ranks would share, naming it.
void refuse_what_ranks_would_share(ProgramImage const& image);

}  // namespace rondo

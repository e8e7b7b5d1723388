#pragma once

// What each rank would have to itself as a process of its own, and what all ranks of a simulation share as actors of
// one process: the state of C's, C++'s and Fortran's libraries. A program's own variables are private by its loaded
// copies; this state lies in libraries that are loaded once. SMPI tells when the code of a rank goes on; if another
// rank ran last, its state is put aside, and that of this rank is put in its place.

#include <memory>

#include "base/ids.hpp"
#include "engine/programs/program_image.hpp"

namespace rondo {

/// One for each process that simulates. A rank has, of what a process has:
/// - the environment, errno and the exceptions that are being handled;
/// - the generators of rand, random and drand48, and the buffers of localtime, gmtime and asctime;
/// - the formats and buffers of std::cout, std::cerr and std::clog, where the program names them;
/// - the working directory, the mask of new files and the locale, where the program calls what sets them;
/// - all of libgfortran (its units, with their buffers, its arguments and its random numbers), where the program needs
/// it.
class RankStates {
 public:
  RankStates(int ranks, ProgramImage const& image);
  ~RankStates();
  RankStates(RankStates const&) = delete;
  RankStates& operator=(RankStates const&) = delete;

  /// The code of this rank goes on from here.
  void enter(Rank rank);
  /// The program's copy of this rank, which has been entered, is loaded; as dlopen gave it.
  void loaded(void* copy);
  /// Writes what this rank, which has been entered, has printed and its libraries still hold.
  void flush();

 private:
  class Library;
  struct State;
  struct Kinds {
    bool streams, folder, mask, locale, fortran;
  };

  void begin(State& state) const;
  void put_aside(State& state) const;
  void put_in_place(State& state) const;
  static void exchange_generators(State& last, State& next);

  Kinds kinds_;
  std::unique_ptr<State> first_;  ///< of the process, before the first rank ran
  std::unique_ptr<State[]> states_;
  std::unique_ptr<Library> fortran_;
  void (*flush_units_)(void const*) = nullptr;  ///< of the Fortran library
  int owner_ = -1;                              ///< whose state is in place; -1: that of the process as it was
};

}  // namespace rondo

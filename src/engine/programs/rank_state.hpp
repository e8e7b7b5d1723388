#pragma once

// The state of the C, C++ and Fortran libraries, which each rank would have to itself as a process of its own. All
// ranks of a simulation are actors of one process. A program's own variables are private, because each rank has a
// loaded copy of the program; but these libraries are loaded once. SMPI reports when the code of a rank goes on
// (RankStates::enter). If another rank ran last, its state is saved then, and the state of this rank is restored.

#include <memory>

#include "base/ids.hpp"
#include "engine/programs/program_image.hpp"

namespace rondo {

/// The states of all ranks; one object for each process that simulates. These parts of a process belong to a rank:
/// - the environment, errno and the exceptions that are being handled;
/// - the generators of rand, random and drand48, and the buffers of localtime, gmtime and asctime;
/// - the formats and buffers of std::cout, std::cerr and std::clog, if the program names them;
/// - standard input, which only rank 0 has;
/// - the working directory, the mask of new files and the locale, if the program calls a function that sets them;
/// - all variables of libgfortran (its units with their buffers, its arguments and its random numbers), if the program
/// needs it.
class RankStates {
 public:
  /// Who reads standard input. With `none` it is left as it is; with `of_rank_0` all ranks but 0 find it empty.
  enum class Input : std::uint8_t { none, of_rank_0 };
  /// `image` tells which parts of the state the program can change.
  RankStates(int ranks, ProgramImage const& image, Input input);
  ~RankStates();
  RankStates(RankStates const&) = delete;
  RankStates& operator=(RankStates const&) = delete;

  /// Called when the code of this rank goes on. Does nothing if no other rank ran since. Throws std::runtime_error if
  /// the rank's working directory is gone.
  void enter(Rank rank);
  /// Called when the program's copy of the current rank is loaded; `copy` is the handle from dlopen. If the
  /// program needs the Fortran library, this begins the rank's own state of that library.
  void loaded(void* copy);
  /// Writes the output of the current rank that its libraries, in C, C++ and Fortran, still buffer.
  void flush();

 private:
  class Library;
  class StandardInput;
  struct State;
  /// Which parts of the state are saved, because the program can change them. All others are always saved.
  struct Kinds {
    bool streams, folder, mask, locale, fortran;
  };

  void begin(State& state) const;
  void save_state(State& state) const;
  void restore_state(State& state) const;
  /// Saves the generators of random and drand48 in `last` and installs those of `next`.
  static void exchange_generators(State& last, State& next);

  Kinds kinds_;
  std::unique_ptr<State> first_;                ///< the state of the process before the first rank ran
  std::unique_ptr<State[]> states_;             ///< by rank
  std::unique_ptr<Library> fortran_;            ///< null if the program does not need it
  std::unique_ptr<StandardInput> input_;        ///< null with Input::none
  void (*flush_units_)(void const*) = nullptr;  ///< a function of the Fortran library; null until `loaded` finds it
  int owner_ = -1;  ///< the rank whose state is in place; -1: the initial state of the process
};

}  // namespace rondo

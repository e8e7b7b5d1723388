#pragma once

// The choice of the algorithm or schedule for each classical collective of a program: by its user through the
// environment, or by the program itself through infos.

#include <mpi.h>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "problem/classical.hpp"

namespace rondo::mpi {

/// The keys and values of an info that concern classical collectives.
using Hints = std::map<std::string, std::string>;
/// Reads an info's keys rondo_<collective>_algorithm, _schedule, _segment, _radix, _group_size, _distances, _children,
/// _intra, _inter and _lanes, and rondo_selection. Throws MpiFailure.
Hints hints_of(MPI_Info info);

/// Whether rank 0 has already printed the reason on standard error.
enum class Reported : std::uint8_t { no, yes };

/// A setting without a meaning. what() names its place and the accepted values.
class WrongChoice : public std::runtime_error {
 public:
  WrongChoice(std::string const& text, int error_class, Reported already = Reported::no)
      : std::runtime_error(text), code(error_class), reported(already) {}
  int code;  ///< an MPI error class
  Reported reported;
};

/// A setting: the name of its variable or key, and its value.
struct Setting {
  std::string where, value;
  int code = MPI_ERR_ARG;  ///< the error class if the value has no meaning

  WrongChoice wrong(std::string_view expected) const;
};

/// A schedule in a file, or an algorithm with its parameters in the form of problem::Classical.
struct Choice {
  std::string schedule;  ///< empty: an algorithm
  std::string where;     ///< the place of the schedule's name, for messages
  int code = MPI_ERR_ARG;
  /// Whether an info or a rule names the schedule for exactly this number of ranks. A variable names it for
  /// communicators of all sizes.
  bool for_these_ranks = false;

  problem::ClassicalAlgorithm algorithm{};
  Bytes segment{0};
  int radix = 0;
  int group_size = 0;
  problem::Distances distances = problem::Distances::falling;
  problem::Children children = problem::Children::in_turn;
  /// The hierarchy for hierarchical; without levels if none is said. Its groups are the ranks that share memory.
  problem::Hierarchy hierarchy = {};
  std::string origin;  ///< "RONDO_BCAST_ALGORITHM=chain"
};

/// The text in upper case.
std::string upper(std::string text);
/// The beginning of the names of a collective's variables: "RONDO_BCAST".
std::string variable_of(ClassicalCollective collective);
/// Makes `environ` that of this rank. Under smpirun each rank has an environment of its own, and `environ` refers to
/// the one that was used last. Any call of getenv puts that of this rank in place (smpi_shim/c_library.cpp).
void use_own_environment();

/// The ends of the keys of an algorithm's options, after the name of the collective: "_segment", "_radix" and so on.
std::span<std::string_view const> options_of_algorithms();

/// The algorithm under the key that ends with "_algorithm", with its options; nothing if there is none. Throws
/// WrongChoice.
std::optional<Choice> choice_by(ClassicalCollective collective,
                                std::function<std::optional<Setting>(std::string const& option)> const& find);

/// The choice in the environment, or else in the hints; nothing if neither names an algorithm or a schedule. The
/// variables for a bcast are RONDO_BCAST_ALGORITHM, RONDO_BCAST_SEGMENT (a size, such as 8KiB), RONDO_BCAST_RADIX,
/// RONDO_BCAST_GROUP_SIZE, RONDO_BCAST_DISTANCES, RONDO_BCAST_INTRA and RONDO_BCAST_INTER (an algorithm, or
/// phase:algorithm,...), RONDO_BCAST_LANES (a number or all), and for a schedule RONDO_BCAST_SCHEDULE; each other
/// collective has the same ones. Throws WrongChoice: MPI_ERR_ARG for the environment, MPI_ERR_INFO_VALUE for a hint.
std::optional<Choice> choice_of(ClassicalCollective collective, Hints const& hints);

/// Rondo's variables as they were when the environment was last looked at. Programs hardly ever change them, so a
/// collective does not read its variables at each call.
class SeenEnvironment {
 public:
  /// Looks at the environment. Returns whether the entries that begin with RONDO_ are those of the last look.
  bool is_the_same();

 private:
  bool looked_ = false;
  std::vector<std::string> entries_;
};

/// The choices of choice_of, for the same hints, that were returned lately.
class RecentChoices {
 public:
  /// Throws WrongChoice.
  std::optional<Choice> const& of(ClassicalCollective collective, Hints const& hints);
  /// To be called when the hints change.
  void forget();
  /// Looks at the environment. Returns a number that rises when the environment or the hints have changed. As long as
  /// it stays, so do all choices.
  int look_for_version();
  /// The number that the last look returned.
  int version() const { return version_; }

 private:
  SeenEnvironment environment_;
  int version_ = 0;
  std::map<ClassicalCollective, std::optional<Choice>> known_;
};

/// The selection file that RONDO_SELECTION names, or else the hint rondo_selection.
std::optional<Setting> selection_file(Hints const& hints);

/// Whether threads may call MPI at the same time (MPI_THREAD_MULTIPLE). Then the MPI library carries out all
/// collectives, because the operations of a process make progress together, without a lock.
bool threads_call_at_once();

}  // namespace rondo::mpi

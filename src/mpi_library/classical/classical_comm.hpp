#pragma once

// The state of a communicator for its classical collectives: its schedules, selections and groups.

#include <mpi.h>

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mpi/runtime/own_comm.hpp"
#include "mpi_library/classical/choice.hpp"
#include "mpi_library/classical/proved_schedule.hpp"
#include "mpi_library/classical/selection.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// The schedules that were used lately. They are kept because a program repeats its collectives.
class RecentSchedules {
 public:
  /// The schedule of a problem. Throws InputError if the algorithm cannot solve it, because of the number of ranks or
  /// because the operator does not commute.
  std::shared_ptr<Schedule const> of(problem::Classical const& problem);

 private:
  static constexpr std::size_t most = 32;
  struct CacheEntry {
    problem::Classical problem;
    std::shared_ptr<Schedule const> schedule;
  };
  std::list<CacheEntry> cache_;  ///< the latest first
};

/// A selection file in the form that all ranks know.
struct SharedSelection {
  Selection rules = {};
  std::string refusal = {};  ///< empty if the file was read
};

/// Carried by the caller's communicator (calls/attached.hpp).
struct ClassicalComm {
  Hints hints = {};
  RecentChoices choices = {};
  std::optional<OwnComm> messages = {};  ///< made when it is first needed, by all ranks together
  MPI_Comm carrier = MPI_COMM_NULL;      ///< the caller's, until it is freed
  int operations = 0;                    ///< started so far; equal at all ranks, which call in the same order
  int last_tag = -1;                     ///< the largest; unknown at first
  RecentSchedules schedules = {};
  ProvedSchedules proved = {};
  std::map<std::string, SharedSelection> selections = {};  ///< by file
  std::vector<int> host_of = {};     ///< by rank; found when it is first needed, by all ranks together
  std::set<std::string> notes = {};  ///< messages that were already printed about unusable choices

  /// By rank, the lowest of the ranks that share memory with it. All ranks must ask for it together the first time.
  std::vector<int> const& hosts();
  /// The schedule of a choice. All ranks must ask for it together the first time. Throws WrongChoice if the file cannot
  /// be used. Throws InputError if it is for another number of ranks than this communicator has, and a variable names
  /// it for all communicators.
  ProvedSchedule& schedule_of(Choice const& choice, ClassicalCollective collective);
  /// The rules of a selection file. All ranks must ask for them together the first time. Throws WrongChoice.
  Selection const& selection(Setting const& file);
  /// The tag of the next operation.
  int next_tag();
  void detached() { carrier = MPI_COMM_NULL; }
  /// Prints the text once on standard error, if this is rank 0.
  void note(MPI_Comm comm, std::string const& text);
};

}  // namespace rondo::mpi

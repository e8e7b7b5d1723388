#pragma once

// What a communicator knows for its classical collectives.

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

/// The schedules that were followed lately: a program repeats its collectives.
class RecentSchedules {
 public:
  /// Throws InputError where the algorithm does not do what the problem asks for: with so many ranks, or with an
  /// operator that does not commute.
  std::shared_ptr<Schedule const> of(problem::Classical const& problem);

 private:
  static constexpr std::size_t most = 32;
  struct Known {
    problem::Classical problem;
    std::shared_ptr<Schedule const> schedule;
  };
  std::list<Known> known_;  ///< the latest first
};

/// A selection file as all ranks know it.
struct SharedSelection {
  Selection rules = {};
  std::string refusal = {};  ///< empty where it could be read
};

/// Carried by the caller's communicator (runtime/attached.hpp).
struct ClassicalComm {
  Hints hints = {};
  std::optional<OwnComm> messages = {};  ///< made when it is first needed, by all ranks together
  MPI_Comm carrier = MPI_COMM_NULL;      ///< the caller's, until it is freed
  int operations = 0;                    ///< begun so far, at all ranks alike
  RecentSchedules schedules = {};
  ProvedSchedules proved = {};
  std::map<std::string, SharedSelection> selections = {};  ///< by file
  std::vector<int> host_of = {};     ///< by rank; found when it is first needed, by all ranks together
  std::set<std::string> notes = {};  ///< what has been said of choices that cannot be followed

  /// By rank, the lowest of the ranks that share memory with it. All ranks have to ask for the first time together.
  std::vector<int> const& hosts();
  /// The schedule of a choice. All ranks have to ask for the first time together. Throws WrongChoice where the file
  /// cannot be used, InputError where it is for another number of ranks than this communicator has, and a variable
  /// names it for all communicators.
  ProvedSchedule& schedule_of(Choice const& choice, ClassicalCollective collective);
  /// The rules of a selection file. All ranks have to ask for the first time together. Throws WrongChoice.
  Selection const& selection(Said const& file);
  /// The tag of the next operation.
  int next_tag();
  void detached() { carrier = MPI_COMM_NULL; }
  /// Says it once on standard error, if this is rank 0.
  void note(MPI_Comm comm, std::string const& text);
};

}  // namespace rondo::mpi

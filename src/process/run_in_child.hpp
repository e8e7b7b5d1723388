#pragma once

// Runs work in a child process that sends its answer over a pipe; another pipe collects its output. There are two
// kinds:
//
// run_in_child  runs Rondo's own work. SimGrid allows only one engine per process, and a crash of SimGrid must not be
//               a crash of Rondo. The child is all there is: both pipes end with it, and it dies with its parent.
//
// run_under_keeper      runs work that starts programs of others: a compiler, an MPI program of a scenario. A keeper, a
// small
//               process of Rondo's own, stands between this process and the work and waits for the work:
//
//                   this process -> keeper -> work -> whatever the work starts
//
//               Everything that the work starts is a descendant of the keeper. If the parent of such a process ends,
//               it becomes a child of the keeper (which is a "child subreaper"), even if it has left the process
//               group. When the work has ended or reached its deadline, or when this process has died in any way (a
//               signal tells the keeper), the keeper kills all processes that are left, removes the private folder of
//               the work and ends. Nobody waits for the end of a pipe that a forgotten descendant may hold open,
//               because the keeper reports that it is over. If somebody kills the keeper by SIGKILL, this process
//               kills what is left and removes the folder. If both are killed so, the folder may remain, and a
//               descendant that has left the process group. The work and the keeper inherit no descriptors of this
//               process but the standard streams and the pipes that they write to.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace rondo {

/// How a child ended and what it left.
struct ChildEnd {
  int status = 0;                  ///< as waitpid tells it
  bool timed_out = false;          ///< it was killed at its deadline
  bool printed_too_much = false;   ///< it was killed, as it printed more than it may (run_under_keeper)
  bool answered_too_much = false;  ///< it was killed, as it answered more than it may (run_under_keeper)
  int left = 0;                    ///< processes that it had started and that nobody had waited for (run_under_keeper)
  std::vector<std::byte>
      answer;           ///< all that it wrote to its pipe; nothing if its keeper was killed (run_under_keeper)
  std::string printed;  ///< the end of what it wrote to stdout and stderr
  Bytes peak_memory;    ///< most memory that was resident
};

/// Forks and runs `work` in the child with the descriptor to which it writes its answer. The child ends when `work`
/// returns, without running destructors of the parent's objects, and dies with its parent. Waits for the child at most
/// `timeout` of wall time (0: without limit), then kills it. Leaves no zombie, and may be called from several threads
/// at once. Throws std::system_error if no process can be made.
ChildEnd run_in_child(std::function<void(int answer)> const& work, Seconds timeout);

/// How much the programs of others may write.
struct Limits {
  Bytes printed{std::int64_t{64} << 20};
  Bytes answer{std::int64_t{1} << 30};
};

/// Work under a keeper.
struct KeeperWork {
  /// Runs in a child of the keeper. The folder belongs to the work alone: nobody else can enter it, and it is removed
  /// with everything in it.
  std::function<void(int answer, std::string const& folder)> work;
  /// Runs in the keeper after the work has ended with 0, while the folder still exists; may be empty.
  std::function<void(int answer, std::string const& folder)> harvest = {};
  Limits limits = {};
};

/// Runs the work under a keeper, as explained above, for at most `timeout` of wall time. Throws InputError if the
/// folder cannot be made.
ChildEnd run_under_keeper(KeeperWork const& work, Seconds timeout);

}  // namespace rondo

#pragma once

// Work in a child process that answers over a pipe; what it prints is caught by another. There are two kinds of it:
//
// run_in_child  Rondo's own work. SimGrid allows one engine a process, and a crash of it must not be ours. The child is
//               all there is: both pipes end with it, and it dies with its parent.
//
// run_kept      work that starts programs of others: a compiler, an MPI program of a scenario. Between this process and
//               the work stands a keeper, a small process of Rondo's own that waits for it:
//
//                   this process -> keeper -> work -> whatever it starts
//
//               Everything that the work starts is a descendant of the keeper, and becomes the keeper's own child when
//               its parent ends (the keeper is a "child subreaper"), also where it has left the process group. When the
//               work has ended, has reached its deadline, or this process has died in any way (a signal tells the
//               keeper), the keeper kills all that is left, removes the private folder of the work and ends. Nobody
//               waits for the ends of pipes that a forgotten descendant holds open: the keeper says when it is over.
//               If somebody kills the keeper by SIGKILL, this process kills what is left, and removes the folder. What
//               can remain if both are killed so: the folder, and a descendant that left the process group. Work and
//               keeper hold none of this process's descriptors but the standard streams and the pipes that they write
//               to.

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
  bool printed_too_much = false;   ///< it was killed, as it printed more than it may (run_kept)
  bool answered_too_much = false;  ///< it was killed, as it answered more than it may (run_kept)
  int left = 0;                    ///< processes that it had started and that nobody had waited for (run_kept)
  std::vector<std::byte> answer;   ///< all that it wrote to its pipe; nothing if its keeper was killed (run_kept)
  std::string printed;             ///< the end of what it wrote to stdout and stderr
  Bytes peak_memory;               ///< most memory that was resident
};

/// Forks and runs `work` in the child with the descriptor to write the answer to; the child ends when `work` returns,
/// without destructors of the parent's objects, and dies with its parent. Waits for the child at most `timeout` of
/// wall time (0: for ever), then kills it. Leaves no zombie. Safe to call from several threads at once.
/// Throws std::system_error when no process can be made.
ChildEnd run_in_child(std::function<void(int answer)> const& work, Seconds timeout);

/// What the programs of others may write.
struct Limits {
  Bytes printed{std::int64_t{64} << 20};
  Bytes answer{std::int64_t{1} << 30};
};

/// Work under a keeper.
struct KeptWork {
  /// Done in a child of the keeper. The folder is the work's own: nobody else can enter it, and it goes with all that
  /// is in it.
  std::function<void(int answer, std::string const& folder)> work;
  /// Done by the keeper behind it, if it ended with 0, while its folder is still there; may be empty.
  std::function<void(int answer, std::string const& folder)> harvest = {};
  Limits limits = {};
};

/// As run_in_child, with all that is said above of kept work. Throws InputError where the folder cannot be made.
ChildEnd run_kept(KeptWork const& work, Seconds timeout);

}  // namespace rondo

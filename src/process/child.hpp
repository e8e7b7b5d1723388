#pragma once

// The only place in which Rondo forks, and the end of processes that nobody waits for. fork_child makes every child
// process, and every child ends inside fork_child, also after an exception. So the stack of the parent is never
// unwound in the child. The objects on it are copies of the parent's, and their destructors would, for example, kill
// the parent's other children.
//
// Orphans are descendants whose parent has ended. Such a process becomes the child of its nearest ancestor that has
// asked for orphans (a "child subreaper", prctl(2)), even if it has left the process group. Programs of others can
// leave such processes behind, and Rondo must end them.

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <utility>
#include <vector>

#include "base/units.hpp"

namespace rondo {

/// How a process ended.
struct ChildStatus {
  int status = 0;     ///< as waitpid returns it
  Bytes peak_memory;  ///< the largest resident set size
};

/// The children that fork_child has made in this process and that nobody has waited for. An object of this class holds
/// a lock: while it lives, no thread can make a child or finish waiting for one. Its own thread must not try.
class OwnChildren {
 public:
  OwnChildren();
  OwnChildren(OwnChildren const&) = delete;
  OwnChildren& operator=(OwnChildren const&) = delete;
  ~OwnChildren();
  bool contains(pid_t id) const;
  void add(pid_t id);
  void remove(pid_t id);
};

/// A child process. If nobody has waited for it by the end of this object, the destructor sends it its last signal and
/// waits for it.
class Child {
 public:
  Child(pid_t id, int last_signal) : id_(id), last_signal_(last_signal) {}
  Child(Child&& other) noexcept : id_(std::exchange(other.id_, -1)), last_signal_(other.last_signal_) {}
  Child& operator=(Child&&) = delete;
  ~Child();

  pid_t id() const { return id_; }
  void signal(int number) const { ::kill(id_, number); }
  /// Leaves it to the caller to end the child and to wait for it.
  pid_t release() { return std::exchange(id_, -1); }
  /// Waits until the child has ended, so that no zombie is left.
  ChildStatus wait();

 private:
  pid_t id_;
  int last_signal_;
};

/// Forks, and runs `work` in the child. The child ends with exit code 0 when `work` returns; if `work` throws, the
/// child writes the exception to its standard error and ends with 1. In neither case does a destructor of the parent's
/// objects run. The child also gets its last signal when the calling thread ends, even if that is killed. SIGINT and
/// SIGTERM end the child as they end any process. Throws std::system_error if no process can be made.
Child fork_child(std::function<void()> const& work, int last_signal = SIGKILL);

/// The children of this process, or of another, as /proc lists them. Children that have ended and that nobody has
/// waited for are among them.
std::vector<pid_t> children();
std::vector<pid_t> children(pid_t parent);

/// From now on this process gets its orphans. The children that it has at this moment are not counted as orphans.
void adopt_orphans();

/// Kills the children of this process that neither fork_child made nor were there before adopt_orphans, and waits for
/// them; then does the same with the children that these leave. Other threads may fork meanwhile.
void end_orphans();

/// Waits for these orphans, which are expected to end by themselves, but no longer than `most`.
void await_orphans(std::vector<pid_t> const& orphans, Seconds most);

}  // namespace rondo

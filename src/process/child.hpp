#pragma once

// The one place where Rondo forks. Every child process is made by fork_child, and ends within it: no exception and no
// return of its work unwinds the objects that it has copies of, which are its parent's (whose destructors would kill
// the parent's other children).

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <utility>

#include "base/units.hpp"

namespace rondo {

/// How a process ended.
struct ChildStatus {
  int status = 0;     ///< as waitpid tells it
  Bytes peak_memory;  ///< most memory that was resident
};

/// The children that fork_child has made in this process and that nobody has waited for. As long as one of these
/// objects lives, there is no new one.
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

/// A child process. If nobody has waited for it, it gets its last signal and is waited for.
class Child {
 public:
  Child(pid_t id, int last_signal) : id_(id), last_signal_(last_signal) {}
  Child(Child&& other) noexcept : id_(std::exchange(other.id_, -1)), last_signal_(other.last_signal_) {}
  Child& operator=(Child&&) = delete;
  ~Child();

  pid_t id() const { return id_; }
  void signal(int number) const { ::kill(id_, number); }
  /// Its end is somebody else's business from here on.
  pid_t release() { return std::exchange(id_, -1); }
  /// Waits for its end, which leaves no zombie.
  ChildStatus wait();

 private:
  pid_t id_;
  int last_signal_;
};

/// Forks, and does `work` in the child, which ends with 0 when it returns; an exception is the child's last words on
/// its standard error, and its exit code is 1. In either case no destructor of the parent's objects runs. The child
/// gets its last signal also when the calling thread ends, even if it was killed; interrupts and termination end it as
/// any process. Throws std::system_error when no process can be made.
Child fork_child(std::function<void()> const& work, int last_signal = SIGKILL);

}  // namespace rondo

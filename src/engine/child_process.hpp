#pragma once

// One simulation, one child process: SimGrid allows one engine per process, and a crash of it must not be ours. The
// child answers over a pipe; what it prints is caught by another.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace rondo {

/// How a child ended and what it left.
struct ChildEnd {
  int status = 0;                 ///< as waitpid tells it
  bool timed_out = false;         ///< it was killed at its deadline
  std::vector<std::byte> answer;  ///< all that it wrote to its pipe
  std::string printed;            ///< the end of what it wrote to stdout and stderr
  Bytes peak_memory;              ///< most memory that was resident
};

/// Forks and runs `work` in the child with the descriptor to write the answer to; the child ends when `work` returns,
/// without destructors of the parent's objects, and dies with its parent. Waits for the child at most `timeout` of
/// wall time (0: for ever), then kills it. Leaves no zombie. Safe to call from several threads at once.
/// Throws std::system_error when no process can be made.
ChildEnd run_in_child(std::function<void(int answer)> const& work, Seconds timeout);

/// Writes all bytes, whatever interrupts; gives up silently when nobody reads. Async-signal-safe.
void write_all(int descriptor, void const* data, std::size_t size) noexcept;

}  // namespace rondo

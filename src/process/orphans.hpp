#pragma once

// Orphans: descendants whose parent has ended. Such a process becomes the child of its nearest ancestor that has
// asked for orphans (a "child subreaper", prctl(2)), even if it has left the process group. Programs of others can
// leave such processes behind, and Rondo must end them.

#include <sys/types.h>

#include <vector>

#include "base/units.hpp"

namespace rondo {

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

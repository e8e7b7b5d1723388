#pragma once

// Descendants whose parent has ended. They become the children of the nearest ancestor that asked for them (a "child
// subreaper", prctl(2)), also where they have left their process group.

#include <sys/types.h>

#include <vector>

#include "base/units.hpp"

namespace rondo {

/// The children of this process, or of another, by /proc; those that have ended and that nobody has waited for are
/// among them.
std::vector<pid_t> children();
std::vector<pid_t> children(pid_t parent);

/// From here on this process gets its orphans. The children that it has now are not counted among them.
void adopt_orphans();

/// Kills the children of this process that neither fork_child made nor were there before adopt_orphans, waits for them,
/// and does the same with the children that they leave. Safe beside other threads that fork.
void end_orphans();

/// Waits for these orphans, which are to end by themselves, but no longer than `most`.
void await_orphans(std::vector<pid_t> const& orphans, Seconds most);

}  // namespace rondo

#pragma once

// The resources of the computer on which Rondo runs. A simulation that cannot fit into the memory which this process
// can get is refused before it starts. A simulation whose ranks are threads is bound to one processor.

#include <sched.h>

#include "base/units.hpp"

namespace rondo {

/// Returns the most memory that this process can get: the machine's memory and swap, or less if the address space of
/// the process (ulimit -v) or its control group has a limit. Memory that is in use is not subtracted. A limit that
/// cannot be read does not count.
Bytes most_memory();

/// Keeps the calling thread, and the threads and processes that it will start, on the processor on which it runs now.
/// Threads that exist already are not moved. The threads of a simulation run one at a time, and waking a thread on
/// another processor takes several times as long. Does nothing if the system refuses.
inline void stay_on_one_processor() {
  int const here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE) return;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(here, &only);
  sched_setaffinity(0, sizeof(only), &only);
}

}  // namespace rondo

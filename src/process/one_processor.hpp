#pragma once

// Binds simulations whose ranks are threads to one processor.

#include <sched.h>

namespace rondo {

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

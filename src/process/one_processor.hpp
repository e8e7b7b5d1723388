#pragma once

// The choice of a processor for simulations whose ranks are threads.

#include <sched.h>

namespace rondo {

/// Keeps this process, and the threads that it will start, on the processor on which it runs now. The threads of a
/// simulation run one at a time, and waking a thread on another processor takes several times as long. If the system
/// refuses, nothing happens.
inline void stay_on_one_processor() {
  int const here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE) return;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(here, &only);
  sched_setaffinity(0, sizeof(only), &only);
}

}  // namespace rondo

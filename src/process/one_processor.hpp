#pragma once

#include <sched.h>

namespace rondo {

/// Keeps this process, and the threads that it will start, on the processor that it runs on now, which a simulation
/// whose ranks are threads profits from: they run in turns, and waking a thread on another processor takes several
/// times as long. Without effect where the system refuses.
inline void stay_on_one_processor() {
  int const here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE) return;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(here, &only);
  sched_setaffinity(0, sizeof(only), &only);
}

}  // namespace rondo

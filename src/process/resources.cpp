// The memory that this process may use is the least of the amounts that the machine, the process and its container
// allow.

#include "process/resources.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>

namespace rondo {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// The memory and the swap of the machine.
std::int64_t of_the_machine() {
  struct sysinfo facts {};
  if (sysinfo(&facts) != 0) return unlimited;
  return static_cast<std::int64_t>((facts.totalram + facts.totalswap) * facts.mem_unit);
}

/// The limit of the address space, as `ulimit -v` sets it.
std::int64_t of_the_process() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur > static_cast<rlim_t>(unlimited)) return unlimited;
  return static_cast<std::int64_t>(limit.rlim_cur);
}

/// The limit that a container or batch system sets for all its processes, as the root of the visible control groups has
/// it; the swap that they may use is added.
std::int64_t of_the_container() {
  std::int64_t limit = 0, swap = 0;
  if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> limit)) return unlimited;  // "max" is no number
  std::ifstream("/sys/fs/cgroup/memory.swap.max") >> swap;
  return swap > unlimited - limit ? unlimited : limit + swap;
}

}  // namespace

Bytes most_memory() { return Bytes(std::min({of_the_machine(), of_the_process(), of_the_container()})); }

}  // namespace rondo

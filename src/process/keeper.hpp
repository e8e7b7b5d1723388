#pragma once

// The process between Rondo and the programs of others; see run_in_child.hpp.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "process/child.hpp"

namespace rondo {

/// What the keeper tells when all is over, as bytes on its pipe.
struct KeeperReport {
  int status = 0;                ///< how the work ended, as waitpid tells it
  int left = 0;                  ///< other processes that had to be killed or waited for
  std::int64_t peak_memory = 0;  ///< peak memory of the work, in bytes
};

/// Forks the keeper, which forks a process for `work`, waits for it, does `harvest` if that ended with 0, kills what is
/// left, removes the work's `folder`, writes a KeeperReport to `report` and ends. SIGTERM, which it also gets when the
/// calling thread ends, lets it kill the work at once. The folder is the keeper's to remove because the caller may be
/// killed; the caller removes it too, because the keeper may be.
Child fork_keeper(std::string const& folder, std::function<void()> const& work, std::function<void()> const& harvest,
                  int report);

/// The report, if the bytes are one.
std::optional<KeeperReport> keeper_report(std::span<std::byte const> bytes);

}  // namespace rondo

#pragma once

// The process between Rondo and the programs of others; see run_in_child.hpp.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "process/child.hpp"
#include "process/private_folder.hpp"

namespace rondo {

/// What the keeper tells when all is over, as bytes on its pipe.
struct KeeperReport {
  int folder_error = 0;          ///< why the folder could not be made, as errno has it; then no work was started
  int status = 0;                ///< how the work ended, as waitpid tells it
  int left = 0;                  ///< other processes that had to be killed or waited for
  std::int64_t peak_memory = 0;  ///< peak memory of the work, in bytes
};

/// What a keeper keeps.
struct Kept {
  PrivateFolder const& folder;    ///< that of the work; the keeper makes and removes it
  std::function<void()> work;     ///< done in a process of its own
  std::function<void()> harvest;  ///< done by the keeper behind the work, if that ended with 0
  std::array<int, 3> pipes;       ///< the only descriptors that keeper and work hold besides the standard streams
  int report;                     ///< where the KeeperReport goes; one of the pipes
};

/// Forks the keeper, which makes the folder, forks a process for the work, waits for it, harvests, kills what is left,
/// removes the folder, writes its KeeperReport and ends. SIGTERM, which it also gets when the calling thread ends, lets
/// it kill the work at once. Wherever the caller is killed, the folder either is not there yet or has a keeper. The
/// caller removes the folder, too, because the keeper may be killed.
Child fork_keeper(Kept const& kept);

/// The report, if the bytes are one.
std::optional<KeeperReport> keeper_report(std::span<std::byte const> bytes);

}  // namespace rondo

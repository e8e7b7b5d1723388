#pragma once

// The keeper is the process that stands between Rondo and the programs of others, and that cleans up behind them.
// run_in_child.hpp explains why. Each program has a private folder for its temporary files, which its keeper makes
// and removes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "process/child.hpp"

namespace rondo {

/// A folder that nobody else can enter and whose name nobody can guess. Its name is chosen before it is made. So the
/// process that chose the name can remove the folder even if the process that made it was killed. Removing it removes
/// everything in it.
class PrivateFolder {
 public:
  /// Chooses a name in the folder for temporary files (TMPDIR, otherwise /tmp), and makes nothing yet.
  PrivateFolder();
  PrivateFolder(PrivateFolder const&) = delete;
  PrivateFolder& operator=(PrivateFolder const&) = delete;
  ~PrivateFolder() { remove(); }

  std::string const& path() const { return path_; }
  /// Makes the folder, accessible to this user alone. Returns 0, or the number of the error as errno has it.
  int make() const noexcept;
  /// Removes the folder, if it exists, however deep its content is and whatever permissions a program has given to it.
  void remove() const noexcept;
  /// Throws an InputError that names TMPDIR and says with which error the folder could not be made.
  [[noreturn]] static void refuse(int error);

 private:
  std::string path_;
};

/// The report that the keeper writes, as bytes, to its pipe when all is over.
struct KeeperReport {
  int folder_error = 0;          ///< why the folder could not be made, as errno has it; then no work was started
  int status = 0;                ///< how the work ended, as waitpid tells it
  int left = 0;                  ///< other processes that had to be killed or waited for
  std::int64_t peak_memory = 0;  ///< peak memory of the work, in bytes
};

/// The task of a keeper.
struct KeeperTask {
  PrivateFolder const& folder;    ///< that of the work; the keeper makes and removes it
  std::function<void()> work;     ///< done in a process of its own
  std::function<void()> harvest;  ///< done by the keeper after the work, if that ended with 0
  std::array<int, 3> pipes;       ///< the only descriptors that keeper and work hold besides the standard streams
  int report;                     ///< where the KeeperReport goes; one of the pipes
};

/// Forks the keeper. It makes the folder, forks a process for the work, waits for it, kills everything that is left,
/// harvests, removes the folder, writes its KeeperReport and ends. SIGTERM, which it also gets when the calling thread
/// ends, makes it kill the work at once. If the caller is killed at any moment, the folder either does not exist yet or
/// has a keeper. The caller removes the folder as well, because the keeper may be killed.
Child fork_keeper(KeeperTask const& task);

/// The report, if the bytes are one.
std::optional<KeeperReport> keeper_report(std::span<std::byte const> bytes);

}  // namespace rondo

// What a keeper does: it makes the folder, starts the work, waits for it, kills what is left, harvests, removes the
// folder and reports.

#include "process/keeper.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "process/descriptor.hpp"
#include "process/orphans.hpp"

namespace rondo {
namespace {

/// The process of the work and all its descendants. A descendant whose parent has ended becomes a child of the keeper.
class Family {
 public:
  explicit Family(pid_t work) : work_(work) {}

  bool working() const { return !ended_; }
  KeeperReport const& report() const { return report_; }

  /// Waits for the children that have ended. Returns false if there is no child any more.
  bool reap() {
    int status = 0;
    rusage usage{};
    for (;;) {
      pid_t const id = wait4(-1, &status, WNOHANG, &usage);
      if (id < 0 && errno == EINTR) continue;
      if (id <= 0) return id == 0;
      if (id != work_) {
        ++report_.left;
        continue;
      }
      ended_ = true;
      report_.status = status;
      report_.peak_memory = std::int64_t{usage.ru_maxrss} << 10;
    }
  }

  /// Kills the process group of the work at once, so that no process in it can escape by forking. Then kills the other
  /// descendants as they become children of the keeper.
  void kill_all() {
    ::kill(-work_, SIGKILL);
    while (reap()) {
      for (pid_t const id : children()) ::kill(id, SIGKILL);
      ::usleep(1000);
    }
  }

 private:
  pid_t work_;
  bool ended_ = false;
  KeeperReport report_;
};

/// The signals that the keeper waits for.
sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGTERM);
  return set;
}

/// Runs in the process of the work: makes it a process group of its own, and the first process that the kernel ends if
/// memory runs out.
void settle_work() {
  setpgid(0, 0);
  sigset_t const set = awaited();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  for (int const number : {SIGINT, SIGHUP, SIGPIPE}) std::signal(number, SIG_DFL);
  Descriptor const score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  write_all(score.value(), "1000");
}

/// Waits until the work has ended or the keeper is told to end it. Returns whether it has ended.
bool await_end(Family& family) {
  sigset_t const set = awaited();
  while (family.working()) {
    int const number = sigwaitinfo(&set, nullptr);
    if (number == SIGTERM) return false;
    family.reap();
  }
  return true;
}

/// Makes the keeper wait for the awaited signals, and makes it adopt orphans. If its parent has ended already, the
/// keeper sends itself the SIGTERM that it would have got at that end.
void await_signals(pid_t parent) {
  sigset_t const set = awaited();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  for (int const number : {SIGINT, SIGHUP, SIGPIPE}) std::signal(number, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (getppid() != parent) ::raise(SIGTERM);
}

/// Makes the folder, and removes it on every way out.
class MadeFolder {
 public:
  explicit MadeFolder(PrivateFolder const& folder) : folder_(folder), error_(folder.make()) {}
  MadeFolder(MadeFolder const&) = delete;
  MadeFolder& operator=(MadeFolder const&) = delete;
  ~MadeFolder() { folder_.remove(); }
  int error() const { return error_; }

 private:
  PrivateFolder const& folder_;
  int error_;
};

KeeperReport keep(KeeperTask const& task) {
  MadeFolder const folder(task.folder);
  if (folder.error() != 0) return {.folder_error = folder.error()};
  Child child = fork_child([&] {
    settle_work();
    task.work();
  });
  setpgid(child.id(), child.id());  // whoever comes first
  Family family(child.release());
  bool const ended = await_end(family);
  family.kill_all();
  if (ended && family.report().status == 0) task.harvest();
  return family.report();
}

}  // namespace

Child fork_keeper(KeeperTask const& task) {
  pid_t const parent = getpid();
  auto const be_keeper = [&] {
    await_signals(parent);
    // If it held the read ends, writing to a pipe that the caller has left would wait for ever.
    close_all_but(task.pipes);
    KeeperReport const end = keep(task);
    write_all(task.report, &end, sizeof end);
  };
  return fork_child(be_keeper, SIGTERM);
}

std::optional<KeeperReport> keeper_report(std::span<std::byte const> bytes) {
  KeeperReport report;
  if (bytes.size() != sizeof report) return std::nullopt;
  std::memcpy(&report, bytes.data(), sizeof report);
  return report;
}

}  // namespace rondo

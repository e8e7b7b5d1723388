// A keeper makes the folder, starts the work, waits for it, kills all processes that are left, harvests, removes the
// folder and reports. Programs of others may leave anything in their folders: read-only folders, very deep trees.

#include "process/keeper.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "process/child.hpp"
#include "process/descriptor.hpp"

namespace rondo {
namespace {

namespace fs = std::filesystem;

/// The folder for temporary files, as std::filesystem::temp_directory_path chooses it. In contrast to that function,
/// the folder need not exist, and a variable with an empty value is ignored.
std::string temporary() {
  for (char const* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    char const* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return "/tmp";
}

/// 96 random bits in hexadecimal digits.
std::string unforeseen() {
  std::array<unsigned char, 12> bits{};
  if (getrandom(bits.data(), bits.size(), 0) != std::ssize(bits)) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  std::string digits;
  for (unsigned char const byte : bits) digits += fmt::format("{:02x}", byte);
  return digits;
}

/// An open folder, opened by its path or by its name in another folder.
class OpenFolder {
 public:
  explicit OpenFolder(char const* name, int parent = AT_FDCWD)
      : listing_(fdopendir(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)), closedir) {}

  explicit operator bool() const { return listing_ != nullptr; }
  int descriptor() const { return dirfd(listing_.get()); }

  /// Calls `visit` with the name of each entry but "." and "..".
  template <typename Visit>
  void each(Visit visit) const {
    while (dirent const* const entry = readdir(listing_.get())) {
      std::string_view const name = entry->d_name;
      if (name != "." && name != "..") visit(entry->d_name);
    }
  }

 private:
  std::unique_ptr<DIR, int (*)(DIR*)> listing_;
};

/// Empties a folder even if folders in it are nested deeper than a process can have descriptors, or have paths longer
/// than the system allows: it moves the entries of an inner folder up beside that folder until all folders are empty.
class FolderEmptier {
 public:
  explicit FolderEmptier(OpenFolder const& top) : top_(top) {}

  void run() {
    std::vector<std::string> folders;
    top_.each([&](char const* name) {
      if (unlinkat(top_.descriptor(), name, 0) != 0) folders.emplace_back(name);
    });
    while (!folders.empty()) {
      std::string const name = std::move(folders.back());
      folders.pop_back();
      move_up_from(name, folders);
      unlinkat(top_.descriptor(), name.c_str(), AT_REMOVEDIR);
    }
  }

 private:
  void move_up_from(std::string const& name, std::vector<std::string>& folders) {
    fchmodat(top_.descriptor(), name.c_str(), S_IRWXU, 0);
    OpenFolder const folder(name.c_str(), top_.descriptor());
    if (!folder) return;
    folder.each([&](char const* entry) {
      if (unlinkat(folder.descriptor(), entry, 0) == 0) return;
      fchmodat(folder.descriptor(), entry, S_IRWXU, 0);  // a folder that moves must be writable itself
      std::string above = "moved-" + std::to_string(moved_++);
      if (renameat(folder.descriptor(), entry, top_.descriptor(), above.c_str()) == 0)
        folders.push_back(std::move(above));
    });
  }

  OpenFolder const& top_;
  std::int64_t moved_ = 0;
};

}  // namespace

PrivateFolder::PrivateFolder() : path_((fs::absolute(temporary()) / ("rondo-" + unforeseen())).string()) {}

int PrivateFolder::make() const noexcept { return mkdir(path_.c_str(), S_IRWXU) == 0 ? 0 : errno; }

void PrivateFolder::remove() const noexcept try {
  auto const holds_something = [&] { return rmdir(path_.c_str()) != 0 && (errno == ENOTEMPTY || errno == EEXIST); };
  // A process that was killed a moment ago may still write into the folder, so this is tried again.
  for (int attempt = 0; attempt < 100 && holds_something(); ++attempt) {
    chmod(path_.c_str(), S_IRWXU);
    if (OpenFolder const top(path_.c_str()); top) FolderEmptier(top).run();
    if (attempt > 0) usleep(1000);
  }
} catch (...) {  // memory that has run out: what is left of it stays
}

void PrivateFolder::refuse(int error) {
  throw InputError(fmt::format("no temporary folder can be made in \"{}\", as TMPDIR says: {}", printable(temporary()),
                               std::generic_category().message(error)));
}

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

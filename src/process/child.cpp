// Forks children, and keeps a list of the own ones, so that orphans can be told from them. The children of a process
// are found in /proc.

#include "process/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "process/descriptor.hpp"
#include "process/say.hpp"

namespace rondo {
namespace {

/// The ids of the children. A set is enough, because only few processes work at the same time.
struct Registry {
  std::mutex mutex;
  std::set<pid_t> ids;
};
Registry& registry() {
  static Registry only;
  return only;
}

/// The child's life: it dies with its parent, has default signal handlers, and ends without unwinding the parent's
/// stack.
[[noreturn]] void be_child(std::function<void()> const& work, pid_t parent, int last_signal) {
  prctl(PR_SET_PDEATHSIG, last_signal);
  if (getppid() != parent) _exit(1);  // it died before the line above
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  int code = 1;
  try {
    work();
    code = 0;
  } catch (std::exception const& error) {
    say("{}\n", error.what());
  } catch (...) {
    say("an exception of no known type\n");
  }
  std::fflush(nullptr);
  _exit(code);
}

}  // namespace

OwnChildren::OwnChildren() { registry().mutex.lock(); }
OwnChildren::~OwnChildren() { registry().mutex.unlock(); }
bool OwnChildren::contains(pid_t id) const { return registry().ids.contains(id); }
void OwnChildren::add(pid_t id) { registry().ids.insert(id); }
void OwnChildren::remove(pid_t id) { registry().ids.erase(id); }

Child::~Child() {
  if (id_ <= 0) return;
  signal(last_signal_);
  wait();
}

ChildStatus Child::wait() {
  ChildStatus end;
  rusage usage{};
  while (wait4(id_, &end.status, 0, &usage) < 0 && errno == EINTR) {
  }
  end.peak_memory = Bytes(std::int64_t{usage.ru_maxrss} << 10);
  OwnChildren().remove(std::exchange(id_, -1));
  return end;
}

Child fork_child(std::function<void()> const& work, int last_signal) {
  std::fflush(nullptr);
  pid_t const parent = getpid();
  pid_t id = 0;
  {
    OwnChildren own_children;  // the child is known before anybody can take it for an orphan
    id = fork();
    if (id > 0) own_children.add(id);
    if (id == 0) registry().ids.clear();
  }
  if (id < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (id == 0) be_child(work, parent, last_signal);
  return {id, last_signal};
}

namespace {

namespace fs = std::filesystem;

/// The parent of a process, from the text "PID (NAME) STATE PARENT ..." of /proc/PID/stat, in which NAME may hold any
/// characters. 0 if the process has ended, also if it ended between opening and reading the file.
pid_t parent_of(fs::path const& process) {
  Descriptor const file(::open((process / "stat").c_str(), O_RDONLY | O_CLOEXEC));
  std::vector<std::byte> bytes;
  read_some(file.value(), bytes);
  std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  std::size_t const name_end = text.rfind(')');
  if (name_end == std::string_view::npos || name_end + 4 > text.size()) return 0;
  pid_t parent = 0;
  std::from_chars(text.data() + name_end + 4, text.data() + text.size(), parent);
  return parent;
}

/// Kills all orphans that are there now, and returns whether there was one.
bool kill_orphans() {
  OwnChildren const own_children;
  bool found = false;
  for (pid_t const id : children()) {
    if (own_children.contains(id)) continue;
    found = true;
    ::kill(id, SIGKILL);
    waitpid(id, nullptr, WNOHANG);
  }
  return found;
}

}  // namespace

std::vector<pid_t> children() { return children(getpid()); }

std::vector<pid_t> children(pid_t parent) {
  std::vector<pid_t> result;
  std::error_code ignored;
  for (fs::directory_iterator entry("/proc", ignored), end; entry != end; entry.increment(ignored)) {
    std::string const name = entry->path().filename().string();
    pid_t id = 0;
    auto const [last, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (error == std::errc() && last == name.data() + name.size() && parent_of(entry->path()) == parent) {
      result.push_back(id);
    }
  }
  return result;
}

void adopt_orphans() {
  static pid_t adopter = 0;  // a child of the adopter is none itself
  OwnChildren own_children;
  if (std::exchange(adopter, getpid()) == getpid()) return;
  for (pid_t const id : children()) own_children.add(id);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void end_orphans() {
  while (kill_orphans()) ::usleep(1000);
}

void await_orphans(std::vector<pid_t> const& orphans, Seconds most) {
  using Clock = std::chrono::steady_clock;
  auto const end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(most.value));
  for (pid_t const id : orphans) {
    while (waitpid(id, nullptr, WNOHANG) == 0 && Clock::now() < end) ::usleep(1000);
  }
}

}  // namespace rondo

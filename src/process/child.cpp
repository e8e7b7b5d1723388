// Forks children, and keeps a list of the own ones, so that orphans can be told from them.

#include "process/child.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <mutex>
#include <set>
#include <system_error>

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

}  // namespace rondo

// Finds the children of a process in /proc, and waits for adopted ones.

#include "process/orphans.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "process/child.hpp"
#include "process/descriptor.hpp"

namespace rondo {
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

#include "engine/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

namespace rondo {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(char const* what) { throw std::system_error(errno, std::generic_category(), what); }

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  ~Descriptor() { close(); }
  int value() const { return value_; }
  void close() {
    if (value_ >= 0) ::close(std::exchange(value_, -1));
  }

 private:
  int value_;
};

struct Pipe {
  Descriptor read, write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// A forked process; killed and waited for if nobody did.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  Child(Child const&) = delete;
  Child& operator=(Child const&) = delete;
  ~Child() {
    if (id_ <= 0) return;
    kill();
    ChildEnd ignored;
    wait(ignored);
  }
  void kill() const { ::kill(id_, SIGKILL); }
  void wait(ChildEnd& end) {
    rusage usage{};
    while (wait4(id_, &end.status, 0, &usage) < 0 && errno == EINTR) {
    }
    end.peak_memory = Bytes(std::int64_t{usage.ru_maxrss} << 10);
    id_ = -1;
  }

 private:
  pid_t id_;
};

[[noreturn]] void be_child(std::function<void(int)> const& work, pid_t parent, int answer, int printed) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before the line above
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  rlimit const no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  dup2(printed, STDOUT_FILENO);
  dup2(printed, STDERR_FILENO);
  work(answer);
  std::fflush(nullptr);
  _exit(0);
}

/// Reads what there is; false at the end.
bool read_some(int descriptor, std::vector<std::byte>& into) {
  std::array<std::byte, 65536> chunk;
  ssize_t const got = ::read(descriptor, chunk.data(), chunk.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  into.insert(into.end(), chunk.begin(), chunk.begin() + got);
  return got > 0;
}

/// Milliseconds for poll, rounded up; -1 without a deadline.
int remaining(std::optional<Clock::time_point> deadline) {
  if (!deadline) return -1;
  auto const left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

/// Keeps the last part of what was printed: an error is the last thing a program says.
void shorten(std::vector<std::byte>& printed) {
  constexpr std::ptrdiff_t kept = 1 << 16;
  if (std::ssize(printed) > 2 * kept) printed.erase(printed.begin(), printed.end() - kept);
}

/// Reads both pipes to their ends, which come when the child has ended. False when the deadline came first.
bool collect(int answer, int printed, std::vector<std::byte>& answered, std::vector<std::byte>& said,
             std::optional<Clock::time_point> deadline) {
  std::array<pollfd, 2> waiting{pollfd{answer, POLLIN, 0}, pollfd{printed, POLLIN, 0}};
  std::array<std::vector<std::byte>*, 2> const into{&answered, &said};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    int const ready = poll(waiting.data(), waiting.size(), remaining(deadline));
    if (ready < 0 && errno != EINTR) fail("poll");
    if (ready <= 0) {
      if (deadline && Clock::now() >= *deadline) return false;
      continue;
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].revents != 0 && !read_some(waiting[i].fd, *into[i])) waiting[i].fd = -1;
    }
    shorten(said);
  }
  return true;
}

std::optional<Clock::time_point> deadline_after(Seconds timeout) {
  if (timeout.value <= 0) return std::nullopt;
  std::chrono::duration<double> const most(std::min(timeout.value, 1e9));
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(most);
}

}  // namespace

void write_all(int descriptor, void const* data, std::size_t size) noexcept {
  auto const* next = static_cast<char const*>(data);
  while (size > 0) {
    ssize_t const written = ::write(descriptor, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

ChildEnd run_in_child(std::function<void(int answer)> const& work, Seconds timeout) {
  static std::mutex forking;  // else a child of another thread would hold our write ends open
  std::unique_lock lock(forking);
  Pipe answer = make_pipe();
  Pipe printed = make_pipe();
  auto const deadline = deadline_after(timeout);
  std::fflush(nullptr);
  pid_t const parent = getpid();
  pid_t const id = fork();
  if (id < 0) fail("fork");
  if (id == 0) be_child(work, parent, answer.write.value(), printed.write.value());
  Child child(id);
  answer.write.close();
  printed.write.close();
  lock.unlock();

  ChildEnd end;
  std::vector<std::byte> said;
  end.timed_out = !collect(answer.read.value(), printed.read.value(), end.answer, said, deadline);
  if (end.timed_out) child.kill();
  child.wait(end);
  end.printed.assign(reinterpret_cast<char const*>(said.data()), said.size());
  return end;
}

}  // namespace rondo

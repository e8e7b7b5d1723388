// Starts children and collects their answers and output with a deadline, through poll. A lock keeps threads from
// forking at the same time, since a child would inherit the pipes of another one.

#include "process/run_in_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <mutex>
#include <optional>
#include <system_error>

#include "process/child.hpp"
#include "process/descriptor.hpp"
#include "process/keeper.hpp"

namespace rondo {

namespace {

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>;

/// The time left in milliseconds, rounded up, as poll takes it; -1 if there is no deadline.
int remaining(Deadline deadline) {
  if (!deadline) return -1;
  auto const left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

Deadline deadline_after(Seconds timeout) {
  if (timeout.value <= 0) return std::nullopt;
  std::chrono::duration<double> const most(std::min(timeout.value, 1e9));
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(most);
}

/// A pipe from the child, and the bytes that have come out of it.
struct Source {
  Pipe pipe = make_pipe();
  std::vector<std::byte> bytes = {};
  std::int64_t read = 0;  ///< how many bytes were read; `bytes` may be the last part only

  /// Reads once. Returns false at the end of the pipe.
  bool take() {
    std::size_t const before = bytes.size();
    bool const open = read_some(pipe.read.value(), bytes);
    read += static_cast<std::int64_t>(bytes.size() - before);
    return open;
  }
  /// Drops all but the last part: if a program fails, it prints its error last.
  void shorten() {
    constexpr std::ptrdiff_t kept = 1 << 16;
    if (std::ssize(bytes) > 2 * kept) bytes.erase(bytes.begin(), bytes.end() - kept);
  }
  /// Reads everything that is in the pipe now, without waiting for more.
  void drain() {
    ::fcntl(pipe.read.value(), F_SETFL, O_NONBLOCK);
    for (std::int64_t before = -1; before != read;) {
      before = read;
      take();
    }
  }
};

/// The pipes from the child: its answer, its output, and the report of its keeper, if it has one.
class Sources {
 public:
  Source answer = {}, printed = {}, report = {};

  /// Closes this process's write ends, so that the pipes end with the child.
  void close_write_ends() {
    for (Source* each : {&answer, &printed, &report}) each->pipe.write.close();
  }

  /// Reads until `done` says so of the pipes that are still open; returns false if the deadline comes first.
  template <typename Done>
  bool collect(Deadline deadline, Done done) {
    std::array<Source*, 3> const all{&answer, &printed, &report};
    while (!done(open_)) {
      std::array<pollfd, 3> waiting{};
      for (std::size_t i = 0; i < all.size(); ++i) waiting[i] = {open_[i] ? all[i]->pipe.read.value() : -1, POLLIN, 0};
      int const ready = poll(waiting.data(), waiting.size(), remaining(deadline));
      if (ready < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
      for (std::size_t i = 0; ready > 0 && i < all.size(); ++i) {
        if (waiting[i].revents != 0) open_[i] = all[i]->take();
      }
      printed.shorten();
      // The deadline is checked here too, for a child that never stops printing.
      if (deadline && Clock::now() >= *deadline && !done(open_)) return false;
    }
    return true;
  }
  /// Which pipes have not ended yet: answer, printed, report.
  using Open = std::array<bool, 3>;

 private:
  Open open_{true, true, true};
};

void catch_prints(int printed) {
  dup2(printed, STDOUT_FILENO);
  dup2(printed, STDERR_FILENO);
}

void leave_no_core() {
  rlimit const no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

ChildEnd end_of(Sources& sources) {
  ChildEnd end;
  end.answer = std::move(sources.answer.bytes);
  auto const& printed = sources.printed.bytes;
  end.printed.assign(reinterpret_cast<char const*>(printed.data()), printed.size());
  return end;
}

/// Kills the child. The keepers of programs that the child has started lose their parent by this, clean up behind their
/// programs, and become children of this process. Returns these keepers.
std::vector<pid_t> killed_with_keepers(Child const& child) {
  child.signal(SIGSTOP);  // it starts no other one meanwhile
  std::vector<pid_t> keepers = children(child.id());
  if (!keepers.empty()) adopt_orphans();
  child.signal(SIGKILL);
  return keepers;
}

/// The lock under which pipes are made and children forked. Without it a child of another thread would inherit the
/// write ends of these pipes, and hold them open.
std::mutex& forking() {
  static std::mutex only;
  return only;
}

}  // namespace

ChildEnd run_in_child(std::function<void(int answer)> const& work, Seconds timeout) {
  std::unique_lock lock(forking());
  Sources sources;
  auto const deadline = deadline_after(timeout);
  Child child = fork_child([&] {
    lock.unlock();  // the work may have children of its own
    leave_no_core();
    catch_prints(sources.printed.pipe.write.value());
    work(sources.answer.pipe.write.value());
  });
  sources.close_write_ends();
  lock.unlock();

  bool const in_time = sources.collect(deadline, [](Sources::Open const& open) { return !open[0] && !open[1]; });
  std::vector<pid_t> const keepers = in_time ? std::vector<pid_t>() : killed_with_keepers(child);
  ChildStatus const status = child.wait();
  // Nothing may be left when this process ends. A keeper that has not cleaned up in ten minutes is given up.
  await_orphans(keepers, Seconds(600));
  ChildEnd end = end_of(sources);
  end.timed_out = !in_time;
  end.status = status.status;
  end.peak_memory = status.peak_memory;
  return end;
}

ChildEnd run_under_keeper(KeeperWork const& work, Seconds timeout) {
  PrivateFolder const folder;
  adopt_orphans();
  std::unique_lock lock(forking());
  Sources sources;
  auto const deadline = deadline_after(timeout);
  int const answer = sources.answer.pipe.write.value();
  int const printed = sources.printed.pipe.write.value();
  int const report = sources.report.pipe.write.value();
  auto const start_work = [&] {
    leave_no_core();
    catch_prints(printed);
    close_all_but(std::array{answer});
    work.work(answer, folder.path());
  };
  auto const harvest = [&] {
    if (work.harvest) work.harvest(answer, folder.path());
  };
  Child keeper = fork_keeper({folder, start_work, harvest, {answer, printed, report}, report});
  sources.close_write_ends();
  lock.unlock();

  auto const too_much = [&] {
    return sources.printed.read > work.limits.printed.value || sources.answer.read > work.limits.answer.value;
  };
  bool const in_time = sources.collect(deadline, [&](Sources::Open const& open) { return !open[2] || too_much(); });
  bool const much_printed = sources.printed.read > work.limits.printed.value;
  bool const much_answered = sources.answer.read > work.limits.answer.value;
  if (!in_time || too_much()) {
    // The keeper ends everything. The rest of the answer is thrown away, so that the keeper does not wait for a
    // reader.
    keeper.signal(SIGTERM);
    sources.answer.pipe.read.close();
    sources.collect(std::nullopt, [](Sources::Open const& open) { return !open[2]; });
  }
  sources.answer.drain();
  sources.printed.drain();
  sources.printed.shorten();
  ChildStatus const keepers = keeper.wait();
  ChildEnd end = end_of(sources);
  end.timed_out = !in_time;
  end.printed_too_much = much_printed;
  end.answered_too_much = much_answered;
  auto const report_of_end = keeper_report(sources.report.bytes);
  // The keeper was killed. Nobody knows what its work was doing, so its answer cannot be trusted.
  if (!report_of_end) {
    end.answer.clear();
    end_orphans();
  }
  KeeperReport const last_report = report_of_end.value_or(KeeperReport{.status = keepers.status});
  if (last_report.folder_error != 0) PrivateFolder::refuse(last_report.folder_error);
  end.status = last_report.status;
  end.peak_memory = Bytes(last_report.peak_memory);
  end.left = last_report.left;
  return end;
}

}  // namespace rondo

#include "run/points/workers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace rondo {
namespace {

enum class Kind : std::uint8_t { answer, refusal };

/// What precedes an answer's text on the pipe.
struct Header {
  std::uint64_t task = 0;
  std::uint64_t size = 0;
  std::uint64_t kind = 0;
};

struct Answer {
  Kind kind = Kind::answer;
  std::string text;
};

[[noreturn]] void fail(char const* what) { throw std::system_error(errno, std::generic_category(), what); }

bool write_whole(int file, void const* data, std::size_t size) {
  auto const* bytes = static_cast<char const*>(data);
  while (size > 0) {
    ssize_t const written = ::write(file, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_whole(int file, void* data, std::size_t size) {
  auto* bytes = static_cast<char*>(data);
  while (size > 0) {
    ssize_t const got = ::read(file, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

Answer answer_to(std::size_t task, std::function<std::string(std::size_t)> const& work) {
  try {
    return {Kind::answer, work(task)};
  } catch (InputError const& refused) {
    return {Kind::refusal, refused.what()};
  }
}

[[noreturn]] void be_worker(std::function<std::string(std::size_t)> const& work, int tasks, int answers) {
  std::uint64_t task = 0;
  while (read_whole(tasks, &task, sizeof task)) {
    Answer const answer = answer_to(task, work);
    Header const header{task, answer.text.size(), static_cast<std::uint64_t>(answer.kind)};
    if (!write_whole(answers, &header, sizeof header)) break;
    if (!write_whole(answers, answer.text.data(), answer.text.size())) break;
  }
  _exit(0);
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("its process was ended by signal {}", WTERMSIG(status));
  return fmt::format("its process ended with exit code {}", WEXITSTATUS(status));
}

/// A forked process, told its tasks by a socket (to write to one whose reader has died is no signal), answering by a
/// pipe.
class Worker {
 public:
  explicit Worker(std::function<std::string(std::size_t)> const& work) {
    std::array<int, 2> tasks{}, answers{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, tasks.data()) != 0) fail("socketpair");
    if (pipe2(answers.data(), O_CLOEXEC) != 0) fail("pipe");
    pid_t const parent = getpid();
    std::fflush(nullptr);
    process_ = fork();
    if (process_ < 0) fail("fork");
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);  // it died before the line above
      ::close(tasks[1]);
      ::close(answers[0]);
      be_worker(work, tasks[0], answers[1]);
    }
    ::close(tasks[0]);
    ::close(answers[1]);
    tasks_ = tasks[1];
    answers_ = answers[0];
  }
  Worker(Worker const&) = delete;
  Worker& operator=(Worker const&) = delete;
  ~Worker() {
    ::close(tasks_);
    ::close(answers_);
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    wait();
  }

  int answers() const { return answers_; }
  std::deque<std::size_t> const& given() const { return given_; }
  /// A worker that has died takes none; that is found when its answers end.
  void give(std::size_t task) {
    std::uint64_t const number = task;
    while (send(tasks_, &number, sizeof number, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
    given_.push_back(task);
  }
  /// The next answer; false when it has died.
  bool take(std::size_t& task, Answer& answer) {
    Header header;
    if (!read_whole(answers_, &header, sizeof header)) return false;
    answer.kind = static_cast<Kind>(header.kind);
    answer.text.resize(header.size);
    if (!read_whole(answers_, answer.text.data(), header.size)) return false;
    task = given_.front();
    given_.pop_front();
    return true;
  }
  std::string end() {
    int const status = wait();
    return how_it_ended(status);
  }

 private:
  int wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status;
  }

  pid_t process_ = -1;
  int tasks_ = -1, answers_ = -1;
  std::deque<std::size_t> given_;
};

class Pool {
 public:
  using Work = std::function<std::string(std::size_t)>;
  using Lost = std::function<std::string(std::size_t, std::string const&)>;

  Pool(std::vector<std::size_t> const& tasks, WorkerOptions const& options, Work const& work, Lost const& lost)
      : tasks_(tasks.begin(), tasks.end()), options_(options), work_(work), lost_(lost) {}

  bool idle() const { return workers_.empty(); }

  /// As many workers as there is work for, each with as many tasks as it may have.
  void feed() {
    while (std::ssize(workers_) < options_.jobs && !tasks_.empty()) {
      workers_.emplace_back(work_);
      fill(workers_.back());
    }
    for (Worker& worker : workers_) fill(worker);
    workers_.remove_if([](Worker const& worker) { return worker.given().empty(); });
  }

  /// Waits until a worker has answered or died.
  void collect(std::map<std::size_t, Answer>& answers) {
    std::vector<pollfd> waiting;
    for (Worker const& worker : workers_) waiting.push_back({worker.answers(), POLLIN, 0});
    while (poll(waiting.data(), waiting.size(), -1) < 0) {
      if (errno != EINTR) fail("poll");
    }
    std::size_t i = 0;
    for (auto worker = workers_.begin(); worker != workers_.end(); ++i) {
      bool const dead = waiting[i].revents != 0 && !take(*worker, answers);
      worker = dead ? workers_.erase(worker) : std::next(worker);
    }
  }

 private:
  void fill(Worker& worker) {
    while (worker.given().size() < options_.ahead && !tasks_.empty()) {
      worker.give(tasks_.front());
      tasks_.pop_front();
    }
  }

  /// What a dead worker had not begun is for others.
  bool take(Worker& worker, std::map<std::size_t, Answer>& answers) {
    std::size_t task = 0;
    Answer answer;
    if (worker.take(task, answer)) {
      answers[task] = std::move(answer);
      return true;
    }
    std::deque<std::size_t> given = worker.given();
    if (given.empty()) return false;
    answers[given.front()] = {Kind::answer, lost_(given.front(), worker.end())};
    given.pop_front();
    tasks_.insert(tasks_.begin(), given.begin(), given.end());
    return false;
  }

  std::deque<std::size_t> tasks_;
  WorkerOptions options_;
  Work const& work_;
  Lost const& lost_;
  std::list<Worker> workers_;
};

}  // namespace

void in_workers(std::vector<std::size_t> const& tasks, WorkerOptions const& options,
                std::function<std::string(std::size_t)> const& work,
                std::function<std::string(std::size_t, std::string const& why)> const& lost,
                std::function<void(std::size_t, std::string)> const& on_answer) {
  Pool pool(tasks, options, work, lost);
  std::map<std::size_t, Answer> answers;
  auto next = tasks.begin();
  for (pool.feed(); !pool.idle(); pool.feed()) {
    pool.collect(answers);
    for (; next != tasks.end() && answers.contains(*next); ++next) {
      Answer answer = std::move(answers.extract(*next).mapped());
      if (answer.kind == Kind::refusal) throw InputError(answer.text);
      on_answer(*next, std::move(answer.text));
    }
  }
}

}  // namespace rondo

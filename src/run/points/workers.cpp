// A worker is a forked process that reads numbers of tasks from a pipe and writes answers to another one. If a
// worker dies, its current task is reported as lost, and a new worker takes the others. In work with a time limit,
// the first byte of the child's answer says whether a text or an error follows. A newline at the end says that the
// answer is complete.

#include "run/points/workers.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <deque>
#include <exception>
#include <list>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "process/child.hpp"
#include "process/descriptor.hpp"
#include "process/run_in_child.hpp"
#include "process/say.hpp"

namespace rondo {
namespace {

/// A fault is an unexpected exception: a bug of Rondo's, which costs only its own task.
enum class Kind : std::uint8_t { answer, refusal, fault };

/// Stands before the text of an answer on the pipe.
struct Header {
  std::uint64_t task = 0;
  std::uint64_t size = 0;
  std::uint64_t kind = 0;
};

/// What a worker says about a task.
struct Answer {
  Kind kind = Kind::answer;
  std::string text;
};

/// Does the work of a task. Exceptions become answers, because they cannot cross processes.
Answer answer_to(std::size_t task, std::function<std::string(std::size_t)> const& work) {
  try {
    return {Kind::answer, work(task)};
  } catch (InputError const& refused) {
    return {Kind::refusal, refused.what()};
  } catch (std::exception const& error) {
    return {Kind::fault, error.what()};
  }
}

/// The loop of a worker: it ends when the pipe of tasks is closed.
void be_worker(std::function<std::string(std::size_t)> const& work, int tasks, int answers) {
  std::uint64_t task = 0;
  while (read_all(tasks, &task, sizeof task)) {
    Answer const answer = answer_to(task, work);
    Header const header{task, answer.text.size(), static_cast<std::uint64_t>(answer.kind)};
    if (!write_all(answers, &header, sizeof header)) break;
    if (!write_all(answers, answer.text)) break;
  }
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("its process was ended by signal {}", WTERMSIG(status));
  return fmt::format("its process ended with exit code {}", WEXITSTATUS(status));
}

/// A forked process. It receives its tasks over a socket, because writing to a socket whose reader has died raises no
/// signal, and answers over a pipe.
class Worker {
 public:
  explicit Worker(std::function<std::string(std::size_t)> const& work) : Worker(work, Pipes()) {}

  int answers() const { return answers_.value(); }
  std::deque<std::size_t> const& given() const { return given_; }
  /// A worker that has died does not receive the task. This is noticed when its answers end.
  void give(std::size_t task) {
    std::uint64_t const number = task;
    while (send(tasks_.value(), &number, sizeof number, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
    given_.push_back(task);
  }
  /// Reads the next answer; returns false if the worker has died.
  bool take(std::size_t& task, Answer& answer) {
    Header header;
    if (!read_all(answers_.value(), &header, sizeof header)) return false;
    answer.kind = static_cast<Kind>(header.kind);
    answer.text.resize(header.size);
    if (!read_all(answers_.value(), answer.text.data(), header.size)) return false;
    task = given_.front();
    given_.pop_front();
    return true;
  }
  std::string end() { return how_it_ended(process_.wait().status); }

 private:
  /// The ends of the pipes for both sides.
  struct Pipes {
    Pipes() {
      std::array<int, 2> ends{};
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "socketpair");
      }
      tasks = {Descriptor(ends[0]), Descriptor(ends[1])};
    }
    Pipe tasks, answers = make_pipe();
  };

  Worker(std::function<std::string(std::size_t)> const& work, Pipes pipes)
      : process_(fork_child([&] {
          pipes.tasks.write.close();
          pipes.answers.read.close();
          be_worker(work, pipes.tasks.read.value(), pipes.answers.write.value());
        })),
        tasks_(std::move(pipes.tasks.write)),
        answers_(std::move(pipes.answers.read)) {}

  Child process_;
  Descriptor tasks_, answers_;
  std::deque<std::size_t> given_;
};

/// All workers and the tasks that no worker has yet.
class Pool {
 public:
  using Work = std::function<std::string(std::size_t)>;
  using Lost = std::function<std::string(std::size_t, std::string const&)>;

  Pool(std::vector<std::size_t> const& tasks, WorkerOptions const& options, Work const& work, Lost const& lost)
      : tasks_(tasks.begin(), tasks.end()), options_(options), work_(work), lost_(lost) {}

  bool idle() const { return workers_.empty(); }

  /// Starts as many workers as there is work for, and gives each as many tasks as it may have.
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
    for (int ready = 0; ready <= 0;) {
      ready = poll(waiting.data(), waiting.size(), options_.while_waiting ? 100 : -1);
      if (ready < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
      if (options_.while_waiting) options_.while_waiting();
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

  /// Tasks that a dead worker had not begun are given to others.
  bool take(Worker& worker, std::map<std::size_t, Answer>& answers) {
    std::size_t task = 0;
    Answer answer;
    if (worker.take(task, answer)) {
      if (answer.kind == Kind::fault) answer = {Kind::answer, lost_(task, "a bug of rondo: " + answer.text)};
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

/// Runs all tasks and hands over answers in the order of the tasks. Answers that come early wait.
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

namespace {

/// The first byte of an answer: a text follows, or the text of an InputError.
constexpr char made = 'm', refused = 'r';

/// Makes the answer of the child: a letter for its kind, its text, and a newline. An answer without the newline was cut
/// off.
std::string answer_of(std::function<std::string()> const& make) {
  try {
    return made + make() + "\n";
  } catch (InputError const& error) {
    return refused + std::string(error.what()) + "\n";
  }
}

/// Returns the text of a child that has ended, or failed(why) without a complete answer. Throws the InputError of an
/// answer that states one.
std::string end_text(ChildEnd const& end, Seconds timeout, std::function<std::string(std::string why)> const& failed) {
  if (end.timed_out) return failed(fmt::format("timeout after {}", print(timeout)));
  std::string_view const answer(reinterpret_cast<char const*>(end.answer.data()), end.answer.size());
  if (answer.size() >= 2 && answer.back() == '\n') {
    std::string text(answer.substr(1, answer.size() - 2));
    if (answer.front() == refused) throw InputError(text);
    return text;
  }
  // Usually it is the kernel that kills the child, when it needs memory back.
  bool const killed = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL;
  if (killed) return failed("out of memory, or the process of the point was killed");
  return failed(fmt::format("crash: the process of the point ended with status {} and no record", end.status));
}

}  // namespace

std::string text_with_timeout(Seconds timeout, std::function<std::string()> const& make,
                              std::function<std::string(std::string why)> const& failed) {
  if (timeout <= Seconds(0)) return make();
  try {
    ChildEnd const end = run_in_child([&](int answer) { write_all(answer, answer_of(make)); }, timeout);
    say("{}", end.printed);
    return end_text(end, timeout, failed);
  } catch (std::system_error const& error) {
    return failed(fmt::format("no process for the point: {}", error.what()));
  }
}

}  // namespace rondo

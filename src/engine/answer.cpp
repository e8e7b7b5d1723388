// Encodes and decodes the messages of a simulating child. Each has a header with its kind and its length. Both
// processes run the same program, so numbers are sent as they lie in memory.
// The functions at the end find the cause of a child's end. They look for a lack of memory first, because it shows in
// many ways, such as a crash in SimGrid.

#include "engine/answer.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "process/descriptor.hpp"

namespace rondo {

namespace {

/// The first value is a magic number, so that a header read from garbage is recognized as such.
enum class Kind : std::uint32_t { ready = 0x524f4e30, result, timing, failure, refusal };

/// Before each part of an answer; `size` bytes of body follow.
struct Header {
  Kind kind{};
  Failure failure{};
  std::uint64_t size = 0;
};

/// The body of a timing, before the finish of each rank and the times of messages.
struct TimingBody {
  double makespan = 0;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::uint64_t payload_verified = 0;
  std::uint64_t finishes = 0;
};

/// The process that has said that it is ready. A copy of it that a program has made by a system call of its own runs
/// the same simulation, and must not answer too.
pid_t answering = 0;

void end_if_copied() noexcept {
  if (answering != 0 && answering != getpid()) _exit(1);
}

/// Sends a text without allocating memory, because it may report that memory has run out.
void send_text(int descriptor, Kind kind, Failure failure, std::string_view text) noexcept {
  end_if_copied();
  Header const header{kind, failure, text.size()};
  write_all(descriptor, &header, sizeof header);
  write_all(descriptor, text.data(), text.size());
}

/// Copies bytes into values. The bytes of a pipe may lie at any address, so they cannot be read in place.
template <typename T>
void copy_all(std::span<std::byte const> bytes, std::vector<T>& into) {
  static_assert(std::is_trivially_copyable_v<T>);
  into.resize(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(into.data(), bytes.data(), bytes.size());
}

/// Unset if the body is shorter than its own counts say.
std::optional<Timing> decode_timing(std::span<std::byte const> body) {
  TimingBody fixed;
  if (body.size() < sizeof fixed) return std::nullopt;
  std::memcpy(&fixed, body.data(), sizeof fixed);
  Timing timing;
  timing.makespan = Seconds(fixed.makespan);
  timing.messages = fixed.messages;
  timing.bytes = Bytes(fixed.bytes);
  timing.payload_verified = fixed.payload_verified != 0;
  body = body.subspan(sizeof fixed);
  if (body.size() / sizeof(Seconds) < fixed.finishes) return std::nullopt;
  copy_all(body.first(fixed.finishes * sizeof(Seconds)), timing.finish);
  body = body.subspan(fixed.finishes * sizeof(Seconds));
  if (body.size() % sizeof(MessageTimes) != 0) return std::nullopt;
  copy_all(body, timing.message_times);
  return timing;
}

/// Unset for a body of a wrong form, and for messages that are no answers.
std::optional<Answer> decode(Header const& header, std::span<std::byte const> body) {
  std::string text(reinterpret_cast<char const*>(body.data()), body.size());
  switch (header.kind) {
    case Kind::timing: {
      auto timing = decode_timing(body);
      return timing ? std::optional<Answer>(std::move(*timing)) : std::nullopt;
    }
    case Kind::failure:
      return Failed{header.failure, std::move(text)};
    case Kind::refusal:
      return Refused{std::move(text)};
    case Kind::ready:
    case Kind::result:
      break;
  }
  return std::nullopt;
}

}  // namespace

void send_ready(int descriptor) {
  answering = getpid();
  send_text(descriptor, Kind::ready, {}, {});
}

/// What a rank of a program hands back, in its own form.
void send_result(int descriptor, std::span<std::byte const> result) {
  end_if_copied();
  Header const header{Kind::result, {}, result.size()};
  write_all(descriptor, &header, sizeof header);
  write_all(descriptor, result.data(), result.size());
}

/// The fixed part, then the finish times and the times of messages as they lie in memory: both processes are the same
/// program.
void send(int descriptor, Timing const& timing) {
  end_if_copied();
  TimingBody const body{timing.makespan.value, timing.messages, timing.bytes.value, timing.payload_verified ? 1U : 0U,
                        timing.finish.size()};
  std::size_t const finish = timing.finish.size() * sizeof(Seconds);
  std::size_t const message_times = timing.message_times.size() * sizeof(MessageTimes);
  Header const header{Kind::timing, {}, sizeof body + finish + message_times};
  write_all(descriptor, &header, sizeof header);
  write_all(descriptor, &body, sizeof body);
  write_all(descriptor, timing.finish.data(), finish);
  write_all(descriptor, timing.message_times.data(), message_times);
}

void send_failure(int descriptor, Failure failure, std::string_view error) noexcept {
  send_text(descriptor, Kind::failure, failure, error);
}

void send_refusal(int descriptor, std::string_view error) noexcept { send_text(descriptor, Kind::refusal, {}, error); }

/// Reads all messages of the child, up to one that is not complete.
Received receive(std::span<std::byte const> bytes) {
  Received result;
  Header header;
  while (bytes.size() >= sizeof header) {
    std::memcpy(&header, bytes.data(), sizeof header);
    bytes = bytes.subspan(sizeof header);
    if (header.size > bytes.size()) break;
    auto const body = bytes.first(header.size);
    // The first answer counts: what a process says after it is no longer of one piece.
    if (header.kind == Kind::ready)
      result.ready = true;
    else if (header.kind == Kind::result)
      result.results.emplace_back(body.begin(), body.end());
    else if (!result.answer)
      result.answer = decode(header, body);
    bytes = bytes.subspan(header.size);
  }
  return result;
}

namespace {

/// Whether the output contains a message that an allocator prints before it gives up: C++'s exception, SimGrid's
/// xbt_malloc and its stacks, tcmalloc, and the system's own messages.
bool reports_memory(std::string_view printed) {
  constexpr std::array signs{"bad_alloc",
                             "Memory allocation of",
                             "Cannot allocate memory",
                             "allocation failed",
                             "Failed to allocate stack",
                             "Could not map",
                             "out-of-memory",
                             "out of memory"};
  for (std::string_view const sign : signs) {
    if (printed.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

/// Whether a line only says where SimGrid was, advises on options that Rondo has set, or is a crash_line.
bool is_trace(std::string_view line) {
  return line.starts_with("Try to enable SMPI variable privatization") || line.starts_with("Segmentation fault.") ||
         line.starts_with("  ->") || line.starts_with("Backtrace") || line.starts_with("    #") ||
         line.starts_with("Current backtrace") || line.starts_with(crash_line);
}

/// Reports the signal or exit code of a child, in the form of waitpid.
std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("the simulation was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  return fmt::format("the simulation ended with exit code {} and no result", WEXITSTATUS(status));
}

/// " in rank 2" if the output names the rank that crashed, else "".
std::string crashed_rank(std::string_view printed) {
  auto const begin = printed.find(crash_line);
  if (begin == std::string_view::npos || (begin > 0 && printed[begin - 1] != '\n')) return "";
  std::string_view const number = printed.substr(begin + crash_line.size());
  return fmt::format(" in rank {}", number.substr(0, number.find_first_not_of("0123456789")));
}

}  // namespace

/// The name of a failure in records.
std::string to_string(Failure failure) {
  switch (failure) {
    case Failure::deadlock:
      return "deadlock";
    case Failure::crash:
      return "crash";
    case Failure::timeout:
      return "timeout";
    case Failure::overflow:
      return "overflow";
    case Failure::out_of_memory:
      return "out of memory";
    case Failure::wrong_data:
      return "wrong data";
    case Failure::exited:
      return "exit";
    case Failure::unreceived:
      return "unreceived messages";
  }
  return "unknown";
}

/// The last line that the child printed, without SimGrid's stack traces; it often names the cause.
std::string last_meaningful_line(std::string const& printed) {
  // SimGrid's advice on a segmentation fault, which mostly concerns options that Rondo has set, would hide earlier
  // output.
  std::istringstream lines(printed.substr(0, printed.find("Access violation or Bus error detected")));
  std::string line, last;
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos && !is_trace(line)) last = line;
  }
  return excerpt(last, 200);
}

/// The reason why a child ended without an answer: its deadline, memory, or what it printed last.
Failed failure_of(ChildEnd const& end, Seconds timeout) {
  if (end.timed_out) return {Failure::timeout, fmt::format("timeout after {}", print(timeout))};
  std::string const words = last_meaningful_line(end.printed);
  std::string const last_line = words.empty() ? "" : fmt::format(": {}", words);
  bool const killed = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL;
  if (reports_memory(end.printed)) return {Failure::out_of_memory, "out of memory" + last_line};
  // Only the kernel kills our children, and it does so to reclaim memory.
  if (killed) return {Failure::out_of_memory, "out of memory, or the simulation was killed" + last_line};
  return {Failure::crash, how_it_ended(end.status) + crashed_rank(end.printed) + last_line};
}

}  // namespace rondo

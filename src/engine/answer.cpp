// Encodes and decodes the messages of a simulating child. Each has a header with its kind and its length. Both
// processes run the same program, so numbers are sent as they lie in memory.

#include "engine/answer.hpp"
#include "process/descriptor.hpp"

#include <unistd.h>

#include <cstring>
#include <type_traits>
#include <vector>

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

}  // namespace rondo

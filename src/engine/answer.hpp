#pragma once

// The messages that a simulating child process writes to its parent, as bytes. The child first writes `ready` once
// the machine is built. It then writes one answer: a timing (preceded by the results of all ranks, if the ranks leave
// any), a failure, or a refusal of bad input. An answer that is cut short counts as no answer.
// failure_of() tells why a child ended without an answer. Its exit status and the text that it printed decide between
// a crash, a time-out and a lack of memory.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/engine.hpp"
#include "process/run_in_child.hpp"

namespace rondo {

/// A failure that the child itself found.
struct Failed {
  Failure failure{};
  std::string error;
};
/// An input that the child found to be bad. The parent throws it as InputError.
struct Refused {
  std::string error;
};
using Answer = std::variant<Timing, Failed, Refused>;

void send_ready(int descriptor);
/// The result of the next rank.
void send_result(int descriptor, std::span<std::byte const> result);
/// Sends a timing without `wall`, which only the parent knows.
void send(int descriptor, Timing const& timing);
/// Sends a failure. It allocates nothing, because it must work when memory has run out.
void send_failure(int descriptor, Failure failure, std::string_view error) noexcept;
void send_refusal(int descriptor, std::string_view error) noexcept;

/// The content of all bytes that a child wrote.
struct Received {
  bool ready = false;
  std::vector<std::vector<std::byte>> results;
  std::optional<Answer> answer;
};
/// Decodes the bytes of a child. Parts that are cut short or unknown are ignored.
Received receive(std::span<std::byte const> bytes);

/// The beginning of the line by which a rank that crashes names itself on standard error. Its number follows.
constexpr std::string_view crash_line = "rondo: a crash in rank ";

/// The report on a child that ended without an answer: the kind of failure, and one line with the way it ended, the
/// rank if it is known, and the last meaningful line that it printed.
Failed failure_of(ChildEnd const& end, Seconds timeout);

/// The last line of `printed` that is neither blank nor part of a stack trace. It is cut to a readable length.
std::string last_meaningful_line(std::string const& printed);

}  // namespace rondo

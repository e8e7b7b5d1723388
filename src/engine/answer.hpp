#pragma once

// The messages that a simulating child process writes to its parent, as bytes. The child first writes `ready` once the
// machine is built. It then writes one answer: a timing (preceded by the results of all ranks, if the ranks leave any),
// a failure, or a refusal of bad input. An answer that is cut short counts as no answer.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/engine.hpp"

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

}  // namespace rondo

#pragma once

// What a simulating child writes to its parent, as bytes: first `ready` once the machine stands, then one answer: a
// timing, after the results of all ranks if they leave any, a failure or bad input. An answer that is cut short counts
// as no answer.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/engine.hpp"

namespace rondo {

/// A failure the child itself found.
struct Failed {
  Failure failure{};
  std::string error;
};
/// An input the child found to be bad; the parent throws it as InputError.
struct Refused {
  std::string error;
};
using Answer = std::variant<Timing, Failed, Refused>;

void send_ready(int descriptor);
/// The result of the next rank.
void send_result(int descriptor, std::span<std::byte const> result);
/// `wall`, which only the parent knows, is not sent.
void send(int descriptor, Timing const& timing);
/// Allocates nothing: it must work when there is no memory.
void send_failure(int descriptor, Failure failure, std::string_view error) noexcept;
void send_refusal(int descriptor, std::string_view error) noexcept;

struct Received {
  bool ready = false;
  std::vector<std::vector<std::byte>> results;
  std::optional<Answer> answer;
};
Received receive(std::span<std::byte const> bytes);

}  // namespace rondo

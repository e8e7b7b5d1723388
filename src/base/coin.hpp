#pragma once

// The system's randomness, for checks that nobody may outwit: whoever makes the input cannot foretell what is drawn.
// Everything else that is random in Rondo comes from a seed (base/random.hpp), so that it is the same in every run.
// What is drawn here reaches no output: a check says the same whatever is drawn, but for the probability that it
// states.

#include <cstdint>
#include <span>

namespace rondo {

/// Fills `words` with 64 uniform bits each from getrandom(2). Throws std::system_error where the system has none.
void draw(std::span<std::uint64_t> words);

}  // namespace rondo

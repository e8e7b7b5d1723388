#pragma once

// Random numbers of the operating system, for probabilistic checks that no input can be constructed to deceive, because
// its author cannot predict them. All other random numbers of Rondo come from a seed (base/random.hpp), so that every
// run has the same ones. The numbers drawn here appear in no output: a check has the same result whatever is drawn,
// except with the probability that it states.

#include <cstdint>
#include <span>

namespace rondo {

/// Fills `words` with uniform random bits from getrandom(2). Throws std::system_error if the system has none.
void draw(std::span<std::uint64_t> words);

}  // namespace rondo

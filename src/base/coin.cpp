// Draws random bits from the operating system. Proofs by fingerprints need bits that nobody can predict.

#include "base/coin.hpp"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace rondo {

void draw(std::span<std::uint64_t> words) {
  std::span<std::byte> left = std::as_writable_bytes(words);
  while (!left.empty()) {
    // A signal may end a call with a part of the bytes, or with none.
    ssize_t const drawn = getrandom(left.data(), left.size(), 0);
    if (drawn < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
    if (drawn > 0) left = left.subspan(static_cast<std::size_t>(drawn));
  }
}

}  // namespace rondo

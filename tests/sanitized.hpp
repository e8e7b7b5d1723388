#pragma once

#include <cstdlib>

namespace rondo::test {

/// Under the sanitizers, which slow these loops down 20-fold, one in this many of the random cases is tried: the first
/// ones. All of them run in release.
#ifdef __SANITIZE_ADDRESS__
inline constexpr int thinned = 10;
inline constexpr bool sanitized = true;
#else
inline constexpr int thinned = 1;
inline constexpr bool sanitized = false;
#endif

/// Whether the tests that take seconds try all of their cases, as `ctest --preset whole` asks by this variable of the
/// environment. Elsewhere they try one in `sampled`.
inline bool const whole = !sanitized && std::getenv("RONDO_TEST_WHOLE") != nullptr;
inline int const sampled = whole ? 1 : sanitized ? 10 : 7;

}  // namespace rondo::test

#pragma once

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

}  // namespace rondo::test

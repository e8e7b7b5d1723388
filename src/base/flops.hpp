#pragma once

// Rates of computing.

#include <string_view>

namespace rondo {

/// Floating-point operations that a processor carries out in a second.
struct OperationsPerSecond {
  double value = 0;
  constexpr OperationsPerSecond() = default;
  constexpr explicit OperationsPerSecond(double v) : value(v) {}
};

/// "10Gflops": operations a second in flops, kflops, Mflops, Gflops, Tflops; at least 1, finite. Throws InputError that
/// says what is accepted; the caller puts the place before it.
OperationsPerSecond parse_flops(std::string_view text);

}  // namespace rondo

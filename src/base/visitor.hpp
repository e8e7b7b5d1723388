#pragma once

// A function object for std::visit that is composed of lambdas, one for each alternative of a variant.

namespace rondo {

template <typename... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};
// Clang 14 needs this guide to deduce the types.
template <typename... Cases>
Visitor(Cases...) -> Visitor<Cases...>;

}  // namespace rondo

#pragma once

// A function object of lambdas for std::visit, one for each kind of value that a variant holds.

namespace rondo {

template <typename... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};
// Clang 14 cannot deduce the kinds without it.
template <typename... Cases>
Visitor(Cases...) -> Visitor<Cases...>;

}  // namespace rondo

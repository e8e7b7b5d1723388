// Properties that every kind of problem has. Overloads tell the kinds apart; generic ones use members that most kinds
// have.

#include "problem/problem.hpp"

namespace rondo::problem {
namespace {

/// The name of the algorithm.
std::string algorithm_of(UserProgram const& p) { return p.selector; }
std::string algorithm_of(Custom const& p) { return p.name; }
std::string algorithm_of(Workload const& /*p*/) { return enum_name(Kind::workload); }
std::string algorithm_of(auto const& p) {
  if constexpr (requires { p.ways; }) {
    return enum_name(p.ways.algorithm);
  } else {
    return enum_name(p.algorithm);
  }
}

/// The number of ranks.
int ranks_of(auto const& p) {
  if constexpr (requires { p.graph; }) {
    return ranks(p.graph);
  } else {
    return p.ranks;
  }
}

}  // namespace

Kind kind(Problem const& problem) {
  return std::visit([](auto const& p) { return kind_of(p); }, problem);
}

std::string algorithm(Problem const& problem) {
  return std::visit([](auto const& p) { return algorithm_of(p); }, problem);
}

int ranks(Problem const& problem) {
  return std::visit([](auto const& p) { return ranks_of(p); }, problem);
}

/// How the problem exchanges data; null if it does no sparse exchange.
ExchangeWays const* exchange_ways(Problem const& problem) {
  return std::visit(
      [](auto const& p) -> ExchangeWays const* {
        if constexpr (requires { p.ways; }) {
          return &p.ways;
        } else {
          return nullptr;
        }
      },
      problem);
}

}  // namespace rondo::problem

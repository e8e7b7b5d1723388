#pragma once

// The words of the schema's enumerations beside our own.

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

inline constexpr Words<IsomorphicAlltoallProblem::Algorithm, 2> isomorphic_alltoall_algorithms = {
    {{IsomorphicAlltoallProblem::Algorithm::straightforward, "straightforward"},
     {IsomorphicAlltoallProblem::Algorithm::torus, "torus"}}};
inline constexpr Words<Engine, 2> engines = {{{Engine::smpi, "smpi"}, {Engine::native, "native"}}};
inline constexpr Words<Payload, 3> payloads = {
    {{Payload::automatic, "automatic"}, {Payload::verified, "verified"}, {Payload::timing, "timing"}}};
inline constexpr Words<TimingModel, 1> timing_models = {{{TimingModel::linear, "linear"}}};

template <typename Enum, std::size_t N>
std::string word_of(Words<Enum, N> const& words, Enum value) {
  for (auto const& [known, word] : words) {
    if (known == value) return std::string(word);
  }
  throw ContractViolation("a word for each value of an enumeration");
}

/// The value of a word that the schema let pass.
template <typename Enum, std::size_t N>
Enum value_of(Words<Enum, N> const& words, std::string_view text) {
  for (auto const& [value, word] : words) {
    if (word == text) return value;
  }
  throw ContractViolation("a value for each word of the schema: " + std::string(text));
}

}  // namespace rondo::scenario

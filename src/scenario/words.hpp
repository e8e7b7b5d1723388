#pragma once

// The words for how a scenario is run. The words for its problem are in problem/words.hpp.

#include "base/words.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

template <>
inline constexpr auto words<scenario::Engine> = own_names<scenario::Engine>;
template <>
inline constexpr auto words<scenario::ClaimVerdict> = own_names<scenario::ClaimVerdict>;
template <>
inline constexpr auto words<TimingModel> = own_names<TimingModel>;
template <>
inline constexpr auto words<RoutingRule> = own_names<RoutingRule>;
template <>
inline constexpr auto words<LinkSharing> = own_names<LinkSharing>;
template <>
inline constexpr auto words<NicRule> = own_names<NicRule>;
template <>
inline constexpr std::array<Word<IslandKind>, 3> words<IslandKind> = {
    {{IslandKind::memory, "memory"}, {IslandKind::central_switch, "switch"}, {IslandKind::links, "links"}}};

}  // namespace rondo

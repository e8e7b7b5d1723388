#pragma once

// The names of values in a scenario that concern its run and its machine. The names for its problem are in
// problem/enums.hpp.

#include "base/enum_names.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

template <>
inline constexpr auto enum_names<scenario::Engine> = value_names<scenario::Engine>;
template <>
inline constexpr auto enum_names<scenario::ClaimVerdict> = value_names<scenario::ClaimVerdict>;
template <>
inline constexpr auto enum_names<TimingModel> = value_names<TimingModel>;
template <>
inline constexpr auto enum_names<RoutingRule> = value_names<RoutingRule>;
template <>
inline constexpr auto enum_names<LinkSharing> = value_names<LinkSharing>;
template <>
inline constexpr auto enum_names<NicRule> = value_names<NicRule>;
template <>
inline constexpr std::array<NamedValue<IslandKind>, 3> enum_names<IslandKind> = {
    {{IslandKind::memory, "memory"}, {IslandKind::central_switch, "switch"}, {IslandKind::links, "links"}}};

}  // namespace rondo

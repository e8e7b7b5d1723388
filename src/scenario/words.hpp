#pragma once

// The words of how a scenario is run; those of what is run are in problem/words.hpp.

#include "base/words.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

template <>
inline constexpr std::array<Word<scenario::Engine>, 2> words<scenario::Engine> = {
    {{scenario::Engine::smpi, "smpi"}, {scenario::Engine::native, "native"}}};
template <>
inline constexpr std::array<Word<scenario::Payload>, 3> words<scenario::Payload> = {
    {{scenario::Payload::automatic, "automatic"},
     {scenario::Payload::verified, "verified"},
     {scenario::Payload::timing, "timing"}}};
template <>
inline constexpr std::array<Word<scenario::ClaimVerdict>, 4> words<scenario::ClaimVerdict> = {
    {{scenario::ClaimVerdict::holds, "holds"},
     {scenario::ClaimVerdict::refuted, "refuted"},
     {scenario::ClaimVerdict::explained, "explained"},
     {scenario::ClaimVerdict::unexplained, "unexplained"}}};
template <>
inline constexpr std::array<Word<TimingModel>, 3> words<TimingModel> = {
    {{TimingModel::linear, "linear"}, {TimingModel::flow, "flow"}, {TimingModel::loggp, "loggp"}}};
template <>
inline constexpr std::array<Word<RoutingRule>, 4> words<RoutingRule> = {{{RoutingRule::minimal, "minimal"},
                                                                         {RoutingRule::valiant, "valiant"},
                                                                         {RoutingRule::ecmp, "ecmp"},
                                                                         {RoutingRule::ugal, "ugal"}}};
template <>
inline constexpr std::array<Word<LinkSharing>, 2> words<LinkSharing> = {
    {{LinkSharing::unshared, "unshared"}, {LinkSharing::shared, "shared"}}};
template <>
inline constexpr std::array<Word<NicRule>, 3> words<NicRule> = {
    {{NicRule::block, "block"}, {NicRule::cyclic, "cyclic"}, {NicRule::striped, "striped"}}};
template <>
inline constexpr std::array<Word<IslandKind>, 3> words<IslandKind> = {
    {{IslandKind::memory, "memory"}, {IslandKind::central_switch, "switch"}, {IslandKind::links, "links"}}};

}  // namespace rondo

#pragma once

// The rules of proofs before a simulation: whether a schedule is proved, how its record names that, and what the
// machine allows to the schedule.

#include <cstdint>
#include <string_view>

#include "platform/platform.hpp"
#include "schedule/schedule.hpp"
#include "schedule/verify.hpp"

namespace rondo {

/// Whether a schedule is proved before it is simulated. automatic: if the proof replays at most `most_moves_proved`
/// block moves. If all ranks do the same, only one rank is replayed.
enum class Proof : std::uint8_t { automatic, on, off };
/// 10^8 moves take some seconds to prove; larger schedules are proved only on request.
inline constexpr std::int64_t most_moves_proved = 100'000'000;

/// Whether the schedule is proved.
bool proves(Proof proof, Schedule const& schedule);

/// The name of the proof in a record; and whether a record with one name can be used if another one was asked for:
/// more proof is always enough.
char const* proof_name(Proof asked, bool proved);
bool proved_enough(std::string_view name, Proof asked);

/// What the machine allows to a schedule, in addition to the schedule's own promises.
MachineLimits machine_limits(Platform const& machine, Schedule const& schedule);

}  // namespace rondo

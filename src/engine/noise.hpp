#pragma once

// Which noise belongs to what: the one place where both engines draw it. A draw is a function of the seed, the
// replication, what is drawn, a rank and a number in that rank's program (base/draw.hpp), whenever it is asked for.
// Ranks and parts (schedule/parts.hpp) are numbered alike; sends, rounds and calculations of a part count from 0 in it,
// and go on from part to part of a rank.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/draw.hpp"
#include "base/index.hpp"
#include "engine/engine.hpp"
#include "platform/noise.hpp"

namespace rondo {

/// By task: which send of its rank it is, from 0; 0 for what is no send.
std::vector<std::uint32_t> numbers_of_sends(TaskGraph const& graph);

class Noise {
 public:
  /// `parts`: whose parts are to be told apart; null: there are ranks alone. It outlives this.
  Noise(Platform const& platform, EngineOptions const& options, Parts const* parts = nullptr);

  /// Whether anything is added to what messages cost.
  bool on_messages() const { return law_.latency || law_.cpu; }
  bool on_cpu() const { return law_.cpu.has_value(); }

  /// To the start-up of this send.
  Seconds startup(std::size_t part, std::uint64_t send) const {
    return drawn(law_.latency, DrawKind::latency, part, sends_before(part) + send, Seconds(0));
  }
  /// To posting this send, and to taking its message, which are of this length.
  Seconds posting(std::size_t part, std::uint64_t send, Seconds work) const {
    return drawn(law_.cpu, DrawKind::cpu, part, 3 * (sends_before(part) + send), work);
  }
  Seconds taking(std::size_t source_part, std::uint64_t send, Seconds work) const {
    return drawn(law_.cpu, DrawKind::cpu, source_part, 3 * (sends_before(source_part) + send) + 1, work);
  }
  /// To joining what this round has brought; round 0 is before the first one.
  Seconds joining(std::size_t part, std::uint64_t round, Seconds work) const {
    return drawn(law_.cpu, DrawKind::cpu, part, 3 * (rounds_before(part) + round) + 2, work);
  }
  /// To the calculation of this part.
  Seconds calculation(std::size_t part, Seconds work) const {
    auto const& law = parts_ == nullptr ? law_.compute : law_.of_step(parts_->step_of[part]);
    return drawn(law, DrawKind::compute, part, calculations_before(part), work);
  }

  /// The graph, whose k-th calculation of a rank takes its noise, in whole nanoseconds. Those that take no time stay
  /// so.
  TaskGraph on_calculations(TaskGraph graph) const;
  /// The same for the tasks of these parts, which may have noise of their steps.
  PartTasks on_calculations(PartTasks lowered, Parts const& parts) const;

 private:
  void add_to(Task& task, std::optional<NoiseLaw> const& law, std::size_t rank, std::uint64_t& number) const;

  /// What the parts of its rank have that come before it.
  struct Before {
    std::uint64_t sends = 0, rounds = 0, calculations = 0;
  };

  std::uint64_t sends_before(std::size_t part) const { return before_.empty() ? 0 : before_[part].sends; }
  std::uint64_t rounds_before(std::size_t part) const { return before_.empty() ? 0 : before_[part].rounds; }
  std::uint64_t calculations_before(std::size_t part) const { return before_.empty() ? 0 : before_[part].calculations; }
  std::size_t rank(std::size_t part) const { return parts_ == nullptr ? part : at(parts_->rank_of[part]); }
  Seconds drawn(std::optional<NoiseLaw> const& law, DrawKind kind, std::size_t part, std::uint64_t ordinal,
                Seconds work) const {
    if (!law) return Seconds(0);
    Random random = draws_of({seed_, replication_, kind, rank(part), ordinal});
    return rondo::drawn(*law, random, work);
  }

  MachineNoise law_;
  std::uint64_t seed_, replication_;
  Parts const* parts_;
  std::vector<Before> before_;  ///< by part; empty: there are ranks alone
};

}  // namespace rondo

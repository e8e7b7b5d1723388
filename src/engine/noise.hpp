#pragma once

// The noise of a machine: the one place where both engines draw it. A draw is a function of the seed, the replication,
// the kind of work, a rank, and a number in that rank's program (base/random.hpp). It does not depend on when it is
// drawn, so that both engines draw the same. Functions take ranks, or parts (schedule/parts.hpp) if there are any. The
// sends, rounds and calculations of a part are numbered from 0; draws number them through all parts of a rank.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "engine/engine.hpp"
#include "platform/noise.hpp"

namespace rondo {

/// For each task, the number of the send among the sends of its rank, from 0; 0 for a task that is no send.
std::vector<std::uint32_t> numbers_of_sends(TaskGraph const& graph);

/// The laws of a machine with the seed of a scenario.
class Noise {
 public:
  /// `parts`: the parts of ranks, which must outlive this object; null: the work has ranks only.
  Noise(Platform const& platform, EngineOptions const& options, Parts const* parts = nullptr);

  /// Whether messages have noise.
  bool on_messages() const { return law_.latency || law_.cpu; }
  bool on_cpu() const { return law_.cpu.has_value(); }

  /// Added to the start-up of this send.
  Seconds startup(std::size_t part, std::uint64_t send) const {
    return drawn(law_.latency, DrawKind::latency, part, sends_before(part) + send, Seconds(0));
  }
  /// Added to the time `work` of posting this send, or of taking its message.
  Seconds posting(std::size_t part, std::uint64_t send, Seconds work) const {
    return drawn(law_.cpu, DrawKind::cpu, part, 3 * (sends_before(part) + send), work);
  }
  Seconds taking(std::size_t source_part, std::uint64_t send, Seconds work) const {
    return drawn(law_.cpu, DrawKind::cpu, source_part, 3 * (sends_before(source_part) + send) + 1, work);
  }
  /// Added to the time of reducing the data of this round. Round 0 is before the first one.
  Seconds joining(std::size_t part, std::uint64_t round, Seconds work) const {
    return drawn(law_.cpu, DrawKind::cpu, part, 3 * (rounds_before(part) + round) + 2, work);
  }
  /// Added to the calculation of this part.
  Seconds calculation(std::size_t part, Seconds work) const {
    auto const& law = parts_ == nullptr ? law_.compute : law_.of_step(parts_->step_of[part]);
    return drawn(law, DrawKind::compute, part, calculations_before(part), work);
  }

  /// The graph, with noise added to each calculation, in whole nanoseconds. A calculation of 0 ns has no noise.
  TaskGraph on_calculations(TaskGraph graph) const;
  /// The same for the tasks of these parts, which may have noise laws of their steps.
  PartTasks on_calculations(PartTasks lowered, Parts const& parts) const;

 private:
  void add_to(Task& task, std::optional<NoiseLaw> const& law, std::size_t rank, std::uint64_t& number) const;

  /// How many sends, rounds and calculations the earlier parts of the same rank have.
  struct EarlierCounts {
    std::uint64_t sends = 0, rounds = 0, calculations = 0;
  };

  std::uint64_t sends_before(std::size_t part) const { return before_.empty() ? 0 : before_[part].sends; }
  std::uint64_t rounds_before(std::size_t part) const { return before_.empty() ? 0 : before_[part].rounds; }
  std::uint64_t calculations_before(std::size_t part) const { return before_.empty() ? 0 : before_[part].calculations; }
  std::size_t rank(std::size_t part) const { return parts_ == nullptr ? part : at(parts_->rank_of[part]); }
  /// 0 if there is no noise of this kind.
  Seconds drawn(std::optional<NoiseLaw> const& law, DrawKind kind, std::size_t part, std::uint64_t ordinal,
                Seconds work) const {
    if (!law) return Seconds(0);
    Random random = draws_of({seed_, replication_, kind, rank(part), ordinal});
    return rondo::drawn(*law, random, work);
  }

  MachineNoise law_;
  std::uint64_t seed_, replication_;
  Parts const* parts_;
  std::vector<EarlierCounts> before_;  ///< by part; empty if the work has ranks only
};

}  // namespace rondo

#pragma once

// The order of parts (schedule/parts.hpp): which parts may begin, and the calculations of ranks under linear timing. If
// the work has no parts, ranks replace them, and no rank waits for another.

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "engine/native/messages.hpp"
#include "engine/noise.hpp"
#include "schedule/parts.hpp"

namespace rondo::native {

/// The messages between ranks instead of parts, as far as Ports needs them; unset if there are no parts.
std::optional<Messages> messages_between_ranks(Messages const& messages, Parts const* parts);

/// Counts for each part the parts before it that have not ended, and serves calculations by one CPU for each rank.
class PartOrder {
 public:
  /// Without parts each rank is its only part.
  PartOrder(Parts const* parts, Noise const* noise) : parts_(parts), noise_(noise) {
    if (parts == nullptr) return;
    successors_.emplace(*parts);
    for (std::size_t part = 0; part < parts->count(); ++part) {
      waits_for_.push_back(static_cast<std::uint32_t>(parts->after(part).size()));
    }
    calculated_.resize(parts->count(), false);
    cpus_.resize(at(parts->ranks));
  }

  bool has_parts() const { return parts_ != nullptr; }
  std::size_t rank(std::size_t part) const { return parts_ == nullptr ? part : at(parts_->rank_of[part]); }
  /// Whether a part before it has not ended.
  bool waits(std::size_t part) const { return parts_ != nullptr && waits_for_[part] > 0; }
  /// The part has ended. The parts that may now begin are appended to `into`.
  void end(std::size_t part, std::vector<std::int32_t>& into) {
    for (std::uint32_t const next : successors_->of(part)) {
      if (--waits_for_[next] == 0) into.push_back(static_cast<std::int32_t>(next));
    }
  }
  /// The time that the part still has to calculate; 0 once it has done so.
  Seconds calculation(std::size_t part) const {
    return parts_ == nullptr || calculated_[part] ? Seconds(0) : computing(part);
  }
  void set_calculated(std::size_t part) { calculated_[part] = true; }

  /// Whether the part has a calculation to do. If so, it is queued for the CPU of its rank.
  bool begin_calculation(std::size_t part) {
    if (calculation(part) == Seconds(0)) return false;
    asking_.push_back(static_cast<std::uint32_t>(part));
    return true;
  }
  /// Queues the parts that asked in this moment, in the order of their numbers. Calls `wake(part, time)` for each part
  /// that begins to calculate now.
  template <typename Wake>
  void calculate(Wake wake) {
    std::sort(asking_.begin(), asking_.end());
    for (std::uint32_t const part : asking_) cpus_[rank(part)].queue.push_back(part);
    for (std::uint32_t const part : asking_) serve(cpus_[rank(part)], wake);
    asking_.clear();
    for (std::size_t const freed : freed_) serve(cpus_[freed], wake);
    freed_.clear();
  }
  void end_calculation(std::size_t part) {
    set_calculated(part);
    cpus_[rank(part)].busy = false;
    freed_.push_back(rank(part));
  }

 private:
  struct Cpu {
    std::deque<std::uint32_t> queue;
    bool busy = false;
  };

  Seconds computing(std::size_t part) const {
    Seconds const time = parts_->computing[part];
    return noise_ == nullptr || time == Seconds(0) ? time : time + noise_->calculation(part, time);
  }

  /// The part that waited first gets the CPU.
  template <typename Wake>
  void serve(Cpu& cpu, Wake wake) {
    if (cpu.busy || cpu.queue.empty()) return;
    std::uint32_t const part = cpu.queue.front();
    cpu.queue.pop_front();
    cpu.busy = true;
    wake(part, computing(part));
  }

  Parts const* parts_;
  Noise const* noise_;  ///< null: none
  std::optional<Successors> successors_;
  std::vector<std::uint32_t> waits_for_;  ///< by part: how many of the parts before it have not ended
  std::vector<bool> calculated_;
  std::vector<Cpu> cpus_;              ///< by rank
  std::vector<std::uint32_t> asking_;  ///< parts, in this moment
  std::vector<std::size_t> freed_;     ///< ranks, in this moment
};

}  // namespace rondo::native

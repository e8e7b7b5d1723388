#pragma once

// Lower bounds of the time of compositions (problem/composition_forms.hpp), phase by phase, so that those of a whole
// composition are a sum over its choices and a search need not simulate what cannot win.
//
// Data reach a member not before they have come along messages from members that had begun the phase, and a message
// takes at least what it costs alone. From when all that took part in the phase before (all ranks, before the first
// one) have begun a phase, so long it takes until the members that go on leave it. Going outwards, and where the next
// phase is the root's, the earliest of them counts; going inwards, the lanes of the group that ends last, because every
// group takes as long for the next phase as the quickest kind of group. These times add up [chain].
//
// Between hosts, all that leaves a host after all its lanes have begun leaves over its NICs, and the last lane has not
// ended before; nor has the lane whose ports are held longest. Which one it is is not known: going inwards from there,
// some one lane has begun, and the next phase takes what it takes from the best such lane. These times add up in
// another way [before + max(between, nic, busiest) + behind].
//
// Apart from that, a rank's ports or CPU carry its messages of all phases. Of numbers for each rank, the largest is no
// less than the mean; and means add up over the phases [sent, received]. They also add up over segments, as NICs' times
// do, of which the other times count only the first.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem/composition_forms.hpp"
#include "theory/cost.hpp"

namespace rondo::theory {

/// No message costs less on its way, and no rank or host is occupied for less.
struct LeastCost {
  LinearCost within;            ///< between ranks of one host
  LinearCost between;           ///< between hosts
  bool holds_ports = true;      ///< whether a message holds a port at both ends for its whole time, as in linear timing
  int ports = 1;                ///< of a rank
  Seconds send{0}, receive{0};  ///< where it holds none: the time of the CPU
  BytesPerSecond nics;          ///< of all NICs of a host together, in a direction
  Bytes envelope{0};
  std::vector<int> host_of;  ///< by rank
};

/// In seconds.
struct PhaseBound {
  double chain = 0, sent = 0, received = 0;
  double before = 0, between = 0, nic = 0, busiest = 0, behind = 0;

  PhaseBound& operator+=(PhaseBound const& other);
  /// Each number the lesser of both.
  void lower_to(PhaseBound const& other);
  /// Whether the numbers tell the two apart.
  bool is_like(PhaseBound const& other) const;
  /// Of a whole composition with so many segments: no schedule of it takes less.
  Seconds least(double segments) const;
};

class CompositionBounds {
 public:
  /// Keeps references to both.
  CompositionBounds(problem::CompositionForm const& form, LeastCost const& cost);

  /// What the phases of a choice take at least by this algorithm.
  PhaseBound of(std::size_t choice, problem::ClassicalAlgorithm algorithm) const;

 private:
  /// Parts that are alike, as far as bounds go.
  struct Kind {
    problem::Part const* part = nullptr;
    std::vector<bool> begun;    ///< by member: whether it took part in the phase before
    std::vector<bool> goes_on;  ///< by member: whether it takes part in the next one
    std::vector<bool> counted;  ///< by member: whether it is in the means
    std::vector<int> hosts;     ///< by member, numbered in the order in which they come
    double times = 1;
  };
  enum class Next { outwards, inwards, none };
  struct Phase {
    std::size_t level = 0;
    ClassicalCollective collective = ClassicalCollective::bcast;
    std::vector<Kind> kinds;
    Next next = Next::none;
    bool inwards = false;       ///< whether the phase before was farther out
    bool follows_lane = false;  ///< whether the last lane, whichever it is, goes on here
  };
  struct PartBound;

  void add_phase(std::size_t number);
  /// With all that took part in the phase before begun, or one of them alone.
  PartBound of(Kind const& kind, problem::ClassicalAlgorithm algorithm, std::vector<bool> const& begun) const;
  double from_one(Kind const& kind, problem::ClassicalAlgorithm algorithm) const;
  PhaseBound of(Phase const& phase, problem::ClassicalAlgorithm algorithm) const;

  problem::CompositionForm const& form_;
  LeastCost const& cost_;
  std::vector<Phase> phases_;
  double counted_ = 0;  ///< ranks in the means
  double hosts_ = 0;
  std::size_t outermost_ = 0;  ///< level
  bool all_follow_ = true;     ///< so far
};

/// The number of whole segments that a vector of so many bytes has, at least 1.
double whole_segments(problem::CompositionForm const& form, Bytes vector);

}  // namespace rondo::theory

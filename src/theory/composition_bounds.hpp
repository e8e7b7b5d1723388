#pragma once

// Lower bounds of the time of compositions (problem/composition.hpp). They are computed phase by phase and then
// added up over the phases, so that a search need not simulate compositions that cannot win.
//
// Data can only reach a member along messages from members that had begun the phase, and a message takes at least its
// cost on an idle machine. This bounds the time from when all members of the previous phase (all ranks, before the
// first phase) have begun a phase, until the members that go on leave it. If the next phase goes outwards, or if it is
// that of the root, the earliest of these members counts. If it goes inwards, the lanes of the group that ends last
// count, because every group takes at least as long for the next phase as the fastest kind of group. These times are
// added up [chain].
//
// Between hosts there is another bound. All bytes that leave a host after all its lanes have begun pass its NICs, and
// the last lane cannot end before. Nor can the lane end earlier whose ports are occupied longest. It is unknown which
// lane this is. In the phases inwards from there some lane has begun, and the next phase takes at least the time from
// the best such lane. These times are added up as [before + max(between, nic, busiest) + behind].
//
// In addition, the ports or the CPU of a rank carry its messages of all phases. The largest of some numbers is at least
// their mean, and means can be added up over the phases [sent, received]. They can also be added up over segments, as
// can the times of NICs. The other times count the first segment only.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem/composition.hpp"
#include "theory/prediction.hpp"

namespace rondo::theory {

/// Lower bounds of costs: no message takes less time, and occupies no rank or host for less.
struct LeastCost {
  LinearCost within;        ///< between ranks of one host
  LinearCost between;       ///< between hosts
  bool holds_ports = true;  ///< whether a message occupies a port at both ends for its whole time, as in linear timing
  int ports = 1;            ///< of a rank
  Seconds send{0}, receive{0};  ///< otherwise the time of the CPU
  BytesPerSecond nics;          ///< of all NICs of a host together, in one direction
  Bytes envelope{0};
  std::vector<int> host_of;  ///< by rank
};

/// The bounds of a phase, or of a sum of phases, in seconds.
struct PhaseBound {
  double chain = 0, sent = 0, received = 0;
  double before = 0, between = 0, nic = 0, busiest = 0, behind = 0;

  PhaseBound& operator+=(PhaseBound const& other);
  /// Makes each number the lower one of both.
  void lower_to(PhaseBound const& other);
  /// Whether the numbers of the two are equal up to rounding.
  bool is_like(PhaseBound const& other) const;
  /// The bound of a whole composition with this many segments: no schedule of it takes less time.
  Seconds least(double segments) const;
};

class CompositionBounds {
 public:
  /// Keeps references to both arguments.
  CompositionBounds(problem::CompositionForm const& form, LeastCost const& cost);

  /// The bound of the phases of a choice with this algorithm.
  PhaseBound of(std::size_t choice, problem::ClassicalAlgorithm algorithm) const;

 private:
  /// Parts of a phase with the same bounds.
  struct Kind {
    problem::SubCollective const* part = nullptr;
    std::vector<bool> begun;    ///< by member: whether it took part in the previous phase
    std::vector<bool> goes_on;  ///< by member: whether it takes part in the next phase
    std::vector<bool> counted;  ///< by member: whether it counts in the means
    std::vector<int> hosts;     ///< by member: a number for its host, from 0 in the order of appearance
    double times = 1;
  };
  /// The direction of the phase that follows.
  enum class Next { outwards, inwards, none };
  /// A level of the composition, and its kinds of groups.
  struct Phase {
    std::size_t level = 0;
    ClassicalCollective collective = ClassicalCollective::bcast;
    std::vector<Kind> kinds;
    Next next = Next::none;
    bool inwards = false;       ///< whether the previous phase was farther out
    bool follows_lane = false;  ///< whether the last lane, whichever it is, goes on in this phase
  };
  struct PartBound;

  void add_phase(std::size_t number);
  /// The bound of a part, if the members in `begun` have begun. These are all members of the previous phase, or a
  /// single one.
  PartBound of(Kind const& kind, problem::ClassicalAlgorithm algorithm, std::vector<bool> const& begun) const;
  double from_one(Kind const& kind, problem::ClassicalAlgorithm algorithm) const;
  PhaseBound of(Phase const& phase, problem::ClassicalAlgorithm algorithm) const;

  problem::CompositionForm const& form_;
  LeastCost const& cost_;
  std::vector<Phase> phases_;
  double counted_ = 0;  ///< number of ranks in the means
  double hosts_ = 0;
  std::size_t outermost_ = 0;  ///< level
  bool all_follow_ = true;     ///< so far
};

/// The number of whole segments of a vector of this size, at least 1.
double whole_segments(problem::CompositionForm const& form, Bytes vector);

}  // namespace rondo::theory

#pragma once

// Collective operations that are made of messages between two ranks each: which signal a rank sends or awaits, step
// by step. A step is computed when it is asked for, so a rank stores only the number of its current step. Knows no
// MPI.
//
// A message is identified by its source and its stage. Two messages with the same source and stage, from successive
// operations, are received in the order in which they were sent.

#include <cstdint>
#include <optional>

namespace rondo::mpi {

/// The operations.
enum class Signalling : std::uint8_t {
  /// In stage k rank r sends to r + 2^k and awaits r - 2^k, mod p: p * ceil(log2 p) messages.
  dissemination,
  /// Up a binomial tree to rank 0, then down: 2(p - 1) messages.
  tree,
  /// Sums up a vector of p words, of which rank r keeps word r: ceil(log2 p) stages and p - 1 words sent by each rank,
  /// whatever p is [Traeff24]. The vector is rotated: word i at rank r is that of rank r + i mod p.
  reduce_scatter,
  /// Sums up the same vector at rank 0, up a binomial tree with p words in each message, and scatters it down the tree:
  /// 2(p - 1) messages. The vector is not rotated.
  reduce_then_scatter,
};

/// A signal that the rank sends or awaits.
struct SignalStep {
  /// Whether the rank sends or awaits.
  enum class Kind : std::uint8_t { send, await };
  Kind kind;
  int peer;
  int stage;
  /// A send sends these words of the rank's vector, and an await adds the received words to them. The messages of a
  /// barrier carry no words.
  int first = 0;
  int words = 0;
  bool replaces = false;  ///< what is received takes the place of these words instead
};

/// Step `index` of `rank`, counted from 0; nothing past the last step.
std::optional<SignalStep> signal_step(Signalling signalling, int rank, int ranks, int index);

}  // namespace rondo::mpi

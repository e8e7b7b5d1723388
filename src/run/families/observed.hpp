#pragma once

// What an MPI program did when it ran, which is known only then: run/points makes a record of it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "run/families/sparse_figures.hpp"
#include "theory/prediction.hpp"

namespace rondo {

/// What the messages must be, given how many rounds the program took, which theory cannot foretell.
struct Accounted {
  std::int64_t messages = 0;
  SparseFigures sparse;
};

/// What the ranks of a program counted, timed and found wrong; unset: nobody looked.
struct Observed {
  Timing whole;  ///< the whole program, with what `time` leaves out: making communicators, and checks at the end
  Seconds time;
  std::vector<Seconds> finish = {};  ///< of each rank, as `time` counts; empty where that is not known
  std::int64_t messages = 0;
  std::optional<std::int64_t> volume_bytes = {};  ///< most that a rank sends
  std::optional<double> total_blocks = {};        ///< blocks sent by all ranks
  std::optional<bool> payload_verified = {};      ///< every byte that arrived was checked; unset if we sent no payload
  std::optional<bool> delivered = {};
  std::optional<std::vector<std::string>> faults = {};  ///< what arrived otherwise than it was sent
  SparseFigures sparse = {};
  ExchangeProgramFigures exchange_program = {};
  std::optional<Accounted> accounted = {};
  std::vector<CollectiveCalls> profile = {};  ///< where it was asked for
};

}  // namespace rondo

#pragma once

// The facts about a run of an MPI program, which are known only afterwards; run/points makes a record of them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "run/families/sparse_figures.hpp"
#include "theory/prediction.hpp"

namespace rondo {

/// The messages that the program must have sent, computed from the number of rounds that it took; theory cannot predict
/// that number.
struct ExpectedMessages {
  std::int64_t messages = 0;
  SparseFigures sparse;
};

/// The counts and times of a program's ranks, and the errors that they found; unset if nobody counted.
struct Observation {
  Timing whole;  ///< the whole program, including communicators and checks, which `time` excludes
  Seconds time;
  std::vector<Seconds> finish = {};  ///< of each rank, as `time` counts; empty where that is not known
  std::int64_t messages = 0;
  std::optional<std::int64_t> volume_bytes = {};  ///< most that a rank sends
  std::optional<double> total_blocks = {};        ///< blocks sent by all ranks
  std::optional<bool> payload_verified = {};      ///< every byte that arrived was checked; unset if we sent no payload
  std::optional<bool> delivered = {};
  std::optional<std::vector<std::string>> faults = {};  ///< the data that arrived with another content than it was sent
  SparseFigures sparse = {};
  ExchangeProgramFigures exchange_program = {};
  std::optional<ExpectedMessages> accounted = {};
  std::vector<CollectiveCalls> profile = {};  ///< where it was asked for
};

}  // namespace rondo

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

/// The messages that the program must have sent. They are computed from the number of rounds that it took, which theory
/// cannot predict.
struct ExpectedMessages {
  std::int64_t messages = 0;
  SparseFigures sparse;
};

/// The counts and times of a program's ranks, and the errors that they found. A count or result that the program does
/// not have is unset.
struct Observation {
  Timing whole;  ///< of the whole program, including the making of communicators and checks, which `time` excludes
  Seconds time;  ///< from start to end of the part that is measured
  std::vector<Seconds> finish = {};               ///< of each rank, as `time` counts; empty where that is not known
  std::int64_t messages = 0;                      ///< of all ranks
  std::optional<std::int64_t> volume_bytes = {};  ///< sent by the rank that sends most
  std::optional<double> total_blocks = {};        ///< blocks sent by all ranks
  std::optional<bool> payload_verified = {};      ///< every byte that arrived was checked; unset if we sent no payload
  std::optional<bool> delivered = {};             ///< whether all data arrived unchanged
  std::optional<std::vector<std::string>> faults = {};  ///< wrong data, one line each; empty: none
  SparseFigures sparse = {};
  ExchangeProgramFigures exchange_program = {};
  std::optional<ExpectedMessages> accounted = {};  ///< set if the number of messages can be checked
  std::vector<CollectiveCalls> profile = {};       ///< empty unless EngineOptions::calls asks for it
};

}  // namespace rondo

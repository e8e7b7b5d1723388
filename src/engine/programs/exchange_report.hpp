#pragma once

// The report of one rank of a program of sparse exchanges, and the sum of the reports of all ranks.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/programs/sparse_exchange.hpp"
#include "engine/smpi/simulation.hpp"
#include "mpi/exchange/driver.hpp"

namespace rondo {

/// Times are simulated seconds of MPI_Wtime.
struct ExchangeReport {
  double start = 0, finish = 0;
  mpi::ExchangeCounts counts;
  std::array<std::int64_t, 5> found = {};  ///< results whose meaning the program defines
  std::string fault;                       ///< what is wrong with the data that this rank received; empty if nothing is
};

std::vector<std::byte> bytes_of(ExchangeReport const& report);
std::vector<ExchangeReport> reports_of(ProgramRun const& run);

/// The sums and maxima of all reports. All ranks started at the same time.
SparseResult gathered(ProgramRun const& run);

/// The exchange options of a rank whose messages have at most `largest` bytes and each travel whole. `world`: see
/// begin_acknowledgement.
mpi::ExchangeOptions exchange_options(SparseProtocol const& protocol, int largest, MPI_Comm world);

}  // namespace rondo

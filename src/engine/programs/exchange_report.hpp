#pragma once

// What a rank of a program of sparse exchanges hands back, and all of them together.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/programs/sparse_exchange.hpp"
#include "engine/smpi/program.hpp"
#include "mpi/exchange/driver.hpp"

namespace rondo {

struct ExchangeReport {
  double start = 0, finish = 0;
  mpi::ExchangeCounts counts;
  std::array<std::int64_t, 5> found = {};  ///< what the program makes of it
  std::string fault;                       ///< what is wrong with what this rank received, or nothing
};

std::vector<std::byte> bytes_of(ExchangeReport const& report);
std::vector<ExchangeReport> reports_of(ProgramRun const& run);

/// Sums and maxima. All start together.
SparseResult gathered(ProgramRun const& run);

/// The options of a rank whose messages have at most `largest` bytes, each of which travels whole. `world`: see
/// begin_way_back.
mpi::ExchangeOptions exchange_options(SparseProtocol const& protocol, int largest, MPI_Comm world);

}  // namespace rondo

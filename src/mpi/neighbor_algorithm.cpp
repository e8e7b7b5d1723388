#include "mpi/neighbor_algorithm.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/units.hpp"
#include "mpi/agreement.hpp"
#include "mpi/failure.hpp"

namespace rondo::mpi {
namespace {

constexpr Seconds usual_latency = 1_us;
constexpr BytesPerSecond usual_bandwidth = 1_GBps;

/// Empty: not set.
std::string_view environment(char const* name) {
  char const* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<NeighborAlgorithm> algorithm_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, NeighborAlgorithm>, 4> known{
      {{"auto", NeighborAlgorithm::automatic},
       {"naive", NeighborAlgorithm::naive},
       {"torus", NeighborAlgorithm::torus},
       {"common_neighbors", NeighborAlgorithm::common_neighbors}}};
  auto const* const found = std::ranges::find(known, name, &std::pair<std::string_view, NeighborAlgorithm>::first);
  if (found == known.end()) return std::nullopt;
  return found->second;
}

std::optional<NeighborAlgorithm> algorithm_in(MPI_Info info) {
  constexpr int longest = 31;
  if (info == MPI_INFO_NULL) return std::nullopt;
  std::array<char, longest + 1> value{};
  int given = 0;
  check(MPI_Info_get(info, "rondo_neighbor_algorithm", longest, value.data(), &given));
  if (given == 0) return std::nullopt;
  auto const named = algorithm_of(value.data());
  if (!named) throw MpiFailure(MPI_ERR_INFO_VALUE);
  return named;
}

NeighborTuning tuning_of(MPI_Info info, NeighborAlgorithm otherwise) {
  NeighborTuning tuning;
  tuning.algorithm = algorithm_in(info).value_or(otherwise);
  try {
    if (std::string_view const name = environment("RONDO_NEIGHBOR_ALGORITHM"); !name.empty()) {
      auto const named = algorithm_of(name);
      if (!named) throw MpiFailure(MPI_ERR_ARG);
      tuning.algorithm = *named;
    }
    std::string_view const latency = environment("RONDO_NEIGHBOR_LATENCY");
    std::string_view const bandwidth = environment("RONDO_NEIGHBOR_BANDWIDTH");
    tuning.startup_bytes = (latency.empty() ? usual_latency : parse_seconds(latency)).value *
                           (bandwidth.empty() ? usual_bandwidth : parse_bandwidth(bandwidth)).value;
  } catch (InputError const&) {
    throw MpiFailure(MPI_ERR_ARG);
  }
  return tuning;
}

}  // namespace

NeighborTuning agreed_tuning(MPI_Comm comm, MPI_Info info, NeighborAlgorithm otherwise) {
  NeighborTuning tuning;
  Opinion opinion;
  try {
    tuning = tuning_of(info, otherwise);
  } catch (MpiFailure const& failure) {
    opinion.code = failure.code();
  } catch (std::bad_alloc const&) {
    opinion.code = MPI_ERR_NO_MEM;
  }
  opinion.said.add(static_cast<std::int64_t>(tuning.algorithm));
  opinion.said.add(std::bit_cast<std::int64_t>(tuning.startup_bytes));
  check(agree(comm, opinion));
  return tuning;
}

}  // namespace rondo::mpi

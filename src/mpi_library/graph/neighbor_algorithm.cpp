// Reads the choice for neighborhood collectives from the environment and from infos, and lets all ranks agree on it.

#include "mpi_library/graph/neighbor_algorithm.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "topology/torus.hpp"

namespace rondo::mpi {
namespace {

constexpr Seconds usual_latency = 1_us;
constexpr BytesPerSecond usual_bandwidth = 1_GBps;

/// The value of a variable of the environment; empty if it is not set.
std::string_view environment(char const* name) {
  char const* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// A name that no algorithm has. Rank 0 prints the explanation once.
struct UnknownName {
  int code;
  std::string text;
};

NeighborAlgorithm named(std::string_view where, std::string_view name, int code) {
  if (auto const found = value_of<NeighborAlgorithm>(name)) return *found;
  throw UnknownName{code, fmt::format("{}: expected one of {}, got \"{}\"", where,
                                      listed(all_enum_names<NeighborAlgorithm>(), ", "), name)};
}

/// The algorithm that an info object names; unset if it names none.
std::optional<NeighborAlgorithm> algorithm_in(MPI_Info info) {
  constexpr char const* key = "rondo_neighbor_algorithm";
  constexpr int longest = 31;
  if (info == MPI_INFO_NULL) return std::nullopt;
  std::array<char, longest + 1> value{};
  int given = 0;
  check(MPI_Info_get(info, key, longest, value.data(), &given));
  if (given == 0) return std::nullopt;
  return named(key, value.data(), MPI_ERR_INFO_VALUE);
}

/// A value of the environment, in seconds or in bytes per second.
template <typename Quantity>
double quantity(char const* variable, Quantity (*parse)(std::string_view), Quantity usual) {
  std::string_view const value = environment(variable);
  try {
    return (value.empty() ? usual : parse(value)).value;
  } catch (InputError const& error) {
    throw UnknownName{MPI_ERR_ARG, fmt::format("{}: {}", variable, error.what())};
  }
}

// Under smpirun's own models start-ups overlap. On a real machine the linear model, in which they do not, is assumed.
#ifdef SMPI_H
constexpr Startups usual_startups = Startups::overlapping;
#else
constexpr Startups usual_startups = Startups::serialised;
#endif

/// How start-ups of messages overlap on the machine, which decides whether combining pays.
Startups startups_named() {
  constexpr char const* variable = "RONDO_NEIGHBOR_STARTUPS";
  std::string_view const name = environment(variable);
  if (name.empty()) return usual_startups;
  if (name == "serialised") return Startups::serialised;
  if (name == "overlapping") return Startups::overlapping;
  throw UnknownName{MPI_ERR_ARG, fmt::format("{}: expected serialised or overlapping, got \"{}\"", variable, name)};
}

/// The extents in RONDO_NEIGHBOR_TORUS, such as 8,8.
std::vector<int> torus_named() {
  constexpr char const* variable = "RONDO_NEIGHBOR_TORUS";
  std::string_view const text = environment(variable);
  if (auto extents = extents_in(text)) return *extents;
  throw UnknownName{MPI_ERR_ARG, fmt::format("{}: expected extents such as 8,8, got \"{}\"", variable, text)};
}

/// What this rank is told: the environment goes before the info. Throws UnknownName.
NeighborTuning tuning_of(MPI_Info info, NeighborAlgorithm otherwise) {
  constexpr char const* variable = "RONDO_NEIGHBOR_ALGORITHM";
  NeighborTuning tuning;
  tuning.algorithm = algorithm_in(info).value_or(otherwise);
  std::string_view const name = environment(variable);
  if (!name.empty()) tuning.algorithm = named(variable, name, MPI_ERR_ARG);
  tuning.startup_bytes = quantity("RONDO_NEIGHBOR_LATENCY", &parse_seconds, usual_latency) *
                         quantity("RONDO_NEIGHBOR_BANDWIDTH", &parse_bandwidth, usual_bandwidth);
  tuning.startups = startups_named();
  tuning.torus = torus_named();
  return tuning;
}

/// Prints the text at rank 0, so that it appears once although all ranks find the same wrong name.
void say_once(MPI_Comm comm, std::string const& text) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) std::fprintf(stderr, "%s\n", text.c_str());
}

}  // namespace

/// Ranks must agree, since all have to follow the same schedule; wrong names are reported at every rank.
NeighborTuning agreed_tuning(MPI_Comm comm, MPI_Info info, NeighborAlgorithm otherwise) {
  NeighborTuning tuning;
  Vote vote;
  try {
    tuning = tuning_of(info, otherwise);
  } catch (UnknownName const& wrong) {
    say_once(comm, wrong.text);
    vote.code = wrong.code;
  } catch (MpiFailure const& failure) {
    vote.code = failure.code();
  } catch (std::bad_alloc const&) {
    vote.code = MPI_ERR_NO_MEM;
  }
  // A vote contains everything that decides the choice, so that ranks with different tunings are found out.
  vote.arguments.add(static_cast<std::int64_t>(tuning.algorithm));
  vote.arguments.add(std::bit_cast<std::int64_t>(tuning.startup_bytes));
  vote.arguments.add(static_cast<std::int64_t>(tuning.startups));
  for (int const extent : tuning.torus) vote.arguments.add(extent);
  check(agree(comm, vote));
  return tuning;
}

}  // namespace rondo::mpi

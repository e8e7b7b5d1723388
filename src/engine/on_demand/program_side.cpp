// The side of the program: each function that needs SimGrid calls the module, which the first call loads.

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/places.hpp"
#include "base/version.hpp"
#include "engine/on_demand/functions.hpp"

namespace rondo {
namespace {

std::string module_path() {
  std::filesystem::path const installed = places::prefix() / places::installed_smpi_module;
  std::error_code unreadable;
  return std::filesystem::exists(installed, unreadable) ? installed.string() : places::built_smpi_module;
}

/// Loads the module with its names visible to all (RTLD_GLOBAL): user programs take MPI's functions from it first, and
/// then from SimGrid.
SmpiFunctions const& load(std::string const& path) {
  void* const module = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_GLOBAL);
  if (module == nullptr) throw InputError(fmt::format("the SMPI engine cannot be loaded: {}", ::dlerror()));
  auto* const functions_of = reinterpret_cast<SmpiFunctionsOf*>(::dlsym(module, smpi_functions_name));
  SmpiFunctions const* const functions = functions_of == nullptr ? nullptr : functions_of(version(), permissions());
  if (functions == nullptr) {
    throw InputError(fmt::format("{}: expected the SMPI engine of version {}, got another one", path, version()));
  }
  return *functions;
}

SmpiFunctions const& smpi() {
  static SmpiFunctions const& loaded = load(module_path());
  return loaded;
}

}  // namespace

Outcome<Timing> simulate_smpi(Schedule const& schedule, Collective const& collective, Platform const& platform,
                              EngineOptions const& options) {
  return smpi().schedule(schedule, collective, platform, options);
}

Outcome<Timing> simulate_smpi(TaskGraph const& graph, Platform const& platform, EngineOptions const& options) {
  return smpi().tasks(graph, platform, options);
}

Outcome<Timing> simulate_smpi(Parts const& parts, Platform const& platform, EngineOptions const& options) {
  return smpi().parts(parts, platform, options);
}

Outcome<FileRoutes> read_routes(Platform const& platform, int ranks, std::vector<std::pair<int, int>> const& pairs,
                                Seconds timeout) {
  return smpi().routes(platform, ranks, pairs, timeout);
}

Outcome<Timing> simulate_library(problem::Intergroup const& library, Platform const& platform,
                                 EngineOptions const& options) {
  return smpi().library(library, platform, options);
}

Outcome<NeighborSetup> simulate_common_neighbors(ProcessGraph const& graph, problem::CommonNeighbors const& options,
                                                 Platform const& platform, EngineOptions const& engine) {
  return smpi().common_neighbors(graph, options, platform, engine);
}

Outcome<SparseResult> simulate_sparse_exchange(SparseTraffic const& traffic, SparseProtocol const& protocol,
                                               Platform const& platform, EngineOptions const& options) {
  return smpi().sparse_exchange(traffic, protocol, platform, options);
}

Outcome<ExchangeProgramResult> simulate_exchange_program(GraphProgram const& program, SparseProtocol const& protocol,
                                                         Platform const& platform, EngineOptions const& options) {
  return smpi().graph_program(program, protocol, platform, options);
}

Outcome<ExchangeProgramResult> simulate_exchange_program(CloudProgram const& program, SparseProtocol const& protocol,
                                                         Platform const& platform, EngineOptions const& options) {
  return smpi().cloud_program(program, protocol, platform, options);
}

Outcome<UserProgramRun> simulate_user_program(int ranks, UserProgram const& program, Platform const& platform,
                                              EngineOptions const& options) {
  return smpi().user_program(ranks, program, platform, options);
}

std::vector<std::string> collective_algorithms(std::string const& collective) {
  return smpi().collective_algorithms(collective);
}

}  // namespace rondo

#pragma once

// What of the engine needs SimGrid, as a table of functions. The program takes it from a module, librondo_smpi.so, when
// it first simulates with SMPI or reads a platform file: loading SimGrid takes longer than most commands do. Tests,
// benchmarks, the Python module and the library for C++ projects are linked with the functions themselves.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/permissions.hpp"
#include "engine/engine.hpp"
#include "engine/platform_file.hpp"
#include "engine/programs/exchange_programs.hpp"
#include "engine/programs/library.hpp"
#include "engine/programs/neighbor_setup.hpp"
#include "engine/programs/sparse_exchange.hpp"
#include "engine/programs/user_program.hpp"

namespace rondo {

/// Each entry does what the function of nearly that name is documented to do.
struct SmpiFunctions {
  Outcome<Timing> (*schedule)(Schedule const&, Collective const&, Platform const&, EngineOptions const&);
  Outcome<Timing> (*tasks)(TaskGraph const&, Platform const&, EngineOptions const&);
  Outcome<Timing> (*parts)(Parts const&, Platform const&, EngineOptions const&);
  Outcome<FileRoutes> (*routes)(Platform const&, int, std::vector<std::pair<int, int>> const&, Seconds);
  Outcome<Timing> (*library)(problem::Intergroup const&, Platform const&, EngineOptions const&);
  Outcome<NeighborSetup> (*common_neighbors)(ProcessGraph const&, problem::CommonNeighbors const&, Platform const&,
                                             EngineOptions const&);
  Outcome<SparseResult> (*sparse_exchange)(SparseTraffic const&, SparseProtocol const&, Platform const&,
                                           EngineOptions const&);
  Outcome<ExchangeProgramResult> (*graph_program)(GraphProgram const&, SparseProtocol const&, Platform const&,
                                                  EngineOptions const&);
  Outcome<ExchangeProgramResult> (*cloud_program)(CloudProgram const&, SparseProtocol const&, Platform const&,
                                                  EngineOptions const&);
  Outcome<UserProgramRun> (*user_program)(int, UserProgram const&, Platform const&, EngineOptions const&);
  std::vector<std::string> (*collective_algorithms)(std::string const&);
};

/// What the module exports, under the name `smpi_functions_name`: its functions, or null where the program is not of
/// the module's own version. The module has a copy of the layers below it, but for `process`, whose knowledge of child
/// processes is the program's; so it is told what else is the process's own.
using SmpiFunctionsOf = SmpiFunctions const*(std::string_view program_version, Permissions const& permissions);
inline constexpr char const* smpi_functions_name = "rondo_smpi_functions";

}  // namespace rondo

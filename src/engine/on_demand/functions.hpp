#pragma once

// The functions of the engine that need SimGrid, as a table. The program takes it from a module, librondo_smpi.so, when
// it first simulates with SMPI or reads a platform file, because loading SimGrid takes longer than most commands.
// Tests, benchmarks, the Python module and the library for C++ projects are linked with the functions directly.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/permissions.hpp"
#include "engine/engine.hpp"
#include "engine/programs/library.hpp"
#include "engine/programs/neighbor_setup.hpp"
#include "engine/programs/sparse_exchange.hpp"
#include "engine/programs/user_program.hpp"

namespace rondo {

/// Each entry is the function of the engine with nearly the same name, which its own header documents.
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

/// The type of the function that the module exports, under the name `smpi_functions_name`. It returns the table, or
/// null if the program has another version than the module. The module contains its own copy of the layers below it,
/// except `process`, which keeps the program's state of child processes. Therefore the caller passes the permissions,
/// which are also state of the process.
using SmpiFunctionsOf = SmpiFunctions const*(std::string_view program_version, Permissions const& permissions);
/// The name of the function by which the module hands over the table.
inline constexpr char const* smpi_functions_name = "rondo_smpi_functions";

}  // namespace rondo

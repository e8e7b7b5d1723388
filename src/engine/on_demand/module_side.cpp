// The side of the module librondo_smpi.so: it exports the table of its functions.

#include "base/version.hpp"
#include "engine/on_demand/functions.hpp"

extern "C" [[gnu::visibility("default")]] rondo::SmpiFunctions const* rondo_smpi_functions(
    std::string_view program_version, rondo::Permissions const& permissions) {
  using namespace rondo;
  /// The functions that need SimGrid. The program loads this module only when a simulation needs one of them.
  static SmpiFunctions const functions{
      .schedule = simulate_smpi,
      .tasks = simulate_smpi,
      .parts = simulate_smpi,
      .routes = read_routes,
      .library = simulate_library,
      .common_neighbors = simulate_common_neighbors,
      .sparse_exchange = simulate_sparse_exchange,
      .graph_program = simulate_exchange_program,
      .cloud_program = simulate_exchange_program,
      .user_program = simulate_user_program,
      .collective_algorithms = rondo::collective_algorithms,
  };
  if (program_version != version()) return nullptr;
  permit(permissions);
  return &functions;
}

// The program casts the exported function to this type.
static_assert(std::is_same_v<decltype(rondo_smpi_functions), rondo::SmpiFunctionsOf>);

// What this process may do for a scenario. It is set once, from the command line, before scenarios are read.

#include "base/permissions.hpp"

#include <utility>

#include "base/error.hpp"

namespace rondo {
namespace {

Permissions& permitted() {
  static Permissions only;
  return only;
}

}  // namespace

Permissions const& permissions() { return permitted(); }

void permit(Permissions permissions) { permitted() = std::move(permissions); }

void expect_programs_allowed() {
  if (permitted().programs == Permissions::Programs::started) return;
  throw InputError(
      "expected --allow-programs or RONDO_ALLOW_PROGRAMS=1, because the program would run with all your rights, got "
      "neither");
}

}  // namespace rondo

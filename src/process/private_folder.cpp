#include "process/private_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace rondo {
namespace {

namespace fs = std::filesystem;

/// Where temporary files go, as std::filesystem::temp_directory_path says, but that it need not be there.
std::string temporary() {
  for (char const* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    if (char const* const value = std::getenv(name)) return value;
  }
  return "/tmp";
}

}  // namespace

PrivateFolder::PrivateFolder() : path_((fs::path(temporary()) / "rondo-XXXXXX").string()) {
  if (mkdtemp(path_.data()) != nullptr) return;
  int const error = errno;
  throw InputError(fmt::format("no temporary folder can be made in \"{}\", as TMPDIR says: {}", printable(temporary()),
                               std::generic_category().message(error)));
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace rondo

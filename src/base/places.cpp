// The places of Rondo's files: those of an installation lie below the prefix, which the path of the program tells;
// those of a build have absolute paths.

#include "base/places.hpp"

#include <utility>

namespace rondo::places {
namespace {

std::filesystem::path& stated_prefix() {
  static std::filesystem::path stated;
  return stated;
}

}  // namespace

std::filesystem::path prefix() {
  if (!stated_prefix().empty()) return stated_prefix();
  std::error_code unreadable;
  return std::filesystem::read_symlink("/proc/self/exe", unreadable).parent_path().parent_path();
}

void set_prefix(std::filesystem::path prefix) { stated_prefix() = std::move(prefix); }

char const* const installed_data = RONDO_INSTALLED_DATA;
char const* const built_data = RONDO_BUILT_DATA;
char const* const installed_archive = RONDO_INSTALLED_ARCHIVE;
char const* const built_archive = RONDO_BUILT_ARCHIVE;
char const* const installed_smpi_module = RONDO_INSTALLED_SMPI_MODULE;
char const* const built_smpi_module = RONDO_BUILT_SMPI_MODULE;
char const* const installed_headers = RONDO_INSTALLED_HEADERS;
char const* const built_headers = RONDO_BUILT_HEADERS;

}  // namespace rondo::places

#include "base/places.hpp"

namespace rondo::places {

char const* const installed_data = RONDO_INSTALLED_DATA;
char const* const built_data = RONDO_BUILT_DATA;
char const* const installed_archive = RONDO_INSTALLED_ARCHIVE;
char const* const built_archive = RONDO_BUILT_ARCHIVE;
char const* const installed_headers = RONDO_INSTALLED_HEADERS;
char const* const built_headers = RONDO_BUILT_HEADERS;

}  // namespace rondo::places

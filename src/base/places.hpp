#pragma once

// Where what comes with Rondo lies: relative to the prefix, once it is installed, and as it was built.

namespace rondo::places {

extern char const* const installed_data;  ///< the folder of platforms/ and scenarios/
extern char const* const built_data;
extern char const* const installed_archive;  ///< librondo_mpi.a
extern char const* const built_archive;
extern char const* const installed_headers;  ///< the folder of rondo/*.h
extern char const* const built_headers;

}  // namespace rondo::places

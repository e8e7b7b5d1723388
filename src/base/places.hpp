#pragma once

// The locations of the files that come with Rondo: relative to the prefix when it is installed, and absolute as it was
// built.

#include <filesystem>

namespace rondo::places {

/// The folder into which Rondo is installed: the one above the folder of this program, unless set_prefix stated another
/// one.
std::filesystem::path prefix();
/// For callers that are no program in bin/ of the prefix, such as a module of another program.
void set_prefix(std::filesystem::path prefix);

extern char const* const installed_data;  ///< the folder of platforms/ and scenarios/
extern char const* const built_data;
extern char const* const installed_archive;  ///< librondo_mpi.a
extern char const* const built_archive;
extern char const* const installed_smpi_module;  ///< librondo_smpi.so, the program's SMPI engine
extern char const* const built_smpi_module;
extern char const* const installed_headers;  ///< the folder of rondo/*.h
extern char const* const built_headers;

}  // namespace rondo::places

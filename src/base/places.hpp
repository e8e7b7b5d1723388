#pragma once

// Where what comes with Rondo lies: relative to the prefix, once it is installed, and as it was built.

#include <filesystem>

namespace rondo::places {

/// The folder that Rondo is installed in: the one above that of this program, unless set_prefix was told another one.
std::filesystem::path prefix();
/// For what is no program in a folder bin/ of the prefix: a module of another program.
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

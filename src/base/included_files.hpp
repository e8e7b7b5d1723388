#pragma once

// Finds the files of which a program consists in addition to its sources: headers, modules and libraries of its author.
// No compiler is called, so this works without the right to start one, and whatever macros are defined: each name in a
// directive counts if the file exists, even if a condition leaves it out. A superfluous file only makes a point run
// again; a missing one would let a stale record be taken for the current one.

#include <functional>
#include <string>
#include <vector>

namespace rondo {

struct ScanInput {
  std::vector<std::string> paths;
  std::string folder;              ///< the folder in which they are compiled; empty: the current one
  std::vector<std::string> flags;  ///< of the compiler: -I, -include, -D, -L and -l are used
};

/// The files that the sources name, or that those files name in turn: in quotes or angle brackets on a line with a
/// directive of the preprocessor, in Fortran's `include` and `use`, or in the assembler's `.incbin`. They are searched
/// for as by a compiler: beside the file that names them, in the folders of -I, and in `folder`; libraries in the
/// folders of -L. Only files for which `counts` is true are considered. Each file is listed once, in the order of
/// discovery. A name that macros compose from parts is not found.
std::vector<std::string> included_files(ScanInput const& sources,
                                        std::function<bool(std::string const& path)> const& counts);

}  // namespace rondo

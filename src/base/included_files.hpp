#pragma once

// The files that the sources of a program are made of beside themselves: headers, modules and libraries of its author.
// No compiler is asked, so that they are known without the right to start one, and whatever macros are defined: each
// name in a directive counts for which there is a file, even where a condition leaves it out. It is better to run a
// point again than to take a stale record for its own.

#include <functional>
#include <string>
#include <vector>

namespace rondo {

struct SourcesToScan {
  std::vector<std::string> paths;
  std::string folder;              ///< in which they are compiled; empty: this one
  std::vector<std::string> flags;  ///< of the compiler: -I, -include, -D, -L and -l count
};

/// Files other than the sources that these name, or that those files name in their turn: in quotes or angle brackets on
/// a line with a directive of the preprocessor, Fortran's `include` and `use`, or the assembler's `.incbin`. They are
/// looked for as a compiler does: beside the file that names them, in the folders of -I, and in `folder`; libraries in
/// the folders of -L. Only files that `counts` are looked at. In the order in which they are met, each once; a name
/// that macros put together out of parts is not found.
std::vector<std::string> included_files(SourcesToScan const& sources,
                                        std::function<bool(std::string const& path)> const& counts);

}  // namespace rondo

#pragma once

// The files that a command reads as its input, so that none of them is written over: an output with --force may be
// named like a scenario, a machine or results by mistake, and what is lost then is the work of a person. As with
// permissions, there is one list for the process; it is asked where a file is opened to be written, so that no way
// there leads past it.

#include <string>

namespace rondo {

/// Remembers a file that is read, or will be, whether or not it exists.
void note_input(std::string const& path);
/// Throws InputError if a file is there that was noted, under this name or any other: by another path, a symbolic link
/// or a hard link.
void refuse_input(std::string const& output);

}  // namespace rondo

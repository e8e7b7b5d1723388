#pragma once

// What a page of documentation tells its reader to do: the files that it shows with a name, and the commands that it
// shows with their output, in the order of the page.

#include <filesystem>
#include <string>
#include <vector>

namespace rondo::docs {

using Lines = std::vector<std::string>;

/// A fenced block `title="NAME"` is a file that the reader writes; a block `console` is a list of commands, each behind
/// "$ ", with the lines that they print. A line `<!-- needs PROGRAM ... -->` before it leaves it out where such a
/// program is not installed.
struct Step {
  int line = 0;       ///< where it stands on the page, from 1
  std::string file;   ///< the name of a file, or empty
  std::string words;  ///< the command, if it is no file
  Lines text;         ///< what is in the file, or what the command prints
  std::string needs;  ///< the programs without which the command is left out, or empty
};

/// The steps of a page in Markdown.
std::vector<Step> steps_of(Lines const& page);

/// Takes the steps in `folder`, in which `rondo` and `./rondo` are the program, and rondo-cc and its like lie
/// beside it. A line each for what came out
/// otherwise: a command prints, on its two streams together, what the page says, where "..." stands for any number of
/// lines, and ends with 0.
Lines walk(std::vector<Step> const& steps, std::filesystem::path const& folder, std::filesystem::path const& program);

/// Whether the lines printed are those expected; "..." stands for any number of lines.
bool printed_as(Lines const& expected, Lines const& printed);

Lines lines_of(std::filesystem::path const& file);

}  // namespace rondo::docs

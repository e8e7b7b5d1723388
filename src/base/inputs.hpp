#pragma once

// The files that a command reads as its input. There is one list for the process, for two uses:
// - None of them is written over: an output with --force may be named like a scenario, a machine or results by mistake,
//   and the work of a person is then lost. The list is asked where a file is opened to be written.
// - Whatever the reading of a point opens is part of what makes a record the same. InputsRead collects it: both the
//   files that are noted here, because they are named and read later, and all that base/file.hpp reads meanwhile. A new
//   key that names a file cannot be forgotten: to read the file is to register it.

#include <string>
#include <vector>

namespace rondo {

/// Remembers a file that is read, or will be, whether or not it exists.
void note_input(std::string const& path);
/// Remembers files that are one input, under the name of the first: the traces of all ranks.
void note_inputs(std::vector<std::string> const& paths);
/// Registers with InputsRead, and nothing else, a file that is being read.
void note_reading(std::string const& path);

/// Throws InputError if a file is there that was noted, under this name or any other: by another path, a symbolic link
/// or a hard link.
void refuse_input(std::string const& output);

/// Collects the inputs that are noted or read in this thread from here on, to the end of its life. Another one within
/// its life collects for both.
class InputsRead {
 public:
  InputsRead();
  ~InputsRead();
  InputsRead(InputsRead const&) = delete;
  InputsRead& operator=(InputsRead const&) = delete;

  /// Each input once, in the order in which they were met. An input is one file, or several that note_inputs was given.
  std::vector<std::vector<std::string>> const& inputs() const { return inputs_; }

 private:
  friend void register_input(std::vector<std::string> const& paths);

  InputsRead* around_;
  std::vector<std::vector<std::string>> inputs_;
};

}  // namespace rondo

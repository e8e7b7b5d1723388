#pragma once

// The files that a command reads as its input. There is one list for the process, with two uses:
// - No input is overwritten. An output with --force may by mistake have the name of a scenario, a machine or a results
// file, and a person's work would be lost. The list is checked when a file is opened for writing.
// - All files that are opened while a point is read decide whether a record is still valid. InputsRead collects them:
// the files that are noted here, because they are named and read later, and all files that base/file.hpp reads in the
// meantime. So a new key that names a file cannot be forgotten: reading the file registers it.

#include <string>
#include <vector>

namespace rondo {

/// Remembers a file that is read, or will be read, whether or not it exists.
void note_input(std::string const& path);
/// Remembers files that are one input, under the name of the first one, such as the traces of all ranks.
void note_inputs(std::vector<std::string> const& paths);
/// Registers a file that is being read with InputsRead, and nothing else.
void note_reading(std::string const& path);

/// The command makes this file anew, although it also reads it.
void permit_writing(std::string const& path);

/// Throws InputError if the file exists and was noted, under this or any other name: another path, a symbolic link or a
/// hard link.
void refuse_input(std::string const& output);

/// Collects the inputs that are noted or read in this thread during its lifetime. If another one is created within its
/// lifetime, both collect.
class InputsRead {
 public:
  InputsRead();
  ~InputsRead();
  InputsRead(InputsRead const&) = delete;
  InputsRead& operator=(InputsRead const&) = delete;

  /// Each input once, in the order of discovery. An input is one file, or several files that note_inputs was given
  /// together.
  std::vector<std::vector<std::string>> const& inputs() const { return inputs_; }

 private:
  friend void register_input(std::vector<std::string> const& paths);

  InputsRead* around_;
  std::vector<std::vector<std::string>> inputs_;
};

}  // namespace rondo

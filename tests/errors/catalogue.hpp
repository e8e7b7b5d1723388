#pragma once

// The catalogue of errors, tests/data/errors/*.txt: what is done, and the one line that the program answers.
//
// An entry ends with an empty line, and its lines begin with
//   # words                    what it is about; may be left out
//   base NAME                  for this entry and those behind it: the scenario bases/NAME.json
//   {JSON}                     a merge patch (RFC 7396) of the base, which is written to s.json
//   file NAME TEXT             a file; TEXT is as in bash's $'...'
//   $ COMMAND                  bash, where `rondo` is the program; `rondo run --quiet s.json` where it is left out
//   EXIT LINE                  the exit code and the only line on standard error, or the last one on standard output
// Every entry has a folder of its own, in which its command runs.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace rondo::test {

struct Entry {
  std::string place;  ///< "scenario.txt:12"
  std::string base, patch;
  std::vector<std::pair<std::string, std::string>> files;  ///< their names and texts
  std::string command;
  std::string line;  ///< "2 s.json: ..."
};

/// All entries, by file. Throws std::runtime_error on what is no entry.
std::vector<Entry> read_catalogue(std::filesystem::path const& folder);

}  // namespace rondo::test

#pragma once

// The errors that stand in the sources: what the catalogue is held against.

#include <filesystem>
#include <string>
#include <vector>

namespace rondo::test {

/// A statement of src/ that makes an error, and its texts, as fmt takes them: "expected {}, got {}". A statement whose
/// texts say little by themselves ("{}: {}") hands an error on, and is left out; so are the errors of MPI programs,
/// which have codes (src/mpi).
struct ErrorSite {
  std::string place;  ///< "src/base/file.cpp:30"
  std::vector<std::string> texts;
};

std::vector<ErrorSite> error_sites(std::filesystem::path const& root);

/// Whether the line holds the text with anything in place of what is in braces.
bool holds(std::string const& line, std::string const& text);

}  // namespace rondo::test

#pragma once

// Reading of files: completely, or not at all. Files that might never end, or block, are refused before they are
// opened.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace rondo {

/// A file that exists but could not be read to its end, for a reason other than its content: an error of the device, or
/// lack of memory. The part that was read must not be mistaken for the whole. The command line exits with 3.
class ReadFailure : public InputError {
 public:
  using InputError::InputError;
};

/// The content of a regular file. Throws InputError, which names the file, before a byte is read: if there is no such
/// file, if it is a folder, pipe, socket or device, if it is larger than `most_bytes`, or if it is sparse. Throws
/// ReadFailure if reading fails.
std::string read_file(std::string const& path, std::uint64_t most_bytes);

/// Reads a file of any size, sparse or not, piece by piece. Refuses a file that is larger than `most_bytes`.
void read_pieces(std::string const& path, std::function<void(std::string_view)> const& take,
                 std::optional<std::uint64_t> most_bytes = std::nullopt);

/// A hint at a file in the folder of `path` with a similar name, in the form of did_you_mean; empty if there is none.
std::string nearest_file(std::string const& path);

/// Throws InputError if the name is that of a folder, pipe, socket or device. The file is not opened.
void refuse_other_than_file(std::string const& path);

}  // namespace rondo

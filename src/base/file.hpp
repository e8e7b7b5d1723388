#pragma once

// Files that are read: whole, or not at all. Nothing that might never end or block is begun.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace rondo {

/// A file that is there but could not be read to its end, by no fault of its content: an error of the device, memory
/// that ran out. What was read of it must not be taken for the whole; the command line exits with 3.
class ReadFailure : public InputError {
 public:
  using InputError::InputError;
};

/// The content of a regular file. Throws InputError, which names the file, before a byte is read if there is no such
/// file, if it is a folder, pipe, socket or device, if it is larger than `most_bytes`, or if it has a hole, which holds
/// no text. Throws ReadFailure if reading fails.
std::string read_file(std::string const& path, std::uint64_t most_bytes);

/// Reads a file of any size, with or without holes, piece by piece; refuses one that is larger than `most_bytes`.
void read_pieces(std::string const& path, std::function<void(std::string_view)> const& take,
                 std::optional<std::uint64_t> most_bytes = std::nullopt);

/// The name in the folder of `path` that is near that of `path`, as did_you_mean says it, or nothing.
std::string nearest_file(std::string const& path);

/// Throws InputError if what is there under that name is a folder, pipe, socket or device; it is not opened.
void refuse_other_than_file(std::string const& path);

}  // namespace rondo

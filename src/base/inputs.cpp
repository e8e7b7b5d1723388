#include "base/inputs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <system_error>

#include "base/error.hpp"

namespace rondo {
namespace {

/// Names as they were given, by where they lead from the root. Names, not the numbers that a file system gives to
/// files: it gives those of a file that is removed to the next one.
std::map<std::string, std::string>& inputs() {
  static std::map<std::string, std::string> only;
  return only;
}

}  // namespace

void note_input(std::string const& path) {
  std::error_code failed;
  std::filesystem::path const whole = std::filesystem::absolute(path, failed);
  if (!failed) inputs().emplace(whole.string(), path);
}

void refuse_input(std::string const& output) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(output, ignored)) return;
  for (auto const& [whole, input] : inputs()) {
    if (!std::filesystem::equivalent(output, whole, ignored)) continue;
    throw InputError(
        fmt::format("{}: expected another file to write to, this one is read: it is the input {}", output, input));
  }
}

}  // namespace rondo

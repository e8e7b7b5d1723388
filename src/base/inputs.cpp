// The list of all files that were read, and the collections that note them while they exist. Collections may be nested;
// each notes everything.

#include "base/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/error.hpp"

namespace rondo {
namespace {

/// The names of inputs, by their absolute paths. Paths are used instead of inode numbers, because a file system gives
/// the number of a removed file to the next one.
std::map<std::string, std::string>& inputs() {
  static std::map<std::string, std::string> only;
  return only;
}

/// The innermost collection of this thread; each one knows the one around it.
thread_local InputsRead* collecting = nullptr;

void protect(std::string const& path) {
  std::error_code failed;
  std::filesystem::path const whole = std::filesystem::absolute(path, failed);
  if (!failed) inputs().emplace(whole.string(), path);
}

}  // namespace

/// Adds the input to every collection that is alive.
void register_input(std::vector<std::string> const& paths) {
  for (InputsRead* each = collecting; each != nullptr; each = each->around_) {
    auto const noted = std::ranges::find_if(each->inputs_, [&](std::vector<std::string> const& input) {
      return std::ranges::find(input, paths.front()) != input.end();
    });
    if (noted == each->inputs_.end()) {
      each->inputs_.push_back(paths);
    } else if (paths.size() > noted->size()) {
      *noted = paths;  // a name that stands for several files was met before they were
    }
  }
}

void note_input(std::string const& path) { note_inputs({path}); }

void note_inputs(std::vector<std::string> const& paths) {
  std::ranges::for_each(paths, protect);
  if (!paths.empty()) register_input(paths);
}

void note_reading(std::string const& path) {
  if (collecting != nullptr) register_input({path});
}

void permit_writing(std::string const& path) {
  std::error_code failed;
  std::filesystem::path const whole = std::filesystem::absolute(path, failed);
  if (!failed) inputs().erase(whole.string());
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

InputsRead::InputsRead() : around_(collecting) { collecting = this; }
InputsRead::~InputsRead() { collecting = around_; }

}  // namespace rondo

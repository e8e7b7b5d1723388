// The list of targets, with one for each format of schedules that is read.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "fuzz.hpp"
#include "process/descriptor.hpp"

namespace rondo::fuzz {

std::span<Target const> targets() {
  static constexpr std::array all{
      Target{"printable", fuzz_printable},         Target{"units", fuzz_units},   Target{"expression", fuzz_expression},
      Target{"scenario", fuzz_scenario},           Target{"set", fuzz_set},       Target{"machine", fuzz_machine},
      Target{"platform_xml", fuzz_platform_xml},   Target{"graph", fuzz_graph},   Target{"goal", fuzz_goal},
      Target{"goal_binary", fuzz_goal_binary},     Target{"msccl", fuzz_msccl},   Target{"results", fuzz_results},
      Target{"schedule_json", fuzz_schedule_json}, Target{"chakra", fuzz_chakra},
  };
  return all;
}

bool accepted(std::function<void()> const& read) {
  try {
    read();
    return true;
  } catch (InputError const& error) {
    // The command line prints it as printable() has it, which is one line whatever stands here.
    promise(!std::string_view(error.what()).empty(), "an error says what it is");
    return false;
  }
}

void promise(bool holds, std::string_view words) {
  if (holds) return;
  std::fprintf(stderr, "a broken promise: %.*s\n", static_cast<int>(words.size()), words.data());
  std::abort();
}

TextFile::TextFile(std::string_view text) : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
  promise(file_ >= 0 && write_all(file_, text), "a file in memory");
}
TextFile::~TextFile() { ::close(file_); }
std::string TextFile::path() const { return "/proc/self/fd/" + std::to_string(file_); }

}  // namespace rondo::fuzz

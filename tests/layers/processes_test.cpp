// One mechanism for processes: only src/process forks, makes pipes, waits for children and has a loop that writes.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace rondo::layers {
namespace {

TEST(Layers, only_process_forks_makes_pipes_and_writes_in_a_loop) {
  std::regex const call(R"((\b(v?fork|pipe2?|waitpid|wait4|posix_spawnp?|popen|prctl|mkdtemp)|[^\w]::write)\()");
  int in_process = 0;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(RONDO_SOURCE_DIR "/src")) {
    std::string const path = entry.path().string();
    if (!path.ends_with(".cpp") && !path.ends_with(".hpp")) continue;
    std::ifstream file(path);
    std::string const text(std::istreambuf_iterator<char>(file), {});
    bool const calls = std::regex_search(text, call);
    bool const is_process = path.find("/src/process/") != std::string::npos;
    // Which lies below src/process, and reads files only.
    if (path.ends_with("/src/base/file.cpp")) continue;
    in_process += is_process && calls ? 1 : 0;
    EXPECT_TRUE(is_process || !calls) << path;
  }
  EXPECT_GE(in_process, 3);
}

}  // namespace
}  // namespace rondo::layers

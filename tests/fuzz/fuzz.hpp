#pragma once

// What reads text of others, as functions of bytes that are fuzzed. Whatever the bytes are, a target returns, or aborts
// with words on standard error: a text is read, or refused by an InputError, and what was read keeps its promises (what
// is printed reads back as the same, a platform that was written anew is one). Two programs call the targets:
// test_fuzz replays the corpora and some mutations of them, as a test, with any compiler; rondo_fuzz, with
// -DRONDO_FUZZ=ON and clang, is libFuzzer on the target that RONDO_FUZZ_TARGET names (see run.sh).

#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace rondo::fuzz {

struct Target {
  char const* name;  ///< of its corpus: the folder corpus/<name>
  void (*run)(std::string_view text);
};
/// How tests print it.
inline std::ostream& operator<<(std::ostream& stream, Target const& target) { return stream << target.name; }

/// All targets, one for each kind of text that is read.
std::span<Target const> targets();

/// Runs `read`, of which an InputError of one line is expected, at most; whether there was none of these errors.
/// Another exception passes, and ends the program.
bool accepted(std::function<void()> const& read);

/// Aborts with these words unless `holds`.
void promise(bool holds, std::string_view words);

/// Bytes as a regular file without a name, for what reads files alone.
class TextFile {
 public:
  explicit TextFile(std::string_view text);
  ~TextFile();
  TextFile(TextFile const&) = delete;
  TextFile& operator=(TextFile const&) = delete;
  std::string path() const;

 private:
  int file_;
};

// The targets, in text.cpp, scenario.cpp, schedules.cpp and results.cpp.
void fuzz_printable(std::string_view text);
void fuzz_units(std::string_view text);
void fuzz_expression(std::string_view text);
void fuzz_scenario(std::string_view text);
void fuzz_set(std::string_view text);
void fuzz_machine(std::string_view text);
void fuzz_platform_xml(std::string_view text);
void fuzz_graph(std::string_view text);
void fuzz_goal(std::string_view text);
void fuzz_goal_binary(std::string_view bytes);
void fuzz_msccl(std::string_view text);
void fuzz_chakra(std::string_view bytes);
void fuzz_schedule_json(std::string_view text);
void fuzz_results(std::string_view text);

}  // namespace rondo::fuzz

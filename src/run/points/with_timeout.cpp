// Runs work in a child process. The first byte of the child's answer says whether a text or an error follows. A newline
// at the end says that the answer is complete.

#include "run/points/with_timeout.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "process/run_in_child.hpp"
#include "process/say.hpp"

namespace rondo {
namespace {

/// The first byte of an answer: a text follows, or the text of an InputError.
constexpr char made = 'm', refused = 'r';

/// Makes the answer of the child: a letter for its kind, its text, and a newline. An answer without the newline was cut
/// off.
std::string answer_of(std::function<std::string()> const& make) {
  try {
    return made + make() + "\n";
  } catch (InputError const& error) {
    return refused + std::string(error.what()) + "\n";
  }
}

/// Returns the text of a child that has ended, or failed(why) without a complete answer. Throws the InputError of an
/// answer that states one.
std::string end_text(ChildEnd const& end, Seconds timeout, std::function<std::string(std::string why)> const& failed) {
  if (end.timed_out) return failed(fmt::format("timeout after {}", print(timeout)));
  std::string_view const answer(reinterpret_cast<char const*>(end.answer.data()), end.answer.size());
  if (answer.size() >= 2 && answer.back() == '\n') {
    std::string text(answer.substr(1, answer.size() - 2));
    if (answer.front() == refused) throw InputError(text);
    return text;
  }
  // Usually it is the kernel that kills the child, when it needs memory back.
  bool const killed = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL;
  if (killed) return failed("out of memory, or the process of the point was killed");
  return failed(fmt::format("crash: the process of the point ended with status {} and no record", end.status));
}

}  // namespace

std::string text_with_timeout(Seconds timeout, std::function<std::string()> const& make,
                              std::function<std::string(std::string why)> const& failed) {
  if (timeout <= Seconds(0)) return make();
  try {
    ChildEnd const end = run_in_child([&](int answer) { write_all(answer, answer_of(make)); }, timeout);
    say("{}", end.printed);
    return end_text(end, timeout, failed);
  } catch (std::system_error const& error) {
    return failed(fmt::format("no process for the point: {}", error.what()));
  }
}

}  // namespace rondo

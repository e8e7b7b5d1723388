// NO_COLOR or a simple terminal forbids colours. A terminal gets a line of progress that is overwritten, at most
// ten times a second, so that fast points are not slowed down. A file gets a line every ten seconds.

#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "process/say.hpp"

namespace rondo::cli {

std::optional<std::size_t> terminal_width(int descriptor) {
  struct winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

bool colours_wanted(std::string_view color) {
  if (color != "auto") return color == "always";
  char const* const forbidden = std::getenv("NO_COLOR");
  char const* const terminal = std::getenv("TERM");
  bool const can = terminal != nullptr && std::string_view(terminal) != "dumb";
  return can && (forbidden == nullptr || *forbidden == '\0') && ::isatty(STDOUT_FILENO) == 1;
}

std::string coloured(std::string_view text, Colour colour) {
  // ECMA-48, section 8.3.117: 31 to 33 are red, green and yellow, 0 restores the usual colour.
  int const shown = colour == Colour::green ? 32 : colour == Colour::yellow ? 33 : 31;
  return fmt::format("\x1b[{}m{}\x1b[0m", shown, text);
}

namespace {

constexpr std::chrono::seconds between_lines{10};
constexpr std::chrono::milliseconds between_updates{100};

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

constexpr std::size_t usual_width = 80;

}  // namespace

Progress::Progress(std::string const& file, Points count, std::string const& note, bool quiet)
    : file_(printable(file)), points_(count.to_do), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {
  if (quiet_) return;
  std::string const left = count.to_do < count.all ? fmt::format(", {} to do", count.to_do) : "";
  rondo::say("{}: {}{}{}{}\n", file_, counted(count.all, "point"), note.empty() ? "" : ", ", note, left);
}

void Progress::at(scenario::Point const& point) {
  std::string const values = point.values();
  current_ = fmt::format("point {}{}", point.number, values.empty() ? "" : excerpt(" " + values));
  if (done_ == 0 && terminal_) say("");
}

void Progress::done(Record const& record) {
  ++done_;
  if (record.error) ++(record.error->starts_with("refused: ") ? refused_ : failed_);
  auto const now = Clock::now();
  if (now - shown_ < (terminal_ ? std::chrono::milliseconds(between_updates) : between_lines)) return;
  shown_ = now;
  double const rate = static_cast<double>(done_) / std::chrono::duration<double>(now - start_).count();
  say(fmt::format(", {:.3g} a second, {} left", rate, duration(static_cast<double>(points_ - done_) / rate)));
}

void Progress::say(std::string const& state) {
  if (quiet_) return;
  std::string const count = fmt::format("{} of {}{}; {}", done_, counted(points_, "point"), state, current_);
  if (!terminal_) return rondo::say("{}: {}\n", file_, count);
  // A wider line could not be overwritten completely. The last column stays free, so that no terminal begins a new
  // line by itself.
  std::size_t const width = terminal_width(STDERR_FILENO).value_or(usual_width) - 1;
  std::string line = fmt::format("{}: {}", file_, count);
  if (line.size() > width) line = line.substr(file_.rfind('/') + 1);  // without its folder
  std::size_t end = std::min(width, line.size());
  while (end < line.size() && (line[end] & 0xC0) == 0x80) --end;  // no character is cut in two
  rondo::say("\r\x1b[K{}", line.substr(0, end));
}

void Progress::end() {
  if (quiet_) return;
  std::string text = fmt::format("{} done", counted(points_ - refused_ - failed_, "point"));
  if (refused_ > 0) text += fmt::format(", {} refused", refused_);
  if (failed_ > 0) text += fmt::format(", {} failed", failed_);
  rondo::say("{}{}: {}\n", terminal_ ? "\r\x1b[K" : "", file_, text);
}

}  // namespace rondo::cli

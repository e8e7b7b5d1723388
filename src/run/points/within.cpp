#include "run/points/within.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "json/text.hpp"
#include "process/run_in_child.hpp"
#include "process/say.hpp"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

using MakeJson = std::function<Json()>;
using FailJson = std::function<Json(std::string why)>;

/// The answer of the process: {"made": ...}, or {"refused": "..."}.
std::string answer_of(MakeJson const& make) {
  try {
    return Json{{"made", make()}}.dump();
  } catch (InputError const& error) {
    return Json{{"refused", error.what()}}.dump();
  }
}

/// The answer as JSON; null if the process ended before it had written all of it.
Json said(std::string_view text) try { return scenario::json_of(text); } catch (Json::exception const&) {
  return {};
}

Json made_in(ChildEnd const& end, Seconds timeout, FailJson const& failed) {
  std::string_view const text(reinterpret_cast<char const*>(end.answer.data()), end.answer.size());
  Json const answer = end.timed_out ? Json() : said(text);
  if (answer.is_object() && answer.contains("made")) return answer["made"];
  if (answer.is_object() && answer.contains("refused")) throw InputError(answer["refused"].get<std::string>());
  if (end.timed_out) return failed(fmt::format("timeout after {}", print(timeout)));
  // Only the kernel kills this child, when it needs memory back.
  bool const killed = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL;
  if (killed) return failed("out of memory, or the process of the point was killed");
  return failed(fmt::format("crash: the process of the point ended with status {} and no record", end.status));
}

}  // namespace

Json json_within(Seconds timeout, MakeJson const& make, FailJson const& failed) {
  if (timeout <= Seconds(0)) return make();
  auto const work = [&](int answer) {
    std::string const text = answer_of(make);
    write_all(answer, text);
  };
  try {
    ChildEnd const end = run_in_child(work, timeout);
    say("{}", end.printed);
    return made_in(end, timeout, failed);
  } catch (std::system_error const& error) {
    return failed(fmt::format("no process for the point: {}", error.what()));
  }
}

Record within(Seconds timeout, std::function<Record()> const& make,
              std::function<Record(std::string why)> const& failed) {
  if (timeout <= Seconds(0)) return make();
  auto const start = std::chrono::steady_clock::now();
  Record record = record_of(json_within(
      timeout, [&] { return to_json(make()); }, [&](std::string why) { return to_json(failed(std::move(why))); }));
  record.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

}  // namespace rondo

#include "scenario/arrival.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "scenario/named_file.hpp"

namespace rondo::scenario {

char const* const arrival_schema = R"json({
  "type": "object",
  "title": "an object such as {\"kind\": \"one_late\", \"spread\": \"50us\"}",
  "description": "when each rank comes to the collective; all at 0 by default",
  "kinds": [
    {"kind": "none",
     "description": "all ranks come at 0", "properties": {
       "spread": {"type": "string", "title": "a string with a unit such as \"50us\"", "description": "not used; allowed so that a sweep can go over kinds"}}},
    {"kind": "one_late", "required": ["spread"],
     "description": "the last rank comes at spread, all others at 0", "properties": {
       "spread": {"type": "string", "title": "a string with a unit such as \"50us\"", "description": "when the last rank comes"}}},
    {"kind": "linear", "required": ["spread"],
     "description": "rank i of p comes at spread * i / (p - 1)", "properties": {
       "spread": {"type": "string", "title": "a string with a unit such as \"50us\"", "description": "when the last rank comes"}}},
    {"kind": "uniform", "required": ["spread"],
     "description": "each rank draws its time uniformly from 0 to spread", "properties": {
       "spread": {"type": "string", "title": "a string with a unit such as \"50us\"", "description": "the latest time"}}},
    {"kind": "normal", "required": ["spread"],
     "description": "each rank draws its time from a normal distribution with mean spread / 2 and deviation spread / 6, limited to 0 and spread", "properties": {
       "spread": {"type": "string", "title": "a string with a unit such as \"50us\"", "description": "the latest time"}}},
    {"kind": "exponential", "required": ["spread"],
     "description": "each rank draws its time from an exponential distribution with mean spread", "properties": {
       "spread": {"type": "string", "title": "a string with a unit such as \"50us\"", "description": "the mean of the times"}}},
    {"kind": "list", "required": ["values"],
     "description": "the times of a list", "properties": {
       "values": {"type": "array", "title": "a list of times, one for each rank", "minItems": 1,
                  "items": {"type": "string", "title": "a string with a unit such as \"50us\""},
                  "description": "when each rank comes"}}},
    {"kind": "file", "required": ["path"],
     "description": "the times of a file", "properties": {
       "path": {"type": "string", "minLength": 1, "title": "the name of a file",
                "description": "a file with a line for each rank, a time with its unit; relative to the scenario's folder"}}}
  ]
})json";

namespace {

/// A rank of the largest machines has some bytes here.
constexpr std::uint64_t most_file_bytes = std::uint64_t{1} << 30;

std::vector<Seconds> times_in(Place const& path) {
  std::string const file = named_file(path);
  std::string const text = path.checked([&] { return read_file(file, most_file_bytes); });
  std::vector<Seconds> times;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t const end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    line.erase(std::min(line.find('#'), line.size()));
    std::size_t const first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    try {
      times.push_back(parse_seconds(line));
    } catch (InputError const& error) {
      throw path.error(fmt::format("{}:{}: {}", path.text(), number, error.what()));
    }
  }
  return times;
}

std::vector<Seconds> times_of(Place const& list) {
  std::vector<Seconds> times;
  for (int i = 0; i < static_cast<int>(list.value.size()); ++i) times.push_back(list.item(i).unit(parse_seconds));
  return times;
}

}  // namespace

problem::Arrival read_arrival(Place const& arrival, int ranks) {
  problem::Arrival result;
  result.kind = known_value<problem::ArrivalKind>(arrival["kind"].text());
  result.spread = arrival.unit("spread", parse_seconds, Seconds(0));
  char const* const key = result.kind == problem::ArrivalKind::list   ? "values"
                          : result.kind == problem::ArrivalKind::file ? "path"
                                                                      : nullptr;
  if (key == nullptr) return result;
  Place const place = arrival[key];
  result.values = result.kind == problem::ArrivalKind::list ? times_of(place) : times_in(place);
  if (std::ssize(result.values) == ranks) return result;
  throw place.error(
      fmt::format("expected {} time{}, one for each rank, got {}", ranks, ranks == 1 ? "" : "s", result.values.size()));
}

}  // namespace rondo::scenario

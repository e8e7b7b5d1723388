// The key `arrival`: the times at which ranks reach the collective. A schema checks the form of each kind; the length
// of a list depends on the number of ranks and is checked by the reader.

#include "scenario/arrival.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "scenario/named_file.hpp"

namespace rondo::scenario {

namespace {

using problem::Arrival;
using problem::ArrivalKind;

/// The size limit of a file: it has a few bytes for each rank, and this is enough for the largest machines.
constexpr std::uint64_t most_file_bytes = std::uint64_t{1} << 30;

/// The times of a file, one for each line; text behind # is a comment. Throws InputError with the file and the line.
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
    line.erase(std::min(line.find('#'), line.size()));  // a comment
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

/// A kind of arrival with the one key that it reads besides "kind".
Variety<Arrival> arrival(ArrivalKind kind, std::string_view description, Key<Arrival> key) {
  return variety<Arrival, Arrival>(enum_name(kind), description, {std::move(key)},
                                   [kind](Arrival& arrival, Place const& /*place*/) { arrival.kind = kind; });
}

/// All kinds but two have a spread, with a meaning of its own in each.
Key<Arrival> spread(std::string_view meaning, Need need = Need::required) {
  return key("spread", &Arrival::spread, without_default(time("50us")), meaning, need);
}

}  // namespace

Form<Arrival> const& arrival_form() {
  Form<std::vector<Seconds>> const list{
      json_of(R"json({"type": "array", "title": "a list of times, one for each rank", "minItems": 1,
                      "items": {"type": "string", "title": "a string with a unit such as \"50us\""}})json"),
      times_of};
  static Form<Arrival> const form = one_of<Arrival>(
      R"(an object such as {"kind": "one_late", "spread": "50us"})",
      "when each rank comes to the collective; all at 0 by default",
      {arrival(ArrivalKind::none, "all ranks come at 0",
               spread("not used; allowed so that a sweep can go over kinds", Need::optional)),
       arrival(ArrivalKind::one_late, "the last rank comes at spread, all others at 0",
               spread("when the last rank comes")),
       arrival(ArrivalKind::linear, "rank i of p comes at spread * i / (p - 1)", spread("when the last rank comes")),
       arrival(ArrivalKind::uniform, "each rank draws its time uniformly from 0 to spread", spread("the latest time")),
       arrival(ArrivalKind::normal,
               "each rank draws its time from a normal distribution with mean spread / 2 and deviation spread / 6, "
               "limited to 0 and spread",
               spread("the latest time")),
       arrival(ArrivalKind::exponential, "each rank draws its time from an exponential distribution with mean spread",
               spread("the mean of the times")),
       arrival(ArrivalKind::list, "the times of a list",
               key("values", &Arrival::values, list, "when each rank comes", Need::required)),
       arrival(ArrivalKind::file, "the times of a file",
               key("path", &Arrival::values, Form<std::vector<Seconds>>{file_name(), times_in},
                   "a file with a line for each rank, a time with its unit; relative to the scenario's folder",
                   Need::required))});
  return form;
}

/// Reads the key for so many ranks. Times of kinds that draw are drawn later (problem/arrival.hpp).
Arrival read_arrival(Place const& arrival, int ranks) {
  Arrival result = arrival_form().read(arrival);
  // A schema cannot compare the length of a list with the number of ranks.
  bool const stated = result.kind == ArrivalKind::list || result.kind == ArrivalKind::file;
  if (!stated || std::ssize(result.values) == ranks) return result;
  throw arrival[result.kind == ArrivalKind::list ? "values" : "path"].error(
      fmt::format("expected {} time{}, one for each rank, got {}", ranks, ranks == 1 ? "" : "s", result.values.size()));
}

}  // namespace rondo::scenario

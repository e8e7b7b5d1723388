// Changes a document by `--set /pointer=value`, and expands sweeps. The groups of a sweep form a product; the
// pointers of one group change together. Point i is computed from i alone, so a sweep of a million points takes no
// memory.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/printable.hpp"
#include "json/pointer.hpp"
#include "json/value.hpp"
#include "scenario/load.hpp"
#include "scenario/validate.hpp"

namespace rondo::scenario {
namespace {

std::string const origin = command_line;

/// The value as JSON if the text can be parsed, otherwise as a string.
Json stated_value(std::string const& text) {
  if (is_json(text)) return parse_json(text, origin);
  Json value = text;
  try {
    (void)value.dump();
  } catch (Json::type_error const&) {
    throw error_at(origin, "", fmt::format("expected UTF-8 text, got \"{}\"", excerpt(text)));
  }
  return value;
}

/// Refuses a swept pointer, because the sweep would silently overwrite the value.
void refuse_swept(Json const& document, std::string const& pointer) {
  Json const sweep = document.value("sweep", Json::object());
  auto const refuse = [&](Json const& map, std::string const& place) {
    if (!map.is_object() || !map.contains(pointer)) return;
    throw error_at(origin, pointer,
                   fmt::format("it is swept; set its values instead: {}=[...]", excerpt(child(place, pointer))));
  };
  refuse(sweep, "/sweep");
  for (std::size_t i = 0; sweep.is_array() && i < sweep.size(); ++i) {
    refuse(sweep[i], child("/sweep", std::to_string(i)));
  }
}

}  // namespace

/// Sets one value. A value that is not JSON is taken as a string, so that `/block=64B` needs no quotes. A swept pointer
/// is refused, because the sweep would overwrite it.
void apply_set(Json& document, std::string_view assignment) {
  std::size_t const equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw error_at(origin, "", fmt::format("expected /pointer=value, got \"{}\"", excerpt(assignment)));
  }
  std::string const pointer(assignment.substr(0, equals));
  Tokens const tokens = match(document, pointer, origin, "");
  refuse_swept(document, pointer);
  Json value = stated_value(std::string(assignment.substr(equals + 1)));
  bool const names_machine = tokens == Tokens{"machine"} && value.is_string();
  // The name of a file on the command line is relative to the working directory, not to the scenario's folder.
  if (names_machine && !value.get_ref<std::string const&>().empty())
    value = std::filesystem::absolute(value.get<std::string>()).string();
  put(document, tokens, std::move(value));
  if (names_machine) inline_machine(document, origin);
}

namespace {

/// Puts a swept value in place. A machine that is given by the name of a file is read at once, so that later pointers
/// can lead into it.
bool put_value(Json& document, std::string const& pointer, Json const& value, std::string const& file) {
  Tokens const tokens = split(pointer);
  if (!put(document, tokens, value)) return false;
  if (tokens == Tokens{"machine"}) inline_machine(document, file);
  return true;
}

/// Checks only the statements about the document itself, so that their errors are reported before those of points.
void validate_statements(Json const& document, std::string const& file) {
  Json statements = Json::object();
  for (char const* key : {"schema_version", "sweep", "expect"}) {
    if (document.contains(key)) statements[key] = document[key];
  }
  validate(statements, file, Extent::part);
}

void refuse_fixed(Tokens const& tokens, std::string const& file, std::string const& place) {
  for (char const* fixed : {"sweep", "expect", "schema_version"}) {
    if (tokens.front() == fixed) throw error_at(file, place, fmt::format("/{} cannot be swept", fixed));
  }
}

/// The number of a word such as "1KiB" or "2us"; unset for other words.
template <typename Quantity>
std::optional<std::string> number(std::string const& word, Quantity (*parse)(std::string_view)) {
  try {
    return fmt::format("{}", parse(word).value);
  } catch (InputError const&) {
    return std::nullopt;
  }
}

/// Whether programs get the value of this key as it is written.
bool is_text(std::string const& key) { return key == "arguments" || key == "environment" || key == "flags"; }

/// {"label": "x first", "value": [0, 1, 2]}
bool is_labelled(Json const& value) {
  return value.is_object() && value.size() == 2 && value.contains("label") && value.contains("value");
}

/// Refuses {"label": "x first"}, because no key of a scenario is a label alone.
void expect_value_of_label(Json const& value, std::string const& file, std::string const& place) {
  if (!value.is_object() || value.size() != 1 || !value.contains("label")) return;
  throw error_at(file, place, "expected \"value\" beside \"label\", got " + shown(value));
}

/// Throws InputError for a label that cannot be shown in a column or line.
std::string label_of(Json const& value, std::string const& file, std::string const& place) {
  constexpr std::size_t longest = 64;
  Json const& label = value["label"];
  bool const fits =
      label.is_string() && !label.get<std::string>().empty() && label.get<std::string>().size() <= longest;
  if (fits && label.get<std::string>() == printable(label.get<std::string>())) return label.get<std::string>();
  throw error_at(
      file, place,
      fmt::format("expected a label of 1 to {} printable characters, got {}", longest, excerpt(label.dump())));
}

void expect_new_label(std::vector<std::string> const& labels, std::string const& file, std::string const& place) {
  if (labels.back().empty() || std::ranges::count(labels, labels.back()) == 1) return;
  throw error_at(file, place, fmt::format("expected each label once, got \"{}\" twice", labels.back()));
}

/// A value in a canonical form, into which all ways to write it are converted.
Json canonical(Json value) {
  if (value.is_object()) {
    for (auto const& [key, each] : value.items()) {
      if (!is_text(key)) each = canonical(std::move(each));
    }
  }
  if (value.is_array()) {
    for (Json& each : value) each = canonical(std::move(each));
  }
  if (!value.is_string()) return value;
  auto const& word = value.get_ref<std::string const&>();
  if (word.empty() || word.front() < '0' || word.front() > '9') return value;
  if (auto const bytes = number(word, &parse_bytes)) return *bytes;
  if (auto const seconds = number(word, &parse_seconds)) return *seconds;
  if (auto const bandwidth = number(word, &parse_bandwidth)) return *bandwidth;
  return value;
}

}  // namespace

/// Checks the sweep and counts its points. No point is expanded or parsed.
Sweep::Sweep(Json document, std::string file) : file_(std::move(file)), base_(std::move(document)) {
  validate_statements(base_, file_);
  Json const sweep = base_.value("sweep", Json::object());
  base_.erase("sweep");
  base_.erase("expect");
  inline_machine(base_, file_);
  read_groups(sweep);
  check_pointers();
  for (Group const& group : groups_) {
    if (group.length() > most_points / size_) {
      throw error_at(file_, "/sweep", fmt::format("expected at most {} points, got more", most_points));
    }
    size_ *= group.length();
  }
  check_distinct();
}

/// An object has one group for each pointer; a list has one group for each of its objects.
void Sweep::read_groups(Json const& sweep) {
  if (sweep.is_object()) {
    for (auto const& [pointer, values] : sweep.items()) {
      groups_.emplace_back();
      read_axis(groups_.back(), pointer, values, "/sweep");
    }
    return;
  }
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    groups_.emplace_back();
    for (auto const& [pointer, values] : sweep[i].items()) {
      read_axis(groups_.back(), pointer, values, child("/sweep", std::to_string(i)));
    }
  }
}

/// Adds the values of a pointer to a group, with their labels if they have some.
void Sweep::read_axis(Group& group, std::string const& pointer, Json const& values, std::string const& place) const {
  std::string const here = child(place, pointer);
  for (std::string const& other : pointers()) {
    if (other == pointer) throw error_at(file_, here, fmt::format("\"{}\" is swept twice", excerpt(pointer)));
  }
  if (!group.values.empty() && group.length() != values.size()) {
    throw error_at(file_, here,
                   fmt::format("expected {} values, as many as \"{}\" has, got {}", group.length(),
                               excerpt(group.pointers.front()), values.size()));
  }
  group.pointers.push_back(pointer);
  group.values.emplace_back();
  group.labels.emplace_back();
  for (Json const& value : values) {
    expect_value_of_label(value, file_, here);
    bool const labelled = is_labelled(value);
    group.values.back().push_back(labelled ? value["value"] : value);
    group.labels.back().push_back(labelled ? label_of(value, file_, here) : "");
    expect_new_label(group.labels.back(), file_, here);
  }
}

/// Checks that each pointer matches the scenario in which the axes before it have their first values.
void Sweep::check_pointers() const {
  Json document = base_;
  for (Group const& group : groups_) {
    for (std::size_t k = 0; k < group.pointers.size(); ++k) {
      std::string const& pointer = group.pointers[k];
      Tokens const tokens = match(document, pointer, file_, "/sweep");
      refuse_fixed(tokens, file_, "/sweep");
      put_value(document, pointer, group.values[k].front(), file_);
    }
  }
}

/// Checks that no two points are equal. Outside the swept pointers all points are equal, so only the values there
/// are compared.
void Sweep::check_distinct() const {
  std::unordered_map<std::string, std::size_t> first;
  std::vector<std::string> const swept = pointers();
  for (std::size_t i = 0; i < size_ && size_ > 1; ++i) {
    Point const point = (*this)[i];
    std::string values;
    for (std::string const& pointer : swept) {
      Tokens const tokens = split(pointer);
      Json const* value = find(point.expanded, tokens);
      bool const text = std::any_of(tokens.begin(), tokens.end(), is_text);
      if (value != nullptr) values += (text ? *value : canonical(*value)).dump();
      values += '\n';
    }
    auto const [known, is_new] = first.emplace(std::move(values), i);
    if (!is_new) {
      throw error_at(file_, "/sweep", fmt::format("points {} and {} are equal", known->second + 1, i + 1));
    }
  }
}

std::vector<std::string> Sweep::pointers() const {
  std::vector<std::string> result;
  for (Group const& group : groups_) result.insert(result.end(), group.pointers.begin(), group.pointers.end());
  return result;
}

std::string Point::shown(std::size_t axis) const {
  return label(axis).empty() ? axes[axis].second.dump() : label(axis);
}

std::string Point::values() const {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", axes[i].first, shown(i));
  return text;
}

/// The last group changes fastest: the index is a number with mixed radix, whose digits select the rows of the groups.
Point Sweep::operator[](std::size_t index) const {
  expects(index < size_, "a point of the sweep");
  Point point{static_cast<int>(index + 1), base_, {}, {}};
  std::size_t stride = size_;
  for (Group const& group : groups_) {
    stride /= group.length();
    std::size_t const row = index / stride % group.length();
    for (std::size_t k = 0; k < group.pointers.size(); ++k) {
      std::string const& pointer = group.pointers[k];
      Json const& value = group.values[k][row];
      if (!put_value(point.expanded, pointer, value, file_)) {
        throw error_at(file_, "/sweep",
                       fmt::format("\"{}\" matches nothing at point {}", excerpt(pointer), point.number));
      }
      point.axes.emplace_back(pointer, value);
      point.labels.push_back(group.labels[k][row]);
    }
  }
  if (change_) change_(point.expanded);
  return point;
}

}  // namespace rondo::scenario

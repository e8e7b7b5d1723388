#pragma once

// The names of the values of enumerations. Each enumeration that users see has one table of its values and names, a
// specialization of enum_names<Enum>. All code that reads or prints such a name uses this table.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace rondo {

template <typename Enum>
struct NamedValue {
  Enum value;
  std::string_view text;
};

/// Every value that has a name, once, with its name. Only specializations exist: code that uses the names of an
/// enumeration without including its table does not compile.
template <typename Enum>
inline constexpr typename Enum::its_table_of_names_is_not_included enum_names = {};

/// The name of a value, as the compiler prints it in the name of this function after "value = ". For a number without a
/// named value, it is a number in parentheses.
template <auto value>
constexpr std::string_view name_of_value() {
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find("value = ") + 8);
  name = name.substr(0, name.find_first_of(";]"));
  return name.front() == '(' ? name : name.substr(name.rfind(':') + 1);
}

template <typename Enum, std::size_t n = 0>
constexpr std::size_t number_of_values() {
  if constexpr (name_of_value<static_cast<Enum>(n)>().front() == '(')
    return n;
  else
    return number_of_values<Enum, n + 1>();
}

/// The table of an enumeration whose names are the identifiers of its values.
template <typename Enum>
inline constexpr auto value_names = []<std::size_t... n>(std::index_sequence<n...>) {
  return std::array{NamedValue<Enum>{static_cast<Enum>(n), name_of_value<static_cast<Enum>(n)>()}...};
}
(std::make_index_sequence<number_of_values<Enum>()>());

/// The value of a name; unset if no value has this name.
template <typename Enum>
constexpr std::optional<Enum> value_of(std::string_view text) {
  for (auto const& named : enum_names<Enum>) {
    if (named.text == text) return named.value;
  }
  return std::nullopt;
}

/// The name of a value. A value without a name is a ContractViolation.
template <typename Enum>
std::string enum_name(Enum value) {
  for (auto const& named : enum_names<Enum>) {
    if (named.value == value) return std::string(named.text);
  }
  throw ContractViolation("a name for each value of an enumeration");
}

/// The names of some values, in the same order.
template <typename Enum>
std::vector<std::string> enum_names_of(std::vector<Enum> const& values) {
  std::vector<std::string> result;
  for (Enum const value : values) result.push_back(enum_name(value));
  return result;
}

/// All names of an enumeration, in the order of its table.
template <typename Enum>
std::vector<std::string> all_enum_names() {
  std::vector<std::string> result;
  for (auto const& named : enum_names<Enum>) result.emplace_back(named.text);
  return result;
}

/// The value of a name that has already been checked, for example by the schema of scenarios; any other name is a
/// ContractViolation.
template <typename Enum>
Enum known_value(std::string_view text) {
  std::optional<Enum> const value = value_of<Enum>(text);
  expects(value.has_value(), "a value for each name that is accepted");
  return *value;
}

}  // namespace rondo

// Counts records by the version that wrote them and makes remarks.

#include "run/points/versions.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/error.hpp"
#include "base/version.hpp"

namespace rondo {
namespace {

/// Major, minor and patch; a part that is no number, and all parts after it, are 0.
std::array<int, 3> numbers_of(std::string_view version) {
  std::array<int, 3> numbers{};
  for (int& number : numbers) {
    auto const [end, error] = std::from_chars(version.data(), version.data() + version.size(), number);
    if (error != std::errc()) break;
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (!version.starts_with('.')) break;
    version.remove_prefix(1);
  }
  return numbers;
}

}  // namespace

std::string by_version(std::string_view version, std::string_view own) {
  auto const order = numbers_of(version) <=> numbers_of(own);
  char const* const which = order < 0 ? "the older version" : order > 0 ? "the newer version" : "another build,";
  return fmt::format("by {} {}", which, excerpt(version));
}

std::string by_other_versions(RecordsByVersion const& records) {
  constexpr std::size_t most_named = 4;
  std::string said;
  std::size_t versions = 0;
  std::size_t unnamed = 0;
  for (auto const& [each, count] : records) {
    if (each == version()) continue;
    if (++versions <= most_named) {
      said += fmt::format("{}{} {}", said.empty() ? "" : ", ", count, by_version(each, version()));
    } else {
      unnamed += count;
    }
  }
  return unnamed == 0 ? said : fmt::format("{}, {} by {} more", said, unnamed, versions - most_named);
}

std::string remark_on_versions(RecordsByVersion const& records) {
  std::size_t all = 0;
  std::size_t others = 0;
  std::string only;
  for (auto const& [each, count] : records) {
    all += count;
    if (each == version()) continue;
    only = others == 0 ? by_version(each, version()) : "";
    others += count;
  }
  if (others == 0) return "";
  std::string const which = only.empty() ? "by other versions: " + by_other_versions(records) : only;
  return fmt::format("{} of {} record{} {} {}; {}", others, all, all == 1 ? "" : "s", others == 1 ? "is" : "are", which,
                     where_results_changed);
}

}  // namespace rondo

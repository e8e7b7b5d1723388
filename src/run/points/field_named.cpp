// Finds a field by its name. The numbers of single steps and jobs of a workload also have names, but no rows in the
// list of fields.

#include <algorithm>
#include <set>

#include "run/points/fields.hpp"

namespace rondo {
namespace {

/// The field with a name such as "steps.NAME.time_s" or "jobs.NAME.slowdown"; nothing for any other name. NAME may
/// contain dots.
std::optional<Field> field_of_part(std::string const& name) {
  static std::set<std::string> const numbers{"time_s",     "alone_s",    "slowdown",  "time_mean_s",
                                             "time_p50_s", "time_p95_s", "time_max_s"};
  bool const of_step = name.starts_with("steps.");
  std::size_t const first = name.find('.'), last = name.rfind('.');
  if ((!of_step && !name.starts_with("jobs.")) || last == first || !numbers.contains(name.substr(last + 1))) return {};
  std::string const key = name.substr(last + 1), part = name.substr(first + 1, last - first - 1);
  Field field{name, "", key == "slowdown" ? "" : "s", "a number of one step or job", "", "a number"};
  field.json = [of_step, key, part](Record const& record) -> nlohmann::ordered_json {
    auto const& parts = of_step ? record.steps : record.jobs;
    if (!parts || !parts->contains(part) || !(*parts)[part].contains(key)) return nullptr;
    return (*parts)[part][key];
  };
  return field;
}

}  // namespace

std::optional<Field> field_named(std::string const& name) {
  auto const found = std::ranges::find(fields(), name, &Field::name);
  return found == fields().end() ? field_of_part(name) : std::optional(*found);
}

}  // namespace rondo

// Reads the claims of a scenario, which stand in "expect". Claims are checked before any point runs, so that a wrong
// expression does not waste a long sweep.

#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.hpp"
#include "base/units.hpp"
#include "json/pointer.hpp"
#include "scenario/enum_names.hpp"
#include "scenario/read.hpp"
#include "scenario/validate.hpp"

namespace rondo::scenario {
namespace {

/// The pointers that are swept, as far as `sweep` is well formed.
std::vector<std::string> swept_pointers(Json const& document) {
  std::vector<std::string> pointers;
  Json const sweep = document.value("sweep", Json::object());
  auto const add = [&](Json const& map) {
    for (auto const& [pointer, values] : map.items()) pointers.push_back(pointer);
  };
  if (sweep.is_object()) add(sweep);
  if (sweep.is_array()) std::for_each(sweep.begin(), sweep.end(), add);
  return pointers;
}

std::optional<std::string> text_of(Json const& claim, char const* key) {
  if (!claim.contains(key)) return std::nullopt;
  return claim[key].get<std::string>();
}

/// The expected verdict on a claim. A claim that is expected not to hold must say what holds instead.
ClaimVerdict verdict_of(Json const& stated, Claim const& claim, std::string const& file) {
  std::string const word = stated.value("verdict", enum_name(ClaimVerdict::holds));
  ClaimVerdict const verdict = known_value<ClaimVerdict>(word);
  if (verdict == ClaimVerdict::holds || claim.correction) return verdict;
  throw error_at(file, claim.place, fmt::format("expected a correction beside the verdict \"{}\", got none", word));
}

/// The pointer under `key` of a claim; it must be swept.
std::optional<std::string> swept_axis(Json const& claim, char const* key, std::vector<std::string> const& swept,
                                      std::string const& file, std::string const& place) {
  std::optional<std::string> axis = text_of(claim, key);
  if (!axis || std::find(swept.begin(), swept.end(), *axis) != swept.end()) return axis;
  std::string const hint = did_you_mean(*axis, swept);
  std::string const swept_text = swept.empty() ? "; nothing is swept" : fmt::format("; swept: {}", quoted(swept));
  throw error_at(
      file, child(place, key),
      fmt::format("expected a swept JSON pointer, got \"{}\"{}", excerpt(*axis), hint.empty() ? swept_text : hint));
}

/// By which share of their values the numbers of the machine are moved.
double robust_part(Place const& robust) {
  double const part = robust.checked([&] { return parse_percent(robust.text()); });
  if (part > 0 && part < 1) return part;
  throw robust.error("expected a percentage above 0% and below 100%, got " + shown(robust.value));
}

}  // namespace

/// All claims in their order. Their schema is checked on a document that has them alone, because the machine and the
/// sweep need not be valid yet.
std::vector<Claim> claims(Json const& document, std::string const& file) {
  if (!document.contains("expect")) return {};
  Json statements = Json::object();
  statements["expect"] = document["expect"];
  validate(statements, file, Extent::part);
  std::vector<std::string> const swept = swept_pointers(document);
  std::vector<Claim> result;
  for (Json const& stated : document["expect"]) {
    Claim claim;
    claim.place = child("/expect", std::to_string(result.size()));
    claim.claim = stated["claim"].get<std::string>();
    claim.that = stated["that"].get<std::string>();
    claim.when = text_of(stated, "when");
    claim.correction = text_of(stated, "correction");
    claim.verdict = verdict_of(stated, claim, file);
    if (stated.contains("robust")) claim.robust = robust_part({stated["robust"], file, child(claim.place, "robust")});
    if (stated.value("across", claim.across) != claim.across) {
      claim.across = swept_axis(stated, "across", swept, file, claim.place).value();
    }
    claim.over = swept_axis(stated, "over", swept, file, claim.place);
    if (claim.over == claim.across) {
      throw error_at(file, child(claim.place, "over"),
                     fmt::format("expected another pointer than across, got \"{}\" for both", excerpt(claim.across)));
    }
    result.push_back(std::move(claim));
  }
  return result;
}

}  // namespace rondo::scenario

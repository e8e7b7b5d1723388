// The only source that includes valijson, which compiles slowly.

#include "scenario/schema_check.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace rondo::scenario {
namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

std::unique_ptr<valijson::Schema> compile(Extent extent) {
  nlohmann::json plain = schema();
  if (extent == Extent::part) plain.erase("required");
  auto compiled = std::make_unique<valijson::Schema>();
  valijson::SchemaParser().populateSchema(Adapter(plain), *compiled);
  return compiled;
}

/// "<root>", "[machine]", "[3]" -> "machine", "3"
Tokens place_of(valijson::ValidationResults::Error const& error) {
  Tokens tokens;
  for (std::size_t i = 1; i < error.context.size(); ++i) {
    tokens.push_back(error.context[i].substr(1, error.context[i].size() - 2));
  }
  return tokens;
}

}  // namespace

std::optional<Tokens> deepest_fault(Extent extent, Json const& document) {
  static std::unique_ptr<valijson::Schema> const whole = compile(Extent::whole);
  static std::unique_ptr<valijson::Schema> const part = compile(Extent::part);
  valijson::Schema const& known = extent == Extent::whole ? *whole : *part;

  nlohmann::json const plain = document;
  Adapter const target(plain);
  if (valijson::Validator().validate(known, target, nullptr)) return std::nullopt;
  valijson::ValidationResults results;
  valijson::Validator().validate(known, target, &results);
  valijson::ValidationResults::Error const* deepest = nullptr;
  for (valijson::ValidationResults::Error const& error : results) {
    if (deepest == nullptr || error.context.size() > deepest->context.size()) deepest = &error;
  }
  return deepest == nullptr ? Tokens{} : place_of(*deepest);
}

}  // namespace rondo::scenario

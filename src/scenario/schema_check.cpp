// The check of documents against the schema by valijson. Only this source includes valijson, because it compiles
// slowly.

#include "scenario/schema_check.hpp"

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "scenario/promise.hpp"

namespace rondo::scenario {
namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

std::unique_ptr<valijson::Schema> compile(nlohmann::json const& plain) {
  auto compiled = std::make_unique<valijson::Schema>();
  valijson::SchemaParser().populateSchema(Adapter(plain), *compiled);
  return compiled;
}

std::unique_ptr<valijson::Schema> compile(Extent extent) {
  nlohmann::json plain = schema_of(extent);
  if (extent == Extent::part) plain.erase("required");
  return compile(plain);
}

/// Compiles each schema at its first use: it takes longer than the check of a document.
valijson::Schema const& compiled(Extent extent) {
  static std::map<Extent, std::unique_ptr<valijson::Schema>> schemas;
  std::unique_ptr<valijson::Schema>& found = schemas[extent];
  if (found == nullptr) found = compile(extent);
  return *found;
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

Json const& schema_of(Extent extent) { return extent == Extent::promise ? promise_schema() : schema(); }

namespace {

/// The deepest faulty place. The validator also reports every enclosing object, which would tell a user nothing. The
/// first run collects no errors, because most documents are valid and collecting is slow.
std::optional<Tokens> fault_of(valijson::Schema const& schema, Json const& document) {
  nlohmann::json const plain = document;
  Adapter const target(plain);
  if (valijson::Validator().validate(schema, target, nullptr)) return std::nullopt;
  valijson::ValidationResults results;
  valijson::Validator().validate(schema, target, &results);
  valijson::ValidationResults::Error const* deepest = nullptr;
  for (valijson::ValidationResults::Error const& error : results) {
    if (deepest == nullptr || error.context.size() > deepest->context.size()) deepest = &error;
  }
  return deepest == nullptr ? Tokens{} : place_of(*deepest);
}

}  // namespace

std::optional<Tokens> deepest_fault(Extent extent, Json const& document) {
  return fault_of(compiled(extent), document);
}

std::optional<Tokens> deepest_fault(Json const& schema, Json const& document) {
  return fault_of(*compile(nlohmann::json(schema)), document);
}

}  // namespace rondo::scenario

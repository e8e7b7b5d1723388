// Both functions stand in a source of their own so that the parser is compiled here and nowhere else (json/text.hpp).

#include "json/text.hpp"

#include <nlohmann/json.hpp>

namespace rondo::json {

Json json_of(std::string_view text) { return Json::parse(text); }

bool is_json(std::string_view text) { return Json::accept(text); }

}  // namespace rondo::json

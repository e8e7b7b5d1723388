// Targets of single words and lines: text for a terminal, units, expressions of claims.

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/units.hpp"
#include "fuzz.hpp"
#include "run/families/claim_form.hpp"
#include "run/families/expression.hpp"

namespace rondo::fuzz {
namespace {

/// What is printed of a quantity reads back as the same.
template <typename Quantity>
void print_and_read(std::string_view text, Quantity (*parse)(std::string_view)) {
  accepted([&] {
    Quantity const read = parse(text);
    promise(parse(print(read)) == read, "parse(print(x)) == x: " + print(read));
  });
}

bool is_one_safe_line(std::string_view text) {
  for (char const c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  }
  return true;
}

}  // namespace

void fuzz_printable(std::string_view text) {
  std::string const shown = printable(text);
  promise(is_one_safe_line(shown), "printable text is one line without control characters");
  promise(printable(shown) == shown, "what is printable stays as it is");
  promise(nlohmann::json(shown).dump().size() >= shown.size(), "printable text is UTF-8");
  promise(is_one_safe_line(xml_text(text)), "text of XML is one line");
  (void)xml_comment(text);
  for (std::size_t const most : {0, 1, 7, 60}) {
    promise(whole_characters(text, most) <= most || whole_characters(text, most) == text.size(), "a cut is no longer");
    promise(is_one_safe_line(excerpt(text, most)), "an excerpt is one line");
  }
  nlohmann::json const value = shown + "\xe2\x80\xae";
  promise(nlohmann::json::parse(printable_json(value.dump())) == value, "printable JSON is the same value");
  if (nlohmann::json const any = nlohmann::json::parse(text, nullptr, false); !any.is_discarded()) {
    promise(nlohmann::json::parse(printable_json(any.dump())) == any, "printable JSON is the same value");
  }
}

void fuzz_units(std::string_view text) {
  print_and_read<Seconds>(text, parse_seconds);
  print_and_read<Bytes>(text, parse_bytes);
  print_and_read<BytesPerSecond>(text, parse_bandwidth);
  accepted([&] { promise(parse_seconds_per_byte(text) >= Seconds(0), "a time for each byte is not negative"); });
}

void fuzz_expression(std::string_view text) {
  std::string const expression(text);
  Names const names{{"torus.time", 1e-6},
                    {"torus.rounds", 4},
                    {"straightforward.time", 2e-6},
                    {"p", 27},
                    {"D", 6},
                    {"m", 0},
                    {"theory.time", -1},
                    {"torus.setup_time", std::nullopt}};
  accepted([&] {
    Evaluation const value = evaluate(expression, names);
    promise(std::isfinite(value.number) || !value.not_finite.empty(), "a value that is not finite is named");
  });
  Names larger = names;
  larger["m"] = 1024;
  larger["torus.time"] = 3e-6;
  try {
    accepted([&] { (void)evaluate(expression, {names, larger, larger}, {1, 2, 4}); });
  } catch (NoValue const&) {
  }
  for (bool const along : {false, true}) {
    bool const is_claim = accepted([&] { check_claim(expression, names, along); });
    promise(!is_claim || accepted([&] { check_names(expression, names, along); }), "a claim has known names");
  }
}

}  // namespace rondo::fuzz

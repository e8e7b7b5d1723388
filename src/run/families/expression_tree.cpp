// Parses expressions by recursive descent. Precedence, from weak to strong: ?:, ||, &&, comparisons, sums, products,
// signs, powers. A power binds to the right, all others to the left.

#include "run/families/expression_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace rondo {
namespace {

using Kind = ExpressionNode::Kind;

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Whether a word is a number: 1, 1. or .1
bool is_number(std::string_view word) {
  return is_digit(word[0]) || (word.size() > 1 && word[0] == '.' && is_digit(word[1]));
}
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

/// The length of the number at the start of a text: digits, a point, an exponent.
std::size_t length_of_number(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end < text.size() && text[end] == '.') ++end;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  std::size_t const sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 2 : 1;
  if (end + sign >= text.size() || !is_digit(text[end + sign])) return end;
  end += sign;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end;
}

/// A number, a name, an operator or something else, and where it begins in the expression.
struct Token {
  std::string text;
  std::size_t begin;
  std::size_t plain_begin;  ///< where it begins among the words alone
};

/// The length of the first word of a text, which must not be empty. Operators of other languages count as words too.
std::size_t length_of_token(std::string_view text) {
  auto const while_it = [&](auto const& is) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is) - text.begin());
  };
  if (is_number(text)) return length_of_number(text);
  if (is_part_of_name(text[0])) return while_it(is_part_of_name);
  if (is_beyond_ascii(text[0])) return while_it(is_beyond_ascii);
  for (std::string_view const two : {"||", "&&", "<=", ">=", "==", "!=", "**", "<>", "=<", "=>"}) {
    if (text.starts_with(two)) return two.size();
  }
  return 1;
}

/// The tokens with their positions, with and without spaces.
std::vector<Token> tokens(std::string const& expression) {
  std::vector<Token> words;
  std::size_t plain = 0;
  for (std::size_t begin = 0; begin < expression.size();) {
    std::string_view const rest = std::string_view(expression).substr(begin);
    std::size_t const length = length_of_token(rest);
    if (std::isspace(static_cast<unsigned char>(rest[0])) == 0) {
      words.push_back({std::string(rest.substr(0, length)), begin, plain});
      plain += length;
    }
    begin += length;
  }
  return words;
}

/// The operator here for which other languages write `word`; empty for any other word.
std::string_view meant_by(std::string_view word) {
  std::string plain(word);
  for (char& c : plain) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (auto const& [theirs, ours] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"and", "&&"},    {"&", "&&"},      {"or", "||"},    {"|", "||"},     {"not", "!"},   {"~", "!"},
           {"=", "=="},      {"=<", "<="},     {"=>", ">="},    {"<>", "!="},    {"xor", "!="},  {"is", "=="},
           {"**", "^"},      {"pow", "^"},     {"if", "? :"},   {"true", "1"},   {"false", "0"}, {"\u2264", "<="},
           {"\u2265", ">="}, {"\u2260", "!="}, {"\u00d7", "*"}, {"\u00b7", "*"}, {"\u2212", "-"}}) {
    if (plain == theirs) return ours;
  }
  return {};
}

/// The double that is nearest to a number; 0 if the number is far below all doubles.
double value_of(std::string const& number) {
  double value = 0;
  char const* const end = number.data() + number.size();
  if (std::from_chars(number.data(), end, value).ec == std::errc()) return value;
  // Even beyond long doubles the sign of the exponent tells whether the number is tiny or huge.
  long double wider = number.find('-') == std::string::npos ? std::numeric_limits<long double>::infinity() : 0;
  std::from_chars(number.data(), end, wider);
  value = static_cast<double>(wider);
  if (!std::isfinite(value)) throw InputError(fmt::format("expected a number below 1.8e308, got {}", number));
  return value;
}

/// Makes a list of one node. A braced list would copy the tree below the node.
std::vector<ExpressionNode> one(ExpressionNode node) {
  std::vector<ExpressionNode> parts;
  parts.push_back(std::move(node));
  return parts;
}

/// Descends by precedence: ?: || && comparisons, + and -, * and /, signs and !, ^.
class Parser {
 public:
  explicit Parser(std::string const& expression) : expression_(expression), words_(tokens(expression)) {
    if (expression.size() > longest) {
      throw InputError(fmt::format("\"{}\": longer than {} characters", excerpt(expression, 120), longest));
    }
  }

  /// All words, one after the other.
  std::string plain() const {
    std::string text;
    for (Token const& word : words_) text += word.text;
    return text;
  }

  /// The tree. Its texts are parts of `plain`.
  ExpressionNode whole(std::string_view plain) {
    plain_ = plain;
    ExpressionNode node = conditional();
    if (at_ != words_.size()) fail("an operator or the end");
    return node;
  }

 private:
  /// The second branch may be a conditional again.
  ExpressionNode conditional() {
    Depth const depth(*this);
    std::size_t const begin = at_;
    ExpressionNode node = disjunction();
    if (!accept("?")) return node;
    std::vector<ExpressionNode> parts = one(std::move(node));
    parts.push_back(conditional());
    expect(":", "an operator or :");
    parts.push_back(conditional());
    return made(Kind::conditional, begin, "?", std::move(parts));
  }

  ExpressionNode disjunction() {
    return chain({"||"}, Kind::disjunction, [this] { return conjunction(); });
  }
  ExpressionNode conjunction() {
    return chain({"&&"}, Kind::conjunction, [this] { return comparison(); });
  }
  ExpressionNode sum() {
    return left_to_right({"+", "-"}, [this] { return product(); });
  }
  ExpressionNode product() {
    return left_to_right({"*", "/"}, [this] { return prefixed(); });
  }

  /// Comparisons associate to the left; the checks of claims refuse chains of them.
  ExpressionNode comparison() {
    std::size_t const begin = at_;
    ExpressionNode node = sum();
    for (int compared = 0; is_next({"<", "<=", "==", "!=", ">=", ">"}); ++compared) {
      if (compared == deepest) fail_as_too_deep();
      std::string word = words_[at_++].text;
      std::vector<ExpressionNode> parts = one(std::move(node));
      parts.push_back(sum());
      node = made(Kind::comparison, begin, std::move(word), std::move(parts));
    }
    return node;
  }

  /// A sign binds weaker than a power, so -2^2 is -4.
  ExpressionNode prefixed() {
    Depth const depth(*this);
    std::size_t const begin = at_;
    for (auto const& [word, kind] :
         {std::pair("!", Kind::negation), std::pair("-", Kind::arithmetic), std::pair("+", Kind::arithmetic)}) {
      if (accept(word)) return made(kind, begin, word, one(power()));
    }
    return power();
  }

  ExpressionNode power() {
    std::size_t const begin = at_;
    ExpressionNode base = primary();
    if (!accept("^")) return base;
    std::vector<ExpressionNode> parts = one(std::move(base));
    parts.push_back(prefixed());
    return made(Kind::arithmetic, begin, "^", std::move(parts));
  }

  /// A number, a name, a call or an expression in parentheses.
  ExpressionNode primary() {
    std::size_t const begin = at_;
    if (accept("(")) {
      ExpressionNode node = conditional();
      expect(")", "an operator or )");
      return node;
    }
    if (at_ == words_.size() || !is_part_of_name(words_[at_].text[0])) fail("a number, a name or (");
    std::string const word = words_[at_++].text;
    if (is_number(word)) {
      ExpressionNode node = made(Kind::number, begin, word, {});
      node.value = value_of(word);
      return node;
    }
    if (!accept("(")) return made(Kind::name, begin, word, {});
    std::vector<ExpressionNode> arguments;
    do arguments.push_back(conditional());
    while (accept(","));
    expect(")", "an operator, a comma or )");
    return made(word == "near" ? Kind::near : Kind::arithmetic, begin, word, std::move(arguments));
  }

  /// A node for each operator: a - b + c is (a - b) + c.
  template <typename Part>
  ExpressionNode left_to_right(std::initializer_list<std::string_view> words, Part part) {
    std::size_t const begin = at_;
    ExpressionNode node = part();
    while (is_next(words)) {
      std::string word = words_[at_++].text;
      std::vector<ExpressionNode> parts = one(std::move(node));
      parts.push_back(part());
      node = made(Kind::arithmetic, begin, std::move(word), std::move(parts));
    }
    return node;
  }

  /// One node for all operands between such operators.
  template <typename Part>
  ExpressionNode chain(std::initializer_list<std::string_view> words, Kind kind, Part part) {
    std::size_t const begin = at_;
    ExpressionNode first = part();
    if (!is_next(words)) return first;
    std::string word = words_[at_].text;
    std::vector<ExpressionNode> parts = one(std::move(first));
    for (; is_next(words); parts.push_back(part())) ++at_;
    return made(kind, begin, std::move(word), std::move(parts));
  }

  /// The node for the tokens from `begin` up to the last one read.
  ExpressionNode made(Kind kind, std::size_t begin, std::string word, std::vector<ExpressionNode> parts) const {
    Token const& first = words_[begin];
    Token const& last = words_[at_ - 1];
    std::size_t const length = last.plain_begin + last.text.size() - first.plain_begin;
    std::string_view const text = plain_.substr(first.plain_begin, length);
    return {kind, text, first.begin, last.begin + last.text.size(), std::move(word), std::move(parts)};
  }

  bool is_next(std::initializer_list<std::string_view> words) const {
    return at_ < words_.size() && std::find(words.begin(), words.end(), words_[at_].text) != words.end();
  }
  bool accept(std::string_view word) {
    bool const found = is_next({word});
    if (found) ++at_;
    return found;
  }
  void expect(std::string_view word, std::string_view accepted) {
    if (!accept(word)) fail(accepted);
  }
  [[noreturn]] void fail(std::string_view accepted) const {
    refuse_foreign_operators(expression_);
    bool const at_end = at_ == words_.size();
    throw InputError(
        fmt::format("\"{}\": expected {} at position {}, got {}{}", excerpt(expression_, 120), accepted,
                    1 + (at_end ? expression_.size() : words_[at_].begin),
                    at_end ? "the end" : "\"" + excerpt(words_[at_].text) + "\"",
                    is_unit() ? "; numbers have no units here: sizes are in bytes, times in seconds" : ""));
  }
  /// Whether the next word is a unit behind a number, like the KiB in 64KiB and 64 KiB.
  bool is_unit() const {
    return at_ > 0 && is_number(words_[at_ - 1].text) &&
           is_next({"s", "ms", "us", "ns", "ps", "B", "k", "K", "M", "G", "kB", "KB", "MB", "GB", "TB", "KiB", "MiB",
                    "GiB", "TiB"});
  }

  [[noreturn]] void fail_as_too_deep() const {
    throw InputError(fmt::format("\"{}\": nests more than {} deep", excerpt(expression_, 120), deepest));
  }

  /// Counts how deep the expression nests; a parenthesis counts twice.
  struct Depth {
    explicit Depth(Parser& of) : parser(of) {
      if (++parser.depth_ > 2 * deepest) parser.fail_as_too_deep();
    }
    ~Depth() { --parser.depth_; }
    Depth(Depth const&) = delete;
    Depth& operator=(Depth const&) = delete;
    Parser& parser;
  };
  static constexpr int deepest = 64;
  static constexpr std::size_t longest = 20000;

  std::string const& expression_;
  std::string_view plain_;
  std::vector<Token> words_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

/// Names the operator of another language and Rondo's, such as = for ==.
void refuse_foreign_operators(std::string const& expression) {
  for (Token const& word : tokens(expression)) {
    std::string_view const meant = meant_by(word.text);
    if (meant.empty()) continue;
    throw InputError(fmt::format("\"{}\": \"{}\" at position {} means nothing here; did you mean \"{}\"?",
                                 excerpt(expression, 120), word.text, word.begin + 1, meant));
  }
}

Expression::Expression(std::string written) : text(std::move(written)), root{} {
  Parser parser(text);
  plain = std::make_shared<std::string const>(parser.plain());
  root = parser.whole(*plain);
}

}  // namespace rondo

#include "run/families/expression_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace rondo {
namespace {

using Kind = ExpressionNode::Kind;

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The length of the number at the start of a text: digits, a point, an exponent.
std::size_t length_of_number(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  if (end == text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  std::size_t const sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 2 : 1;
  if (end + sign >= text.size() || !is_digit(text[end + sign])) return end;
  end += sign;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end;
}

std::vector<std::string> words_of(std::string const& expression) {
  std::vector<std::string> words;
  for (std::string_view rest = expression; !rest.empty();) {
    std::size_t length = 1;
    if (is_digit(rest[0])) {
      length = length_of_number(rest);
    } else if (is_part_of_name(rest[0])) {
      length = static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_part_of_name) - rest.begin());
    } else {
      for (std::string_view const two : {"||", "&&", "<=", ">=", "==", "!="}) {
        if (rest.starts_with(two)) length = 2;
      }
    }
    if (std::isspace(static_cast<unsigned char>(rest[0])) == 0) words.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return words;
}

/// Descends by precedence, as muParser has it: ?: || && comparisons, + and -, * and /, signs and !, ^.
class Parser {
 public:
  explicit Parser(std::string const& expression) : expression_(expression), words_(words_of(expression)) {}

  ExpressionNode whole() {
    ExpressionNode node = conditional();
    if (at_ != words_.size()) fail();
    return node;
  }

 private:
  ExpressionNode conditional() {
    Depth const depth(*this);
    std::size_t const begin = at_;
    ExpressionNode node = disjunction();
    if (!accept("?")) return node;
    std::vector<ExpressionNode> parts{std::move(node)};
    parts.push_back(conditional());
    expect(":");
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
    return chain({"+", "-"}, Kind::arithmetic, [this] { return product(); });
  }
  ExpressionNode product() {
    return chain({"*", "/"}, Kind::arithmetic, [this] { return prefixed(); });
  }

  ExpressionNode comparison() {
    std::size_t const begin = at_;
    ExpressionNode node = sum();
    for (int compared = 0; is_next({"<", "<=", "==", "!=", ">=", ">"}); ++compared) {
      if (compared == deepest) fail_as_too_deep();
      std::string word = words_[at_++];
      std::vector<ExpressionNode> parts{std::move(node)};
      parts.push_back(sum());
      node = made(Kind::comparison, begin, std::move(word), std::move(parts));
    }
    return node;
  }

  ExpressionNode prefixed() {
    Depth const depth(*this);
    std::size_t const begin = at_;
    for (auto const& [word, kind] :
         {std::pair("!", Kind::negation), std::pair("-", Kind::arithmetic), std::pair("+", Kind::arithmetic)}) {
      if (accept(word)) return made(kind, begin, word, {prefixed()});
    }
    return power();
  }

  ExpressionNode power() {
    std::size_t const begin = at_;
    ExpressionNode base = primary();
    if (!accept("^")) return base;
    std::vector<ExpressionNode> parts{std::move(base)};
    parts.push_back(prefixed());
    return made(Kind::arithmetic, begin, "^", std::move(parts));
  }

  ExpressionNode primary() {
    if (at_ == words_.size()) fail();
    std::size_t const begin = at_;
    if (accept("(")) {
      ExpressionNode node = conditional();
      expect(")");
      return node;
    }
    std::string const word = words_[at_++];
    if (!is_part_of_name(word[0])) fail();
    if (is_digit(word[0])) return made(Kind::number, begin, word, {});
    if (!accept("(")) return made(Kind::name, begin, word, {});
    std::vector<ExpressionNode> arguments;
    do arguments.push_back(conditional());
    while (accept(","));
    expect(")");
    return made(word == "near" ? Kind::near : Kind::arithmetic, begin, word, std::move(arguments));
  }

  /// One node for all operands between such operators.
  template <typename Part>
  ExpressionNode chain(std::initializer_list<std::string_view> words, Kind kind, Part part) {
    std::size_t const begin = at_;
    ExpressionNode first = part();
    if (!is_next(words)) return first;
    std::string word = words_[at_];
    std::vector<ExpressionNode> parts{std::move(first)};
    for (; is_next(words); parts.push_back(part())) ++at_;
    return made(kind, begin, std::move(word), std::move(parts));
  }

  ExpressionNode made(Kind kind, std::size_t begin, std::string word, std::vector<ExpressionNode> parts) const {
    std::string text;
    for (std::size_t i = begin; i < at_; ++i) text += words_[i];
    return {kind, std::move(text), std::move(word), std::move(parts)};
  }

  bool is_next(std::initializer_list<std::string_view> words) const {
    return at_ < words_.size() && std::find(words.begin(), words.end(), words_[at_]) != words.end();
  }
  bool accept(std::string_view word) {
    bool const found = is_next({word});
    if (found) ++at_;
    return found;
  }
  void expect(std::string_view word) {
    if (!accept(word)) fail();
  }
  [[noreturn]] void fail() const {
    throw InputError(fmt::format("\"{}\": no expression at \"{}\"", excerpt(expression_, 120),
                                 at_ < words_.size() ? excerpt(words_[at_]) : "its end"));
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

  std::string const& expression_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

ExpressionNode parse_expression(std::string const& expression) { return Parser(expression).whole(); }

}  // namespace rondo

// The rules file of Open MPI's coll_tuned in its classic form: whole numbers, with comments from # to the end of a
// line.
//
//   collectives, and of each: its number, how many numbers of ranks, and of each: the ranks, how many sizes, and of
//   each: bytes, algorithm, fan, bytes of a segment, and on the same line perhaps the most requests at once
//
// [Open MPI 4.1, ompi/mca/coll/tuned/coll_tuned_dynamic_file.c, _dynamic_rules.c]: rules of ranks hold up to the next
// one stated, and the first one below it too; so do sizes, of which the first has to be 0. Algorithm 0 is the library's
// own decision. A collective that comes twice has its last rules. The library reads a fifth number only if the file
// begins with rule-file-version-2; without that line it is the first number of the next rule. So a file without the
// line is read by fours first, and only if it makes no sense that way with fifth numbers, with a remark.

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "base/error.hpp"
#include "run/rules/rules.hpp"

namespace rondo::rules {
namespace {

/// The lines of one number of ranks.
std::string rules_of(std::span<Rule const> rules) {
  std::string text = fmt::format("{} # ranks and more\n{} # sizes: bytes, algorithm, fan, segment\n",
                                 rules.front().from_ranks, rules.size());
  for (Rule const& rule : rules) {
    text += fmt::format("{} {} {} {} # {}\n", rule.from.value, rule.algorithm->number, rule.algorithm->fan,
                        rule.segment.value, rule.algorithm->name);
  }
  return text;
}

/// Reads whole numbers and remembers their lines.
class Numbers {
 public:
  Numbers(std::string_view text, std::string const& file) : rest_(text), file_(file) {}

  /// The next number. Throws InputError with its line and its meaning.
  std::int64_t next(std::string const& what, std::int64_t minimum, std::int64_t maximum) {
    std::string_view const token = next_token();
    auto const accepted =
        fmt::format("{}:{}: expected {}, a whole number from {} to {}", file_, line_, what, minimum, maximum);
    if (token.empty()) throw InputError(accepted + ", got the end of the file");
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size() || value < minimum || value > maximum) {
      throw InputError(fmt::format("{}, got \"{}\"", accepted, excerpt(token)));
    }
    return value;
  }

  void expect_end() {
    std::string_view const token = next_token();
    if (token.empty()) return;
    throw InputError(fmt::format("{}:{}: expected the end of the file behind the last of the rules, got \"{}\"", file_,
                                 line_, excerpt(token)));
  }

  std::string place() const { return fmt::format("{}:{}", file_, line_); }

  /// Whether a digit comes next on this line.
  bool digit_follows() const {
    std::size_t const next = rest_.find_first_not_of(" \t");
    return next != std::string_view::npos && rest_[next] >= '0' && rest_[next] <= '9';
  }

 private:
  /// The next token; comments and line ends are skipped.
  std::string_view next_token() {
    for (;;) {
      while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r' || at_end()))
        drop(1);
      if (rest_.empty() || rest_.front() != '#') break;
      drop(std::min(rest_.find('\n'), rest_.size()));
    }
    std::string_view const token = rest_.substr(0, rest_.find_first_of(" \t\r\n#"));
    drop(token.size());
    return token;
  }

  bool at_end() {
    if (rest_.front() != '\n') return false;
    ++line_;
    return true;
  }

  void drop(std::size_t bytes) { rest_.remove_prefix(bytes); }

  std::string_view rest_;
  std::string const& file_;
  int line_ = 1;
};

constexpr std::int64_t most_rules = 1 << 20, most_ranks = std::numeric_limits<int>::max() - 1;
constexpr std::int64_t most_message_bytes = std::int64_t{1} << 60;

/// Whether rules may have a fifth number.
enum class FifthNumbers : std::uint8_t { none, may_follow };

/// Reads a whole file.
class OmpiReader {
 public:
  OmpiReader(std::string_view text, std::string const& file, FifthNumbers fifth)
      : numbers_(text, file), fifth_(fifth) {}

  Rules read() {
    auto const most = static_cast<std::int64_t>(names_of_ompi().size());
    std::int64_t const collectives = numbers_.next("how many collectives follow", 0, most);
    for (std::int64_t i = 0; i < collectives; ++i) put(collective());
    numbers_.expect_end();
    return std::move(rules_);
  }

 private:
  /// Replaces the rules that the collective had before.
  void put(CollectiveRules rules) {
    for (CollectiveRules& each : rules_.collectives) {
      if (each.name != rules.name) continue;
      rules_.remarks.push_back(
          fmt::format("{}: Open MPI keeps the last rules of {}, which end here, and drops those before them",
                      numbers_.place(), each.name));
      each = std::move(rules);
      return;
    }
    rules_.collectives.push_back(std::move(rules));
  }

  CollectiveRules collective() {
    auto const most = static_cast<std::int64_t>(names_of_ompi().size()) - 1;
    auto const number = static_cast<int>(numbers_.next("the number of a collective", 0, most));
    CollectiveRules rules{names_of_ompi()[static_cast<std::size_t>(number)], numbered(RulesFormat::ompi, number)};
    std::int64_t const groups = numbers_.next("how many numbers of ranks follow", 0, most_rules);
    int minimum = 0;
    for (std::int64_t i = 0; i < groups; ++i) {
      auto const ranks = static_cast<int>(numbers_.next("a number of ranks that ascends", minimum, most_ranks));
      // The first rules apply to smaller numbers of ranks as well.
      if (!rules.rules.empty()) end_ranks(rules.rules, ranks - 1);
      sizes(rules, i == 0 ? 0 : ranks);
      minimum = ranks + 1;
    }
    return rules;
  }

  static void end_ranks(std::vector<Rule>& rules, int last) {
    for (auto rule = rules.rbegin(); rule != rules.rend() && rule->to_ranks == any_ranks; ++rule) rule->to_ranks = last;
  }

  /// Reads the rules of one number of ranks.
  void sizes(CollectiveRules& rules, int from_ranks) {
    std::int64_t const count = numbers_.next("how many sizes follow", 0, most_rules);
    std::int64_t minimum = 0, most = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      Rule rule{from_ranks};
      rule.from = Bytes(numbers_.next(i == 0 ? "the first size, 0" : "a size that ascends", minimum, most));
      rule.place = numbers_.place();
      choose(rule, rules);
      set_fan(rule, numbers_.next("a fan", 0, most_ranks));
      rule.segment = Bytes(numbers_.next("the bytes of a segment", 0, most_message_bytes));
      if (fifth_ == FifthNumbers::may_follow && numbers_.digit_follows())
        numbers_.next("the most requests at once", 0, most_ranks);
      if (i > 0) rules.rules.back().to = Bytes(rule.from.value - 1);
      minimum = rule.from.value + 1;
      most = most_message_bytes;
      rules.rules.push_back(rule);
    }
  }

  /// Looks up the algorithm by its number; 0 is the library's own decision.
  void choose(Rule& rule, CollectiveRules const& rules) {
    constexpr std::int64_t most_algorithms = 100;
    std::int64_t const number = numbers_.next("the number of an algorithm of " + rules.name, 0, most_algorithms);
    if (rules.collective == nullptr || number == 0) return;
    std::vector<LibraryAlgorithm> const& algorithms = rules.collective->algorithms;
    if (number > std::ssize(algorithms)) return name_algorithm(rules_, rule, *rules.collective, std::to_string(number));
    rule.algorithm = &algorithms[static_cast<std::size_t>(number - 1)];
  }

  Numbers numbers_;
  FifthNumbers fifth_;
  Rules rules_{RulesFormat::ompi};
};

/// The text without comments, `[lists]` and `@words`.
std::string numbers_and_names(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    std::size_t const begin = std::min(text.find_first_of("#[@"), text.size());
    kept += text.substr(0, begin);
    text.remove_prefix(begin);
    if (text.empty()) break;
    char const* const ends = text.front() == '#' ? "\n" : text.front() == '[' ? "]" : " \t\r\n";
    std::size_t const end = std::min(text.find_first_of(ends), text.size());
    text.remove_prefix(text.front() == '[' ? std::min(end + 1, text.size()) : end);
  }
  return kept;
}

/// Rules of Open MPI's coll_han, which chooses components by levels of the machine:
///
///   collectives, and of each: its number or name, levels, and of each: its number or name, how many numbers of ranks,
///   and of each: the ranks, how many sizes, and of each: bytes and a component
///
/// [Open MPI 4.1, ompi/mca/coll/han/coll_han_dynamic_file.h]; newer ones have `@algorithm` behind the component and
/// lengths of segments in brackets. The first number of ranks is 1.
bool is_of_han(std::string const& text) {
  std::istringstream words(numbers_and_names(text));
  std::string word;
  std::int64_t collectives = 0, levels = 0, ranks = 0, sizes = 0, number = 0;
  bool read = static_cast<bool>(words >> collectives);
  for (; read && collectives > 0; --collectives) {
    read = static_cast<bool>(words >> word >> levels);
    for (; read && levels > 0; --levels) {
      read = static_cast<bool>(words >> word >> ranks);
      bool first = true;
      for (; read && ranks > 0; --ranks) {
        read = words >> number >> sizes && number >= 1 && (!first || number == 1);
        first = false;
        for (; read && sizes > 0; --sizes) read = static_cast<bool>(words >> number >> word);
      }
    }
  }
  return read && !(words >> word);
}

Rules read_with_fifth_numbers(std::string_view text, std::string const& file) {
  Rules rules = OmpiReader(text, file, FifthNumbers::may_follow).read();
  rules.remarks.push_back(
      fmt::format("{}: Open MPI reads a fifth number of a rule (requests at once) only in files that begin with "
                  "rule-file-version-2; it would take these for numbers of the next rule",
                  file));
  return rules;
}

}  // namespace

/// The collectives by their numbers in the file.
std::vector<std::string> const& names_of_ompi() {
  static std::vector<std::string> const names{"allgather",
                                              "allgatherv",
                                              "allreduce",
                                              "alltoall",
                                              "alltoallv",
                                              "alltoallw",
                                              "barrier",
                                              "bcast",
                                              "exscan",
                                              "gather",
                                              "gatherv",
                                              "reduce",
                                              "reduce_scatter",
                                              "reduce_scatter_block",
                                              "scan",
                                              "scatter",
                                              "scatterv",
                                              "neighbor_allgather",
                                              "neighbor_allgatherv",
                                              "neighbor_alltoall",
                                              "neighbor_alltoallv",
                                              "neighbor_alltoallw"};
  return names;
}

std::string ompi_text(Rules const& rules, std::vector<std::string> const& notes) {
  std::string text;
  for (std::string const& note : notes) text += "# " + note + "\n";
  text += fmt::format("{} # collectives\n", rules.collectives.size());
  for (CollectiveRules const& each : rules.collectives) {
    auto const groups = by_ranks(each.rules);
    text += fmt::format("\n{} # {}\n{} # numbers of ranks\n", each.collective->number, each.name, groups.size());
    for (auto const& group : groups) text += rules_of(group);
  }
  return text;
}

Rules read_ompi(std::string const& text, std::string const& file) {
  constexpr std::string_view header = "rule-file-version-";
  if (text.starts_with(header)) {
    // The header is the whole first line. Its line end is kept, so that all lines keep their numbers.
    std::string_view const rest = std::string_view(text).substr(std::min(text.find('\n'), text.size()));
    bool const first_version = text.substr(header.size(), 2) == "1\n";
    return OmpiReader(rest, file, first_version ? FifthNumbers::none : FifthNumbers::may_follow).read();
  }
  try {
    return OmpiReader(text, file, FifthNumbers::none).read();
  } catch (InputError const&) {
    if (is_of_han(text)) {
      throw InputError(fmt::format(
          "{}: expected rules of Open MPI's coll_tuned, got those of coll_han (components by levels of a machine)",
          file));
    }
    try {
      return read_with_fifth_numbers(text, file);
    } catch (InputError const&) {
      // The error of the reading without fifth numbers is more helpful.
    }
    throw;
  }
}

}  // namespace rondo::rules

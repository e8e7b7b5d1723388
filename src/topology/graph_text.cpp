// Reads process graphs (graph_text.hpp). Errors name the line.

#include "topology/graph_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace rondo {
namespace {

constexpr std::string_view matrix_banner = "%%MatrixMarket";

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// Reads a text line by line, and splits each line into words.
class Lines {
 public:
  Lines(std::string_view text, std::string const& name) : rest_(text), name_(name) {}
  std::string const& name() const { return name_; }

  /// Moves to the next line that has words before its comment; returns false at the end.
  bool next() {
    while (!rest_.empty()) {
      std::size_t const end = std::min(rest_.find('\n'), rest_.size());
      std::string_view const line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      comment_ = line.substr(std::min(line.find_first_of("#%"), line.size()));
      split(line.substr(0, line.size() - comment_.size()));
      if (!is_matrix_) refuse_late_banner();
      if (!words_.empty()) return true;
    }
    return false;
  }
  /// From here on comments may contain anything, as in Matrix Market files.
  void in_matrix() { is_matrix_ = true; }
  /// The words of the first line, including its comment.
  std::vector<std::string_view> const& banner() {
    split(rest_.substr(0, rest_.find('\n')));
    return words_;
  }
  std::vector<std::string_view> const& words() const { return words_; }

  [[noreturn]] void fail(std::string const& message) const {
    throw InputError(fmt::format("{}:{}: {}", name_, std::max(number_, 1), message));
  }
  void expect_fields(std::size_t minimum, std::size_t maximum, std::string_view what) const {
    if (words_.size() >= minimum && words_.size() <= maximum) return;
    fail(fmt::format("expected {}, got {}", what, counted(words_.size(), "word")));
  }
  /// The word as an integer within these bounds; unset if it is none.
  std::optional<std::int64_t> integer(std::size_t word, std::int64_t low, std::int64_t high) const {
    std::int64_t value = 0;
    std::string_view const text = words_[word];
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const fits = error == std::errc{} && end == text.data() + text.size() && value >= low && value <= high;
    return fits ? std::optional(value) : std::nullopt;
  }
  std::int64_t integer(std::size_t word, std::int64_t low, std::int64_t high, std::string_view what) const {
    if (auto const value = integer(word, low, high)) return *value;
    fail(fmt::format("expected {} from {} to {}, got {}", what, low, high, excerpt(words_[word])));
  }
  /// The first of the words after source and target, which must all be numbers; 1 if there are none.
  double weight() const {
    for (std::size_t i = 3; i < words_.size(); ++i) number(i);
    return words_.size() > 2 ? number(2) : 1;
  }

 private:
  /// A file with a damaged or late banner would be read as another graph than its author meant.
  void refuse_late_banner() const {
    if (lower(comment_).find("matrixmarket") == std::string::npos) return;
    fail(
        fmt::format("expected {} to begin the first line of a Matrix Market file, and no comment of an edge list to "
                    "speak of it, got {}",
                    matrix_banner, excerpt(comment_)));
  }
  /// A number as C++ reads it; values beyond the range of a double are infinite or 0.
  double number(std::size_t word) const {
    double value = 0;
    std::string_view text = words_[word];
    if (text.starts_with('+')) text.remove_prefix(1);
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const parsed = error == std::errc{} || error == std::errc::result_out_of_range;
    if (!parsed || end != text.data() + text.size()) {
      fail(fmt::format("expected a number, got {}", excerpt(words_[word])));
    }
    return value;
  }
  /// The words of a line.
  void split(std::string_view line) {
    constexpr std::string_view blanks = " \t\r\f\v";
    words_.clear();
    for (std::size_t from = 0; (from = line.find_first_not_of(blanks, from)) != std::string_view::npos;) {
      std::size_t const end = std::min(line.find_first_of(blanks, from), line.size());
      words_.push_back(line.substr(from, end - from));
      from = end;
    }
  }

  std::string_view rest_;
  std::string const& name_;
  int number_ = 0;
  bool is_matrix_ = false;
  std::string_view comment_;  ///< the part of the line after its words
  std::vector<std::string_view> words_;
};

/// Whether a later line of the edge list has rank 0 at one end.
bool names_rank_0(Lines lines) {
  while (lines.next()) {
    auto const& words = lines.words();
    if (words[0] == "0" || (words.size() > 1 && words[1] == "0")) return true;
  }
  return false;
}

/// The rank at one end of the edge on this line. `all` starts at the first line of the list.
Rank rank_at(std::size_t end, Lines const& lines, Lines const& all, std::int64_t last) {
  try {
    return Rank(static_cast<std::int32_t>(lines.integer(end, 0, last, "a rank")));
  } catch (InputError const& refused) {
    bool const is_number = lines.words()[end].find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number || names_rank_0(all)) throw;
    throw InputError(fmt::format("{}; {}", refused.what(), no_edge_of_rank_0));
  }
}

/// Refuses a Matrix Market file that lacks its first line. It begins with the size line of a square matrix, `rows
/// columns entries`, followed by as many entries with rows and columns from 1 on. As an edge list, it would be a graph
/// with one edge and one rank too many.
void refuse_size_line(Lines lines) {
  constexpr std::int64_t most = Torus::most_ranks;
  if (!lines.next() || lines.words().size() != 3) return;
  Lines const first = lines;
  auto const rows = lines.integer(0, 1, most), columns = lines.integer(1, 1, most);
  auto const entries = lines.integer(2, 1, ProcessGraph::most_edges);
  if (!rows || rows != columns || !entries) return;
  for (std::int64_t k = 0; k < *entries; ++k) {
    bool const is_entry = lines.next() && lines.words().size() >= 2 && lines.integer(0, 1, *rows).has_value() &&
                          lines.integer(1, 1, *columns).has_value();
    if (!is_entry) return;
  }
  if (lines.next()) return;
  first.fail(fmt::format(
      "expected an edge list, or \"{} matrix coordinate ...\" as the first line of a Matrix Market file, got "
      "what looks like its size line: {} rows, {} columns, and {} entries follow",
      matrix_banner, *rows, *columns, *entries));
}

/// If the number of ranks is not given, it is one more than the largest rank.
WeightedGraph parse_edge_list(Lines& lines, std::optional<int> ranks) {
  Lines const all = lines;
  refuse_size_line(lines);
  std::vector<Edge> edges;
  std::vector<double> weights;
  std::int64_t const last = ranks ? *ranks - 1 : Torus::most_ranks - 1;
  std::int32_t smallest = Torus::most_ranks;
  std::int32_t largest = -1;
  while (lines.next()) {
    lines.expect_fields(2, 3, "`source target [weight]`");
    Rank const source = rank_at(0, lines, all, last);
    Rank const target = rank_at(1, lines, all, last);
    double const weight = lines.weight();
    if (static_cast<std::int64_t>(edges.size()) == ProcessGraph::most_edges) {
      lines.fail(fmt::format("a process graph has at most {} edges", ProcessGraph::most_edges));
    }
    edges.push_back({source, target});
    weights.push_back(weight);
    smallest = std::min({smallest, source.value, target.value});
    largest = std::max({largest, source.value, target.value});
  }
  WeightedGraph graph = weighted_graph(ranks.value_or(largest + 1), edges, weights);
  if (!ranks && !edges.empty() && smallest > 0) graph.lacks_rank_0 = lines.name();
  return graph;
}

/// The format of the entries of a Matrix Market file, from its first line.
struct Banner {
  std::size_t values = 0;  ///< how many numbers follow row and column
  bool general = true;     ///< if false, the lower triangle represents both triangles
};

/// Reads the first line of a Matrix Market file.
Banner parse_banner(Lines& lines) {
  std::vector<std::string_view> const& words = lines.banner();
  auto const fail = [&](std::string_view accepted, std::size_t word) {
    lines.fail(fmt::format("expected {}, got {}", accepted, word < words.size() ? excerpt(words[word]) : "nothing"));
  };
  auto const is = [&](std::size_t word, std::initializer_list<std::string_view> accepted) {
    return word < words.size() && std::find(accepted.begin(), accepted.end(), lower(words[word])) != accepted.end();
  };
  if (!is(1, {"matrix"})) fail("matrix", 1);
  if (!is(2, {"coordinate"})) fail("coordinate", 2);
  if (!is(3, {"pattern", "real", "integer", "complex"})) fail("pattern, real, integer or complex", 3);
  if (!is(4, {"general", "symmetric", "skew-symmetric", "hermitian"})) {
    fail("general, symmetric, skew-symmetric or hermitian", 4);
  }
  return {is(3, {"pattern"}) ? 0u : is(3, {"complex"}) ? 2u : 1u, is(4, {"general"})};
}

/// Reads the sizes and then the entries.
WeightedGraph parse_matrix(Lines& lines, std::optional<int> ranks) {
  Banner const banner = parse_banner(lines);
  lines.in_matrix();
  if (!lines.next()) lines.fail("expected a line `rows columns entries`, got the end of the file");
  lines.expect_fields(3, 3, "`rows columns entries`");
  std::int64_t const n = lines.integer(0, 0, Torus::most_ranks, "a number of rows");
  if (lines.integer(1, 0, Torus::most_ranks, "a number of columns") != n) {
    lines.fail(fmt::format("expected a square matrix, got {} by {}", n, lines.words()[1]));
  }
  if (ranks && *ranks != n) lines.fail(fmt::format("expected {} rows, as many as ranks, got {}", *ranks, n));
  std::int64_t const entries = lines.integer(2, 0, ProcessGraph::most_edges, "a number of entries");
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (std::int64_t k = 0; k < entries; ++k) {
    if (!lines.next()) lines.fail(fmt::format("expected {} entries, got {}", entries, k));
    lines.expect_fields(2 + banner.values, 2 + banner.values, "row, column and " + counted(banner.values, "value"));
    Rank const row(static_cast<std::int32_t>(lines.integer(0, 1, n, "a row")) - 1);
    Rank const column(static_cast<std::int32_t>(lines.integer(1, 1, n, "a column")) - 1);
    bool const both = !banner.general && row != column;
    edges.push_back({row, column});
    if (both) edges.push_back({column, row});
    weights.resize(edges.size(), lines.weight());
  }
  if (lines.next()) lines.fail(fmt::format("expected the end of the file, got entry {}", entries + 1));
  return weighted_graph(static_cast<int>(n), edges, weights);
}

}  // namespace

/// The weights in the order of the graph's edges; left out if all are 1.
WeightedGraph weighted_graph(int ranks, std::vector<Edge> const& edges, std::vector<double> const& weights) {
  expects(weights.empty() || weights.size() == edges.size(), "no weights, or one for each edge");
  WeightedGraph result{ProcessGraph(ranks, edges)};
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 1; })) return result;
  std::vector<std::int64_t> next;
  for (std::int32_t r = 0; r < ranks; ++r) next.push_back(result.graph.first_edge(Rank(r)));
  result.weights.resize(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    std::int64_t& place = next[static_cast<std::size_t>(edges[i].source.value)];
    result.weights[static_cast<std::size_t>(place++)] = weights[i];
  }
  return result;
}

/// Chooses the format by the first line.
WeightedGraph parse_graph(std::string_view text, std::string const& name, std::optional<int> ranks) {
  expects(!ranks || (*ranks >= 0 && *ranks <= Torus::most_ranks), "a number of ranks");
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // which some editors write
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  Lines lines(text, name);
  bool const matrix = !lines.banner().empty() && lower(lines.banner()[0]) == lower(matrix_banner);
  return matrix ? parse_matrix(lines, ranks) : parse_edge_list(lines, ranks);
}

}  // namespace rondo

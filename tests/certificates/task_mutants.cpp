#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "certificates/mutants.hpp"
#include "foreign/chakra_traces.hpp"
#include "foreign/goal_binary.hpp"

namespace rondo::mutants {
namespace {

using Lines = std::vector<std::string>;

std::string content(std::string const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

Lines lines_of(std::string const& text) {
  Lines lines{""};
  for (char const each : text) {
    if (each == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += each;
    }
  }
  return lines;
}

std::string text_of(Lines const& lines) {
  std::string text;
  for (std::string const& line : lines) text += line + "\n";
  return text;
}

/// Each of 2^k ranks joins what it has with what its partner has, in k exchanges. A rank's sends wait for its receives,
/// so that they need no buffers, where `in_turn` says so.
std::string doubled_allreduce(int rounds, bool in_turn) {
  int const p = 1 << rounds;
  std::string text = fmt::format("num_ranks {}\n//@ buffers send 1 receive 1 scratch {} block 8\n", p, rounds);
  for (int rank = 0; rank < p; ++rank) {
    text += fmt::format("rank {} {{\nc: calc 0 //@ receive[0] = send[0]\n", rank);
    std::string before = "c";
    for (int k = 0; k < rounds; ++k) {
      int const other = rank ^ (1 << k);
      text += fmt::format("s{0}: send 8b to {1} tag {0} //@ receive[0]\n", k, other);
      text += fmt::format("r{0}: recv 8b from {1} tag {0} //@ scratch[{0}]\n", k, other);
      text += fmt::format("j{0}: calc 0 //@ receive[0] += scratch[{0}]\n", k);
      bool const first = !in_turn || rank < other;
      text += fmt::format("s{} requires {}\n", k, first ? before : fmt::format("r{}", k));
      text += fmt::format("r{} requires {}\n", k, in_turn && first ? fmt::format("s{}", k) : before);
      text += fmt::format("j{0} requires s{0}\nj{0} requires r{0}\n", k);
      before = fmt::format("j{}", k);
    }
    text += "}\n";
  }
  return text;
}

std::string chain_of_joins(int ranks) {
  std::string text = fmt::format("num_ranks {}\n//@ buffers send 2 receive 2 scratch 0 block 4\n", ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    text += fmt::format("rank {} {{\nc: calc 0 //@ receive[0..1] = send[0..1]\n", rank);
    if (rank > 0) {
      text += fmt::format("r: recv 8b from {} //@ + receive[0] receive[1]\nr requires c\n", rank - 1);
    }
    if (rank + 1 < ranks) {
      text += fmt::format("s: send 8b to {} //@ receive[0..1]\ns requires {}\n", rank + 1, rank > 0 ? "r" : "c");
    }
    text += "}\n";
  }
  return text;
}

std::string ring_by_tags(int ranks, bool buffered) {
  std::string text = fmt::format("num_ranks {}\n//@ tags 1 block 8\n", ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    text += fmt::format("rank {} {{\n", rank);
    int const next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    for (int k = 0; k + 1 < ranks; ++k) {
      text += fmt::format("s{}: send 8b to {} tag {}\n", k, next, (rank - k + ranks) % ranks);
      text += fmt::format("r{}: recv 8b from {} tag {}\n", k, last, (last - k + ranks) % ranks);
      if (k > 0) text += fmt::format("s{} requires r{}\n", k, k - 1);
      if (buffered) text += fmt::format("r{0} requires s{0}\n", k);
    }
    text += "}\n";
  }
  return text;
}

constexpr char const* without_notes =
    "num_ranks 3\nrank 0 {\na: send 8b to 1\nb: recv 4b from 2 tag 1\nb requires a\nc: calc 5\nc requires b\n}\n"
    "rank 1 {\na: send 16b to 2\nb: recv 8b from 0\nb requires a\n}\n"
    "rank 2 {\na: send 4b to 0 tag 1\nb: recv 16b from 1\nb irequires a\nc: calc 7\nc irequires b\n}\n";

std::vector<TaskText> goal_texts() {
  std::string const all_sum = R"({"kind": "allreduce", "ranks": 4})";
  return {{"two.goal", doubled_allreduce(1, false), R"({"kind": "allreduce", "ranks": 2})"},
          {"four.goal", doubled_allreduce(2, true), all_sum},
          {"bits.goal", doubled_allreduce(2, false), R"({"kind": "allreduce", "ranks": 4, "same_bits": true})"},
          {"barrier.goal", doubled_allreduce(2, false), R"({"kind": "barrier", "ranks": 4})"},
          {"chain.goal", chain_of_joins(3),
           R"({"kind": "stated", "ranks": 3, "held": [[0, 1], [0, 1], [0, 1]], "ordered": true,
               "owed": [[0, 1], [{"block": 0, "from": [0, 1]}, {"block": 1, "from": [0, 1]}],
                        [{"block": 0, "from": "all"}, null]]})"},
          {"scan.goal", chain_of_joins(4), R"({"kind": "scan", "ranks": 4, "pieces": 2, "commutative": false})"},
          {"ring.goal", ring_by_tags(3, false), R"({"kind": "allgather", "ranks": 3})"},
          {"buffered.goal", ring_by_tags(4, true), R"({"kind": "allgather", "ranks": 4})"},
          {"plain.goal", without_notes}};
}

std::string trace_of(TaskGraph const& graph, Rank rank) {
  using namespace test::chakra;
  std::uint32_t const first = graph.first[static_cast<std::size_t>(rank.value)];
  std::string bytes = head();
  for (std::uint32_t i = first; i < graph.first[static_cast<std::size_t>(rank.value) + 1]; ++i) {
    Task const& task = graph.tasks[i];
    Ids on;
    for (Requirement const& each : graph.requirements) {
      if (each.task == i) on.push_back(each.on - first);
    }
    std::uint64_t const id = i - first;
    auto const tag = static_cast<int>(task.tag);
    bytes += task.kind == TaskKind::send      ? send_to(id, task.peer, task.amount, on, tag)
             : task.kind == TaskKind::receive ? receive_from(id, task.peer, task.amount, on, tag)
                                              : compute(id, static_cast<std::uint64_t>(task.amount), on);
  }
  return bytes;
}

/// What a text of GOAL says, in another format. Throws InputError for what is no GOAL.
TaskText encoded(std::string const& name, std::string const& source) {
  TaskText result{name, "", "", source, {}};
  TaskGraph const graph = read_goal(source, "source.goal");
  if (name.ends_with(".bin")) {
    goal_binary::write(graph, [&](std::string_view piece) { result.text += piece; });
    return result;
  }
  result.text = trace_of(graph, Rank(0));
  for (int rank = 1; rank < graph.ranks(); ++rank) result.others.push_back(trace_of(graph, Rank(rank)));
  return result;
}

/// Changes lines of a text, each of which is a statement or an element.
class LineMutation {
 public:
  LineMutation(Lines& lines, Random& random, bool xml) : lines_(lines), random_(random), xml_(xml) {}

  void once() {
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
        return change_a_number();
      case 3:
      case 4:
        return change_a_word();
      case 5:
        return drop_a_line();
      case 6:
        return double_a_line();
      case 7:
        return move_a_line();
      case 8:
        return exchange_words();
      default:
        return add_a_wait();
    }
  }

  /// Steps count from 0 in their thread blocks.
  void number_steps() {
    int next = 0;
    for (std::string& line : lines_) {
      if (line.find("<tb") != line.npos) next = 0;
      std::size_t const at = line.find("<step s=\"");
      if (at == line.npos) continue;
      std::size_t const begin = at + 9;
      line.replace(begin, line.find('"', begin) - begin, std::to_string(next++));
    }
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.below(bound)); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  /// A line that may be moved: a step or a statement, not what opens or closes.
  bool is_free(std::string const& line) const {
    if (xml_) return line.find("<step") != line.npos;
    return !line.empty() && line.find_first_of("{}") == line.npos && !line.starts_with("num") &&
           !line.starts_with("//");
  }
  std::size_t free_line() {
    for (int tries = 0; tries < 100; ++tries) {
      std::size_t const at = below(lines_.size());
      if (is_free(lines_[at])) return at;
    }
    return lines_.size();
  }

  void change_a_number() {
    std::string& line = lines_[below(lines_.size())];
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < line.size(); ++i) {
      bool const digit = line[i] >= '0' && line[i] <= '9';
      if (digit && (i == 0 || line[i - 1] < '0' || line[i - 1] > '9')) numbers.push_back(i);
    }
    if (numbers.empty()) return;
    std::size_t const begin = numbers[below(numbers.size())];
    std::size_t end = begin;
    while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
    std::int64_t const value = std::stoll(line.substr(begin, end - begin)) + random_.between(-2, 2);
    line.replace(begin, end - begin, std::to_string(xml_ ? value : std::max<std::int64_t>(0, value)));
  }
  void change_a_word() {
    static constexpr std::array<std::pair<char const*, char const*>, 22> of_xml = {{{"\"s\"", "\"r\""},
                                                                                    {"\"r\"", "\"rrc\""},
                                                                                    {"\"rrc\"", "\"r\""},
                                                                                    {"\"rcs\"", "\"rrcs\""},
                                                                                    {"\"rrs\"", "\"rrcs\""},
                                                                                    {"\"rrcs\"", "\"rrs\""},
                                                                                    {"\"cpy\"", "\"re\""},
                                                                                    {"\"re\"", "\"cpy\""},
                                                                                    {"\"nop\"", "\"cpy\""},
                                                                                    {"\"r\"", "\"nop\""},
                                                                                    {"\"i\"", "\"o\""},
                                                                                    {"\"o\"", "\"i\""},
                                                                                    {"\"o\"", "\"s\""},
                                                                                    {"\"s\"", "\"i\""},
                                                                                    {"hasdep=\"0\"", "hasdep=\"1\""},
                                                                                    {"hasdep=\"1\"", "hasdep=\"0\""},
                                                                                    {"Simple", "LL"},
                                                                                    {"LL", "Simple"},
                                                                                    {"inplace=\"1\"", "inplace=\"0\""},
                                                                                    {"inplace=\"0\"", "inplace=\"1\""},
                                                                                    {"allreduce", "reduce"},
                                                                                    {"allgather", "alltoall"}}};
    static constexpr std::array<std::pair<char const*, char const*>, 12> of_goal = {{{" requires", " irequires"},
                                                                                     {" irequires", " requires"},
                                                                                     {"send 8b to", "recv 8b from"},
                                                                                     {" = ", " += "},
                                                                                     {" += ", " = "},
                                                                                     {"receive[", "scratch["},
                                                                                     {"scratch[", "receive["},
                                                                                     {"send[", "receive["},
                                                                                     {"//@ +", "//@ "},
                                                                                     {"//@ receive", "//@ + receive"},
                                                                                     {"tag", "cpu"},
                                                                                     {"//@", "//"}}};
    auto const& [from, to] = xml_ ? of_xml[below(of_xml.size())] : of_goal[below(of_goal.size())];
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].find(from) != std::string::npos) there.push_back(i);
    }
    if (there.empty()) return;
    std::string& line = lines_[there[below(there.size())]];
    line.replace(line.find(from), std::string(from).size(), to);
  }
  void drop_a_line() {
    std::size_t const at = free_line();
    if (at < lines_.size()) lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void double_a_line() {
    std::size_t const at = free_line();
    if (at == lines_.size()) return;
    std::string copy = lines_[at];
    // A label stands once.
    if (std::size_t const colon = copy.find(':'); !xml_ && colon < copy.find(' ')) copy.erase(0, colon + 1);
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at), copy);
  }
  void move_a_line() {
    std::size_t const from = free_line(), to = chance(2) ? from + 1 : free_line();
    if (from < lines_.size() && to < lines_.size() && is_free(lines_[to])) std::swap(lines_[from], lines_[to]);
  }
  /// Parts of two lines change places.
  void exchange_words() {
    std::size_t const a = free_line(), b = free_line();
    if (a == lines_.size() || b == lines_.size()) return;
    char const* const from = xml_ ? (chance(2) ? "srcbuf" : "depid") : "//@";
    std::size_t const i = lines_[a].find(from), j = lines_[b].find(from);
    if (a == b || i == std::string::npos || j == std::string::npos) return;
    std::string const end = lines_[a].substr(i);
    lines_[a].replace(i, std::string::npos, lines_[b].substr(j));
    lines_[b].replace(j, std::string::npos, end);
  }
  void add_a_wait() {
    std::size_t const at = free_line();
    if (at == lines_.size()) return;
    if (!xml_) {
      static constexpr std::array<char const*, 8> labels = {"s0", "r0", "j0", "s1", "r1", "j1", "c", "a"};
      std::string const line =
          fmt::format("{} {} {}", labels[below(8)], chance(3) ? "irequires" : "requires", labels[below(8)]);
      return void(lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at), line));
    }
    std::string& line = lines_[at];
    std::size_t const wait = line.find("depid=\""), end = line.find("hasdep");
    if (wait == line.npos || end == line.npos) return;
    line.replace(wait, end - wait, fmt::format("depid=\"{}\" deps=\"{}\" ", below(3), below(3)));
  }

  Lines& lines_;
  Random& random_;
  bool xml_;
};

}  // namespace

std::vector<TaskText> tasks() {
  std::vector<TaskText> all = goal_texts();
  std::vector<std::string> files;
  for (auto const& entry : std::filesystem::directory_iterator(RONDO_TEST_DATA "/msccl")) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  for (std::string const& source : {doubled_allreduce(1, false), doubled_allreduce(2, true), ring_by_tags(4, true),
                                    ring_by_tags(3, false), std::string(without_notes)}) {
    std::string const number = std::to_string(all.size());
    all.push_back(encoded(number + ".bin", source));
    all.push_back(encoded(number + ".0.et", source));
  }
  for (std::string const& file : files) all.push_back({std::filesystem::path(file).filename(), content(file)});
  return all;
}

namespace {

/// Of what is not text the GOAL is changed that it says, and now and then a byte.
TaskText mutant_of_binary(TaskText const& original, Random& random) {
  TaskText mutant = original;
  for (int tries = 0; tries < 20; ++tries) {
    try {
      Lines lines = lines_of(original.source);
      auto const changes = 1 + random.below(3);
      for (std::uint64_t i = 0; i < changes; ++i) LineMutation(lines, random, false).once();
      mutant = encoded(original.name, text_of(lines));
      break;
    } catch (InputError const&) {
      // No GOAL any more.
    }
  }
  if (random.below(8) == 0) mutant.text[static_cast<std::size_t>(random.below(mutant.text.size()))] ^= 1;
  return mutant;
}

}  // namespace

TaskText mutant_of(TaskText const& original, Random& random) {
  if (!original.source.empty()) return mutant_of_binary(original, random);
  bool const xml = original.name.ends_with(".xml");
  Lines lines = lines_of(original.text);
  auto const changes = 1 + random.below(3);
  LineMutation mutation(lines, random, xml);
  for (std::uint64_t i = 0; i < changes; ++i) mutation.once();
  if (xml && random.below(20) != 0) mutation.number_steps();
  TaskText mutant{original.name, text_of(lines), original.promise};
  if (!mutant.promise.empty() && random.below(12) == 0) {
    Lines of_promise{mutant.promise};
    LineMutation(of_promise, random, false).once();
    mutant.promise = of_promise.empty() ? "" : of_promise.front();
  }
  return mutant;
}

}  // namespace rondo::mutants

// The selection tree of MPICH 4.0 (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE): conditions in objects, the first member
// that holds is followed, down to {"algorithm=MPIR_Bcast_intra_binomial": {}}.
//
//   {"collective=bcast": {"comm_type=intra": {"comm_size<=7": {"avg_msg_size<=511": {...}, "avg_msg_size=any":
//   {...}}}}}
//
// [MPICH 4.0, csel.c]: avg_msg_size is the bytes that /block says, total_msg_size those of all ranks;
// each collective knows one of them right. A collective that is called and has no tree aborts the program, so that all
// have one: mpich.json holds the trees of MPICH 4.0, which switch at the sizes of its control variables, and rules
// replace some of them. The file is mapped and read up to a zero byte: its size must be no multiple of a page's.

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"
#include "base/text.hpp"
#include "json/pointer.hpp"
#include "run/output/assets.hpp"
#include "run/rules/rules.hpp"
#include "scenario/load.hpp"

namespace rondo::rules {
namespace {

using scenario::child;
using scenario::error_at;
using scenario::Json;

constexpr std::size_t page_bytes = 4096;

std::string capitalized(std::string name) {
  name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

/// "MPIR_Bcast_intra_"; the name of an algorithm follows it.
std::string functions_of(std::string const& collective) { return "MPIR_" + capitalized(collective) + "_intra_"; }

Json algorithm_leaf(LibraryCollective const& collective, std::string const& name) {
  return {{"algorithm=" + functions_of(collective.name) + name, Json::object()}};
}

char const* unit_of(LibraryCollective const& collective) {
  return collective.size == MessageSize::all_ranks ? "total_msg_size" : "avg_msg_size";
}

/// The algorithm in the cases that it computes correctly, and one that is always correct in all others.
Json guarded(LibraryCollective const& collective, LibraryAlgorithm const& algorithm) {
  Json const chosen = algorithm_leaf(collective, algorithm.name);
  if (collective.collective == ClassicalCollective::alltoall) {
    return {{"is_sendbuf_inplace=yes", algorithm_leaf(collective, "pairwise_sendrecv_replace")},
            {"is_sendbuf_inplace=no", chosen}};
  }
  if (algorithm.operators == Operators::any) return chosen;
  Json const other = algorithm_leaf(collective, collective.other_operators);
  if (algorithm.operators == Operators::commutative)
    return {{"is_commutative=yes", chosen}, {"is_commutative=no", other}};
  Json const counted = {{"count<pow2", other}, {"count=any", chosen}};
  Json const built_in = {{"is_op_built_in=yes", counted}, {"is_op_built_in=no", other}};
  return {{"is_commutative=yes", built_in}, {"is_commutative=no", other}};
}

/// The part of the tree that branches by size.
Json sizes_tree(LibraryCollective const& collective, std::span<Rule const> rules) {
  if (rules.size() == 1) return guarded(collective, *rules.front().algorithm);
  Json tree = Json::object();
  for (Rule const& rule : rules) {
    // The library reads bounds as int.
    bool const last = rule.to.value > std::numeric_limits<int>::max();
    tree[unit_of(collective) + (last ? "=any" : fmt::format("<={}", rule.to.value))] =
        guarded(collective, *rule.algorithm);
    if (last) break;
  }
  return tree;
}

/// The part of the tree that branches by the number of ranks.
Json intra_tree(CollectiveRules const& rules) {
  auto const groups = by_ranks(rules.rules);
  if (groups.size() == 1) return sizes_tree(*rules.collective, groups.front());
  Json tree = Json::object();
  for (auto const& group : groups) {
    int const most = group.front().to_ranks;
    tree[most == any_ranks ? "comm_size=any" : fmt::format("comm_size<={}", most)] =
        sizes_tree(*rules.collective, group);
  }
  return tree;
}

/// The undecided part of a tree: numbers of ranks and sizes, and conditions that no machine decides.
struct Open {
  std::vector<std::pair<int, int>> ranks;
  Bytes from{0}, to = any_size;
  std::string asks = {};
  HostRequirement hosts = {};
};

/// Flattens a tree into rules. Conditions on the way narrow the ranges of ranks and sizes that are still open.
class MpichReader {
 public:
  MpichReader(std::string const& text, std::string const& file, int ranks_of_a_host)
      : file_(file), document_(scenario::parse_json(text, file)), ranks_of_a_host_(ranks_of_a_host) {}

  Rules read() {
    for (auto const& [key, tree] : document_.items()) {
      constexpr std::string_view prefix = "collective=";
      if (!key.starts_with(prefix)) refuse("", "collective=NAME", key);
      rules_ = {key.substr(prefix.size()), named(RulesFormat::mpich, key.substr(prefix.size()))};
      if (rules_.collective == nullptr) continue;  // variants, nonblocking and neighborhood collectives
      walk(tree, child("", key), {{{0, any_ranks}}});
      all_.collectives.push_back(std::move(rules_));
    }
    return std::move(all_);
  }

 private:
  [[noreturn]] void refuse(std::string const& place, std::string const& accepted, std::string const& got) const {
    throw error_at(file_, place, fmt::format("expected {}, got \"{}\"", accepted, excerpt(got)));
  }

  void walk(Json const& tree, std::string const& place, Open open) {
    if (!tree.is_object()) refuse(place, "an object of conditions", tree.dump());
    for (auto const& [key, below] : tree.items()) {
      if (open.ranks.empty() || open.from > open.to) return;
      if (key.starts_with("algorithm=")) return add(key, below, place, open);
      if (key.starts_with("composition=")) return add_composition(key, place, open);
      Open const taken = take(key, child(place, key), open);
      if (!taken.ranks.empty() && taken.from <= taken.to) walk(below, child(place, key), taken);
    }
  }

  /// Adds the rule at a leaf.
  void add(std::string const& key, Json const& parameters, std::string const& place, Open const& open) {
    std::string const function = key.substr(std::string_view("algorithm=").size());
    std::string const prefix = functions_of(rules_.name);
    bool const nonblocking = function == "MPIR_" + capitalized(rules_.name) + "_allcomm_nb";
    bool const of_collective = function.starts_with(prefix);
    Rule rule = rule_of(place, open);
    name_algorithm(all_, rule, *rules_.collective,
                   nonblocking     ? "nb"
                   : of_collective ? function.substr(prefix.size())
                                   : function);
    bool const stated = parameters.is_object() && !parameters.empty();
    if (stated && rule.algorithm != nullptr && rule.asks.empty())
      rule.asks = parameters.begin().key() + ", which Rondo does not know of it";
    add(std::move(rule), open);
  }

  /// A composition of algorithms by levels of the machine [MPICH 5, ch4_coll_impl.h]. For an allreduce, gamma uses the
  /// memory of a host, and the library does not check whether all ranks are there (pmodels/mpich#7456).
  void add_composition(std::string const& key, std::string const& place, Open const& open) {
    Rule rule = rule_of(place, open);
    rule.name = key.substr(std::string_view("composition=").size());
    rule.within_a_host = rule.name == "MPIDI_Allreduce_intra_composition_gamma";
    add(std::move(rule), open);
  }

  Rule rule_of(std::string const& place, Open const& open) const {
    Rule rule;
    rule.from = open.from;
    rule.to = open.to;
    rule.asks = open.asks;
    rule.hosts = open.hosts;
    rule.place = fmt::format("{}: {}", file_, place);
    return rule;
  }

  void add(Rule rule, Open const& open) {
    for (auto const& [from, to] : open.ranks) {
      rule.from_ranks = from;
      rule.to_ranks = to;
      rules_.rules.push_back(rule);
    }
  }

  /// The part after a condition; `open` keeps the rest.
  Open take(std::string const& key, std::string const& place, Open& open) const {
    std::size_t const at = key.find_first_of("<=");
    std::string const what = key.substr(0, at), value = at == std::string::npos ? "" : key.substr(at);
    if (what == "comm_size") return take_ranks(value, place, open);
    if (what == unit_of(*rules_.collective)) return take_sizes(value, place, open);
    // The rules after a condition apply where it does not hold, or where nothing in it does: the first rule that fits
    // is used.
    if (ranks_of_a_host_ > 1 && key == "comm_hierarchy=parent") {
      Open taken = open;
      taken.hosts.two_levels = true;
      return taken;
    }
    if (ranks_of_a_host_ > 1 && speaks_of_hosts(key)) {
      return perhaps(open, what + ", where hosts have several ranks");
    }
    // One process per host, all ranks, vectors with at least one element per rank, joined by an operator of MPI.
    static std::vector<std::string> const held{
        "comm_type=intra",    "comm_hierarchy=any",      "comm_hierarchy=flat",  "is_commutative=yes",
        "is_op_built_in=yes", "is_sendbuf_inplace=no",   "is_block_regular=yes", "is_multi_threaded=no",
        "count=any",          "is_node_consecutive=yes", "comm_avg_ppn<=1"};
    static std::vector<std::string> const not_held{"comm_type=inter",        "comm_hierarchy=parent",
                                                   "comm_hierarchy=node",    "comm_hierarchy=node_roots",
                                                   "is_commutative=no",      "is_op_built_in=no",
                                                   "is_sendbuf_inplace=yes", "is_block_regular=no",
                                                   "is_multi_threaded=yes",  "count<pow2",
                                                   "is_node_consecutive=no", "comm_size=node_comm_size"};
    if (std::find(not_held.begin(), not_held.end(), key) != not_held.end()) return {{}};
    if (std::find(held.begin(), held.end(), key) != held.end()) return std::exchange(open, {{}});
    // A condition of a newer MPICH, or a size that the library does not know for this collective.
    return perhaps(open, excerpt(key));
  }

  /// The part after a condition that cannot be decided here. It applies to the rules after it as well.
  static Open perhaps(Open& open, std::string asks) {
    open.asks = std::move(asks);
    return open;
  }

  /// Whether the condition concerns the placement of ranks on hosts, and does not always hold.
  static bool speaks_of_hosts(std::string const& key) {
    bool const about = key.starts_with("comm_hierarchy=") || key.starts_with("is_node_consecutive=") ||
                       key.starts_with("comm_avg_ppn");
    return about && key != "comm_hierarchy=any";
  }

  /// The number after "<=", or one less than the number after "<".
  std::int64_t bound(std::string const& value, std::string const& place) const {
    std::size_t const digits = value.starts_with("<=") ? 2 : 1;
    std::int64_t number = 0;
    char const *const begin = value.data() + digits, *const end = value.data() + value.size();
    auto const [stop, error] = std::from_chars(begin, end, number);
    bool const fits = value.starts_with('<') && error == std::errc() && stop == end && number >= 0 &&
                      number <= std::numeric_limits<int>::max();
    if (!fits) refuse(place, "<= or < and a whole number, or =any", value);
    return digits == 2 ? number : number - 1;
  }

  /// Takes the sizes up to a bound out of the open ones.
  Open take_sizes(std::string const& value, std::string const& place, Open& open) const {
    if (value == "=any") return std::exchange(open, {{}});
    Open taken = open;
    taken.to = std::min(open.to, Bytes(bound(value, place)));
    open.from = std::max(open.from, Bytes(taken.to.value + 1));
    return taken;
  }

  /// Takes the ranks that satisfy the condition out of the open ones; the rest stays open for the next member.
  Open take_ranks(std::string const& value, std::string const& place, Open& open) const {
    if (value == "=any") return std::exchange(open, {{}});
    if (value == "=node_comm_size" && ranks_of_a_host_ > 1) {
      Open taken = open;
      taken.hosts.one_host = true;
      return taken;
    }
    if (value == "=node_comm_size") return {{}};
    if (value == "=pow2") return take_powers(open);
    auto const most = static_cast<int>(bound(value, place));
    Open taken{{}, open.from, open.to, open.asks, open.hosts};
    std::vector<std::pair<int, int>> rest;
    for (auto const& [from, to] : open.ranks) {
      if (from <= most) taken.ranks.emplace_back(from, std::min(to, most));
      if (to > most) rest.emplace_back(std::max(from, most + 1), to);
    }
    open.ranks = std::move(rest);
    return taken;
  }

  /// Takes the powers of two.
  static Open take_powers(Open& open) {
    Open taken{{}, open.from, open.to, open.asks, open.hosts};
    std::vector<std::pair<int, int>> rest;
    for (auto [from, to] : open.ranks) {
      for (int power = 1; power < 1 << 24 && power <= to; power *= 2) {
        if (power < from) continue;
        taken.ranks.emplace_back(power, power);
        if (from < power) rest.emplace_back(from, power - 1);
        from = power + 1;
      }
      if (from <= to) rest.emplace_back(from, to);
    }
    open.ranks = std::move(rest);
    return taken;
  }

  std::string const& file_;
  Json document_;
  int ranks_of_a_host_;
  CollectiveRules rules_;
  Rules all_{RulesFormat::mpich};
};

}  // namespace

/// MPICH's own trees, in which the decided collectives are replaced.
std::string mpich_text(Rules const& rules) {
  Json trees = Json::parse(asset("src/run/rules/mpich.json"));
  for (CollectiveRules const& each : rules.collectives) {
    Json& tree = trees[each.name];
    (tree.contains("comm_type=intra") ? tree["comm_type=intra"] : tree) = intra_tree(each);
  }
  Json all;
  for (auto const& [name, tree] : trees.items()) all["collective=" + name] = tree;
  std::string text = all.dump(1) + "\n";
  if (text.size() % page_bytes == 0) text += "\n";
  return text;
}

Rules read_mpich(std::string const& text, std::string const& file, int ranks_of_a_host) {
  return MpichReader(text, file, ranks_of_a_host).read();
}

}  // namespace rondo::rules

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "run/points/fields.hpp"
#include "run/points/outlook.hpp"
#include "scenario/describe.hpp"

namespace rondo::cli {
namespace {

struct ExplainWords {
  std::string what;
  PointWords points;
};

std::string explained(Field const& field) {
  std::string text = fmt::format("{}: a field of records: {}", field.name, field.meaning);
  if (!field.unit.empty()) text += fmt::format("; {}, in {}", field.type, field.unit);
  if (!field.variable.empty()) text += fmt::format("; in claims ALGORITHM.{}", field.variable);
  if (!field.absent.empty()) text += fmt::format("; null {}", field.absent);
  return text + "\n";
}

/// Every field that is called so, by its own name or in claims.
std::string explained_fields(std::string const& name) {
  std::string text;
  for (Field const& field : fields()) {
    if (field.name == name || field.variable == name) text += explained(field);
  }
  return text;
}

/// What pages and results call things, where that is no field and no key, or says more than these do.
struct Word {
  char const* word;
  char const* meaning;
};
constexpr Word glossary[] = {
    {"one-ported", "a rank carries one send and one receive at a time; k-ported (ports = k): k of each"},
    {"round",
     "messages that a rank posts together: it posts all its sends and receives of a round, waits for all of "
     "them, and goes on to its next round by itself"},
    {"rounds", "of an algorithm: the last round in which any rank sends or receives"},
    {"volume", "the blocks that one rank sends in all its messages; the most of any rank is volume_blocks"},
    {"block", "what one rank has for another one, or for all: m bytes, the key /block"},
    {"p", "the number of ranks"},
    {"m", "the bytes of a block"},
    {"s", "the neighbors of each rank of an isomorphic collective"},
    {"d", "the dimensions of a torus"},
    {"D", "rounds of the algorithm torus on one port: the distinct hops of each dimension and direction, added up"},
    {"V", "blocks that a rank sends in an all-to-all by the algorithm torus: the hops to all its neighbors"},
    {"W",
     "blocks that a rank sends in an allgather by the algorithm torus: each way to a neighbor that neighbors have "
     "in common is taken once"},
    {"alpha", "what any message costs before its bytes: /machine/latency"},
    {"beta", "what a byte costs: one over /machine/bandwidth"},
    {"m_cut",
     "the cut-off: below this size of a block the algorithm torus is faster than straightforward, by the "
     "formula; in claims and in `when`"},
    {"gap",
     "how far from optimal: gap.rounds and gap.volume are rounds and volume over their lower bounds, 1 is "
     "optimal; the gap of a time is the time over bound.time_s"},
    {"bound",
     "what no algorithm can be better than on such links (bound.links): bound.rounds, bound.time_s and others"},
    {"theory", "what the closed form of the algorithm says, before anything runs: theory.rounds, theory.time_s"},
    {"unit",
     "links: every message goes to an immediate neighbor on the torus; a bound of unit links holds for such "
     "schedules alone"},
    {"axis", "links: every message goes along one dimension of the torus, any number of hops"},
    {"any", "links: a message goes from any rank to any other; a bound of any links holds for every schedule"},
    {"links",
     "which pairs of ranks a schedule may use: unit (immediate neighbors on the torus), axis (along one "
     "dimension) or any; bounds hold for those that bound.links names"},
    {"critical_blocks",
     "the largest message of each round, summed over the rounds: what a collective takes whose "
     "ranks go through rounds together"},
    {"delivered",
     "the prover followed every block, and each lies where it is owed; null (in tables -): nothing was proved, "
     "because nothing is promised, nobody asked or there is too much of it"},
    {"makespan", "the time from the start of the first rank to the end of the last one"},
    {"port", "what carries one message of a rank at a time, in one direction"},
    {"host", "what ranks run on, at one place of a topology; ranks of a host share its NIC"},
    {"kind", "which collective, topology, neighborhood, graph or pattern an object is; rondo list prints them all"},
};

std::string explained_word(std::string const& name) {
  for (Word const& each : glossary) {
    if (name == each.word) return fmt::format("{}: {}\n", each.word, each.meaning);
  }
  return "";
}

/// Every meaning of a word: as people use it, as a field, as a key, as a kind and as an algorithm.
std::string explained_in_all(std::string const& word) {
  return explained_word(word) + explained_fields(word) + scenario::explain_key(word) + scenario::explain_kind(word) +
         scenario::explain_algorithm(word);
}

std::vector<std::string> known_words() {
  std::vector<std::string> names = scenario::all_keys();
  for (std::string const& each : scenario::all_kinds()) names.push_back(each);
  for (Field const& field : fields()) names.push_back(field.name);
  for (Word const& each : glossary) names.emplace_back(each.word);
  return names;
}

/// Whether it can only be the name of a file.
bool is_file_name(std::string const& what) {
  return what.ends_with(".json") || (what.find('/') != std::string::npos && what[0] != '/');
}

std::string explain(ExplainWords const& words) {
  if (::access(words.what.c_str(), F_OK) == 0) {
    Job const job = load_job(words.what, words.points.resolved(), Loading::listed);
    remark_on_distance(job);
    remark_on_input(job);
    return outlook(job);
  }
  std::string const text = explained_in_all(words.what);
  if (!text.empty()) return text;
  if (is_file_name(words.what)) throw InputError(words.what + ": no such file");
  throw InputError(
      fmt::format("rondo explain: expected a scenario file, a field of a record, a key, kind or algorithm of scenarios "
                  "or a word of "
                  "their pages, got \"{}\"{}",
                  excerpt(words.what), did_you_mean(words.what, known_words())));
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<ExplainWords>();
  CLI::App* command = app.add_subcommand("explain", "say what a scenario will do, or what a field, key or word means");
  command
      ->add_option(
          "WHAT", words->what,
          "a scenario file, a field of records such as bound.time_s, a key of scenarios such as hop_latency or "
          "/machine/latency, a collective, a topology, an algorithm, or a word such as one-ported")
      ->required();
  add_overrides(*command, words->points);
  command->callback([words, &exit_code] {
    words->points.permit(PointWords::Start::nothing);
    fmt::print("{}", explain(*words));
    exit_code = fine;
  });
}

}  // namespace rondo::cli

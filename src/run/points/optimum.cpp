// Searches the optimum of a scenario: makes the question of its promise, ports and links, limits its size, and turns
// answers into lines, a schedule and a proof.

#include "run/points/optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <system_error>

#include "base/error.hpp"
#include "optimum/search.hpp"
#include "platform/routing.hpp"
#include "run/families/promises.hpp"
#include "run/formats/promise_json.hpp"
#include "run/points/export.hpp"
#include "run/points/generated_moves.hpp"
#include "run/points/optimum_proof.hpp"

namespace rondo {
namespace {

using scenario::Json;
using scenario::Scenario;

/// The limit of links times blocks, with which a round of a formula grows.
constexpr std::int64_t most_block_moves = 300'000;
constexpr int most_ranks = 1024;

/// Into how many pieces the problem cuts its vectors.
std::vector<int> pieces_of(problem::Problem const& problem) {
  auto const* classical = std::get_if<problem::Classical>(&problem);
  if (classical == nullptr || !works_on_vector(classical->collective) || classical->segment <= Bytes(0)) return {};
  std::int64_t const bytes = classical->sizes.block.value, segment = classical->segment.value;
  std::int64_t const pieces = std::max<std::int64_t>((bytes + segment - 1) / segment, 1);
  if (pieces == 1) return {};
  return {static_cast<int>(std::min<std::int64_t>(pieces, 1 << 20))};
}

/// The problem without what an algorithm adds to it, such as pieces of its own.
template <typename Problem>
Problem without_algorithm(Problem problem) {
  if constexpr (std::is_same_v<Problem, problem::Classical>) {
    problem.algorithm = "linear";
    problem.segment = Bytes(0);
    problem.hierarchy = {};
    problem.rings = 1;
  }
  return problem;
}

/// The promise without the algorithm's own pieces. Throws InputError for programs, which promise no blocks.
problem::Promise whole_promise(Scenario const& scenario, std::string const& file) {
  auto const made = [&](auto const& problem) -> std::optional<problem::Promise> {
    if constexpr (std::is_same_v<decltype(problem), problem::Custom const&>) {
      return problem.promise;
    } else if constexpr (requires { problem::Promise{problem}; }) {
      return problem::Promise{without_algorithm(problem), pieces_of(scenario.problem), scenario.block};
    } else {
      return std::nullopt;
    }
  };
  if (auto promise = std::visit(made, scenario.problem)) return *promise;
  throw InputError(fmt::format("{}: /collective/kind: expected a collective with a promise of blocks, got \"{}\"", file,
                               enum_name(kind(scenario.problem))));
}

/// The promise with each block cut in pieces, as --pieces asks.
problem::Promise promise_of(Scenario const& scenario, std::string const& file, int pieces) {
  problem::Promise promise = whole_promise(scenario, file);
  if (pieces == 1) return promise;
  if (!promise.pieces.empty()) {
    throw InputError(
        fmt::format("{}: /collective: expected whole blocks beside --pieces, got a promise in pieces", file));
  }
  promise.pieces = {pieces};
  return promise;
}

/// How many messages the links between hosts carry in a round, by their ends; nothing stands for one message each.
std::map<std::pair<int, int>, int> widths_of(MachineTopology const& topology) {
  std::map<std::pair<int, int>, int> widths;
  if (auto const* graph = std::get_if<GraphMachine>(&topology)) {
    for (GraphMachine::Link const& each : graph->links) {
      widths[{each.from, each.to}] = each.width;
      if (!graph->directed) widths[{each.to, each.from}] = each.width;
    }
  }
  return widths;
}

/// The links of a graph without switches. Any other machine has links here only if messages may pass to neighbors
/// alone.
optimum::Links links_of(Platform const& machine, int ranks) {
  auto const* graph = std::get_if<GraphMachine>(&machine.topology);
  if (!machine.neighbors_only && (graph == nullptr || graph->switches > 0)) return std::nullopt;
  auto const widths = widths_of(machine.topology);
  std::vector<optimum::Link> links;
  Routes const routes(machine);
  for (int from = 0; from < ranks; ++from) {
    for (int to = 0; to < ranks; ++to) {
      if (to == from) continue;
      int const a = host_of(machine, Rank(from)), b = host_of(machine, Rank(to)), hops = routes.hops(a, b);
      auto const wide = widths.find({a, b});
      if (hops <= 1) links.push_back({from, to, hops == 0 ? machine.ports : wide == widths.end() ? 1 : wide->second});
    }
  }
  return links;
}

/// The formula has a variable for each pair of ranks, block and round; this limit keeps it in memory.
void expect_feasible(optimum::Question const& question, std::string const& file) {
  auto const p = static_cast<std::int64_t>(question.ranks);
  auto const pairs = question.links ? static_cast<std::int64_t>(question.links->size()) : p * (p - 1);
  auto const blocks = static_cast<std::int64_t>(question.blocks.size());
  if (pairs * blocks <= most_block_moves) return;
  throw InputError(fmt::format(
      "{}: /collective: expected a problem whose pairs of ranks that may talk, times its blocks, are at "
      "most {}, got {} pairs and {} blocks; fewer ranks, \"neighbors_only\" or a coarser /collective/segment "
      "make it smaller",
      file, most_block_moves, pairs, blocks));
}

/// Throws if a block cannot reach a rank that wants it over the permitted links.
void expect_ways(optimum::Question const& question, std::string const& file) {
  auto const far = optimum::hops(question);
  for (optimum::Block const& block : question.blocks) {
    for (int const to : block.wanted) {
      auto const near = [&](int from) {
        return far[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] < optimum::unreachable;
      };
      if (std::ranges::any_of(block.held, near)) continue;
      int from = block.held.front(), end = to;
      if (question.reversed) std::swap(from, end);
      throw InputError(
          fmt::format("{}: /machine: expected links on a way from rank {} to rank {}, got none", file, from, end));
    }
  }
}

optimum::Question question_of(Scenario const& scenario, ResolvedPromise const& promised, std::string const& file) {
  int const p = ranks(promised.collective);
  if (p > most_ranks) {
    throw InputError(
        fmt::format("{}: /collective: expected at most {} ranks for a search, got {}", file, most_ranks, p));
  }
  optimum::Question question = at_place(file + ": /collective", [&] {
    return optimum::question_of(promised.collective, scenario.machine.ports, links_of(scenario.machine, p));
  });
  expect_feasible(question, file);
  expect_ways(question, file);
  return question;
}

/// The bytes of a piece of a block. If the division has a remainder, the first pieces have one byte more.
Bytes size_of(problem::Promise const& promise, Content const& content) {
  if (promise.pieces.empty()) return bytes(promise, content);
  auto const i = promise.pieces.size() == 1 ? std::size_t{0} : static_cast<std::size_t>(content.origin.value);
  auto const pieces = static_cast<std::uint32_t>(promise.pieces[i]);
  std::int64_t const whole = bytes(promise, {content.origin, BlockId(content.block.value / pieces)}).value;
  bool const more = content.block.value % pieces < whole % pieces;
  return Bytes(whole / pieces + (more ? 1 : 0));
}

/// The schedule of an answer in Rondo's format, with its promise.
std::string schedule_text(Scenario const& scenario, ResolvedPromise const& promised, optimum::Question const& question,
                          optimum::Answer const& answer, int pieces) {
  auto const size = [&](Content const& content) { return size_of(promised.promise, content); };
  Schedule schedule = optimum::schedule_of(question, answer.moves, promised.collective, scenario.block, size);
  ScheduleFile file = export_schedule({promised.collective, std::move(schedule), {}}, scenario);
  file.algorithm = "optimum";
  if (pieces > 1 && file.promise["kind"] != "stated") file.promise["pieces"] = pieces;
  if (std::holds_alternative<problem::Custom>(scenario.problem)) file.promise = written_out(promised.collective);
  std::string text;
  write_schedule(file, [&](std::string_view piece) { text += piece; });
  return text;
}

/// An answer as a line: bounds, status, and the argument for the lower bound.
OptimumLine line_of(optimum::Answer const& answer, std::optional<int> asked) {
  OptimumLine line{.rounds = answer.rounds, .message_blocks = answer.message_blocks};
  bool const schedule = answer.at_most && (!asked || optimum::rounds_of(answer.moves) <= *asked);
  if (schedule) line.critical_blocks = optimum::critical_of(answer.moves);
  line.at_least = answer.at_least;
  line.at_most = answer.at_most;
  bool const refused = answer.stopped == "memory" || answer.stopped == "size";
  line.status = answer.at_most == answer.at_least ? "optimal" : refused ? "open" : "bounded";
  line.of = answer.goal == optimum::Goal::rounds ? "rounds" : "critical_blocks";
  line.by = answer.refuted ? "search" : answer.counted.by;
  line.stopped = answer.stopped;
  return line;
}

std::FILE* temporary_file() {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) throw std::system_error(errno, std::generic_category(), "a temporary file for a proof");
  return file;
}

/// Closes a C stream that a unique_ptr owns.
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// The content of a temporary file, from its begin.
std::string text_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 65536> buffer;
  for (std::size_t n = 1; n > 0;) {
    n = std::fread(buffer.data(), 1, buffer.size(), file);
    text.append(buffer.data(), n);
  }
  return text;
}

}  // namespace

/// Searches, reports each answer, and collects the files of the first one. The solver writes its derivation (DRAT) to a
/// temporary file, because it may be larger than memory.
OptimumFiles optimum_of(Scenario const& scenario, std::string const& file, OptimumOptions const& options,
                        std::function<void(OptimumLine const&)> const& take) {
  ResolvedPromise const promised =
      rondo::resolve_promise(promise_of(scenario, file, options.pieces), file + ": /collective");
  optimum::Question const question = question_of(scenario, promised, file);
  File begun, kept;
  optimum::SearchOptions search{.rounds = options.rounds,
                                .message_blocks = options.message_blocks,
                                .known = generated_moves(scenario, file, question, options),
                                .stop = options.stop};
  if (options.proved) {
    search.begin_proof = [&] {
      begun.reset(temporary_file());
      return begun.get();
    };
    search.keep_proof = [&] { kept = std::move(begun); };
  }
  std::optional<optimum::Answer> first;
  optimum::search(question, search, [&](optimum::Answer const& answer) {
    if (!first) first = answer;
    take(line_of(answer, options.rounds));
  });
  OptimumFiles files{schedule_text(scenario, promised, question, *first, options.pieces)};
  if (!options.proved) return files;
  files.proof = proof_json(scenario, question, promised.collective, *first);
  if (options.pieces > 1) files.proof["pieces"] = options.pieces;
  // The kept proof may refute a smaller number of rounds, if the first answer is about blocks and was found by
  // counting.
  if (kept == nullptr || !first->refuted) return files;
  files.cnf = cnf_text(question, *first->refuted);
  files.drat = text_of(kept.get());
  return files;
}

std::vector<std::string> optimum_columns() {
  return {"rounds", "message_blocks", "critical_blocks", "status", "at_least", "at_most", "of", "by", "stopped"};
}

std::vector<std::string> optimum_cells(OptimumLine const& line) {
  auto const number = [](std::optional<int> const& of, char const* none) {
    return of ? std::to_string(*of) : std::string(none);
  };
  return {number(line.rounds, ""),
          number(line.message_blocks, "any"),
          number(line.critical_blocks, ""),
          line.status,
          std::to_string(line.at_least),
          number(line.at_most, ""),
          line.of,
          line.by,
          line.stopped};
}

std::string optimum_json(OptimumLine const& line) {
  auto const number = [](std::optional<int> const& of) { return of ? Json(*of) : Json(); };
  Json json = {{"rounds", number(line.rounds)},
               {"message_blocks", number(line.message_blocks)},
               {"critical_blocks", number(line.critical_blocks)},
               {"status", line.status},
               {"at_least", line.at_least},
               {"at_most", number(line.at_most)},
               {"of", line.of},
               {"by", line.by},
               {"stopped", line.stopped.empty() ? Json() : Json(line.stopped)}};
  return json.dump();
}

}  // namespace rondo

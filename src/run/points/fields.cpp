#include "run/points/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "run/points/field_row.hpp"

namespace rondo {
namespace {

using field_row::row;
using field_row::row_of;
using field_row::Words;
using Rows = std::vector<Field>;

char const* const no_schedule = "where an MPI program runs, and for task files (GOAL, MSCCL XML, Chakra)";
char const* const no_links =
    "as `rounds`, and where the machine has no such links, only SimGrid knows them, or `ugal` chooses routes as "
    "messages start";
char const* const no_routes = "where the machine has no links between routers, or only SimGrid knows them";
char const* const not_simulated = "where nothing was simulated";
char const* const no_theory = "where theory says nothing of it";
char const* const no_arrival = "where `arrival` lets no rank come late; JSON leaves it out then";
char const* const no_bound = "where no bound is known";
char const* const no_exchange = "where no sparse exchange runs";
char const* const no_reduction = "where no program of sparse exchanges runs";
char const* const no_neighbors = "where no neighborhood collective runs";
char const* const no_combining = "where the algorithm is not `common_neighbors`";

Rows of_the_point() {
  return {
      row({"scenario", "", "", "the scenario file, as it was named"}, &Record::scenario),
      row({"point", "", "", "the number of the point in its sweep, from 1"}, &Record::point),
      row({"points", "", "points", "how many points its sweep has"}, &Record::points),
      row({"collective", "", "", "the kind of the collective", "for task files (GOAL, MSCCL XML, Chakra)"},
          &Record::collective),
      row({"algorithm", "", "", "the algorithm", "for task files (GOAL, MSCCL XML, Chakra)"}, &Record::algorithm),
      row({"engine", "", "", "what times the point: `smpi` or `native`"}, &Record::engine),
      row({"timing", "", "", "the machine's model of time"}, &Record::timing),
      row({"posting", "", "", "in which order a rank posts the messages of a round", no_schedule}, &Record::posting),
      row({"routing", "", "", "which way messages take where there are several", no_routes}, &Record::routing),
      row({"failed_links", "failed_links", "links", "links between routers that carry nothing", no_routes},
          &Record::failed_links),
      row({"p", "", "ranks", "all ranks"}, &Record::p),
      row({"block_bytes", "", "bytes", "the size m of a block", "where the scenario states none"},
          &Record::block_bytes)};
}

Rows of_counts() {
  return {
      row({"rounds", "rounds", "rounds", "the last round in which a rank sends or receives", no_schedule},
          &Record::rounds),
      row({"volume_blocks", "volume", "blocks", "most blocks that a rank sends", no_schedule}, &Record::volume_blocks),
      row({"volume_bytes", "bytes", "bytes", "most bytes that a rank sends", "where the MPI library's collectives run"},
          &Record::volume_bytes),
      row({"messages", "messages", "messages", "messages of all ranks", "where a program did not end"},
          &Record::messages),
      row({"time_s", "time", "s",
           "simulated time: the last finish minus the first start, over all ranks, or from 0 on where `arrival` says "
           "when they come; of a benchmark the longest time that a rank takes behind the barrier",
           not_simulated},
          &Record::time_s),
      row({"critical_blocks", "critical", "blocks", "the largest message of each round, summed over the rounds",
           no_schedule},
          &Record::critical_blocks),
      row({"total_blocks", "total", "blocks", "blocks sent by all ranks",
           "as `rounds`, but known of the MPI library's collectives if m is not 0"},
          &Record::total_blocks),
      row({"received_blocks", "received", "blocks", "most blocks that a rank receives", no_schedule},
          &Record::received_blocks),
      row({"redundant_blocks", "redundant", "blocks", "blocks received by a rank that held them before, of all ranks",
           "where the schedule is not proved"},
          &Record::redundant_blocks),
      row({"max_link_bytes", "max_link_bytes", "bytes",
           "most bytes over a directed link between routers, with envelopes", no_links},
          &Record::max_link_bytes),
      row({"mean_link_bytes", "mean_link_bytes", "bytes", "the mean of that over all such links", no_links},
          &Record::mean_link_bytes),
      row({"global_link_bytes", "global_link_bytes", "bytes", "bytes over all links between the groups of a dragonfly",
           "where the machine is no dragonfly, no schedule runs, or `ugal` chooses routes as messages start"},
          &Record::global_link_bytes),
      row({"load_time_s", "load_time", "s",
           "what the busiest shared link, NIC or memory takes for the bytes that are sent over it: a lower bound of "
           "`time_s` for these messages over these routes",
           "where nothing is shared, of a platform file, where no schedule runs or its messages are too many to be "
           "followed, and of a benchmark; under `ugal`, which chooses routes as messages start, it is that of NICs and "
           "memories alone"},
          &Record::load_time_s)};
}

/// What a closed form or a bound says; only some of it has a name in claims.
Rows of_figures(Figures Record::*group, std::string const& name, std::string const& says, std::string const& absent,
                std::vector<std::string> const& in_claims) {
  auto const words = [&](std::string const& field, std::string const& variable, std::string const& unit,
                         std::string const& of_what) {
    std::string const full = name + "_" + variable;
    bool const known = std::find(in_claims.begin(), in_claims.end(), variable) != in_claims.end();
    return Words{name + "." + field, known ? full : "", unit, says + of_what, absent};
  };
  return {row(words("rounds", "rounds", "rounds", "`rounds`"), group, &Figures::rounds),
          row(words("volume_blocks", "volume", "blocks", "`volume_blocks`"), group, &Figures::volume_blocks),
          row(words("volume_bytes", "bytes", "bytes", "`volume_bytes`"), group, &Figures::volume_bytes),
          row(words("critical_blocks", "critical", "blocks", "`critical_blocks`"), group, &Figures::critical_blocks),
          row(words("total_blocks", "total", "blocks", "`total_blocks`"), group, &Figures::total_blocks),
          row(words("received_blocks", "received", "blocks", "`received_blocks`"), group, &Figures::received_blocks),
          row(words("messages", "messages", "messages", "`messages`"), group, &Figures::messages),
          row(words("time_s", "time", "s", "`time_s`"), group, &Figures::time_s)};
}

Rows of_theory() {
  return of_figures(&Record::theory, "theory", "what the closed form says of ", no_theory,
                    {"messages", "rounds", "time", "volume"});
}

Rows of_sparse_theory() {
  auto const words = [](std::string const& field, std::string const& unit) {
    return Words{"theory." + field, "", unit, "what the closed form says of `" + field + "`", no_theory};
  };
  auto const group = &Record::sparse_theory;
  return {row(words("data_messages", "messages"), group, &SparseFigures::data_messages),
          row(words("ack_messages", "messages"), group, &SparseFigures::ack_messages),
          row(words("barrier_messages", "messages"), group, &SparseFigures::barrier_messages),
          row(words("memory_bytes", "bytes"), group, &SparseFigures::memory_bytes),
          row({"theory.accounted", "", "",
               "what does not follow from the problem alone, so that theory is silent of it and it is only accounted "
               "from what was generated or run: some of `rounds volume time messages`",
               "where theory derives all it says"},
              &Record::theory_accounted)};
}

Rows of_bounds() {
  Rows rows = of_figures(&Record::bound, "bound", "a lower bound of ", no_bound,
                         {"rounds", "volume", "critical", "total", "messages", "time"});
  rows.push_back(row({"bound.volume_in_rounds", "", "blocks",
                      "a lower bound of `volume_blocks` for schedules with as few `rounds` as this one",
                      "where no trade-off of the two is proven"},
                     &Record::bound_volume_in_rounds));
  rows.push_back(row({"bound.links", "", "", "the links that the bounds hold for: `unit` or `any`", no_bound},
                     &Record::bound_links));
  rows.push_back(
      row({"bound.message_blocks", "", "blocks",
           "the bounds hold for schedules with at most so many blocks in a message", "where they hold for any number"},
          &Record::bound_message_blocks));
  return rows;
}

Rows of_verdict() {
  return {
      row_of({"gap.rounds", "", "", "`rounds` / `bound.rounds`, 1 where both are 0", no_bound}, &Record::gap_rounds),
      row_of({"gap.volume", "", "", "`volume_blocks` / `bound.volume_blocks`, 1 where both are 0", no_bound},
             &Record::gap_volume),
      row({"optimal", "", "",
           "what reaches its bound: some of `rounds`, `volume`, `critical`, `total`, `messages` "
           "and `volume_in_rounds`",
           "where nothing does, and where the schedule is not proved or not valid"},
          &Record::optimal),
      row({"delivered", "delivered", "",
           "whether every block is where the collective owes it, and no promise was broken on the way",
           "where neither a proof nor a check of what arrived says so"},
          &Record::delivered),
      row({"violations", "violations", "", "what breaks the schedule's promises, or arrives wrong; how many",
           "where nothing was proved or checked"},
          &Record::violations),
      row({"violation_list", "", "", "the first 1,000 of the violations, a line each; not in CSV"},
          &Record::violation_list),
      row({"proof", "", "",
           "whether the schedule was proved before it was simulated: `proved`; `too_large` to be, by default; `off`, "
           "as "
           "`--verify off` says",
           "where an MPI program runs, and where nothing was generated"},
          &Record::proof)};
}

Rows of_sparse_exchange() {
  auto const group = &Record::sparse;
  return {row({"data_messages", "data_messages", "messages", "messages that carry data, of all ranks", no_exchange},
              group, &SparseFigures::data_messages),
          row({"ack_messages", "ack_messages", "messages", "acknowledgements of synchronous sends", no_exchange}, group,
              &SparseFigures::ack_messages),
          row({"barrier_messages", "barrier_messages", "messages",
               "messages of barriers, or of the reduce-scatter in their place", no_exchange},
              group, &SparseFigures::barrier_messages),
          row({"memory_bytes", "memory", "bytes", "most that a rank holds for messages and counts", no_exchange}, group,
              &SparseFigures::memory_bytes)};
}

Rows of_exchange_programs() {
  using Of = ExchangeProgramFigures;
  auto const group = &Record::exchange_program;
  char const* const no_luby = "where neither `independent_set` nor `coloring` runs";
  char const* const no_bisection = "where no `bisection` runs";
  return {
      row({"exchanges", "exchanges", "", "sparse exchanges of the rank that takes part in most", no_exchange}, group,
          &Of::exchanges),
      row({"reductions", "reductions", "", "reductions and scans of the rank that takes part in most", no_reduction},
          group, &Of::reductions),
      row({"reduction_messages", "reduction_messages", "messages", "messages of these, of all ranks", no_reduction},
          group, &Of::reduction_messages),
      row({"luby_rounds", "luby_rounds", "rounds", "rounds of Luby's algorithm", no_luby}, group, &Of::luby_rounds),
      row({"members", "members", "ranks", "ranks in the independent set", "where no `independent_set` runs"}, group,
          &Of::members),
      row({"colors", "colors", "", "colors of the coloring", "where no `coloring` runs"}, group, &Of::colors),
      row({"levels", "levels", "", "levels of the bisection", no_bisection}, group, &Of::levels),
      row({"smallest_part", "smallest_part", "points", "points of the smallest part", no_bisection}, group,
          &Of::smallest_part),
      row({"largest_part", "largest_part", "points", "points of the largest part", no_bisection}, group,
          &Of::largest_part)};
}

Rows of_combining() {
  using Of = CombiningFigures;
  auto const group = &Record::combining;
  return {
      row({"friends", "friends", "", "pairs of friends before the first iteration", no_combining}, group, &Of::friends),
      row({"iterations", "iterations", "", "iterations of Algorithm 1", no_combining}, group, &Of::iterations),
      row({"pairing_rounds", "pairing_rounds", "", "most iterations of Algorithm 2 in one of Algorithm 1",
           no_combining},
          group, &Of::pairing_rounds),
      row({"pairing_messages", "pairing_messages", "messages", "messages of Algorithm 2, if it runs distributed",
           no_combining},
          group, &Of::pairing_messages),
      row({"max_sends", "max_sends", "messages", "most messages that a rank sends", no_neighbors}, group,
          &Of::max_sends),
      row({"savable_messages", "savable_messages", "messages", "exchanges between friends that deliver by themselves",
           no_combining},
          group, &Of::savable_messages),
      row({"setup_wall_s", "", "s", "real time that making the pattern, or an isomorphic schedule, took",
           "for other schedules and for programs"},
          group, &Of::setup_wall_s),
      row({"setup_time_s", "setup_time", "s", "simulated time of finding the pattern by messages",
           "where that was not asked for or not simulated"},
          group, &Of::setup_time_s),
      row({"setup_messages", "setup_messages", "messages", "messages of finding the pattern", no_combining}, group,
          &Of::setup_messages),
      row({"setup_note", "", "", "why finding the pattern was not simulated, though it was asked for",
           "where it was, or was not asked for"},
          group, &Of::setup_note),
      row({"build_time_s", "build_time", "s",
           "simulated time of building the schedule; a part of `time_s` if it is not persistent", no_neighbors},
          group, &Of::build_time_s),
      row({"first_call_time_s", "first_call_time", "s", "simulated time of the first call, which builds the schedule",
           no_neighbors},
          group, &Of::first_call_time_s),
      row({"cumulative", "cumulative", "", "whether neighbors are combined again; false where that fell back to once",
           no_combining},
          group, &Of::cumulative)};
}

Rows of_the_run() {
  return {
      row({"payload", "", "", "`verified`: the engine checked every byte that arrived; `timing`: it carried none",
           "where nothing was simulated, and for user programs"},
          &Record::payload),
      row({"seed", "", "", "the scenario's seed", "for task files (GOAL, MSCCL XML, Chakra)"}, &Record::seed),
      row({"version", "", "", "the version of Rondo"}, &Record::version),
      row({"wall_s", "", "s", "real time that the point took"}, &Record::wall_s),
      row({"error", "", "", "what went wrong, on one line", "where nothing did"}, &Record::error),
      row({"expanded", "", "", "the scenario of this point, which reproduces it; in CSV one cell of JSON"},
          &Record::expanded),
      row({"swept", "", "",
           "the values of the sweep at this point, by their JSON pointers; in CSV a column for each, named by its "
           "pointer"},
          &Record::swept),
      row({"needs_buffered_sends", "needs_buffered_sends", "",
           "whether the schedule comes to its end only if sends are buffered: with sends that wait for their "
           "receives, ranks would wait for ever",
           "where nothing was proved, or it was not proved to end"},
          &Record::needs_buffered_sends),
      row({"labels", "", "",
           "the labels of swept values, by their JSON pointers; in CSV they stand in the columns of these pointers",
           "where the sweep gives none; JSON leaves it out then"},
          &Record::labels),
      row({"profile", "", "",
           "the collective calls of a user program: `collectives`, the longest time first, each with its `call`, "
           "`communicator` (`world`, or its ranks there), `ranks`, `calls` and `bytes` (of the rank that has most), "
           "`time_s` (in the calls, the mean over the ranks), `longest_s` (of the rank that is longest in them), "
           "`share` (`time_s` of the point's); not in CSV",
           "where `--profile` does not ask for it; JSON leaves it out then"},
          &Record::profile),
      row({"after_last_arrival_s", "after_last_arrival", "s", "`time_s` without what passes until the last rank comes",
           no_arrival},
          &Record::after_last_arrival_s),
      row({"mean_rank_time_s", "mean_rank_time", "s",
           "the time of a rank, from when it comes to its finish, in the mean over all ranks", no_arrival},
          &Record::mean_rank_time_s),
      row({"rank_times_s", "", "s", "that time of each rank, a list; not in CSV",
           "where `arrival` lets no rank come late, and of more than 65,536 ranks; JSON leaves it out then"},
          &Record::rank_times_s),
      row({"bound.by", "", "",
           "what `bound.time_s` rests on: `rounds` (start-ups one after the other), `volume` (bytes that some rank or "
           "host "
           "sends), `port` (bytes of one rank or host), `cut` (bytes of a set of ranks) or `lengths` (bytes times "
           "distance)",
           no_bound},
          &Record::bound, &Figures::time_by),
      row({"bound.cut", "", "",
           "what has to pass where, in words; it takes more of what carries it there, links or NICs or ports, to be "
           "faster than `bound.time_s`",
           "where `bound.by` is `rounds`, or theory's alone"},
          &Record::bound_cut)};
}

Rows all_rows() {
  Rows all;
  for (Rows const& rows : {of_the_point(), of_counts(), of_theory(), of_sparse_theory(), of_bounds(), of_verdict(),
                           of_sparse_exchange(), of_exchange_programs(), of_combining(), of_the_run()}) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  for (Field& field : all) {
    bool const of_arrival = field.name == "after_last_arrival_s" || field.name == "mean_rank_time_s";
    bool const is_list = field.name == "violation_list" || field.name == "rank_times_s";
    field.is_rare = field.name == "labels" || field.name == "profile" || field.name == "rank_times_s" || of_arrival;
    field.is_column = !is_list && field.name != "swept" && (!field.is_rare || of_arrival);
    field.is_recent = field.name == "swept" || field.name == "needs_buffered_sends" || field.name == "bound.by" ||
                      field.name == "bound.cut" || field.is_rare;
  }
  return all;
}

}  // namespace

std::vector<Field> const& fields() {
  static std::vector<Field> const all = all_rows();
  return all;
}

std::string fields_page() {
  std::string page =
      "# The fields of a record\n\n"
      "`rondo run` writes a record for each point: a line of JSON, or a row of CSV. A dot in a name nests in JSON. "
      "What is\n"
      "absent is null in JSON and an empty cell in CSV; after an error that is also what was not reached. Claims read "
      "a\n"
      "field that is a number, or true or false, as `VALUE.NAME`, by its name or the shorter word in the second "
      "column;\n"
      "`VALUE.optimal.rounds` and so on say whether `optimal` names that.\n"
      "A gap above 1 does not say that fewer rounds or blocks are possible, only that the bound does not exclude "
      "them.\n"
      "`rondo list fields` prints this page.\n\n"
      "| field | in claims | type | unit | what it says | null |\n|---|---|---|---|---|---|\n";
  for (Field const& field : fields()) {
    page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", field.name,
                        field.variable.empty() ? "" : "`" + field.variable + "`", field.type, field.unit, field.meaning,
                        field.absent.empty() ? "never" : field.absent);
  }
  return page;
}

}  // namespace rondo

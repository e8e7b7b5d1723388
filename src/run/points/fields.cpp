// The list of all fields of a record, in the order of CSV columns. Each row gives the name in JSON, the name in claims,
// the unit, the meaning, and when the value is null; docs/records.md is printed from it.

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

char const* const no_schedule = "for MPI programs and task files (GOAL, MSCCL XML, Chakra)";
char const* const no_links =
    "as `rounds`, and if the machine has no such links, only SimGrid knows them, or `ugal` chooses routes when "
    "messages start";
char const* const no_routes = "if the machine has no links between routers, or only SimGrid knows them";
char const* const not_simulated = "if nothing was simulated";
char const* const no_theory = "if theory has no closed form of it";
char const* const no_arrival = "if no rank comes late (`arrival`); JSON then leaves it out";
char const* const no_spread = "without `noise` and with one replication; JSON then leaves it out";
char const* const no_bound = "if no bound is known";
char const* const no_exchange = "if the collective is not a sparse exchange";
char const* const no_reduction = "if no program of sparse exchanges runs";
char const* const no_neighbors = "if no neighborhood collective runs";
char const* const no_combining = "if the algorithm is not `common_neighbors`";

/// The fields that identify a point.
Rows of_the_point() {
  return {
      row({"scenario", "", "", "the scenario file, as it was named"}, &Record::scenario),
      row({"point", "", "", "the number of the point in its sweep, from 1"}, &Record::point),
      row({"points", "", "points", "the number of points of the sweep"}, &Record::points),
      row({"collective", "", "", "the kind of the collective", "for task files (GOAL, MSCCL XML, Chakra)"},
          &Record::collective),
      row({"algorithm", "", "", "the algorithm", "for task files (GOAL, MSCCL XML, Chakra)"}, &Record::algorithm),
      row({"engine", "", "", "the simulator: `smpi` or `native`"}, &Record::engine),
      row({"timing", "", "", "the machine's model of time"}, &Record::timing),
      row({"posting", "", "", "the order in which a rank posts the messages of a round", no_schedule},
          &Record::posting),
      row({"routing", "", "", "the rule that selects routes", no_routes}, &Record::routing),
      row({"failed_links", "failed_links", "links", "the number of links between routers that carry nothing",
           no_routes},
          &Record::failed_links),
      row({"p", "", "ranks", "the number of ranks"}, &Record::p),
      row({"block_bytes", "", "bytes", "the size m of a block", "if the scenario does not state it, and for workloads"},
          &Record::block_bytes)};
}

/// The counts of the schedule, and its time.
Rows of_counts() {
  return {row({"rounds", "rounds", "rounds", "the last round in which a rank sends or receives", no_schedule},
              &Record::rounds),
          row({"volume_blocks", "volume", "blocks", "the blocks that the busiest rank sends", no_schedule},
              &Record::volume_blocks),
          row({"volume_bytes", "bytes", "bytes", "the bytes that the busiest rank sends",
               "if the MPI library's collectives run"},
              &Record::volume_bytes),
          row({"messages", "messages", "messages", "the messages of all ranks", "if a program did not end"},
              &Record::messages),
          row({"time_s", "time", "s",
               "the simulated time: from the first start to the last finish of all ranks, or from 0 if `arrival` says "
               "when they come; for a benchmark the longest time of a rank after the barrier; of several replications "
               "the mean",
               not_simulated},
              &Record::time_s),
          row({"critical_blocks", "critical", "blocks",
               "the blocks of the largest message of each round, summed over the rounds", no_schedule},
              &Record::critical_blocks),
          row({"total_blocks", "total", "blocks", "the blocks that all ranks send",
               "as `rounds`, but known for the MPI library's collectives if m is not 0"},
              &Record::total_blocks),
          row({"received_blocks", "received", "blocks", "the most blocks that a rank receives", no_schedule},
              &Record::received_blocks),
          row({"redundant_blocks", "redundant", "blocks",
               "the blocks that ranks receive although they had them already", "if the schedule is not proved"},
              &Record::redundant_blocks),
          row({"max_link_bytes", "max_link_bytes", "bytes",
               "the bytes over the busiest directed link between routers, with envelopes", no_links},
              &Record::max_link_bytes),
          row({"mean_link_bytes", "mean_link_bytes", "bytes",
               "the mean of the bytes over all directed links between routers, with envelopes", no_links},
              &Record::mean_link_bytes),
          row({"global_link_bytes", "global_link_bytes", "bytes",
               "the bytes over all links between the groups of a dragonfly",
               "if the machine is not a dragonfly, no schedule runs, or `ugal` chooses routes when messages start"},
              &Record::global_link_bytes),
          row({"load_time_s", "load_time", "s",
               "the time that the busiest shared link, NIC or memory needs for its bytes: a lower bound of `time_s` "
               "for these "
               "messages and routes",
               "if nothing is shared, for a platform file, if no schedule runs or it has too many messages to follow, "
               "and for a benchmark. Under `ugal`, which chooses routes when messages start, it covers NICs and "
               "memories only."},
              &Record::load_time_s)};
}

/// The fields of a closed form or a bound. Only some of them have a name in claims.
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
  return of_figures(&Record::theory, "theory", "the closed form of ", no_theory,
                    {"messages", "rounds", "time", "volume"});
}

Rows of_sparse_theory() {
  auto const words = [](std::string const& field, std::string const& unit) {
    return Words{"theory." + field, "", unit, "the closed form of `" + field + "`", no_theory};
  };
  auto const group = &Record::sparse_theory;
  return {row(words("data_messages", "messages"), group, &SparseFigures::data_messages),
          row(words("ack_messages", "messages"), group, &SparseFigures::ack_messages),
          row(words("barrier_messages", "messages"), group, &SparseFigures::barrier_messages),
          row(words("memory_bytes", "bytes"), group, &SparseFigures::memory_bytes),
          row({"theory.accounted", "", "",
               "the figures without a closed form, which were counted in the schedule or the run instead: some of "
               "`rounds volume time messages`",
               "if theory derives all figures"},
              &Record::theory_accounted)};
}

/// Lower bounds for any schedule of the problem.
Rows of_bounds() {
  Rows rows = of_figures(&Record::bound, "bound", "a lower bound of ", no_bound,
                         {"rounds", "volume", "critical", "total", "messages", "time"});
  rows.push_back(row(
      {"bound.volume_in_rounds", "", "blocks",
       "a lower bound of `volume_blocks` for schedules with as few `rounds` as this one", "if no such bound is proven"},
      &Record::bound_volume_in_rounds));
  rows.push_back(row({"bound.links", "", "",
                      "the links for which the bounds are valid: `unit` (between neighbors) or `any`", no_bound},
                     &Record::bound_links));
  rows.push_back(row({"bound.message_blocks", "", "blocks",
                      "the bounds are valid for schedules with at most this number of blocks in a message",
                      "if they are valid for any number"},
                     &Record::bound_message_blocks));
  return rows;
}

/// The proof, and the figures that reach their bounds.
Rows of_verdict() {
  return {row_of({"gap.rounds", "", "", "`rounds` / `bound.rounds`, 1 if both are 0", no_bound}, &Record::gap_rounds),
          row_of({"gap.volume", "", "", "`volume_blocks` / `bound.volume_blocks`, 1 if both are 0", no_bound},
                 &Record::gap_volume),
          row({"optimal", "", "",
               "the figures that reach their bound: some of `rounds`, `volume`, `critical`, `total`, `messages` and "
               "`volume_in_rounds`",
               "if none does, and if the schedule is not proved or not valid"},
              &Record::optimal),
          row({"delivered", "delivered", "",
               "whether every block is in its place at the end, and the schedule kept all its promises",
               "if nothing was proved or checked"},
              &Record::delivered),
          row({"violations", "violations", "", "the number of broken promises and of wrong blocks",
               "if nothing was proved or checked"},
              &Record::violations),
          row({"violation_list", "", "", "the first 1,000 violations, with a line for each; not in CSV"},
              &Record::violation_list),
          row({"proof", "", "",
               "whether the schedule was proved before it was simulated: `proved`, `too_large` (larger than the "
               "default limit) or `off` (`--verify off`)",
               "if an MPI program runs, or nothing was generated"},
              &Record::proof)};
}

/// The counts of sparse exchanges, which programs make.
Rows of_sparse_exchange() {
  auto const group = &Record::sparse;
  return {
      row({"data_messages", "data_messages", "messages", "the messages of all ranks that carry data", no_exchange},
          group, &SparseFigures::data_messages),
      row({"ack_messages", "ack_messages", "messages", "the acknowledgements of synchronous sends", no_exchange}, group,
          &SparseFigures::ack_messages),
      row({"barrier_messages", "barrier_messages", "messages",
           "the messages of barriers, or of the reduce-scatter that replaces them", no_exchange},
          group, &SparseFigures::barrier_messages),
      row({"memory_bytes", "memory", "bytes", "the most memory that a rank uses for messages and counts", no_exchange},
          group, &SparseFigures::memory_bytes)};
}

Rows of_exchange_programs() {
  using Of = ExchangeProgramFigures;
  auto const group = &Record::exchange_program;
  char const* const no_luby = "if neither `independent_set` nor `coloring` runs";
  char const* const no_bisection = "if no `bisection` runs";
  return {
      row({"exchanges", "exchanges", "", "the sparse exchanges of the rank with the most of them", no_exchange}, group,
          &Of::exchanges),
      row({"reductions", "reductions", "", "the reductions and scans of the rank with the most of them", no_reduction},
          group, &Of::reductions),
      row({"reduction_messages", "reduction_messages", "messages", "the messages of all reductions and scans",
           no_reduction},
          group, &Of::reduction_messages),
      row({"luby_rounds", "luby_rounds", "rounds", "the rounds of Luby's algorithm", no_luby}, group, &Of::luby_rounds),
      row({"members", "members", "ranks", "the ranks in the independent set", "if no `independent_set` runs"}, group,
          &Of::members),
      row({"colors", "colors", "", "the number of colors", "if no `coloring` runs"}, group, &Of::colors),
      row({"levels", "levels", "", "the levels of the bisection", no_bisection}, group, &Of::levels),
      row({"smallest_part", "smallest_part", "points", "the points of the smallest part", no_bisection}, group,
          &Of::smallest_part),
      row({"largest_part", "largest_part", "points", "the points of the largest part", no_bisection}, group,
          &Of::largest_part)};
}

/// The setup of common neighbors [Mirsadeghi17], whose algorithms have these numbers in the paper.
Rows of_combining() {
  using Of = CombiningFigures;
  auto const group = &Record::combining;
  return {
      row({"friends", "friends", "", "the pairs of friends before the first iteration", no_combining}, group,
          &Of::friends),
      row({"iterations", "iterations", "", "the iterations of Algorithm 1", no_combining}, group, &Of::iterations),
      row({"pairing_rounds", "pairing_rounds", "",
           "the most iterations of Algorithm 2 within an iteration of Algorithm 1", no_combining},
          group, &Of::pairing_rounds),
      row({"pairing_messages", "pairing_messages", "messages", "the messages of Algorithm 2, if the ranks run it",
           no_combining},
          group, &Of::pairing_messages),
      row({"max_sends", "max_sends", "messages", "the most messages that a rank sends", no_neighbors}, group,
          &Of::max_sends),
      row({"savable_messages", "savable_messages", "messages",
           "the messages between friends that deliver a block themselves, because the friends are neighbors",
           no_combining},
          group, &Of::savable_messages),
      row({"setup_wall_s", "", "s", "the real time to make the pattern, or an isomorphic schedule",
           "for other schedules and for programs"},
          group, &Of::setup_wall_s),
      row({"setup_time_s", "setup_time", "s", "the simulated time to find the pattern by messages",
           "if this was not requested or not simulated"},
          group, &Of::setup_time_s),
      row({"setup_messages", "setup_messages", "messages", "the messages that find the pattern", no_combining}, group,
          &Of::setup_messages),
      row({"setup_note", "", "", "why the search for the pattern was not simulated although it was requested",
           "if it was simulated or not requested"},
          group, &Of::setup_note),
      row({"build_time_s", "build_time", "s",
           "the simulated time to build the schedule; a part of `time_s` if the collective is not persistent",
           no_neighbors},
          group, &Of::build_time_s),
      row({"first_call_time_s", "first_call_time", "s",
           "the simulated time of the first call, which builds the schedule", no_neighbors},
          group, &Of::first_call_time_s),
      row({"cumulative", "cumulative", "",
           "whether messages are combined again after they were combined; false if this fell back to combining once",
           no_combining},
          group, &Of::cumulative)};
}

/// Everything about the run itself: payload, seed, version, real time, error.
Rows of_the_run() {
  return {
      row({"payload", "", "",
           "`verified`: the engine checked every byte that arrived; `timing`: the messages had no bytes",
           "if nothing was simulated, and for user programs"},
          &Record::payload),
      row({"seed", "", "", "the scenario's seed", "for task files (GOAL, MSCCL XML, Chakra)"}, &Record::seed),
      row({"version", "", "", "the version of Rondo"}, &Record::version),
      row({"wall_s", "", "s", "the real time of the point"}, &Record::wall_s),
      row({"error", "", "", "the error of the point, in one line", "if there was no error"}, &Record::error),
      row({"expanded", "", "", "the scenario of this point alone, which reproduces it; in CSV one cell of JSON"},
          &Record::expanded),
      row({"swept", "", "",
           "the values of the sweep at this point, by their JSON pointers; in CSV each has a column, named by its "
           "pointer"},
          &Record::swept),
      row({"needs_buffered_sends", "needs_buffered_sends", "",
           "whether the schedule ends only if sends are buffered, and deadlocks if sends wait for their receives",
           "if nothing was proved, or the schedule was not proved to end"},
          &Record::needs_buffered_sends),
      row({"labels", "", "",
           "the labels of swept values, by their JSON pointers; in CSV they are in the columns of these pointers",
           "if the sweep has no labels; JSON then leaves it out"},
          &Record::labels),
      row({"profile", "", "",
           "the collective calls of a user program: a list `collectives`, the longest time first. Each entry has "
           "`call`, `communicator` (`world`, or its ranks there), `ranks`, `calls` and `bytes` (of the rank that "
           "has the most), `time_s` (the mean time of the ranks in the calls), `longest_s` (the longest time of a "
           "rank) and `share` (of the point's `time_s`). Not in CSV.",
           "without `--profile`; JSON then leaves it out"},
          &Record::profile),
      row({"after_last_arrival_s", "after_last_arrival", "s", "the part of `time_s` after the last rank has come",
           no_arrival},
          &Record::after_last_arrival_s),
      row({"mean_rank_time_s", "mean_rank_time", "s",
           "the mean over all ranks of the time from a rank's arrival to its finish", no_arrival},
          &Record::mean_rank_time_s),
      row({"rank_times_s", "", "s", "the time of each rank from its arrival to its finish; not in CSV",
           "if no rank comes late (`arrival`), and for more than 65,536 ranks; JSON then leaves it out"},
          &Record::rank_times_s),
      row({"bound.by", "", "",
           "the argument for `bound.time_s`: `rounds` (consecutive start-ups), `volume` (bytes that some rank or "
           "host sends), `port` (bytes of one rank or host), `cut` (bytes of a set of ranks), `lengths` (bytes "
           "times distance, or times the length of trees) or `optimum` (start-ups of as many rounds as a search has "
           "proved necessary)",
           no_bound},
          &Record::bound, &Figures::time_by),
      row({"bound.cut", "", "",
           "the bytes that must pass, and the links, NICs or ports that carry them, in words. A machine needs more "
           "of these to be faster than `bound.time_s`.",
           "if `bound.by` is `rounds` or `optimum`, or if only theory gives the bound"},
          &Record::bound_cut),
      row({"steps", "", "",
           "the steps of a workload by name. Each has `time_s` (the last end minus the first begin over all ranks, "
           "the sum over repetitions), `alone_s` (the same for the step alone on the machine, with all ranks there "
           "at 0 and without noise) and `slowdown` (`time_s` / `alone_s`); with several replications or noise also "
           "`time_mean_s` (then `time_s` too), `time_p50_s`, `time_p95_s` and `time_max_s`. Claims read them as "
           "`STEP.time`, `STEP.alone`, `STEP.slowdown`, `STEP.mean`, `STEP.p50`, `STEP.p95` and `STEP.max`. A "
           "step of a job is named JOB.STEP. In CSV one cell of JSON; `--columns` takes `steps.NAME.slowdown` and so "
           "on.",
           "if the collective is not a workload; JSON then leaves it out"},
          &Record::steps),
      row({"replications", "replications", "", "the number of simulations of the point, each with other draws",
           no_spread},
          &Record::replications),
      row({"time_mean_s", "mean", "s", "the mean of `time_s` over all replications; `time_s` is the same then",
           no_spread},
          &Record::time_mean_s),
      row({"time_p50_s", "p50", "s", "the median: at least 50 % of all replications take no longer (nearest rank)",
           no_spread},
          &Record::time_p50_s),
      row({"time_p95_s", "p95", "s", "at least 95 % of all replications take no longer (nearest rank)", no_spread},
          &Record::time_p95_s),
      row({"time_max_s", "max", "s", "the longest time of a replication", no_spread}, &Record::time_max_s),
      row({"jobs", "", "",
           "the jobs of a workload by name, with the same numbers as steps: `time_s` is the last end minus the first "
           "begin over the ranks of the job, `alone_s` the same for the job alone on its hosts. In CSV as `steps`.",
           "if the collective is not a workload of jobs; JSON then leaves it out"},
          &Record::jobs)};
}

/// All rows. Fields that newer versions added are marked, so that files of older versions can be read.
Rows all_rows() {
  Rows all;
  for (Rows const& rows : {of_the_point(), of_counts(), of_theory(), of_sparse_theory(), of_bounds(), of_verdict(),
                           of_sparse_exchange(), of_exchange_programs(), of_combining(), of_the_run()}) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  for (Field& field : all) {
    bool const of_arrival = field.absent == no_arrival;
    bool const of_replications = field.absent == no_spread;
    bool const is_list = field.name == "violation_list" || field.name == "rank_times_s";
    bool const of_steps = field.name == "steps" || field.name == "jobs";
    field.is_rare = field.name == "labels" || field.name == "profile" || field.name == "rank_times_s" || of_arrival ||
                    of_replications || of_steps;
    field.is_column =
        !is_list && field.name != "swept" && (!field.is_rare || of_arrival || of_replications || of_steps);
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
      "`rondo run` writes a record for each point: a line of JSON, or a row of CSV. `rondo list fields` prints this "
      "page.\n\n"
      "- In JSON a dot in a name stands for a nested object.\n"
      "- A missing value is null in JSON and an empty cell in CSV. The column *null* says when a value is missing. "
      "After "
      "an error, the values after it are missing too.\n"
      "- Claims read numbers and truth values as `VALUE.NAME`, by the name of the field or by the shorter name in the "
      "second column.\n"
      "  `VALUE.optimal.rounds` and so on say whether `optimal` names that figure.\n"
      "- A *closed form* is a formula of theory. It uses the problem alone and not the schedule.\n"
      "- If a gap is above 1, fewer rounds or blocks may or may not be possible.\n\n"
      "| field | in claims | type | unit | meaning | null |\n|---|---|---|---|---|---|\n";
  for (Field const& field : fields()) {
    page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", field.name,
                        field.variable.empty() ? "" : "`" + field.variable + "`", field.type, field.unit, field.meaning,
                        field.absent.empty() ? "never" : field.absent);
  }
  return page;
}

}  // namespace rondo

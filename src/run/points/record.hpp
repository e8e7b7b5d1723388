#pragma once

// The record of one point: its counts, times and predictions side by side. It is written as one line of JSON, or as
// one row of CSV with the same names, in which dots stand for nesting. An absent value is null (an empty CSV cell).

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "run/families/observation.hpp"
#include "theory/prediction.hpp"

namespace rondo {

/// All fields of a record. Their meanings and units are in fields.cpp, which docs/records.md prints.
struct Record {
  std::string scenario;    ///< the file, as it was named
  int point = 0;           ///< its number in the sweep, from 1
  int points = 0;          ///< how many the sweep has
  std::string collective;  ///< empty, and absent, for a file of tasks
  std::string algorithm;   ///< empty, and absent, if `collective` is
  std::string engine;
  std::string timing;
  std::optional<std::string> posting;
  std::optional<std::string> routing;
  std::optional<std::int64_t> failed_links;
  std::int64_t p = 0;
  std::optional<std::int64_t> block_bytes;

  std::optional<std::int64_t> rounds;
  std::optional<double> volume_blocks;
  std::optional<std::int64_t> volume_bytes;
  std::optional<std::int64_t> messages;
  std::optional<double> time_s;
  std::optional<double> critical_blocks;
  std::optional<double> total_blocks;
  std::optional<double> received_blocks;
  std::optional<double> redundant_blocks;
  std::optional<std::int64_t> max_link_bytes;
  std::optional<double> mean_link_bytes;
  std::optional<std::int64_t> global_link_bytes;
  std::optional<double> load_time_s;

  Figures theory;
  /// The figures for which theory has no value, because they follow from a search or from random numbers instead of the
  /// problem: some of "rounds volume time messages". They are computed from the schedule or the run.
  std::optional<std::string> theory_accounted;
  Figures bound;
  std::optional<std::string> bound_links;
  std::optional<double> bound_volume_in_rounds;      ///< of schedules with as few rounds as this one
  std::optional<std::int64_t> bound_message_blocks;  ///< most blocks in a message of the schedules it holds for; any

  /// The figures that reach their bounds, and so are optimal among everything for which the bound holds: some of
  /// "rounds volume critical total messages volume_in_rounds".
  std::optional<std::string> optimal;
  std::optional<bool> delivered;
  std::optional<std::int64_t> violations;
  std::vector<std::string> violation_list;
  std::optional<std::string> proof;  ///< whether the schedule was proved; "proved", "too_large", "off"

  SparseFigures sparse;  ///< counted in programs of sparse exchanges; in JSON its members stand in the record itself
  SparseFigures sparse_theory;              ///< the closed forms of these
  ExchangeProgramFigures exchange_program;  ///< in JSON its members stand in the record itself
  CombiningFigures combining;  ///< for neighborhood collectives; in JSON its members stand in the record itself

  std::optional<std::string> payload;  ///< whether the engine checked every byte ("verified") or only timed ("timing")
  std::optional<std::uint64_t> seed;
  std::string version;
  double wall_s = 0;
  std::optional<std::string> error;
  nlohmann::ordered_json expanded;                                  ///< the scenario of this point, which reproduces it
  nlohmann::ordered_json swept = nlohmann::ordered_json::object();  ///< by pointer, the values of the sweep here
  std::optional<nlohmann::ordered_json> labels;                     ///< by pointer: the labels of the swept values
  /// Whether the schedule ends only if sends are buffered, according to its proof.
  std::optional<bool> needs_buffered_sends;
  std::optional<std::string> bound_cut;  ///< the cut from which bound.time_s follows, as a phrase
  /// The collective calls of a user program, if they were asked for.
  std::optional<nlohmann::ordered_json> profile;
  // Where ranks come late:
  std::optional<double> after_last_arrival_s;
  std::optional<double> mean_rank_time_s;
  std::optional<std::vector<double>> rank_times_s;
  std::optional<nlohmann::ordered_json> steps;  ///< of a workload, by name
  // Where there are several replications, or noise:
  std::optional<std::int64_t> replications;
  std::optional<double> time_mean_s, time_p50_s, time_p95_s, time_max_s;
  std::optional<nlohmann::ordered_json> jobs;  ///< of a workload that has them, likewise

  /// value / bound; 1 if both are 0; absent if one of them is unknown.
  std::optional<double> gap_rounds() const;
  std::optional<double> gap_volume() const;
};

nlohmann::ordered_json to_json(Record const& record);
/// A record as a line of JSON, printable (base/printable.hpp) and without the end of the line.
std::string json_row(Record const& record);
/// The inverse of to_json. Throws InputError `time_s: expected a number or null, got "soon"` for anything else.
Record record_of(nlohmann::ordered_json const& json);
/// The inverse of csv_row; the columns of `swept` are among the cells. Throws InputError as record_of does.
Record record_of_cells(std::vector<std::string> const& cells, std::vector<std::string> const& swept = {});

/// The names of the columns in order, and a record's row of them (RFC 4180; without a final line end). The swept values
/// with these pointers follow, each in a column of its own, which is empty if the record's sweep has no such pointer.
/// With `names`, only these fields are written, in this order; Rondo cannot read such a file again.
std::string csv_header(std::vector<std::string> const& swept = {}, std::vector<std::string> const& names = {});
std::string csv_row(Record const& record, std::vector<std::string> const& swept = {},
                    std::vector<std::string> const& names = {});
/// The pointers in a header line after the names of fields; unset if it is not a header of this version.
std::optional<std::vector<std::string>> swept_columns(std::vector<std::string> const& header);

}  // namespace rondo

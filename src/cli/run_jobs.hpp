#pragma once

// Jobs that are run into records, for `run` and for `check --output`: the points of a shard, those that are not
// recorded yet, with their progress and what an interruption says.

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "run/output/records.hpp"
#include "run/points/job.hpp"
#include "run/points/shard.hpp"

namespace rondo::cli {

/// Where records are kept, and of which points.
struct KeepWords {
  std::string output;  ///< empty: standard output
  std::string shard;
  std::string points;  ///< "1,4-6"; empty: all
  bool force = false;
  bool resume = false;
};
/// --output, --force, --resume, --shard, --points
void add_keep_words(CLI::App& command, KeepWords& words);

/// The part of a sweep that is asked for, or that the task of a Slurm job array stands for. Throws InputError.
Part part_of(KeepWords const& words);
/// Throws InputError where --points names a point that the only job does not have, or there are several.
void expect_points(Part const& part, std::vector<Job> const& jobs);

/// As the name of an output ends: .csv, .jsonl, .md; a table for .txt and a name without a dot; nothing else.
std::optional<Format> format_by_ending(std::string const& output);

struct RunOptions {
  KeepWords keep;
  PointWords points;
  Format format = Format::table;
  TableLook look;
};

/// Runs the points, each into its record as soon as it is there; the exit code, failed_point if one failed. A file that
/// is resumed ends with all records in the order of the jobs. Throws InputError where the output cannot be written,
/// continued or is refused.
int run_jobs(RunOptions const& options, std::vector<Job> const& jobs);

}  // namespace rondo::cli

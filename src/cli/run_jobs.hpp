#pragma once

// Runs the points of jobs and writes their records, for `run` and for `check --output`. Points of other shards and
// points with a record are skipped. Progress goes to standard error. If the run is interrupted, it reports how to
// continue.

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

/// Where records are kept, and the part of the points that is run.
struct RecordArguments {
  std::string output;  ///< empty: standard output
  std::string shard;
  std::string points;  ///< "1,4-6"; empty: all
  bool force = false;
  bool resume = false;
};
/// --output, --force, --resume, --shard, --points
void add_record_options(CLI::App& command, RecordArguments& arguments);

/// The part of a sweep that the options ask for, or that belongs to this task of a Slurm job array. Throws InputError.
Part part_of(RecordArguments const& arguments);
/// Throws InputError if --points names a point that the job does not have, or if there are several jobs.
void expect_points(Part const& part, std::vector<Job> const& jobs);

/// The format by the ending of an output's name: .csv, .jsonl, .md; a table for .txt and for a name without a dot;
/// nothing for any other ending.
std::optional<OutputFormat> format_by_ending(std::string const& output);

/// All options of a run, as the user wrote them.
struct RunOptions {
  RecordArguments keep;
  PointArguments points;
  Part part;  ///< the points that are run
  OutputFormat format = OutputFormat::table;
  TableOptions look;
};

/// Runs the points and writes the record of each as soon as it exists. Returns the exit code, failed_point if a point
/// failed. A file that is resumed has all records in the order of the jobs at the end. Throws InputError if the output
/// cannot be written or continued, or is refused.
int run_jobs(RunOptions const& options, std::vector<Job> const& jobs);

}  // namespace rondo::cli

// Runs points and carries their records. A process that runs a point sends its record as a line of JSON (workers.hpp,
// workers.hpp). A point that runs in this process needs no such line.

#include "run/points/run_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "run/points/record.hpp"
#include "run/points/workers.hpp"

namespace rondo {
namespace {

/// How many points a worker gets at once. Points of the native engine are quick: a worker gets several of them, so that
/// it does not wait for its parent after each one.
std::size_t points_ahead(Job const& job, std::vector<std::size_t> const& points) {
  std::vector<std::string> const swept = job.sweep.pointers();
  bool const one_engine = std::find(swept.begin(), swept.end(), "/engine") == swept.end();
  bool const native = !points.empty() && job.sweep[points.front()].expanded.value("engine", "smpi") == "native";
  return one_engine && native ? 16 : 1;
}

/// Notes the size of the sweep, and the values and labels of the swept axes at this point.
void note_point(Record& record, Job const& job, scenario::Point const& point) {
  record.points = static_cast<int>(job.sweep.size());
  for (std::size_t i = 0; i < point.axes.size(); ++i) {
    record.swept[point.axes[i].first] = point.axes[i].second;
    if (point.label(i).empty()) continue;
    if (!record.labels) record.labels = scenario::Json::object();
    (*record.labels)[point.axes[i].first] = point.label(i);
  }
}

/// Runs the point with index i. If that throws an exception, the record says so; an InputError is thrown on.
Record record_at(Job const& job, std::size_t i, PointOptions const& options) {
  std::shared_ptr<ReadPoint const> const point = point_at(job, i);
  int const number = static_cast<int>(i + 1);
  Record record;
  try {
    record = run_point(point->scenario, job.file, number, options, point->plan.get());
  } catch (InputError const&) {
    throw;
  } catch (std::exception const& error) {
    // The other points of the job are run all the same.
    record = failed_record(point->scenario, job.file, number, fmt::format("a bug of rondo: {}", error.what()));
  }
  note_point(record, job, job.sweep[i]);
  return record;
}

/// The record, as a line of JSON, of a point whose process died or was killed.
std::string failed_row(Job const& job, std::size_t i, std::string const& why, double wall_s) {
  Record record = failed_record(point_at(job, i)->scenario, job.file, static_cast<int>(i + 1), why);
  note_point(record, job, job.sweep[i]);
  record.wall_s = wall_s;
  return json_row(record);
}

/// Runs the point with index i and returns its record as a line of JSON, the form in which it passes between processes
/// and into files. If there is a time limit, the point runs in a process of its own.
std::string row_at(Job const& job, std::size_t i, PointOptions const& options) {
  auto const start = std::chrono::steady_clock::now();
  auto const since = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  return text_with_timeout(
      options.timeout, [&] { return json_row(record_at(job, i, options)); },
      [&](std::string const& why) { return failed_row(job, i, why, since()); });
}

/// Runs points in workers. Calls `on_row` with the index of each point and its record as a line of JSON.
void run_in_workers(Job const& job, std::vector<std::size_t> const& points, PointOptions const& options,
                    WorkerOptions workers, std::function<void(std::size_t, std::string)> const& on_row) {
  workers.ahead = points_ahead(job, points);
  in_workers(
      points, workers, [&](std::size_t i) { return row_at(job, i, options); },
      [&](std::size_t i, std::string const& why) { return failed_row(job, i, "crash: " + why, 0); }, on_row);
}

}  // namespace

void run_job(Job const& job, std::vector<std::size_t> const& points, PointOptions const& options, int jobs,
             std::function<void(PointResult)> const& on_result) {
  auto const take = [&](std::size_t i, std::string row) {
    Record record = record_of(scenario::json_of(row));
    on_result({job.sweep[i], std::move(record), {}, true, std::move(row)});
  };
  if (jobs > 1) return run_in_workers(job, points, options, {.jobs = jobs}, take);
  for (std::size_t const i : points) {
    if (options.timeout > Seconds(0)) {
      take(i, row_at(job, i, options));
    } else {
      on_result({job.sweep[i], record_at(job, i, options), {}});
    }
  }
}

void run_rows(Job const& job, std::vector<std::size_t> const& points, PointOptions const& options,
              WorkerOptions workers, std::function<void(std::string)> const& on_row) {
  run_in_workers(job, points, options, std::move(workers),
                 [&](std::size_t, std::string row) { on_row(std::move(row)); });
}

}  // namespace rondo

// Runs points of a search as a sweep over algorithms and sizes, several at a time, and remembers their records.

#include "run/points/simulations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "run/points/resume.hpp"
#include "run/points/run_job.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

using scenario::Engine;
using scenario::Json;

Json on_engine(Json document, Engine engine) {
  document["engine"] = scenario::to_string(engine);
  if (engine == Engine::native) document.erase("payload");
  // The search for the pattern of a neighborhood collective is simulated in addition to a call, and is no part of
  // its time.
  if (document["collective"].value("kind", "").starts_with("neighbor_")) document["collective"]["setup"] = false;
  return document;
}

std::string refusal(Json const& document, std::string const& file, Engine engine) {
  scenario::Point point;
  point.expanded = on_engine(document, engine);
  try {
    scenario::parse(point, file);
  } catch (InputError const& refused) {
    return refused.what();
  }
  return "";
}

Simulations::Simulations(Json document, std::string file, std::vector<Candidate> const& candidates,
                         PointOptions options, int jobs, SearchWatch watch)
    : document_(std::move(document)), file_(std::move(file)), options_(options), jobs_(jobs), watch_(std::move(watch)) {
  for (Candidate const& each : candidates) candidates_[each.name] = each;
}

void Simulations::rename(std::string const& from, std::string const& to) {
  Candidate candidate = candidates_.at(from);
  candidates_.erase(from);
  candidate.name = to;
  add(candidate);
  std::map<Key, Record> records;
  for (auto& [key, record] : records_) records[{key.first == from ? to : key.first, key.second}] = std::move(record);
  records_ = std::move(records);
}

/// The collective is one of the axes if some candidate changes it.
Json Simulations::points_of(std::vector<Key> const& keys) const {
  bool const options = std::any_of(candidates_.begin(), candidates_.end(),
                                   [](auto const& each) { return !each.second.options.empty(); });
  Json points = Json::object();
  for (auto const& [name, block] : keys) {
    Candidate const& candidate = candidates_.at(name);
    if (options) {
      Json collective = document_["collective"];
      collective.update(candidate.options);
      points["/collective"].push_back(std::move(collective));
    }
    points["/algorithm"].push_back(candidate.algorithm);
    points["/block"].push_back(fmt::format("{}B", block));
  }
  return points;
}

void Simulations::run(std::vector<Key> const& wanted) {
  std::set<Key> missing;
  for (Key const& key : wanted) {
    if (!records_.contains(key)) missing.insert(key);
  }
  if (missing.empty()) return;
  std::vector<Key> const keys(missing.begin(), missing.end());
  Json document = document_;
  document["sweep"] = Json::array({points_of(keys)});
  Job const job{file_, scenario::Sweep(std::move(document), file_), {}};
  std::vector<std::size_t> const due = unknown(job, keys);
  int const jobs = std::min(jobs_, std::max(1, static_cast<int>(due.size())));
  std::size_t done = 0;
  if (watch_.progress) watch_.progress(done, due.size());
  run_job(job, due, options_, jobs, [&](PointResult result) {
    if (watch_.simulated) watch_.simulated(result);
    // run_job delivers the results in the order of `due`.
    records_[keys[due[done++]]] = std::move(result.record);
    if (watch_.progress) watch_.progress(done, due.size());
  });
}

std::vector<std::size_t> Simulations::unknown(Job const& job, std::vector<Key> const& keys) {
  std::vector<std::size_t> points = all_points(job);
  if (!watch_.known) return points;
  std::vector<PendingPoint> const due = due_points(job);
  std::erase_if(points, [&](std::size_t i) {
    auto const record = watch_.known(due[i].key, options_.proof);
    if (record) {
      std::string const fault = contradiction(facts_of(*record), due[i].facts);
      if (!fault.empty()) throw TuneFailure(fmt::format("the record of point {} of {}: {}", i + 1, job.file, fault));
      records_[keys[i]] = *record;
    }
    return record.has_value();
  });
  return points;
}

Record const& Simulations::at(std::string const& candidate, Bytes block) {
  Key const key{candidate, block.value};
  run({key});
  return records_.at(key);
}

std::optional<Seconds> Simulations::bound(Bytes block) const {
  std::optional<Seconds> least;
  for (auto const& [key, record] : records_) {
    if (key.second != block.value || record.error || !record.bound.time_s) continue;
    Seconds const own(*record.bound.time_s);
    if (!least || own < *least) least = own;
  }
  return least;
}

Seconds Simulations::time(std::string const& candidate, Bytes block) {
  Record const& record = at(candidate, block);
  auto const time = time_by(record, options_.by);
  if (record.error || !time) {
    throw TuneFailure(fmt::format("{}: {} with blocks of {} on engine {}: {}", file_, candidate, print(block),
                                  record.engine, record.error.value_or("no time")));
  }
  return Seconds(*time);
}

}  // namespace rondo

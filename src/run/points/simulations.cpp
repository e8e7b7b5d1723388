#include "run/points/simulations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

using scenario::Engine;
using scenario::Json;

Json on_engine(Json document, Engine engine) {
  document["engine"] = scenario::to_string(engine);
  if (engine == Engine::native) document.erase("payload");
  // Finding the pattern of a neighborhood collective is simulated beside a call, and is no part of its time.
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
                         PointOptions options, int jobs)
    : document_(std::move(document)), file_(std::move(file)), options_(options), jobs_(jobs) {
  for (Candidate const& each : candidates) candidates_[each.name] = each;
}

/// Points that advance together; the collective is one of their axes where a candidate says something of it.
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
  Json document = document_;
  document["sweep"] = Json::array({points_of({missing.begin(), missing.end()})});
  Job const job{file_, scenario::Sweep(std::move(document), file_), {}};
  auto key = missing.begin();
  int const jobs = std::min(jobs_, static_cast<int>(missing.size()));
  run_job(job, all_points(job), options_, jobs,
          [&](PointResult result) { records_[*key++] = std::move(result.record); });
}

Record const& Simulations::at(std::string const& candidate, Bytes block) {
  Key const key{candidate, block.value};
  run({key});
  return records_.at(key);
}

Seconds Simulations::time(std::string const& candidate, Bytes block) {
  Record const& record = at(candidate, block);
  if (record.error || !record.time_s) {
    throw TuneFailure(fmt::format("{}: {} with blocks of {} on engine {}: {}", file_, candidate, print(block),
                                  record.engine, record.error.value_or("no time")));
  }
  return Seconds(*record.time_s);
}

}  // namespace rondo

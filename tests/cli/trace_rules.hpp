#pragma once

// The rules of Chrome's trace event format [Trace Event Format, Google, 2016] that viewers rely on.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rondo::test {

/// What breaks a rule, a line each.
class TraceRules {
 public:
  explicit TraceRules(nlohmann::json const& trace) {
    for (auto const& event : trace.at("traceEvents")) read(event);
    for (auto& [track, slices] : slices_) check_nesting(track, slices);
    for (auto& [track, slices] : whole_) check_nesting(track, slices);
    for (auto const& [id, flow] : flows_) check_flow(id, flow);
    for (Track const& track : used_) {
      if (!processes_.contains(track.first)) fault("process without a name", track.first);
      if (!threads_.contains(track)) fault("thread without a name", track.second);
    }
  }

  std::vector<std::string> const& faults() const { return faults_; }
  std::size_t slices() const { return count_; }
  std::size_t flows() const { return flows_.size(); }
  std::int64_t end() const { return end_; }  ///< the end of the last slice, in picoseconds

 private:
  using Track = std::pair<int, int>;
  using Slice = std::pair<std::int64_t, std::int64_t>;
  struct Moment {
    Track track;
    std::int64_t time = 0;
  };
  struct Flow {
    std::vector<Moment> begins, ends;
  };

  void fault(std::string const& what, std::int64_t where) { faults_.push_back(what + " " + std::to_string(where)); }

  static std::int64_t picoseconds(nlohmann::json const& microseconds) {
    return std::llround(microseconds.get<double>() * 1e6);
  }

  /// As Perfetto's trace processor reads a slice: both numbers in nanoseconds, cut off.
  static Slice in_perfetto(nlohmann::json const& event) {
    auto const begin = static_cast<std::int64_t>(event.at("ts").get<double>() * 1000);
    return {begin, begin + static_cast<std::int64_t>(event.at("dur").get<double>() * 1000)};
  }

  void read(nlohmann::json const& event) {
    std::string const phase = event.at("ph");
    if (phase == "M") return read_name(event);
    Track const track(event.at("pid"), event.at("tid"));
    used_.insert(track);
    std::int64_t const time = picoseconds(event.at("ts"));
    if (time < 0) fault("time before 0 on process", track.first);
    event.at("name").get<std::string>();
    if (phase == "X") {
      std::int64_t const length = picoseconds(event.at("dur"));
      if (length < 0) fault("negative duration on process", track.first);
      slices_[track].emplace_back(time, time + length);
      whole_[track].push_back(in_perfetto(event));
      end_ = std::max(end_, time + length);
      ++count_;
    } else if (phase == "s" || phase == "f") {
      auto& flow = flows_[event.at("id")];
      (phase == "s" ? flow.begins : flow.ends).push_back({track, time});
      if (phase == "f" && event.value("bp", "") != "e") fault("flow that ends in no slice", event.at("id"));
    } else {
      fault("unknown phase on process", track.first);
    }
  }

  void read_name(nlohmann::json const& event) {
    if (event.at("name") == "process_name") processes_.insert(event.at("pid").get<int>());
    if (event.at("name") == "thread_name") threads_.emplace(event.at("pid"), event.at("tid"));
  }

  /// A slice begins where nothing is, or lies whole within what is there. Ours never lie within each other.
  void check_nesting(Track const& track, std::vector<Slice>& slices) {
    std::sort(slices.begin(), slices.end());
    for (std::size_t i = 1; i < slices.size(); ++i) {
      if (slices[i].first < slices[i - 1].second) fault("slices overlap on process", track.first);
    }
  }

  bool in_a_slice(Moment const& moment) const {
    auto const found = slices_.find(moment.track);
    if (found == slices_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(),
                       [&](Slice const& s) { return s.first <= moment.time && moment.time <= s.second; });
  }

  void check_flow(std::int64_t id, Flow const& flow) {
    if (flow.begins.size() != 1 || flow.ends.size() != 1) return fault("flow without two ends", id);
    if (flow.begins[0].time > flow.ends[0].time) fault("flow backwards in time", id);
    if (!in_a_slice(flow.begins[0]) || !in_a_slice(flow.ends[0])) fault("flow outside of slices", id);
  }

  std::vector<std::string> faults_;
  std::map<Track, std::vector<Slice>> slices_, whole_;
  std::map<std::int64_t, Flow> flows_;
  std::set<Track> used_, threads_;
  std::set<int> processes_;
  std::int64_t end_ = 0;
  std::size_t count_ = 0;
};

}  // namespace rondo::test

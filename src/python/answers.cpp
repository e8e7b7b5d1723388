// Makes the JSON answers of the Python module: verdicts, times, counts, predictions. Arrays of numbers are sent as
// bytes, which NumPy reads without parsing.

#include "python/answers.hpp"

#include "json/pointer.hpp"
#include "json/value.hpp"
#include "run/families/promises.hpp"
#include "run/points/proof.hpp"
#include "run/points/simulate.hpp"
#include "scenario/promise.hpp"

namespace rondo::python {
namespace {

using scenario::Json;

ResolvedPromise read_promised(std::string const& promise, Bytes block) {
  std::string const name = "schedule";
  Json const json = json::parse_json(promise, name);
  return resolve_promise(scenario::read_promise({json, name, "/promise"}, {.block = block}), name + ": /promise");
}

/// The layout of every rank from [{"slots": 4, "bytes": []}, ...], by buffer: "bytes" has the size of each slot; empty:
/// all have `block` bytes.
Layout layout_of(Json const& buffers, Bytes block) {
  Layout layout{block, {}};
  for (std::size_t b = 0; b < buffer_count; ++b) {
    layout.buffers[b].slots = buffers[b]["slots"].get<std::uint32_t>();
    for (Json const& size : buffers[b]["bytes"]) layout.buffers[b].sizes.emplace_back(size.get<std::int64_t>());
  }
  return layout;
}

Bytes block_of(std::string const& text) {
  try {
    return parse_bytes(text);
  } catch (InputError const& refused) {
    throw json::error_at("schedule", "/block", refused.what());
  }
}

/// A proof as JSON.
Json verdict_json(Verdict const& verdict) {
  Json json = {{"delivered", verdict.delivered},
               {"valid", verdict.valid()},
               {"violation_count", verdict.violation_count},
               {"redundant_blocks", verdict.redundant_blocks},
               {"violations", Json::array()}};
  if (verdict.valid()) json["needs_buffered_sends"] = false;  // verify has seen to both ways to send
  for (Violation const& each : verdict.violations) {
    json["violations"].push_back(
        {{"fault", to_string(each.fault)}, {"rank", each.rank.value}, {"round", each.round}, {"text", each.text}});
  }
  return json;
}

/// The reason why a schedule is not simulated; null if it may be.
Json refusal(SchedulePlan const& plan, scenario::Scenario const& scenario, PointOptions const& options) {
  if (!proves(options.proof, plan.schedule)) return nullptr;
  Verdict const verdict = verify(plan.schedule, plan.collective, machine_limits(scenario.machine, plan.schedule));
  return verdict.valid() ? Json() : verdict_json(verdict);
}
Json refusal(TaskPlan const& plan, scenario::Scenario const&, PointOptions const& options) {
  if (options.proof == Proof::off) return nullptr;
  TaskVerdict const verdict = judge(plan.tasks);
  if (verdict.violations == 0) return nullptr;
  Json json = {{"delivered", verdict.delivered.value_or(false)},
               {"valid", false},
               {"violation_count", verdict.violations},
               {"redundant_blocks", 0},
               {"violations", Json::array()}};
  for (TaskFinding const& each : verdict.first) {
    Json found = {{"fault", each.rule}, {"text", each.text}};
    if (each.rank) found["rank"] = each.rank->value;
    json["violations"].push_back(std::move(found));
  }
  return json;
}
Json refusal(WorkloadPlan const& plan, scenario::Scenario const& scenario, PointOptions const& options) {
  if (options.proof == Proof::off) return nullptr;
  std::string const violation = first_violation(plan, scenario, options.proof);
  if (violation.empty()) return nullptr;
  return {{"delivered", false},
          {"valid", false},
          {"violation_count", 1},
          {"redundant_blocks", 0},
          {"violations", Json::array({{{"fault", "step"}, {"text", violation}}})}};
}
Json refusal(ProgramPlan const& /*plan*/, scenario::Scenario const&, PointOptions const&) { return nullptr; }

void append(std::string& text, double number) { text.append(reinterpret_cast<char const*>(&number), sizeof number); }

/// The finish times of ranks, then seven numbers for each message: its ranks, its bytes and four times.
std::string numbers_of(Timing const& timing) {
  std::string text;
  for (Seconds const finish : timing.finish) append(text, finish.value);
  for (MessageTimes const& p : timing.message_times) {
    for (std::int32_t const rank : {p.source.value, p.target.value}) append(text, rank);
    append(text, static_cast<double>(p.bytes.value));
    for (Seconds const time : {p.send_start, p.send_end, p.receive_start, p.receive_end}) append(text, time.value);
  }
  return text;
}

}  // namespace

ScheduleFile build_schedule(Json const& header, ScheduleColumns const& columns) {
  Bytes const block = block_of(header["block"].get<std::string>());
  Layout const stated = layout_of(header["buffers"], block);
  std::optional<Collective> promise;
  if (!header["promise"].is_null()) promise = read_promised(header["promise"].dump(), block).collective;
  // The buffers of a rank must also hold the slots of its promise.
  auto const layout_of_rank = [&](Rank rank) {
    Layout layout = stated;
    if (!promise || rank.value >= ranks(*promise)) return layout;
    auto const grow_to = [&](Buffer buffer, std::size_t slots) {
      layout[buffer].slots = std::max(layout[buffer].slots, static_cast<std::uint32_t>(slots));
    };
    grow_to(Buffer::send, held(*promise, rank).size());
    // A stated receive buffer that is too small is an error, which verify() reports.
    if (layout[Buffer::receive].slots == 0) grow_to(Buffer::receive, owed(*promise, rank).size());
    return layout;
  };
  return {schedule_of(columns, layout_of_rank), block, "", "", header["promise"]};
}

std::string measures_text(Measures const& measures) {
  Measures const& m = measures;
  return Json{{"rounds", m.rounds},
              {"volume_blocks", m.volume_blocks},
              {"volume_bytes", m.volume_bytes.value},
              {"critical_blocks", m.critical_blocks},
              {"critical_bytes", m.critical_bytes.value},
              {"total_blocks", m.total_blocks},
              {"total_bytes", m.total_bytes.value},
              {"received_blocks", m.received_blocks},
              {"reduced_bytes", m.reduced_bytes.value},
              {"messages", m.messages},
              {"ports", m.ports}}
      .dump();
}

std::string verdict_text(ScheduleFile const& file, std::string const& promise) {
  ResolvedPromise const wanted = read_promised(promise, file.block);
  expect_fits(file.schedule, wanted, "schedule");
  return verdict_json(verify(file.schedule, wanted.collective)).dump();
}

std::string proved_text(Proved const& proved) {
  Json json = {{"valid", proved.proved()},
               {"failed", proved.failed},
               {"delivered", nullptr},
               {"violation_count", proved.violations},
               {"violations", Json::array()}};
  if (proved.delivered) json["delivered"] = *proved.delivered;
  if (proved.needs_buffered_sends) json["needs_buffered_sends"] = *proved.needs_buffered_sends;
  for (ProofFinding const& each : proved.findings) {
    json["violations"].push_back({{"fault", each.rule}, {"place", each.place}, {"text", each.text}});
  }
  return json.dump();
}

std::string prediction_text(Plan const& plan) {
  Prediction const prediction = std::visit([](auto const& each) { return each.prediction; }, plan);
  Record record;
  record.theory = prediction.theory;
  record.theory_accounted = prediction.accounted;
  record.bound = prediction.bound;
  record.bound_links = prediction.links;
  return to_json(record).dump();
}

std::string timing_text(Plan const& plan, scenario::Scenario const& scenario, PointOptions const& options, Log log) {
  Json const why = std::visit([&](auto const& each) { return refusal(each, scenario, options); }, plan);
  if (!why.is_null()) return Json{{"invalid", why}}.dump() + "\n";
  EngineOptions engine = engine_options(scenario, options);
  engine.log = log;
  auto const outcome = std::visit([&](auto const& each) { return simulate_plan(each, scenario, engine); }, plan);
  if (!outcome.result) {
    std::string const error = failure_text(outcome.failure, outcome.error);
    return Json{{"failure", to_string(outcome.failure)}, {"error", error}}.dump() + "\n";
  }
  Timing const& timing = *outcome.result;
  auto const* schedule = std::get_if<SchedulePlan>(&plan);
  Seconds const before_each_call = schedule != nullptr ? schedule->before_each_call : Seconds{};
  Json const head = {{"makespan_s", (before_each_call + timing.makespan).value},
                     {"ranks", ranks(scenario.problem)},
                     {"messages", timing.messages},
                     {"bytes", timing.bytes.value},
                     {"payload_verified", timing.payload_verified},
                     {"wall_s", timing.wall.value},
                     {"peak_memory_bytes", timing.peak_memory.value},
                     {"finishes", timing.finish.size()}};
  return head.dump() + "\n" + numbers_of(timing);
}

}  // namespace rondo::python

// Proves schedules in files. The proof runs in a child process with a timeout, and its result comes back as JSON, so
// that a malformed file can neither exhaust memory nor hang the command.

#include "run/points/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "foreign/goal_binary.hpp"
#include "json/value.hpp"
#include "run/families/promises.hpp"
#include "run/formats/task_file.hpp"
#include "run/points/atomic_file.hpp"
#include "run/points/proof.hpp"
#include "run/points/workers.hpp"
#include "schedule/certificate.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo {
namespace {

using scenario::Json;

bool is_json(std::string_view /*file*/, std::string_view head) {
  std::size_t const first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head.substr(first).starts_with("/"));
}

/// Blocks that all ranks send and copy.
std::int64_t moves_of_all(Schedule const& schedule) {
  std::int64_t all = 0;
  for (int r = 0; r < schedule.ranks; ++r) all += moves_of(schedule.program(Rank(r)));
  return all;
}

/// Writes the certificate: its head, and the lines that `lines` writes to the sink.
void certify(Json const& of, bool needs_buffered_sends, std::string const& file, std::string const& checksum,
             ProveOptions const& options, std::function<bool(TextSink const& sink)> const& lines) {
  Json head = {{"format", "rondo-certificate"}, {"format_version", 1}, {"schedule", checksum}};
  head.update(of);
  head["needs_buffered_sends"] = needs_buffered_sends;
  write_atomically(
      options.certificate,
      [&](TextSink const& sink) {
        sink(head.dump() + "\n");
        if (lines(sink)) return;
        throw InputError(file + ": --certificate: expected contents that can be written, got contributions that are " +
                         "joined too often in a place that is owed to nobody");
      },
      options.force);
}

void certify(Schedule const& schedule, Collective const& collective, std::string const& file,
             ProveOptions const& options) {
  certify({{"ranks", schedule.ranks}, {"rounds", schedule.rounds()}}, false, file, file_checksum(file), options,
          [&](TextSink const& sink) { return write_arrivals(schedule, collective, sink); });
}

void certify(TaskFile const& tasks, Proved const& proved, std::string const& file, ProveOptions const& options) {
  certify({{"ranks", proved.ranks}, {"tasks", proved.tasks}}, proved.needs_buffered_sends.value_or(false), file,
          tasks.checksum, options,
          [&](TextSink const& sink) { return !tasks.promise || write_arrivals(tasks.graph, *tasks.promise, sink); });
}

/// Proves a file in Rondo's format by `verify`, and writes a certificate if one is wanted.
Proved prove_schedule(std::string const& file, ProveOptions const& options) {
  ScheduleFile const read = read_schedule(file);
  ResolvedPromise const wanted =
      resolve_promise(promise_beside(file, read.promise, {.block = read.block}, options), file + ": /promise");
  expect_fits(read.schedule, wanted, file);
  Proved proved;
  proved.promise = name(wanted.promise);
  proved.ranks = read.schedule.ranks;
  proved.rounds = read.schedule.rounds();
  proved.moves = moves_of_all(read.schedule);
  add_verdict(proved, verify(read.schedule, wanted.collective));
  if (proved.proved()) proved.needs_buffered_sends = false;  // verify has seen to both ways to send
  if (proved.proved() && !options.certificate.empty()) certify(read.schedule, wanted.collective, file, options);
  return proved;
}

/// The first 4 KiB, which tell the format; the file may be large.
std::string head_of(std::string const& file) {
  constexpr std::size_t enough = 4096;
  std::string head;
  struct StopReading {};
  try {
    read_pieces(file, [&](std::string_view piece) {
      head += piece.substr(0, enough);
      if (head.size() >= enough) throw StopReading();
    });
  } catch (StopReading const&) {
  }
  return head;
}

/// XML, recognized by its first character.
bool is_msccl(std::string_view file, std::string_view head) {
  std::size_t const first = head.find_first_not_of(" \t\r\n");
  return task_format(std::string(file)) == TaskFormat::msccl || (first != std::string_view::npos && head[first] == '<');
}

bool is_goal(std::string_view file, std::string_view head) {
  return task_format(std::string(file)) == TaskFormat::goal || goal_binary::begins(head);
}

/// Recognized by its name alone, because a trace may begin with any length.
bool is_chakra(std::string_view file, std::string_view /*head*/) {
  return task_format(std::string(file)) == TaskFormat::chakra;
}

TaskFormat format_of_tasks(std::string const& file) {
  if (is_chakra(file, {})) return TaskFormat::chakra;
  return is_msccl(file, head_of(file)) ? TaskFormat::msccl : TaskFormat::goal;
}

/// Proves a graph of tasks, with its promise if it has one.
Proved prove_tasks(std::string const& file, ProveOptions const& options) {
  TaskFile tasks = load_tasks(file, format_of_tasks(file), Bytes(1), most_goal_ranks);
  if (tasks.has_collectives && !options.certificate.empty()) {
    throw InputError(fmt::format("{}: expected sends and receives alone for a certificate, got a collective", file));
  }
  Proved proved;
  proved.promise = tasks.promise_name;
  // The promise of an option, of the file itself, or of the file beside it, in this order; unset if there is none.
  if (auto const promise = find_promise(file, Json(), {.block = Bytes(1)}, options)) {
    add_promise(tasks, *promise, file);
    proved.promise = name(*promise);
  }
  proved.ranks = tasks.graph.tasks.ranks();
  proved.tasks = std::ssize(tasks.graph.tasks.tasks);
  proved.moves = moves_of(tasks.graph);
  TaskVerdict verdict = judge(tasks);
  proved.delivered = verdict.delivered;
  proved.violations = verdict.violations;
  proved.needs_buffered_sends = verdict.needs_buffered_sends;
  if (proved.needs_buffered_sends.value_or(false)) proved.waits = deadlock_text(tasks.graph.tasks, Sends::synchronous);
  for (TaskFinding& each : verdict.first) {
    proved.findings.push_back({std::move(each.rule), std::move(each.text),
                               each.line > 0 ? fmt::format("line {}", each.line) : "", each.broken});
  }
  if (proved.proved() && !options.certificate.empty()) certify(tasks, proved, file, options);
  return proved;
}

/// The result as the child sends it. Only the parent knows the file's name.
Json to_json(Proved const& proved) {
  Json json = {{"format", proved.format}, {"promise", proved.promise}, {"ranks", proved.ranks},
               {"rounds", proved.rounds}, {"tasks", proved.tasks},     {"moves", proved.moves},
               {"failed", proved.failed}, {"findings", Json::array()}, {"violations", proved.violations}};
  if (proved.delivered) json["delivered"] = *proved.delivered;
  if (proved.needs_buffered_sends) json["needs_buffered_sends"] = *proved.needs_buffered_sends;
  json["waits"] = proved.waits;
  for (ProofFinding const& each : proved.findings) {
    json["findings"].push_back({each.rule, each.text, each.place, each.broken});
  }
  return json;
}

Proved from_json(Json const& json) {
  Proved proved;
  proved.format = json["format"];
  proved.promise = json["promise"];
  proved.ranks = json["ranks"];
  proved.rounds = json["rounds"];
  proved.tasks = json["tasks"];
  proved.moves = json["moves"];
  proved.violations = json["violations"];
  proved.failed = json["failed"];
  if (json.contains("delivered")) proved.delivered = json["delivered"].get<bool>();
  if (json.contains("needs_buffered_sends")) proved.needs_buffered_sends = json["needs_buffered_sends"].get<bool>();
  if (json.contains("waits")) proved.waits = json["waits"];
  for (Json const& each : json["findings"]) proved.findings.push_back({each[0], each[1], each[2], each[3]});
  return proved;
}

/// A format of files with schedules.
struct ProvableFormat {
  char const* name;
  /// Whether a file is of this format, by its name and its first few kilobytes.
  bool (*knows)(std::string_view file, std::string_view head);
  /// Throws InputError if the file is not of this format.
  Proved (*prove)(std::string const& file, ProveOptions const& options);
};

/// All formats, in the order in which they are tried.
constexpr std::array formats = {
    ProvableFormat{"Chakra traces", is_chakra, prove_tasks}, ProvableFormat{"schedule JSON", is_json, prove_schedule},
    ProvableFormat{"MSCCL XML", is_msccl, prove_tasks}, ProvableFormat{"GOAL", is_goal, prove_tasks}};

/// The first format that recognizes the file by its name or its head.
ProvableFormat const& format_of(std::string const& file) {
  std::string const head = head_of(file);
  auto const found =
      std::find_if(formats.begin(), formats.end(), [&](ProvableFormat const& each) { return each.knows(file, head); });
  if (found != formats.end()) return *found;
  std::string names;
  for (ProvableFormat const& each : formats) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
  throw InputError(fmt::format("{}: expected a schedule in one of the formats {}, got another text", file, names));
}

Proved proved_in_time(std::string const& file, ProveOptions const& options) {
  ProvableFormat const& format = format_of(file);
  auto const failed = [](std::string why) {
    Proved none;
    none.failed = std::move(why);
    return to_json(none).dump();
  };
  Proved proved = from_json(scenario::json_of(text_with_timeout(
      options.timeout, [&] { return to_json(format.prove(file, options)).dump(); }, failed)));
  proved.format = format.name;
  return proved;
}

}  // namespace

/// Proves one file. Errors become part of the result, so that the next file is proved too.
Proved prove(std::string const& file, ProveOptions const& options) {
  note_tasks(file);
  note_input(scenario::promise_beside(file));
  Proved proved;
  try {
    proved = proved_in_time(file, options);
  } catch (ReadFailure const& failure) {
    proved.failed = failure.what();
  } catch (InputError const& refused) {
    proved.refused = refused.what();
  } catch (std::bad_alloc const&) {
    proved.failed = "out of memory";
  }
  proved.file = file;
  return proved;
}

std::optional<problem::Promise> find_promise(std::string const& file, Json const& inside,
                                             scenario::PromiseSetting const& setting, ProveOptions const& options) {
  if (!options.promise.empty()) return scenario::load_promise(options.promise, setting);
  if (!inside.is_null()) return scenario::read_promise({inside, file, "/promise"}, setting);
  std::error_code ignored;
  if (std::filesystem::exists(scenario::promise_beside(file), ignored))
    return scenario::load_promise(scenario::promise_beside(file), setting);
  return std::nullopt;
}

problem::Promise promise_beside(std::string const& file, Json const& inside, scenario::PromiseSetting const& setting,
                                ProveOptions const& options) {
  if (auto promise = find_promise(file, inside, setting, options)) return *std::move(promise);
  throw InputError(fmt::format("{}: expected a promise: in it (\"promise\"), in the file {} beside it, or by --promise",
                               file, std::filesystem::path(scenario::promise_beside(file)).filename().string()));
}

/// Copies the violations of a proof by rounds.
void add_verdict(Proved& proved, Verdict const& verdict) {
  proved.delivered = verdict.delivered;
  proved.violations = verdict.violation_count;
  for (Violation const& each : verdict.violations) {
    proved.findings.push_back({to_string(each.fault), each.text,
                               fmt::format("rank {}, round {}", each.rank.value, each.round), breaks(each.fault)});
  }
}

}  // namespace rondo

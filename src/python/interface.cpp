// The C functions by which python/rondo/_core.py uses Rondo. Python loads this library through ctypes, so that one
// library serves every version of Python, and so that nothing here needs Python's headers.
//
// A function writes an answer: its status, and an object that the caller frees by rondo_core_free. The object is a
// schedule, a point or only a text: JSON, numbers or, with any status but `done`, the text of an exception. Texts are
// UTF-8; those that are given as char const* end with a zero byte. A null or a handle of another kind is refused. Any
// thread may call these functions at any time, except for rondo_core_permit and rondo_core_set_prefix: one at a time.
//
// Functions that take a listener work in processes of their own, so that they can be interrupted, and so that a crash
// there does not end the interpreter. They call the listener ten times a second and with each row of a sweep.

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <new>
#include <tuple>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/permissions.hpp"
#include "base/places.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "json/value.hpp"
#include "python/answers.hpp"
#include "run/formats/schedule_columns.hpp"
#include "run/output/show_page.hpp"
#include "run/points/export.hpp"
#include "run/points/job.hpp"
#include "run/points/run_job.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo::python {

using scenario::Json;

/// One point of a scenario. Its plan is made when it is needed, usually in another process.
struct Point {
  std::string name;
  PointOptions options;
  std::shared_ptr<scenario::Scenario const> scenario;
  std::shared_ptr<ScheduleFile const> schedule;  ///< the schedule to use; null: the scenario describes it

  Plan plan() const { return schedule ? plan_of(*scenario, name, *schedule) : plan_of(*scenario, name); }
};

/// The content of an answer. The caller has a pointer to it, which is the handle of its schedule or its point.
struct Object {
  std::string text;  ///< {"ranks", "rounds", "block_bytes", "promise"} of a schedule; the scenario of a point
  std::shared_ptr<ScheduleFile const> schedule;
  std::shared_ptr<Point const> point;
};

enum class Status : std::int32_t { done, input_error, simulation_error, bug, no_memory, stopped };

struct Answer {
  Status status;
  Object* object;
  char const* data;  ///< the object's text
  std::size_t size;
};

/// Bytes of the caller.
struct Span {
  char const* data;
  std::size_t size;
};

/// What the listener is told, and what it replies.
struct Turn {
  char const* row;       ///< a record of the sweep as JSON; null: none has come
  std::int32_t go_on{};  ///< set by the listener; 0: the function shall end with the status `stopped`
};
using Listener = void (*)(Turn*);

namespace {

class Stopped {};

/// A simulation without a result, or a process that died. The command line ends with exit code 3 in this case.
class SimulationFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The text or the status of an exception. Texts are those that the command line prints.
std::pair<Status, std::string> failure(std::exception_ptr const& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (Stopped const&) {
    return {Status::stopped, ""};
  } catch (ReadFailure const& error) {
    // A file that could not be read to its end is no bad input; the command line exits with 3 too.
    return {Status::simulation_error, error.what()};
  } catch (SimulationFailed const& error) {
    return {Status::simulation_error, error.what()};
  } catch (InputError const& error) {
    return {Status::input_error, error.what()};
  } catch (std::bad_alloc const&) {
    return {Status::no_memory, "out of memory"};
  } catch (std::exception const& error) {
    return {Status::bug, std::string("rondo: this is a bug of rondo: ") + error.what()};
  }
}

/// Answers with what `work` returns or throws.
void answer_by(Answer* answer, std::function<Object()> const& work) {
  auto object = std::make_unique<Object>();
  Status status = Status::done;
  try {
    *object = work();
  } catch (...) {
    std::tie(status, object->text) = failure(std::current_exception());
    object->text = printable(object->text);
  }
  std::string const& text = object->text;
  *answer = {status, object.release(), text.data(), text.size()};
}

Object of_schedule(ScheduleFile file) {
  std::string text = fmt::format(R"({{"ranks": {}, "rounds": {}, "block_bytes": {}, "promise": {}}})",
                                 file.schedule.ranks, file.schedule.rounds(), file.block.value, file.promise.dump());
  return {std::move(text), std::make_shared<ScheduleFile const>(std::move(file)), nullptr};
}

ScheduleFile const& schedule_in(Object const* handle) {
  expects(handle != nullptr && handle->schedule, "a handle of a schedule");
  return *handle->schedule;
}

Point const& point_in(Object const* handle) {
  expects(handle != nullptr && handle->point, "a handle of a point");
  return *handle->point;
}

std::string text_in(char const* text) {
  expects(text != nullptr, "a text");
  return text;
}

/// Throws Stopped if the listener wants the end.
void tell(Listener listener, char const* row = nullptr) {
  expects(listener != nullptr, "a listener");
  Turn turn{row};
  listener(&turn);
  if (turn.go_on == 0) throw Stopped();
}

/// Runs `work` in a child process and returns its answer. Throws SimulationFailed if the child dies.
std::string run_in_worker(Listener listener, std::function<std::string()> const& work) {
  std::string answer;
  bool crashed = false;
  in_workers(
      /*tasks=*/{0}, {.while_waiting = [&] { tell(listener); }}, [&](std::size_t) { return work(); },
      [&](std::size_t, std::string const& why) {
        crashed = true;
        return "crash: " + why;
      },
      [&](std::size_t, std::string text) { answer = std::move(text); });
  if (crashed) throw SimulationFailed(answer);
  return answer;
}

/// The rows of a column of the caller.
template <typename Row>
std::span<Row const> rows_in(Span column) {
  expects(column.size % sizeof(Row) == 0 && (column.data != nullptr || column.size == 0), "whole rows");
  return {reinterpret_cast<Row const*>(column.data), column.size / sizeof(Row)};
}

/// The options of a call, from JSON with the keys sets, engine, verify and timeout (seconds). The keys programs and
/// folders are for rondo_core_permit, which is called before.
struct CallOptions {
  Overrides overrides;
  PointOptions point;
};

void permit_by(Json const& json) {
  using Programs = Permissions::Programs;
  permit({json["programs"].get<bool>() ? Programs::started : Programs::refused,
          json["folders"].get<std::vector<std::string>>(), Seconds(json["timeout"].get<double>())});
}

CallOptions read_options(char const* options_json) {
  Json const json = json::json_of(text_in(options_json));
  CallOptions options;
  options.overrides.sets = json["sets"].get<std::vector<std::string>>();
  if (!json["engine"].is_null()) options.overrides.engine = json["engine"].get<std::string>();
  if (!json["verify"].is_null()) options.point.proof = json["verify"].get<bool>() ? Proof::on : Proof::off;
  options.point.timeout = Seconds(json["timeout"].get<double>());
  return options;
}

/// Loads the scenario `text`, or the file `name` if there is no text. With a text, errors and relative paths use
/// `name`.
Job job_of(char const* name, char const* text, CallOptions const& options) {
  std::string const file = text_in(name);
  return text != nullptr ? load_job_text(text, file, options.overrides) : load_job(file, options.overrides);
}

void text_by(Answer* answer, std::function<std::string()> const& work) {
  answer_by(answer, [&] { return Object{work(), nullptr, nullptr}; });
}

/// Answers with what `work` says of a point in a process of its own.
void ask(Object const* point, Listener listener, Answer* answer, std::function<std::string(Point const&)> const& work) {
  text_by(answer, [&] {
    Point const& self = point_in(point);
    return run_in_worker(listener, [&] { return work(self); });
  });
}

}  // namespace

// Python declares these functions in _core.py, _TYPES.
extern "C" {

void rondo_core_free(Object* object) { delete object; }

void rondo_core_version(Answer* answer) {
  text_by(answer, [] { return std::string(version()); });
}

/// The folder into which Rondo is installed.
void rondo_core_set_prefix(char const* prefix, Answer* answer) {
  answer_by(answer, [&] { return places::set_prefix(text_in(prefix)), Object(); });
}

/// Permits what the options of a call permit: to start programs, and to read files in these folders.
void rondo_core_permit(char const* options, Answer* answer) {
  answer_by(answer, [&] { return permit_by(json::json_of(text_in(options))), Object(); });
}

/// A schedule from a header (build_schedule) and columns of numbers (run/formats/schedule_columns.hpp).
void rondo_core_build(char const* header, Span messages, Span places, Span copies, Answer* answer) {
  answer_by(answer, [&] {
    Json const json = json::json_of(text_in(header));
    return of_schedule(build_schedule(json, {json["ranks"].get<int>(), rows_in<MessageRow>(messages),
                                             rows_in<PlacePair>(places), rows_in<CopyRow>(copies)}));
  });
}

void rondo_core_parse(Span text, char const* name, Answer* answer) {
  answer_by(answer, [&] { return of_schedule(parse_schedule({text.data, text.size}, text_in(name))); });
}

void rondo_core_read(char const* file, Answer* answer) {
  answer_by(answer, [&] { return of_schedule(read_schedule(text_in(file))); });
}

void rondo_core_measure(Object const* schedule, Answer* answer) {
  text_by(answer, [&] { return measures_text(measure(schedule_in(schedule).schedule)); });
}

void rondo_core_verify(Object const* schedule, char const* promise, Listener listener, Answer* answer) {
  text_by(answer, [&] {
    ScheduleFile const& file = schedule_in(schedule);
    return run_in_worker(listener, [&] { return verdict_text(file, text_in(promise)); });
  });
}

/// The file of the schedule.
void rondo_core_text(Object const* schedule, Answer* answer) {
  text_by(answer, [&] {
    std::string text;
    write_schedule(schedule_in(schedule), [&](std::string_view piece) { text += piece; });
    return text;
  });
}

/// The rows of sent_rows (run/formats/schedule_columns.hpp).
void rondo_core_sent(Object const* schedule, Answer* answer) {
  text_by(answer, [&] {
    std::vector<SentRow> const rows = sent_rows(schedule_in(schedule).schedule);
    return std::string(reinterpret_cast<char const*>(rows.data()), rows.size() * sizeof(SentRow));
  });
}

/// A point of a scenario, by its number from 1. The text may be null: the scenario is the file `name`. The schedule may
/// be null: the scenario describes it. The point keeps the schedule alive.
void rondo_core_point(char const* name, char const* text, std::size_t number, char const* options,
                      Object const* schedule, Answer* answer) {
  answer_by(answer, [&] {
    CallOptions const read = read_options(options);
    Job const job = job_of(name, text, read);
    if (number < 1 || number > job.sweep.size()) {
      throw InputError(
          fmt::format("{}: --point: expected a number from 1 to {}, got {}", name, job.sweep.size(), number));
    }
    std::shared_ptr<ReadPoint const> const of_job = point_at(job, number - 1);
    Point point{name, read.point, {of_job, &of_job->scenario}, nullptr};
    if (schedule != nullptr) point.schedule = (schedule_in(schedule), schedule->schedule);
    return Object{point.scenario->expanded.dump(), nullptr, std::make_shared<Point const>(std::move(point))};
  });
}

void rondo_core_schedule(Object const* point, Answer* answer) {
  answer_by(answer, [&] {
    Point const& self = point_in(point);
    Plan const plan = self.plan();
    return of_schedule(export_schedule(schedule_plan(plan, self.name), *self.scenario));
  });
}

void rondo_core_predict(Object const* point, Listener listener, Answer* answer) {
  ask(point, listener, answer, [](Point const& self) { return prediction_text(self.plan()); });
}

/// The simulated times, in the format of timing_text (answers.hpp); with those of messages if `messages` is not 0.
void rondo_core_simulate(Object const* point, std::int32_t messages, Listener listener, Answer* answer) {
  ask(point, listener, answer, [&](Point const& self) {
    return timing_text(self.plan(), *self.scenario, self.options, messages != 0 ? Log::messages : Log::none);
  });
}

void rondo_core_record(Object const* point, Listener listener, Answer* answer) {
  ask(point, listener, answer, [](Point const& self) {
    Plan const plan = self.plan();
    return to_json(run_point(*self.scenario, self.name, 1, self.options, &plan)).dump();
  });
}

/// A schedule that is in memory must be written to a file before a page of it is asked for.
void rondo_core_page(Object const* point, Listener listener, Answer* answer) {
  ask(point, listener, answer, [](Point const& self) {
    expects(self.schedule == nullptr, "a schedule in a file");
    return show_page(*self.scenario, self.name).text;
  });
}

/// The number of points of a scenario.
void rondo_core_count_points(char const* name, char const* text, char const* options, Answer* answer) {
  text_by(answer, [&] { return std::to_string(job_of(name, text, read_options(options)).sweep.size()); });
}

/// Runs the points [first, first + count) of a scenario, as far as they exist, and tells the listener each record.
void rondo_core_run(char const* name, char const* text, char const* options, std::int32_t jobs, std::size_t first,
                    std::size_t count, Listener listener, Answer* answer) {
  answer_by(answer, [&] {
    CallOptions const read = read_options(options);
    Job const job = job_of(name, text, read);
    std::vector<std::size_t> points = all_points(job);
    points.resize(std::min(points.size(), first + count));
    points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(std::min(first, points.size())));
    run_rows(job, points, read.point, {.jobs = jobs, .while_waiting = [&] { tell(listener); }},
             [&](std::string const& row) { tell(listener, row.c_str()); });
    return Object();
  });
}

/// The result of the command `rondo prove` for one file. An empty promise: the one in the file or beside it.
void rondo_core_prove(char const* file, char const* promise, double timeout, Listener listener, Answer* answer) {
  text_by(answer, [&] {
    return run_in_worker(listener, [&] {
      Proved const proved = prove(text_in(file), {.promise = text_in(promise), .timeout = Seconds(timeout)});
      if (!proved.refused.empty()) throw InputError(proved.refused);
      return proved_text(proved);
    });
  });
}

}  // extern "C"

}  // namespace rondo::python

// The Python module rondo._core. It offers the C++ code as functions that take and return JSON texts and bytes;
// python/rondo wraps them in Python classes.
//
// Work that takes long runs in a process of its own, so that it can be interrupted, and so that a crash there does not
// end the interpreter.

#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/permissions.hpp"
#include "base/places.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "json/pointer.hpp"
#include "json/text.hpp"
#include "python/answers.hpp"
#include "run/families/resolve_promise.hpp"
#include "run/formats/schedule_columns.hpp"
#include "run/output/show_page.hpp"
#include "run/points/export.hpp"
#include "run/points/job.hpp"
#include "scenario/load.hpp"
#include "scenario/promise.hpp"
#include "schedule/file/schedule_json.hpp"

namespace py = pybind11;

namespace rondo::python {
namespace {

using scenario::Json;

/// A simulation without a result, or a process that died. The command line ends with exit code 3 in this case.
class SimulationFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Raises the exception that a signal handler of Python asks for: KeyboardInterrupt.
void raise_pending_signal() {
  py::gil_scoped_acquire const held;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// Runs `work` in a child process, without Python's lock, and returns its answer. Throws SimulationFailed if the child
/// dies.
py::bytes run_in_worker(std::function<std::string()> const& work) {
  std::string answer;
  bool crashed = false;
  {
    py::gil_scoped_release const released;
    in_workers(
        /*tasks=*/{0}, {.while_waiting = raise_pending_signal}, [&](std::size_t) { return work(); },
        [&](std::size_t, std::string const& why) {
          crashed = true;
          return "crash: " + why;
        },
        [&](std::size_t, std::string text) { answer = std::move(text); });
  }
  if (crashed) throw SimulationFailed(answer);
  return answer;
}

/// The rows of a column that Python keeps in contiguous memory.
template <typename Row>
std::span<Row const> rows_in(py::buffer_info const& memory) {
  auto const bytes = static_cast<std::size_t>(memory.size * memory.itemsize);
  expects(bytes % sizeof(Row) == 0, "whole rows");
  return {static_cast<Row const*>(memory.ptr), bytes / sizeof(Row)};
}

template <typename Row>
std::string_view bytes_of(std::vector<Row> const& rows) {
  return {reinterpret_cast<char const*>(rows.data()), rows.size() * sizeof(Row)};
}

ResolvedPromise read_promised(std::string const& promise, Bytes block, std::string const& name) {
  Json const json = scenario::parse_json(promise, name);
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

/// A size from Python; errors name the key of a schedule.
Bytes block_of(std::string const& text) {
  try {
    return parse_bytes(text);
  } catch (InputError const& refused) {
    throw scenario::error_at("schedule", "/block", refused.what());
  }
}

/// Builds the Schedule of the Python class. `header_json` has ranks, block, buffers, and a promise or null.
ScheduleFile build_schedule(std::string const& header_json, py::buffer const& messages, py::buffer const& places,
                            py::buffer const& copies) {
  Json const header = scenario::json_of(header_json);
  Bytes const block = block_of(header["block"].get<std::string>());
  // The columns point into these.
  py::buffer_info const messages_memory = messages.request(), places_memory = places.request(),
                        copies_memory = copies.request();
  ScheduleColumns const columns{header["ranks"].get<int>(), rows_in<MessageRow>(messages_memory),
                                rows_in<PlacePair>(places_memory), rows_in<CopyRow>(copies_memory)};
  py::gil_scoped_release const released;
  Layout const stated = layout_of(header["buffers"], block);
  std::optional<Collective> promise;
  if (!header["promise"].is_null()) promise = read_promised(header["promise"].dump(), block, "schedule").collective;
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

std::string verdict_of(ScheduleFile const& file, std::string const& promise) {
  ResolvedPromise const wanted = read_promised(promise, file.block, "schedule");
  expect_fits(file.schedule, wanted, "schedule");
  return verdict_text(verify(file.schedule, wanted.collective));
}

std::string text_of(ScheduleFile const& file) {
  std::string text;
  write_schedule(file, [&](std::string_view piece) { text += piece; });
  return text;
}

/// The options of a call, from JSON with the keys sets, engine, verify, timeout (seconds), programs and folders.
struct CallOptions {
  Overrides overrides;
  PointOptions point;
};

/// Permits what the options of a call permit: to start programs, and to read files in these folders.
void permit_by(Json const& json) {
  using Programs = Permissions::Programs;
  permit({json["programs"].get<bool>() ? Programs::started : Programs::refused,
          json["folders"].get<std::vector<std::string>>(), Seconds(json["timeout"].get<double>())});
}

/// Reads the options of a call, whose permissions apply from now on.
CallOptions read_options(std::string const& options_json) {
  Json const json = scenario::json_of(options_json);
  permit_by(json);
  CallOptions options;
  options.overrides.sets = json["sets"].get<std::vector<std::string>>();
  if (!json["engine"].is_null()) options.overrides.engine = json["engine"].get<std::string>();
  if (!json["verify"].is_null()) options.point.proof = json["verify"].get<bool>() ? Proof::on : Proof::off;
  options.point.timeout = Seconds(json["timeout"].get<double>());
  return options;
}

/// Loads the scenario `text`, or the file `name` if there is no text. With a text, errors and relative paths use
/// `name`.
Job job_of(std::string const& name, std::optional<std::string> const& text, CallOptions const& options) {
  return text ? load_job_text(*text, name, options.overrides) : load_job(name, options.overrides);
}

/// One point of a scenario. Its plan is made when it is needed, usually in another process.
class Point {
 public:
  static Point of(std::string const& name, std::optional<std::string> const& text, std::size_t number,
                  std::string const& options_json, ScheduleFile const* schedule) {
    CallOptions const options = read_options(options_json);
    py::gil_scoped_release const released;
    Job const job = job_of(name, text, options);
    if (number < 1 || number > job.sweep.size()) {
      throw InputError(
          fmt::format("{}: --point: expected a number from 1 to {}, got {}", name, job.sweep.size(), number));
    }
    return {name, options, *scenario_at(job, number - 1), schedule};
  }

  ScheduleFile schedule() const {
    py::gil_scoped_release const released;
    Plan const point_plan = plan();
    return export_schedule(schedule_plan(point_plan, name_), scenario_);
  }
  std::string scenario() const { return scenario_.expanded.dump(); }

  /// The simulated times, in the format of timing_text (answers.hpp).
  py::bytes simulate(bool logs) const {
    Log const log = logs ? Log::messages : Log::none;
    return run_in_worker([&] { return timing_text(plan(), scenario_, options_.point, log); });
  }
  py::bytes record() const {
    return run_in_worker([&] { return to_json(run_point(plan(), scenario_, name_, options_.point)).dump(); });
  }
  py::bytes page() const {
    // python/rondo/schedule.py writes a schedule that is in memory to a file before it asks for a page.
    expects(schedule_ == nullptr, "a schedule in a file");
    return run_in_worker([&] { return show_page(scenario_, name_).text; });
  }
  py::bytes predict() const {
    return run_in_worker([&] { return prediction_text(plan()); });
  }

 private:
  Point(std::string name, CallOptions options, scenario::Scenario scenario, ScheduleFile const* schedule)
      : name_(std::move(name)), options_(std::move(options)), scenario_(std::move(scenario)), schedule_(schedule) {}

  Plan plan() const { return schedule_ != nullptr ? plan_of(scenario_, name_, *schedule_) : plan_of(scenario_, name_); }

  std::string name_;
  CallOptions options_;
  scenario::Scenario scenario_;
  /// The schedule to use; null: the scenario describes it. keep_alive keeps it.
  ScheduleFile const* schedule_;
};

/// The number of points of a scenario.
std::size_t count_points(std::string const& name, std::optional<std::string> const& text,
                         std::string const& options_json) {
  CallOptions const options = read_options(options_json);
  py::gil_scoped_release const released;
  return job_of(name, text, options).sweep.size();
}

/// Runs the points [first, first + count) of a scenario, as far as they exist, and calls `on_record` with each
/// record as JSON.
void run(std::string const& name, std::optional<std::string> const& text, std::string const& options_json, int jobs,
         std::pair<std::size_t, std::size_t> const& range, py::function const& on_record) {
  CallOptions const options = read_options(options_json);
  py::gil_scoped_release const released;
  Job const job = job_of(name, text, options);
  std::vector<std::size_t> points = all_points(job);
  auto const [first, count] = range;
  points.resize(std::min(points.size(), first + count));
  points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(std::min(first, points.size())));
  run_rows(job, points, options.point, {.jobs = jobs, .while_waiting = raise_pending_signal}, [&](std::string row) {
    raise_pending_signal();
    py::gil_scoped_acquire const lock;
    on_record(py::bytes(row));
  });
}

/// The result of the command `rondo prove` for one file.
py::bytes prove_file(std::string const& file, std::string const& promise, double timeout) {
  return run_in_worker([&] {
    Proved const proved = prove(file, {.promise = promise, .timeout = Seconds(timeout)});
    if (!proved.refused.empty()) throw InputError(proved.refused);
    return proved_text(proved);
  });
}

/// Translates exceptions into those of python/rondo/errors.py, with the text that the command line prints.
void translate(std::exception_ptr const& thrown) {
  auto const raise = [](char const* name, std::string const& text) {
    py::object const type = py::module_::import("rondo.errors").attr(name);
    PyErr_SetString(type.ptr(), printable(text).c_str());
  };
  try {
    std::rethrow_exception(thrown);
  } catch (ReadFailure const& error) {
    // A file that could not be read to its end is no bad input; the command line exits with 3 too.
    raise("SimulationError", error.what());
  } catch (InputError const& error) {
    raise("InputError", error.what());
  } catch (SimulationFailed const& error) {
    raise("SimulationError", error.what());
  } catch (ContractViolation const& error) {
    raise("Error", fmt::format("rondo: this is a bug of rondo: {}", error.what()));
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    if (thrown) translate(thrown);
  });
  module.def("version", [] { return std::string(version()); });
  py::class_<ScheduleFile>(module, "Schedule")
      .def_static("build", build_schedule)
      .def_static("parse", [](std::string const& text, std::string const& name) { return parse_schedule(text, name); })
      .def_static("read", [](std::string const& file) { return read_schedule(file); })
      .def_property_readonly("ranks", [](ScheduleFile const& file) { return file.schedule.ranks; })
      .def_property_readonly("rounds", [](ScheduleFile const& file) { return file.schedule.rounds(); })
      .def_property_readonly("block_bytes", [](ScheduleFile const& file) { return file.block.value; })
      .def_property_readonly("promise", [](ScheduleFile const& file) { return file.promise.dump(); })
      .def("measure", [](ScheduleFile const& file) { return measures_text(measure(file.schedule)); })
      .def("verify",
           [](ScheduleFile const& file, std::string const& promise) {
             return run_in_worker([&] { return verdict_of(file, promise); });
           })
      .def("text", [](ScheduleFile const& file) { return py::bytes(text_of(file)); })
      .def("sent", [](ScheduleFile const& file) { return py::bytes(std::string(bytes_of(sent_rows(file.schedule)))); });
  py::class_<Point>(module, "Point")
      // keep_alive: the Point (1) keeps its schedule, the fifth argument (6), alive.
      .def(py::init(&Point::of), py::keep_alive<1, 6>())
      .def("schedule", &Point::schedule)
      .def("scenario", &Point::scenario)
      .def("predict", &Point::predict)
      .def("simulate", &Point::simulate)
      .def("record", &Point::record)
      .def("page", &Point::page);
  module.def("permit", [](std::string const& options_json) { permit_by(scenario::json_of(options_json)); });
  module.def("set_prefix", [](std::string const& prefix) { places::set_prefix(prefix); });
  module.def("count_points", count_points);
  module.def("run", run);
  module.def("prove", prove_file);
}

}  // namespace rondo::python

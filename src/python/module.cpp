// The Python module rondo._core. It offers the C++ code as functions that take and return JSON texts and bytes;
// python/rondo makes types of them for its users.
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
#include "run/families/promised.hpp"
#include "run/formats/schedule_columns.hpp"
#include "run/output/show_page.hpp"
#include "run/points/exported.hpp"
#include "run/points/job.hpp"
#include "scenario/load.hpp"
#include "scenario/promise.hpp"
#include "schedule/file/schedule_json.hpp"

namespace py = pybind11;

namespace rondo::python {
namespace {

using scenario::Json;

/// A simulation without a result, or a process that died. The command line ends with exit code 3 in this case.
class Failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Raises the exception that a signal handler of Python asks for: KeyboardInterrupt.
void heed_signals() {
  py::gil_scoped_acquire const held;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// The answer of `work`, which runs in a process of its own.
py::bytes answer_of(std::function<std::string()> const& work) {
  std::string answer;
  bool lost = false;
  {
    py::gil_scoped_release const released;
    in_workers(
        {0}, {.while_waiting = heed_signals}, [&](std::size_t) { return work(); },
        [&](std::size_t, std::string const& why) {
          lost = true;
          return "crash: " + why;
        },
        [&](std::size_t, std::string text) { answer = std::move(text); });
  }
  if (lost) throw Failed(answer);
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

PromisedCollective promised_by(std::string const& promise, Bytes block, std::string const& name) {
  Json const json = scenario::parse_json(promise, name);
  return promised(scenario::read_promise({json, name, "/promise"}, {.block = block}), name + ": /promise");
}

/// Buffers with so many slots at all ranks; each slot has m bytes, or the listed size.
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
    throw scenario::error_at("schedule", "/block", refused.what());
  }
}

/// Builds the Schedule of the Python class. `head` has ranks, block, buffers, and a promise or null.
ScheduleFile built(std::string const& head, py::buffer const& messages, py::buffer const& places,
                   py::buffer const& copies) {
  Json const said = scenario::json_of(head);
  Bytes const block = block_of(said["block"].get<std::string>());
  py::buffer_info const messages_of = messages.request(), places_of = places.request(), copies_of = copies.request();
  ScheduleColumns const columns{said["ranks"].get<int>(), rows_in<MessageRow>(messages_of),
                                rows_in<PlacePair>(places_of), rows_in<CopyRow>(copies_of)};
  py::gil_scoped_release const released;
  Layout const least = layout_of(said["buffers"], block);
  std::optional<Collective> promise;
  if (!said["promise"].is_null()) promise = promised_by(said["promise"].dump(), block, "schedule").collective;
  auto const layout = [&](Rank rank) {
    Layout own = least;
    if (!promise || rank.value >= ranks(*promise)) return own;
    auto const hold = [&](Buffer buffer, std::size_t slots) {
      own[buffer].slots = std::max(own[buffer].slots, static_cast<std::uint32_t>(slots));
    };
    hold(Buffer::send, held(*promise, rank).size());
    if (own[Buffer::receive].slots == 0) hold(Buffer::receive, owed(*promise, rank).size());
    return own;
  };
  return {schedule_of(columns, layout), block, "", "", said["promise"]};
}

std::string verified(ScheduleFile const& file, std::string const& promise) {
  PromisedCollective const wanted = promised_by(promise, file.block, "schedule");
  expect_fits(file.schedule, wanted, "schedule");
  return verdict_text(verify(file.schedule, wanted.collective));
}

std::string text_of(ScheduleFile const& file) {
  std::string text;
  write_schedule(file, [&](std::string_view piece) { text += piece; });
  return text;
}

/// The options of a caller besides a scenario.
struct Words {
  Overrides overrides;
  PointOptions options;

  explicit Words(std::string const& json) {
    Json const said = scenario::json_of(json);
    overrides.sets = said["sets"].get<std::vector<std::string>>();
    if (!said["engine"].is_null()) overrides.engine = said["engine"].get<std::string>();
    if (!said["verify"].is_null()) options.proof = said["verify"].get<bool>() ? Proof::on : Proof::off;
    options.timeout = Seconds(said["timeout"].get<double>());
    using Programs = Permissions::Programs;
    permit({said["programs"].get<bool>() ? Programs::started : Programs::refused,
            said["folders"].get<std::vector<std::string>>(), options.timeout});
  }
};

/// A scenario in the file with this name, or in a text; then the name stands for its file.
Job job_of(std::string const& name, std::optional<std::string> const& text, Words const& words) {
  return text ? load_job_text(*text, name, words.overrides) : load_job(name, words.overrides);
}

/// One point of a scenario. Its plan is made when it is needed, usually in another process.
class Point {
 public:
  static Point of(std::string const& name, std::optional<std::string> const& text, std::size_t number,
                  std::string const& words_json, ScheduleFile const* own) {
    Words const words(words_json);
    py::gil_scoped_release const released;
    Job const job = job_of(name, text, words);
    if (number < 1 || number > job.sweep.size()) {
      throw InputError(
          fmt::format("{}: --point: expected a number from 1 to {}, got {}", name, job.sweep.size(), number));
    }
    return {name, words, *scenario_at(job, number - 1), own};
  }

  ScheduleFile schedule() const {
    py::gil_scoped_release const released;
    Plan const made = plan();
    return exported(schedule_plan(made, name_), scenario_);
  }
  std::string scenario() const { return scenario_.expanded.dump(); }

  /// Like timing_text.
  py::bytes simulate(bool logs) const {
    Log const log = logs ? Log::messages : Log::none;
    return answer_of([&] { return timing_text(plan(), scenario_, words_.options, log); });
  }
  py::bytes record() const {
    return answer_of([&] { return to_json(run_point(plan(), scenario_, name_, words_.options)).dump(); });
  }
  py::bytes page() const {
    expects(own_ == nullptr, "a schedule in a file");
    return answer_of([&] { return show_page(scenario_, name_).text; });
  }
  py::bytes predict() const {
    return answer_of([&] { return prediction_text(plan()); });
  }

 private:
  Point(std::string name, Words words, scenario::Scenario scenario, ScheduleFile const* own)
      : name_(std::move(name)), words_(std::move(words)), scenario_(std::move(scenario)), own_(own) {}

  Plan plan() const { return own_ != nullptr ? plan_of(scenario_, name_, *own_) : plan_of(scenario_, name_); }

  std::string name_;
  Words words_;
  scenario::Scenario scenario_;
  ScheduleFile const* own_;  ///< where it is no schedule that the scenario itself describes
};

/// The number of points of a scenario.
std::size_t count_points(std::string const& name, std::optional<std::string> const& text,
                         std::string const& words_json) {
  Words const words(words_json);
  py::gil_scoped_release const released;
  return job_of(name, text, words).sweep.size();
}

/// Runs the points [first, first + count) of a scenario, as far as they exist, and calls `on_record` with each
/// record as JSON.
void run(std::string const& name, std::optional<std::string> const& text, std::string const& words_json, int jobs,
         std::pair<std::size_t, std::size_t> const& part, py::function const& on_record) {
  Words const words(words_json);
  py::gil_scoped_release const released;
  Job const job = job_of(name, text, words);
  std::vector<std::size_t> points = all_points(job);
  auto const [first, count] = part;
  points.resize(std::min(points.size(), first + count));
  points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(std::min(first, points.size())));
  run_rows(job, points, words.options, {.jobs = jobs, .while_waiting = heed_signals}, [&](std::string row) {
    py::gil_scoped_acquire const held;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    on_record(py::bytes(row));
  });
}

/// The result of the command `rondo prove` for one file.
py::bytes prove_file(std::string const& file, std::string const& promise, double timeout) {
  return answer_of([&] {
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
    raise("SimulationError", error.what());
  } catch (InputError const& error) {
    raise("InputError", error.what());
  } catch (Failed const& error) {
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
      .def_static("build", built)
      .def_static("parse", [](std::string const& text, std::string const& name) { return parse_schedule(text, name); })
      .def_static("read", [](std::string const& file) { return read_schedule(file); })
      .def_property_readonly("ranks", [](ScheduleFile const& file) { return file.schedule.ranks; })
      .def_property_readonly("rounds", [](ScheduleFile const& file) { return file.schedule.rounds(); })
      .def_property_readonly("block_bytes", [](ScheduleFile const& file) { return file.block.value; })
      .def_property_readonly("promise", [](ScheduleFile const& file) { return file.promise.dump(); })
      .def("measure", [](ScheduleFile const& file) { return measures_text(measure(file.schedule)); })
      .def("verify", [](ScheduleFile const& file,
                        std::string const& promise) { return answer_of([&] { return verified(file, promise); }); })
      .def("text", [](ScheduleFile const& file) { return py::bytes(text_of(file)); })
      .def("sent", [](ScheduleFile const& file) { return py::bytes(std::string(bytes_of(sent_rows(file.schedule)))); });
  py::class_<Point>(module, "Point")
      .def(py::init(&Point::of), py::keep_alive<1, 6>())
      .def("schedule", &Point::schedule)
      .def("scenario", &Point::scenario)
      .def("predict", &Point::predict)
      .def("simulate", &Point::simulate)
      .def("record", &Point::record)
      .def("page", &Point::page);
  module.def("permit", [](std::string const& words) { Words{words}; });
  module.def("set_prefix", [](std::string const& prefix) { places::set_prefix(prefix); });
  module.def("count_points", count_points);
  module.def("run", run);
  module.def("prove", prove_file);
}

}  // namespace rondo::python

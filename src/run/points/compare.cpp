// Integers are compared exactly, times within the rounding of the engine. A record states its point twice: as
// fields, and as the expanded scenario. Both must agree, and both must agree with the point that is due.

#include "run/points/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "run/points/fields.hpp"

namespace rondo {

namespace {

bool agree(std::int64_t a, std::int64_t b) { return a == b; }

/// Volumes are whole numbers of blocks, or sums of fractions where blocks are cut or differ in size.
bool agree(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

/// Compares each count for which theory has a closed form with the count of the schedule.
std::string counting_disagrees(Record const& r) {
  std::string difference;
  auto const compare = [&](char const* of_what, auto const& theory, auto const& counted) {
    if (!difference.empty() || !theory || (counted && agree(*theory, *counted))) return;
    difference = fmt::format("theory says {} {}, the schedule has {}", *theory, of_what, counted.value_or(0));
  };
  compare("rounds", r.theory.rounds, r.rounds);
  compare("blocks sent by a rank", r.theory.volume_blocks, r.volume_blocks);
  compare("bytes sent by a rank", r.theory.volume_bytes, r.volume_bytes);
  compare("blocks in the largest messages of all rounds", r.theory.critical_blocks, r.critical_blocks);
  compare("blocks sent by all ranks", r.theory.total_blocks, r.total_blocks);
  compare("blocks received by a rank", r.theory.received_blocks, r.received_blocks);
  compare("messages", r.theory.messages, r.messages);
  return difference;
}

/// The engine must carry exactly the messages of the schedule. Times are compared if theory's are exact for the
/// machine.
std::string simulation_disagrees(Record const& r, Measures const& measures, Timing const& timing, bool exact,
                                 std::optional<double> accounted_time_s) {
  if (timing.messages != measures.messages || timing.bytes != measures.total_bytes) {
    return fmt::format("the schedule has {} messages of {} bytes in all, the simulation carried {} of {}",
                       measures.messages, measures.total_bytes.value, timing.messages, timing.bytes.value);
  }
  std::optional<double> const expected = r.theory.time_s ? r.theory.time_s : accounted_time_s;
  if (!exact || !expected) return "";
  double const time = timing.makespan.value;
  if (std::abs(time - *expected) <= time_tolerance * std::max(*expected, time)) return "";
  return fmt::format("{} {:.12g} s, the simulation took {:.12g} s",
                     r.theory.time_s ? "theory says" : "the schedule's own counts make", *expected, time);
}

/// Compares the counts of a program's ranks with theory. Counts that depend on its number of rounds are compared with
/// `accounted`, which is computed from that number.
std::string program_disagrees(Record const& r, Prediction const& prediction,
                              std::optional<ExpectedMessages> const& accounted) {
  std::string difference;
  auto const compare = [&](char const* says, char const* of_what, auto const& expected, auto const& counted) {
    if (!difference.empty() || !expected || expected == counted) return;
    difference = fmt::format("{} {} {}, the program counted {}", says, *expected, of_what, counted.value_or(0));
  };
  auto const compare_messages = [&](char const* says, SparseFigures const& sparse,
                                    std::optional<std::int64_t> const& messages) {
    compare(says, "data messages", sparse.data_messages, r.sparse.data_messages);
    compare(says, "acknowledgements", sparse.ack_messages, r.sparse.ack_messages);
    compare(says, "barrier messages", sparse.barrier_messages, r.sparse.barrier_messages);
    compare(says, "bytes of memory", sparse.memory_bytes, r.sparse.memory_bytes);
    compare(says, "messages", messages, r.messages);
  };
  compare("theory says", "levels", prediction.levels, r.exchange_program.levels);
  compare_messages("theory says", r.sparse_theory, r.theory.messages);
  if (accounted) compare_messages("the rounds counted make", accounted->sparse, accounted->messages);
  compare("theory says", "bytes sent by a rank", r.theory.volume_bytes, r.volume_bytes);
  return difference;
}

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json json_of(T const& value) {
  return value;
}
template <typename T>
Json json_of(std::optional<T> const& value) {
  return value ? Json(*value) : Json();
}

/// The difference of two values as a phrase; empty if they are equal.
template <typename T>
std::string other(char const* name, T const& got, T const& expected) {
  if (got == expected) return "";
  auto const words = [](T const& value) { return excerpt(json_of(value).dump()); };
  return fmt::format("{}: expected {}, as the scenario says, got {}", name, words(expected), words(got));
}

/// No field is negative, infinite or NaN.
void expect_numbers(Record const& record) {
  for (Field const& field : fields()) {
    Json const value = field.json(record);
    if (!value.is_number()) continue;
    double const number = value.get<double>();
    if (std::isfinite(number) && number >= 0) continue;
    throw InputError(fmt::format("{}: expected a number from 0, got {}", field.name, value.dump()));
  }
}

/// The verdict, the violations and the error must fit each other.
void expect_verdict(Record const& record) {
  std::int64_t const violations = record.violations.value_or(0);
  auto const listed = static_cast<std::int64_t>(record.violation_list.size());
  if (record.delivered.value_or(false) && violations > 0) {
    throw InputError(fmt::format("delivered: expected false beside {}, got true", counted(violations, "violation")));
  }
  if (!record.error && (violations > 0 || !record.delivered.value_or(true))) {
    throw InputError(
        fmt::format("error: expected what is wrong, of a record that has {}, got none",
                    violations > 0 ? fmt::format("\"violations\": {}", violations) : "\"delivered\": false"));
  }
  if (listed > violations) {
    throw InputError(
        fmt::format("violations: expected at least {}, those that are listed, got {}", listed, violations));
  }
}

void expect_point(Record const& record) {
  if (record.points > 0 && record.point > record.points) {
    throw InputError(fmt::format("point: expected a number of at most {}, the points of the sweep, got {}",
                                 record.points, record.point));
  }
  if (record.p < 1) throw InputError(fmt::format("p: expected at least 1, got {}", record.p));
}

/// The facts that the embedded scenario states explicitly. Facts that follow only together with its files are not
/// considered.
class Embedded {
 public:
  explicit Embedded(Record const& record) : record_(record), expanded_(record.expanded) {}

  /// Compares the fields with the expanded scenario.
  void expect() const {
    same("collective", text({"collective", "kind"}), record_.collective);
    same("engine", text({"engine"}).value_or("smpi"), record_.engine);
    same("timing", text({"machine", "timing"}).value_or("linear"), record_.timing);
    // A program without an algorithm has a special name for that.
    if (auto const named = text({"algorithm"})) same("algorithm", *named, record_.algorithm);
    if (at({"collective"}) == nullptr) return;
    same("seed", number({"seed"}).value_or(1), record_.seed ? static_cast<std::int64_t>(*record_.seed) : -1);
    expect_block();
    expect_ranks();
    expect_swept();
  }

 private:
  template <typename T>
  static void same(char const* name, std::optional<T> const& expected, T const& got) {
    if (expected) same(name, *expected, got);
  }
  template <typename T>
  static void same(char const* name, T const& expected, T const& got) {
    if (std::string const fault = other(name, got, expected); !fault.empty()) throw InputError(fault);
  }
  static void same(char const* name, char const* expected, std::string const& got) {
    same(name, std::string(expected), got);
  }

  /// The value at these keys of the expanded scenario; null if it is absent.
  Json const* at(std::initializer_list<char const*> keys) const {
    Json const* json = &expanded_;
    for (char const* key : keys) {
      if (!json->is_object() || !json->contains(key)) return nullptr;
      json = &(*json)[key];
    }
    return json;
  }
  std::optional<std::string> text(std::initializer_list<char const*> keys) const {
    Json const* const json = at(keys);
    return json != nullptr && json->is_string() ? std::optional(json->get<std::string>()) : std::nullopt;
  }
  std::optional<std::int64_t> number(std::initializer_list<char const*> keys) const {
    Json const* const json = at(keys);
    return json != nullptr && json->is_number_integer() ? std::optional(json->get<std::int64_t>()) : std::nullopt;
  }

  void expect_block() const {
    auto const stated = text({"block"});
    bool const one_size = text({"collective", "kind"}) != "workload";  // each step may have another block
    auto const block = stated && one_size ? std::optional(parse_bytes(*stated).value) : std::nullopt;
    same("block_bytes", json_of(block), json_of(record_.block_bytes));
  }

  /// The product of a list of extents.
  std::optional<std::int64_t> product(std::initializer_list<char const*> keys) const {
    Json const* const list = at(keys);
    if (list == nullptr || !list->is_array()) return std::nullopt;
    std::int64_t all = 1;
    for (Json const& each : *list) {
      if (!each.is_number_integer() || __builtin_mul_overflow(all, each.get<std::int64_t>(), &all)) return std::nullopt;
    }
    return all;
  }

  /// The number of ranks, from whichever key of the collective states it.
  void expect_ranks() const {
    std::optional<std::int64_t> ranks = number({"collective", "ranks"});
    for (auto const& [part, key] : {std::pair{"collective", "torus"}, {"graph", "torus"}, {"pattern", "torus"}}) {
      bool const inside = std::string_view(part) != "collective";
      if (!ranks) ranks = inside ? product({"collective", part, key}) : product({"collective", key});
    }
    for (char const* part : {"graph", "pattern"}) {
      if (!ranks) ranks = number({"collective", part, "ranks"});
    }
    auto const senders = number({"collective", "senders"}), receivers = number({"collective", "receivers"});
    if (!ranks && senders && receivers) ranks = *senders + *receivers;
    same("p", ranks, record_.p);
  }

  /// Each swept value must be the value of its pointer.
  void expect_swept() const {
    for (auto const& [pointer, value] : record_.swept.items()) {
      Json::json_pointer const place(pointer);
      bool const is_there = expanded_.contains(place);
      if (is_there && expanded_[place] == value) continue;
      // A later pointer may lead into the value of an earlier one.
      if (is_there && value.is_structured() && leads_into(pointer)) continue;
      throw InputError(fmt::format("swept: {}: expected what \"expanded\" has there, got {}", excerpt(pointer),
                                   excerpt(value.dump())));
    }
  }
  bool leads_into(std::string const& pointer) const {
    for (auto const& [each, value] : record_.swept.items()) {
      if (each.starts_with(pointer + "/")) return true;
    }
    return false;
  }

  Record const& record_;
  Json const& expanded_;
};

}  // namespace

RecordFacts facts_of(Record const& record) {
  return {record.collective,   record.algorithm,   record.engine, record.timing, record.routing,
          record.failed_links, record.block_bytes, record.p,      record.seed};
}

/// The first fact in which a record contradicts the point; empty if there is none.
std::string contradiction(RecordFacts const& record, RecordFacts const& due) {
  std::string fault;
  auto const compare = [&](char const* name, auto const& got, auto const& expected) {
    if (fault.empty()) fault = other(name, got, expected);
  };
  compare("collective", record.collective, due.collective);
  compare("algorithm", record.algorithm, due.algorithm);
  compare("engine", record.engine, due.engine);
  compare("timing", record.timing, due.timing);
  compare("routing", record.routing, due.routing);
  compare("failed_links", record.failed_links, due.failed_links);
  compare("p", record.p, due.p);
  compare("block_bytes", record.block_bytes, due.block_bytes);
  compare("seed", record.seed, due.seed);
  return fault;
}

void expect_consistent(Record const& record) {
  expect_numbers(record);
  expect_point(record);
  expect_verdict(record);
  Embedded(record).expect();
}

}  // namespace rondo

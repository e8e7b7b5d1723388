// The prover and the checker of certificates (check.py), which share no code, compared on mutants: they accept the
// same. A schedule that is refused has no certificate, so that one is written for it here, by what would arrive.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>

#include "base/error.hpp"
#include "certificates/mutants.hpp"
#include "folder.hpp"
#include "run/families/promises.hpp"
#include "run/formats/task_file.hpp"
#include "run/points/prove.hpp"
#include "sanitized.hpp"
#include "scenario/promise.hpp"
#include "schedule/certificate.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo::test {
namespace {

using scenario::Json;

/// What the checker says of each case in a list, in order: "" if it holds, else why it does not.
std::vector<std::string> checked(Folder const& folder, std::vector<std::string> const& cases) {
  std::string list;
  for (std::string const& each : cases) list += each + "\n";
  std::string const command = "/usr/bin/python3 -B '" RONDO_SOURCE_DIR "/tests/certificates/check.py' --list '" +
                              folder.write("list", list) + "'";
  std::vector<std::string> answers;
  std::FILE* const pipe = popen(command.c_str(), "r");
  std::string text;
  char piece[4096];
  while (std::size_t const size = std::fread(piece, 1, sizeof piece, pipe)) text.append(piece, size);
  EXPECT_EQ(pclose(pipe), 0) << text;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t const end = text.find('\n', begin);
    std::string const line = text.substr(begin, end - begin);
    std::size_t const says = line.find(": ");
    answers.push_back(line.substr(says) == ": holds" ? "" : line.substr(says + 2));
    begin = end + 1;
  }
  return answers;
}

/// A certificate by what arrives, whatever the verdict; empty where the file cannot be read.
std::string certificate_of(std::string const& file, std::string const& text) {
  try {
    ScheduleFile const read = parse_schedule(text, file);
    problem::Promise const promise = promise_beside(file, read.promise, {.block = read.block}, {});
    ResolvedPromise const wanted = resolve_promise(promise, file);
    if (ranks(wanted.collective) != read.schedule.ranks) return "";
    std::string written = Json({{"format", "rondo-certificate"},
                                {"format_version", 1},
                                {"schedule", "of a mutant"},
                                {"ranks", read.schedule.ranks},
                                {"rounds", read.schedule.rounds()},
                                {"needs_buffered_sends", false}})
                              .dump() +
                          "\n";
    write_arrivals(read.schedule, wanted.collective, [&](std::string_view piece) { written += piece; });
    return written;
  } catch (InputError const&) {
    return "";
  }
}

/// The same of a file of tasks.
std::string certificate_of_tasks(std::string const& file) {
  try {
    TaskFile tasks = load_tasks(file, task_format(file).value(), Bytes(1), most_goal_ranks);
    if (auto const promise = find_promise(file, Json(), {.block = Bytes(1)}, {})) add_promise(tasks, *promise, file);
    Json const head = {{"format", "rondo-certificate"},
                       {"format_version", 1},
                       {"schedule", "of a mutant"},
                       {"ranks", tasks.graph.tasks.ranks()},
                       {"tasks", tasks.graph.tasks.tasks.size()},
                       {"needs_buffered_sends", !ends(tasks.graph.tasks, Sends::synchronous)}};
    std::string written = head.dump() + "\n";
    if (tasks.promise) {
      write_arrivals(tasks.graph, *tasks.promise, [&](std::string_view piece) { written += piece; });
    }
    return written;
  } catch (InputError const&) {
    return "";
  }
}

/// A certificate is of a trace without collectives.
bool has_collectives(std::string const& file) {
  try {
    return load_tasks(file, task_format(file).value(), Bytes(1), most_goal_ranks).has_collectives;
  } catch (InputError const&) {
    return false;
  }
}

/// Writes a file of tasks by another name, and what belongs beside it; its path.
std::string write(Folder const& folder, mutants::TaskText const& tasks, std::string const& name) {
  if (!tasks.promise.empty()) folder.write(name + ".promise.json", tasks.promise);
  for (std::size_t i = 0; i < tasks.others.size(); ++i) {
    folder.write(name + "." + std::to_string(i + 1) + ".et", tasks.others[i]);
  }
  return folder.write(name + tasks.name.substr(tasks.name.find('.')), tasks.text);
}

struct Figures {
  int mutants = 0, proved = 0, need_buffers = 0, unreadable = 0, differences = 0;
  std::map<std::string, int> refused;  ///< by the first fault
};

/// Mutants in a folder, with what the prover said of them.
class Comparison {
 public:
  void add(std::string const& text, std::string const& original) {
    std::string const name = std::to_string(figures_.mutants++);
    std::string const file = folder_.write(name + ".json", text);
    add(name, file, certificate_of(file, text), original);
  }

  void add(mutants::TaskText const& tasks, std::string const& original) {
    // Traces are looked for among all files of their folder, so that each case has one of its own.
    std::string const name = std::to_string(figures_.mutants++) + "/tasks";
    std::string const file = write(folder_, tasks, name);
    if (!has_collectives(file)) add(name, file, certificate_of_tasks(file), original);
  }

  Figures compare() {
    std::vector<std::string> const answers = checked(folder_, lines_);
    EXPECT_EQ(answers.size(), lines_.size());
    for (std::size_t i = 0; i < std::min(answers.size(), lines_.size()); ++i) {
      bool const accepted = answers[i].empty();
      if (accepted == proved_[i].proved()) continue;
      if (figures_.differences++ >= 10) continue;
      std::string const file = lines_[i].substr(0, lines_[i].find('\t'));
      ADD_FAILURE() << (accepted ? "the checker accepts what the prover refuses: "
                                 : "the prover accepts, the checker: ")
                    << answers[i] << why(proved_[i]) << "\n"
                    << content(file) << content(lines_[i].substr(lines_[i].find('\t') + 1));
    }
    return figures_;
  }

 private:
  void add(std::string const& name, std::string const& file, std::string const& own, std::string const& original) {
    Proved const proved = prove(file, {});
    ++(proved.proved() ? figures_.proved : !proved.refused.empty() ? figures_.unreadable : refused(proved));
    if (proved.needs_buffered_sends.value_or(false)) ++figures_.need_buffers;
    // Neither by its own certificate nor by that of the schedule that it was made from is a mutant taken for right.
    add_case(file, folder_.write(name + ".own", own.empty() ? original : own), proved);
    if (!proved.proved() && !own.empty()) add_case(file, folder_.write(name + ".original", original), proved);
  }
  void add_case(std::string const& file, std::string const& certificate, Proved const& proved) {
    lines_.push_back(file + "\t" + certificate);
    proved_.push_back(proved);
  }
  int& refused(Proved const& proved) {
    return figures_.refused[proved.findings.empty() ? "not delivered" : proved.findings.front().rule];
  }
  static std::string why(Proved const& proved) {
    return proved.refused + proved.failed + (proved.findings.empty() ? "" : proved.findings.front().text);
  }
  static std::string content(std::string const& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  Folder folder_;
  std::vector<std::string> lines_;  ///< the cases for the checker
  std::vector<Proved> proved_;      ///< by case, what the prover says
  Figures figures_;
};

void print(char const* what, Figures const& figures) {
  std::cout << what << ": " << figures.mutants << " mutants, " << figures.proved << " proved (" << figures.need_buffers
            << " need buffered sends), " << figures.unreadable << " not read, "
            << figures.mutants - figures.proved - figures.unreadable << " refused, " << figures.differences
            << " judged otherwise by the checker\n";
  for (auto const& [rule, number] : figures.refused) std::cout << "  " << rule << ": " << number << "\n";
}

void compare_rounds(int mutants, std::uint64_t seed) {
  Random random(seed);
  std::vector<Json> const originals = mutants::rounds();
  std::vector<std::string> certificates;
  Comparison comparison;
  for (Json const& each : originals) {
    certificates.push_back(certificate_of("schedule", each.dump()));
    comparison.add(each.dump(), certificates.back());
  }
  for (int i = 0; i < mutants; ++i) {
    std::size_t const which = static_cast<std::size_t>(random.below(originals.size()));
    comparison.add(mutants::mutant_of(originals[which], random).dump(), certificates[which]);
  }
  print("schedule JSON", comparison.compare());
}

struct Case {
  char const* what;
  char const* schedule;
};

/// Each of them by its own certificate.
Figures judged(std::vector<Case> const& cases) {
  Comparison comparison;
  for (Case const& each : cases) comparison.add(each.schedule, "");
  return comparison.compare();
}

/// Rank 0 sends what it holds to rank 1; `sent` and `received` are the sizes of their slots.
std::string handed_over(std::string const& sent, std::string const& received) {
  return R"({"format": "rondo-schedule", "ranks": 2, "block_bytes": 8, "promise": {"kind": "bcast", "ranks": 2,
    "pieces": 2}, "programs": [
    {"ranks": [0], "buffers": {"send": {"slots": 2, "bytes": )" +
         sent + R"(}}, "rounds": [{"sends": [{"rank": 1, "places": [["send", 0], ["send", 1]]}]}]},
    {"ranks": [1], "buffers": {"receive": {"slots": 2, "bytes": )" +
         received + R"(}},
     "rounds": [{"receives": [{"rank": 0, "places": [["receive", 0], ["receive", 1]]}]}]}]})";
}

TEST(Checker, refuses_what_the_prover_refuses) {
  std::string const exchanged = handed_over("[3, 5]", "[5, 3]"), too_small = handed_over("[3, 4]", "[3, 4]");
  std::vector<Case> const cases = {
      {"sizes of places differ where their sums do not", exchanged.c_str()},
      {"a block of 8 B is cut into 3 and 4", too_small.c_str()},
      {"a copy between slots of other sizes", R"({"format": "rondo-schedule", "ranks": 1, "block_bytes": 8,
        "promise": {"kind": "stated", "ranks": 1, "held": [[0]], "owed": [[0]]}, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 1}, "receive": {"slots": 1, "bytes": [9]}},
         "copies": [[["send", 0], ["receive", 0]]]}]})"},
      {"an offset of 2 is no unit link", R"({"format": "rondo-schedule", "torus": [4], "promises": {"links": "unit"},
        "promise": {"kind": "isomorphic_allgather", "torus": [4],
                    "neighborhood": {"kind": "offsets", "offsets": [[2]]}},
        "programs": [{"ranks": "all", "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}},
          "rounds": [{"sends": [{"offset": [2], "places": [["send", 0]]}],
                      "receives": [{"offset": [-2], "places": [["receive", 0]]}]}]}]})"},
      {"a diagonal is no link along an axis", R"({"format": "rondo-schedule", "torus": [3, 3],
        "promises": {"links": "axis"}, "promise": {"kind": "isomorphic_allgather", "torus": [3, 3],
                    "neighborhood": {"kind": "offsets", "offsets": [[1, 1]]}},
        "programs": [{"ranks": "all", "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}},
          "rounds": [{"sends": [{"offset": [1, 1], "places": [["send", 0]]}],
                      "receives": [{"offset": [-1, -1], "places": [["receive", 0]]}]}]}]})"},
      {"what arrived is written over before it was read", R"({"format": "rondo-schedule", "ranks": 2,
        "promise": {"kind": "bcast", "ranks": 2}, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 1}, "intermediate": {"slots": 1}},
         "rounds": [{"sends": [{"rank": 1, "places": [["send", 0]]}], "receives": [{"rank": 1, "places": [["intermediate", 0]]}],
                     "copies": [[["send", 0], ["intermediate", 0]]]}]},
        {"ranks": [1], "buffers": {"receive": {"slots": 1}, "intermediate": {"slots": 1}},
         "rounds": [{"sends": [{"rank": 0, "places": []}],
                     "receives": [{"rank": 0, "places": [["receive", 0]]}],
                     "copies": [[["receive", 0], ["intermediate", 0]], [["receive", 0], ["receive", 0]],
                                [["intermediate", 0], ["receive", 0]]]},
                    {}]}]})"},
      {"a block is delivered twice", R"({"format": "rondo-schedule", "ranks": 2,
        "promise": {"kind": "bcast", "ranks": 2}, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 1}},
         "rounds": [{"sends": [{"rank": 1, "places": [["send", 0]]}]}, {"sends": [{"rank": 1, "places": [["send", 0]]}]}]},
        {"ranks": [1], "buffers": {"receive": {"slots": 1}},
         "rounds": [{"receives": [{"rank": 0, "places": [["receive", 0]]}]},
                    {"receives": [{"rank": 0, "places": [["receive", 0]]}]}]}]})"},
      {"a store behind a join of its round", R"({"format": "rondo-schedule", "ranks": 2,
        "promise": {"kind": "stated", "ranks": 2, "held": [[0], [0]], "owed": [[[1, 0]], []]}, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}},
         "copies": [[["send", 0], ["receive", 0]]],
         "rounds": [{"receives": [{"rank": 1, "places": [["receive", 0]], "join": "after"},
                                  {"rank": 1, "places": [["receive", 0]]}],
                     "copies": [[["receive", 0], ["receive", 0]]]}]},
        {"ranks": [1], "buffers": {"send": {"slots": 1}},
         "rounds": [{"sends": [{"rank": 0, "places": [["send", 0]]}, {"rank": 0, "places": [["send", 0]]}]}]}]})"},
      {"nobody sends in the last round", R"({"format": "rondo-schedule", "ranks": 1,
        "promise": {"kind": "stated", "ranks": 1, "held": [[0]], "owed": [[0]]}, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}},
         "rounds": [{"copies": [[["send", 0], ["receive", 0]]]}]}]})"},
      {"a sum that a barrier may double is delivered twice", R"({"format": "rondo-schedule", "ranks": 2,
        "promise": {"kind": "stated", "ranks": 2, "held": [[0], [0]], "owed": [[{"block": 0, "from": "all"}], []],
                    "idempotent": true}, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}, "intermediate": {"slots": 1}},
         "rounds": [{"receives": [{"rank": 1, "places": [["intermediate", 0]]}],
           "copies": [[["send", 0], ["receive", 0]], [["intermediate", 0], ["receive", 0], "after"],
                      [["intermediate", 0], ["receive", 0], "after"], [["intermediate", 0], ["intermediate", 0], "after"],
                      [["send", 0], ["intermediate", 0], "after"], [["intermediate", 0], ["receive", 0]]]}]},
        {"ranks": [1], "buffers": {"send": {"slots": 1}},
         "rounds": [{"sends": [{"rank": 0, "places": [["send", 0]]}]}]}]})"},
      {"a barrier that joins nothing writes a block over", R"({"format": "rondo-schedule", "ranks": 1,
        "promise": {"kind": "stated", "ranks": 1, "held": [[0, 1]], "owed": [[0]], "idempotent": true}, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 2}, "receive": {"slots": 1}},
         "copies": [[["send", 1], ["receive", 0]], [["send", 0], ["receive", 0]]]}]})"},
      {"a slot that is owed to nobody has no room", R"({"format": "rondo-schedule", "ranks": 1,
        "promise": {"kind": "stated", "ranks": 1, "held": [[]], "owed": [[null]]}, "programs": [{"ranks": [0]}]})"},
  };
  Figures const figures = judged(cases);
  EXPECT_EQ(figures.proved, 0);
  EXPECT_EQ(figures.differences, 0);
}

TEST(Checker, accepts_what_the_prover_accepts) {
  std::vector<Case> const cases = {
      {"blocks of several numbers are joined where nobody is owed them", R"({"format": "rondo-schedule", "ranks": 2,
        "promise": {"kind": "stated", "ranks": 2, "held": [[0, 1], []], "owed": [[], []]}, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 2}, "intermediate": {"slots": 1}},
         "copies": [[["send", 0], ["intermediate", 0]], [["send", 1], ["intermediate", 0], "after"],
                    [["intermediate", 0], ["intermediate", 0], "before"]],
         "rounds": [{"sends": [{"rank": 1, "places": [["intermediate", 0]]}]}]},
        {"ranks": [1], "buffers": {"intermediate": {"slots": 1}},
         "rounds": [{"receives": [{"rank": 0, "places": [["intermediate", 0]]}]}]}]})"},
      {"a block whose offset is 0 is among the shales of radius 0", R"({"format": "rondo-schedule", "torus": [3],
        "promise": {"kind": "isomorphic_allgather", "torus": [3], "neighborhood": {"kind": "shales", "radii": [0]}},
        "programs": [{"ranks": "all", "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}},
          "copies": [[["send", 0], ["receive", 0]]]}]})"},
      {"a message reads a place twice", R"({"format": "rondo-schedule", "ranks": 2,
        "promise": {"kind": "stated", "ranks": 2, "held": [[0], []], "owed": [[], [[0, 0], [0, 0]]]}, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 1}},
         "rounds": [{"sends": [{"rank": 1, "places": [["send", 0], ["send", 0]]}]}]},
        {"ranks": [1], "buffers": {"receive": {"slots": 2}},
         "rounds": [{"receives": [{"rank": 0, "places": [["receive", 0], ["receive", 1]]}]}]}]})"},
      {"comments", R"(/* a schedule */ {"format": "rondo-schedule", "ranks": 1, // alone
        "collective": "// none", "promise": {"kind": "barrier", "ranks": 1}, "block_bytes": 0, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}},
         "copies": [[["send", 0], ["receive", 0]]]}]})"},
      {"a program that nobody follows", R"({"format": "rondo-schedule", "ranks": 1,
        "promise": {"kind": "stated", "ranks": 1, "held": [[0]], "owed": [[]]}, "programs": [
        {"ranks": [0], "buffers": {"send": {"slots": 1}}},
        {"ranks": [], "buffers": {"send": {"slots": 1}, "receive": {"slots": 1, "bytes": [7]}},
         "copies": [[["send", 0], ["receive", 0]]]}]})"},
  };
  Figures const figures = judged(cases);
  EXPECT_EQ(figures.proved, static_cast<int>(cases.size()));
  EXPECT_EQ(figures.differences, 0);
}

/// A contribution that enters 2^61 times, by doubling, is 1 modulo the prime 2^61 - 1.
std::string doubled_sum(int doublings) {
  std::string copies = R"([["send", 0], ["intermediate", 0]], [["send", 0], ["receive", 0]])";
  for (int i = 0; i < doublings; ++i) {
    copies +=
        R"(, [["intermediate", 0], ["receive", 0], "after"], [["intermediate", 0], ["intermediate", 0], "after"])";
  }
  return R"({"format": "rondo-schedule", "ranks": 2, "block_bytes": 8, "promise": {"kind": "stated", "ranks": 2,
    "held": [[0], [0]], "owed": [[{"block": 0, "from": "all"}], []]}, "programs": [
    {"ranks": [0], "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}, "intermediate": {"slots": 1}},
     "copies": [)" +
         copies + R"(], "rounds": [{"receives": [{"rank": 1, "places": [["receive", 0]], "join": "after"}]}]},
    {"ranks": [1], "buffers": {"send": {"slots": 1}},
     "rounds": [{"sends": [{"rank": 0, "places": [["send", 0]]}]}]}]})";
}

TEST(Checker, counts_contributions_exactly) {
  Folder const folder;
  std::vector<std::string> cases;
  for (int const doublings : {1, 61, 64, 128}) {
    std::string const name = std::to_string(doublings);
    std::string const text = doubled_sum(doublings), file = folder.write(name + ".json", text);
    cases.push_back(file + "\t" + folder.write(name, certificate_of(file, text)));
  }
  for (std::string const& answer : checked(folder, cases))
    EXPECT_NE(answer.find("is owed another content"), answer.npos) << answer;
}

std::map<std::string, char const*> const formats = {
    {".xml", "MSCCL XML"}, {".goal", "GOAL"}, {".bin", "binary GOAL"}, {".et", "Chakra traces"}};

/// `ending`: of the files of one format; empty: of all.
void compare_tasks(int mutants, std::uint64_t seed, std::string const& ending = "") {
  Random random(seed);
  std::map<std::string, Comparison> by_format;
  std::vector<mutants::TaskText> originals = mutants::tasks();
  std::erase_if(originals, [&](auto const& each) { return !each.name.ends_with(ending); });
  std::vector<std::string> certificates;
  Folder const folder;
  for (mutants::TaskText const& each : originals) {
    certificates.push_back(certificate_of_tasks(write(folder, each, each.name.substr(0, each.name.find('.')))));
  }
  std::map<std::string, std::vector<std::size_t>> of_format;
  for (std::size_t i = 0; i < originals.size(); ++i) {
    std::string const format = formats.at(originals[i].name.substr(originals[i].name.rfind('.')));
    by_format[format].add(originals[i], certificates[i]);
    of_format[format].push_back(i);
  }
  for (auto const& [format, numbers] : of_format) {
    for (int i = 0; i < mutants; ++i) {
      std::size_t const which = numbers[static_cast<std::size_t>(random.below(numbers.size()))];
      by_format[format].add(mutants::mutant_of(originals[which], random), certificates[which]);
    }
  }
  for (auto& [format, comparison] : by_format) print(format.c_str(), comparison.compare());
}

TEST(Mutants, of_tasks_are_judged_alike_by_prover_and_checker) { compare_tasks(500 / sampled, 3); }

TEST(LongMutants, of_msccl_xml_are_judged_alike_by_prover_and_checker) { compare_tasks(20'000, 4, ".xml"); }
TEST(LongMutants, of_goal_are_judged_alike_by_prover_and_checker) { compare_tasks(20'000, 5, ".goal"); }
TEST(LongMutants, of_binary_goal_are_judged_alike_by_prover_and_checker) { compare_tasks(20'000, 6, ".bin"); }
TEST(LongMutants, of_traces_are_judged_alike_by_prover_and_checker) { compare_tasks(20'000, 7, ".et"); }

TEST(Mutants, of_schedules_in_rounds_are_judged_alike_by_prover_and_checker) { compare_rounds(500 / sampled, 1); }

TEST(LongMutants, of_schedules_in_rounds_are_judged_alike_by_prover_and_checker) { compare_rounds(20'000, 2); }

}  // namespace
}  // namespace rondo::test

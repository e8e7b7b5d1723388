// Every file that a point is read from is part of what makes its record the same.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/permissions.hpp"
#include "folder.hpp"
#include "run/points/job.hpp"
#include "run/points/resume.hpp"

namespace rondo::stale {
namespace {

using nlohmann::json;

/// Changes one file: to a text of the same length, unless it says otherwise, with the same time of its last change.
struct Change {
  std::string file, from, to;
};

json two_hosts() {
  return {{"topology", {{"kind", "fully_connected"}, {"hosts", 2}}}, {"latency", "1us"}, {"bandwidth", "1GBps"}};
}

/// A scenario, the files beside it, and the changes after which its record is another one.
struct Case {
  std::string name;
  json collective;
  std::map<std::string, std::string> files;
  std::vector<Change> changes;
  json machine = two_hosts();
  bool has_block = true;
};

void PrintTo(Case const& given, std::ostream* out) { *out << given.name; }

/// An allgather of 2 ranks, of which each sends its block at once.
std::string allgather(std::string const& promise) {
  return R"({"format":"rondo-schedule","format_version":1,"ranks":2,"block_bytes":100,)"
         R"("promises":{"ports":1,"links":"any"},)" +
         promise +
         R"("programs":[
{"ranks":[0],"buffers":{"send":{"slots":1},"receive":{"slots":2},"intermediate":{"slots":0}},"copies":[[["send",0],["receive",0]]],"rounds":[{"sends":[{"rank":1,"bytes":100,"places":[["send",0]]}],"receives":[{"rank":1,"bytes":100,"places":[["receive",1]]}],"copies":[]}]},
{"ranks":[1],"buffers":{"send":{"slots":1},"receive":{"slots":2},"intermediate":{"slots":0}},"copies":[[["send",0],["receive",1]]],"rounds":[{"sends":[{"rank":0,"bytes":100,"places":[["send",0]]}],"receives":[{"rank":0,"bytes":100,"places":[["receive",0]]}],"copies":[]}]}
]})";
}

/// Each of 2 ranks sends a message of 100 B to the other. It can be read as an exchange of 2 blocks of a neighborhood.
constexpr char const* exchange_goal = R"(num_ranks 2
rank 0 {
l1: recv 100b from 1 tag 0
l2: send 100b to 1 tag 0
}
rank 1 {
l1: recv 100b from 0 tag 0
l2: send 100b to 0 tag 0
}
)";

constexpr char const* two_ring = "0 1\n1 0\n";
constexpr char const* platform_xml = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>
)";

json neighbor(json graph) { return {{"kind", "neighbor_allgather"}, {"graph", std::move(graph)}}; }

std::vector<Case> cases() {
  json const edges = {{"kind", "edges"}, {"path", "graph.txt"}};
  json const owed = {{"kind", "allgather"}, {"ranks", 2}};
  std::string const neighbor_promise = neighbor(edges).dump();
  std::vector<Case> all = {
      {"edges", neighbor(edges), {{"graph.txt", two_ring}}, {{"graph.txt", "0 1\n1 0\n", "1 0\n0 1\n"}}},
      {"matrix_market",
       neighbor({{"kind", "edges"}, {"path", "graph.mtx"}}),
       {{"graph.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1.0\n2 1 1.0\n"}},
       {{"graph.mtx", "1 2 1.0", "1 2 2.0"}}},
      {"pattern",
       {{"kind", "sparse_exchange"}, {"pattern", edges}},
       {{"graph.txt", two_ring}},
       {{"graph.txt", "0 1\n1 0\n", "1 0\n0 1\n"}}},
      {"graph_of_sparse_bcast",
       {{"kind", "sparse_bcast"}, {"graph", edges}},
       {{"graph.txt", two_ring}},
       {{"graph.txt", "0 1\n1 0\n", "1 0\n0 1\n"}}},
      {"schedule_with_its_promise",
       {{"kind", "custom"}, {"schedule", "s.schedule.json"}},
       {{"s.schedule.json", allgather(R"("promise":{"kind":"allgather","ranks":2},)")}},
       {{"s.schedule.json", "\"any\"", "\"all\""}}},
      {"promise_named_in_the_scenario",
       {{"kind", "custom"}, {"schedule", "s.schedule.json"}, {"promise", "p.json"}},
       {{"s.schedule.json", allgather("")}, {"p.json", owed.dump()}},
       {{"p.json", "\"ranks\":2", "\"ranks\":4"}, {"s.schedule.json", "\"any\"", "\"all\""}}},
      {"promise_beside_the_schedule",
       {{"kind", "custom"}, {"schedule", "s.json"}},
       {{"s.json", allgather("")}, {"s.promise.json", owed.dump()}},
       {{"s.promise.json", "\"ranks\":2", "\"ranks\":4"}}},
      {"promise_named_in_the_schedule",
       {{"kind", "custom"}, {"schedule", "s.schedule.json"}},
       {{"s.schedule.json", allgather(R"("promise":"p.json",)")}, {"p.json", owed.dump()}},
       {{"p.json", "\"ranks\":2", "\"ranks\":4"}}},
      {"promise_that_names_a_schedule_that_names_a_promise",
       {{"kind", "custom"}, {"schedule", "s.schedule.json"}, {"promise", "t.json"}},
       {{"s.schedule.json", allgather("")}, {"t.json", allgather(R"("promise":"p.json",)")}, {"p.json", owed.dump()}},
       {{"p.json", "\"ranks\":2", "\"ranks\":4"}, {"t.json", "\"any\"", "\"all\""}}},
      {"graph_of_a_promise_in_the_scenario",
       {{"kind", "custom"}, {"schedule", "s.schedule.json"}, {"promise", neighbor(edges)}},
       {{"s.schedule.json", allgather("")}, {"graph.txt", two_ring}},
       {{"graph.txt", "0 1\n1 0\n", "1 0\n0 1\n"}}},
      {"graph_of_a_promise_in_a_file",
       {{"kind", "custom"}, {"schedule", "s.schedule.json"}, {"promise", "p.json"}},
       {{"s.schedule.json", allgather("")}, {"p.json", neighbor_promise}, {"graph.txt", two_ring}},
       {{"graph.txt", "0 1\n1 0\n", "1 0\n0 1\n"}}},
      {"graph_of_a_promise_in_the_schedule",
       {{"kind", "custom"}, {"schedule", "s.schedule.json"}},
       {{"s.schedule.json", allgather("\"promise\":" + neighbor_promise + ",")}, {"graph.txt", two_ring}},
       {{"graph.txt", "0 1\n1 0\n", "1 0\n0 1\n"}}},
      {"schedules_by_name",
       {{"kind", "custom"}, {"schedules", {{"own", "s.schedule.json"}, {"other", "t.json"}}}, {"promise", owed}},
       {{"s.schedule.json", allgather("")}, {"t.json", allgather("")}},
       {{"s.schedule.json", "\"any\"", "\"all\""}}},
      {"goal",
       {{"kind", "custom"}, {"schedule", "s.goal"}, {"ranks", 2}},
       {{"s.goal", exchange_goal}},
       {{"s.goal", "l1: recv 100b", "l1: recv 101b"}},
       two_hosts(),
       false},
      {"traces",
       {{"kind", "custom"}, {"schedule", "s.0.et"}, {"ranks", 2}},
       {{"s.0.et", "first trace"}, {"s.1.et", "second trace"}},
       {{"s.0.et", "first", "First"}, {"s.1.et", "second", "Second"}},
       two_hosts(),
       false},
      {"platform",
       owed,
       {{"cluster.xml", platform_xml}},
       {{"cluster.xml", "1GBps", "2GBps"}},
       {{"topology", {{"kind", "file"}, {"path", "cluster.xml"}}}, {"latency", "1us"}, {"bandwidth", "1GBps"}}},
      {"machine",
       owed,
       {{"machine.json", R"({"topology":{"kind":"fully_connected","hosts":2},"latency":"1us","bandwidth":"1GBps"})"}},
       {{"machine.json", "1us", "2us"}},
       "machine.json"},
      {"platform_of_a_machine",
       owed,
       {{"machine.json", R"({"topology":{"kind":"file","path":"cluster.xml"},"latency":"1us","bandwidth":"1GBps"})"},
        {"cluster.xml", platform_xml}},
       {{"cluster.xml", "1GBps", "2GBps"}},
       "machine.json"},
      {"source_and_headers",
       {{"kind", "program"},
        {"source", "src/a.c"},
        {"flags", {"-Iinclude", "-include", "forced.h", "-DTABLE=\"table.h\"", "-Llib", "-lown"}}},
       {{"src/a.c",
         "#include <mpi.h>\n#inc\\\nlude \"beside.h\"\n#define NAMED <named.h>\n#include NAMED\n#include TABLE\n"
         "asm(\".incbin \\\"table.bin\\\"\");\nint main() {}\n"},
        {"src/beside.h", "/* */ #include \"deeper/b.h\" // 1\n"},
        {"src/deeper/b.h", "#define N 1\n"},
        {"include/named.h", "#define M 1\n"},
        {"table.h", "#define T 1\n"},
        {"table.bin", "binary 1\n"},
        {"forced.h", "#define F 1\n"},
        {"lib/libown.a", "archive 1\n"}},
       {{"src/a.c", "main", "mine"},
        {"src/beside.h", "1", "2"},
        {"src/deeper/b.h", "1", "2"},
        {"include/named.h", "1", "2"},
        {"table.h", "1", "2"},
        {"table.bin", "1", "2"},
        {"forced.h", "1", "2"},
        {"lib/libown.a", "1", "2"}}},
      {"fortran",
       {{"kind", "program"}, {"source", "a.f90"}, {"flags", {"-Imods"}}},
       {{"a.f90", "program a\n  Use, intrinsic :: iso_c_binding\n  use Grids, only: n\n  include 'size.inc'\nend\n"},
        {"size.inc", "integer :: s = 1\n"},
        {"mods/grids.mod", "module 1\n"}},
       {{"a.f90", "program a", "program b"}, {"size.inc", "1", "2"}, {"mods/grids.mod", "1", "2"}}},
      {"binary", {{"kind", "program"}, {"binary", "a.out"}}, {{"a.out", "binary 1"}}, {{"a.out", "1", "2"}}},
  };
  return all;
}

class RecordInputs : public ::testing::TestWithParam<Case> {
 protected:
  RecordInputs() {
    permit({.programs = Permissions::Programs::listed});
    json const block = GetParam().has_block ? json("100B") : json();
    json scenario = {{"machine", GetParam().machine}, {"collective", GetParam().collective}};
    if (!block.is_null()) scenario["block"] = block;
    json const& collective = GetParam().collective;
    if (collective["kind"] == "allgather") scenario["algorithm"] = "ring";
    if (collective["kind"] == "neighbor_allgather") scenario["algorithm"] = "naive";
    if (collective["kind"] == "sparse_exchange") scenario["algorithm"] = "nbx";
    if (collective["kind"] == "sparse_bcast") scenario["algorithm"] = "naive";
    if (collective.contains("schedules")) scenario["algorithm"] = "own";
    folder_.write("scenario.json", scenario.dump());
    for (auto const& [name, text] : GetParam().files) folder_.write(name, text);
  }
  ~RecordInputs() override { permit({}); }

  /// Of the one point, or why it is refused: a file that is wrong now is taken over by no record either.
  std::string key() const {
    try {
      return due_points(load_job(folder_.file("scenario.json"), {}, Loading::listed)).front().key;
    } catch (InputError const& refused) {
      return refused.what();
    }
  }

  /// Changes a file in place, of which the file system then says the same but for `ctime`.
  void change(Change const& change) const {
    std::string text = GetParam().files.at(change.file);
    std::size_t const at = text.find(change.from);
    ASSERT_NE(at, std::string::npos) << change.file;
    auto const time = std::filesystem::last_write_time(folder_.file(change.file));
    folder_.write(change.file, text.replace(at, change.from.size(), change.to));
    std::filesystem::last_write_time(folder_.file(change.file), time);
  }

  test::Folder folder_;
};

TEST_P(RecordInputs, are_part_of_what_makes_a_record_the_same) {
  std::string const before = key();
  ASSERT_EQ(before.find(folder_.path().string()), std::string::npos) << before;
  for (Change const& each : GetParam().changes) {
    ASSERT_EQ(key(), before);
    change(each);
    EXPECT_NE(key(), before) << each.file;
    change({each.file, "", ""});  // as it was
    EXPECT_EQ(key(), before) << each.file;
  }
}

std::string key_of(std::string const& scenario) {
  return due_points(load_job(scenario, {}, Loading::listed)).front().key;
}

TEST(Inputs, a_line_that_moves_from_one_source_to_the_next_makes_another_record) {
  permit({.programs = Permissions::Programs::listed});
  test::Folder const folder;
  json scenario = {{"machine", two_hosts()}, {"collective", {{"kind", "program"}, {"sources", {"a.c", "b.c"}}}}};
  std::string const file = folder.write("scenario.json", scenario.dump());
  folder.write("a.c", "int a;\n#define N 1\n");
  folder.write("b.c", "int b;\n");
  std::string const before = key_of(file);
  folder.write("a.c", "int a;\n");
  folder.write("b.c", "#define N 1\nint b;\n");
  EXPECT_NE(key_of(file), before);
  permit({});
}

TEST(Inputs, of_a_file_of_tasks_are_its_promise_and_what_that_names) {
  test::Folder const folder;
  std::string const machine = folder.write("machine.json", two_hosts().dump());
  std::string const tasks = folder.write("s.xml", R"(<algo name="x" proto="Simple" nchannels="1" nchunksperloop="2" )"
                                                  R"(ngpus="2" coll="custom" inplace="0"><gpu id="0" i_chunks="2" )"
                                                  R"(o_chunks="2" s_chunks="0"/><gpu id="1" i_chunks="2" o_chunks="2" )"
                                                  R"(s_chunks="0"/></algo>)");
  std::string const promise = folder.write("p.json", neighbor({{"kind", "edges"}, {"path", "graph.txt"}}).dump());
  auto const key = [&](std::string const& named) {
    return due_points(load_task_job(tasks, TaskFormat::msccl, {machine, "8B", named}, {})).front().key;
  };
  folder.write("graph.txt", "0 1\n1 0\n");
  std::string const before = key(promise);
  EXPECT_EQ(key(promise), before);
  folder.write("graph.txt", "1 0\n0 1\n");
  EXPECT_NE(key(promise), before);
  folder.write("graph.txt", "0 1\n1 0\n");
  EXPECT_EQ(key(promise), before);
  folder.write("s.promise.json", neighbor({{"kind", "edges"}, {"path", "graph.txt"}}).dump());
  std::string const beside = key("");
  folder.write("graph.txt", "1 0\n0 1\n");
  EXPECT_NE(key(""), beside);
}

INSTANTIATE_TEST_SUITE_P(of, RecordInputs, ::testing::ValuesIn(cases()),
                         [](auto const& each) { return each.param.name; });

}  // namespace
}  // namespace rondo::stale

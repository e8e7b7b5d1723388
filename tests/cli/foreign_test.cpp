// `rondo run x.xml --machine FILE --chunk SIZE`, `rondo export --format msccl` and `goal_binary`, promises of
// files, and `rondo run x.0.et`.

#include <gtest/gtest.h>

#include <regex>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "foreign/chakra_traces.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

std::string const pair_machine =
    R"({"topology": {"kind": "fully_connected", "hosts": 4}, "latency": "2us", "bandwidth": "10GBps"})";

std::string allreduce_of_four(std::string const& algorithm) {
  return R"({"schema_version": 1, "machine": )" + pair_machine +
         R"(, "collective": {"kind": "allreduce", "ranks": 4}, "algorithm": ")" + algorithm +
         R"(", "block": "4MB", "engine": "native"})";
}

/// A recursive doubling of 4 ranks exchanges the whole vector twice: 2 (2 us + 4 MB / 10 GB/s). As MSCCL XML it is one
/// chunk, and takes the same on both engines.
TEST(Foreign, msccl_s_copies_are_passed_over_with_one_remark) {
  Folder const folder;
  std::string const plain = content_of(RONDO_TEST_DATA "/msccl/allgather_ring.xml");
  std::string const with_copies =
      std::regex_replace(plain, std::regex("(<gpu[^>]*>)"), "$1<copy i_off=\"0\" o_off=\"0\"><x/></copy>");
  Ran const ran = rondo("prove " + folder.write("x.xml", with_copies));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, folder.file("x.xml") + ": 4 <copy> of gpus are passed over, as MSCCL's interpreter does\n");
  EXPECT_EQ(rondo("prove " + folder.write("x.xml", plain)).out, ran.out.substr(0, ran.out.size()))
      << "but for the lines of steps, which stand where they stood";
}

TEST(Foreign, msccl_of_a_schedule_takes_as_long_as_the_schedule_on_both_engines) {
  Folder const folder;
  std::string const file = folder.write("s.json", allreduce_of_four("recursive_doubling"));
  std::string const xml = (folder.path() / "s.xml").string();
  ASSERT_EQ(rondo("export --format msccl --output " + xml + " " + file).exit_code, 0);
  for (std::string const engine : {"native", "smpi"}) {
    Ran const ran = rondo("run --quiet --format jsonl --engine " + engine + " --chunk 4MB " + xml + " --machine " +
                          folder.write("m.json", pair_machine));
    ASSERT_EQ(ran.exit_code, 0) << ran.err << ran.out;
    json const record = json::parse(ran.out);
    EXPECT_NEAR(record["time_s"].get<double>(), 804e-6, 1e-12);
    EXPECT_EQ(record["delivered"], true);
    EXPECT_EQ(record["messages"], 8);
    EXPECT_EQ(record["volume_bytes"], 8'000'000);
  }
}

TEST(Foreign, goal_is_the_same_as_text_and_in_binary_form) {
  Folder const folder;
  std::string const file = folder.write("s.json", allreduce_of_four("rabenseifner"));
  auto const time = [&](std::string const& format, std::string const& name) {
    std::string const goal = (folder.path() / name).string();
    EXPECT_EQ(rondo("export --format " + format + " --output " + goal + " " + file).exit_code, 0);
    Ran const ran = rondo("run --quiet --format jsonl " + goal + " --machine " + folder.write("m.json", pair_machine));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    json const record = json::parse(ran.out);
    return std::tuple(record["time_s"].get<double>(), record["messages"].get<int>());
  };
  auto const text = time("goal", "t.goal");
  EXPECT_EQ(time("goal_binary", "b.bin"), text);
  EXPECT_EQ(time("goal_binary", "b.goal"), text) << "what is in a file says what it is";
}

TEST(Foreign, no_trace_is_written_over_by_what_is_said_about_all) {
  using namespace chakra;
  Folder const folder;
  folder.write("x.0.et", head() + send_to(1, 1, 8000));
  std::string const receives = head() + receive_from(1, 0, 8000);
  folder.write("x.1.et", receives);
  for (std::string const output : {"prove --junit ", "prove --sarif "}) {
    Ran const ran = rondo(output + folder.file("x.1.et") + " " + folder.file("x.0.et"));
    EXPECT_EQ(ran.exit_code, 2) << ran.out;
    EXPECT_NE(ran.err.find("it is the input"), std::string::npos) << ran.err;
    EXPECT_EQ(content_of(folder.file("x.1.et")), receives);
  }
}

TEST(Foreign, a_trace_runs_again_where_that_of_another_rank_has_changed) {
  using namespace chakra;
  Folder const folder;
  auto const seconds = [&](std::int64_t bytes, std::string const& engine) {
    folder.write("x.0.et", head() + send_to(1, 1, 8000));
    folder.write("x.1.et", head() + receive_from(1, 0, 8000) + send_to(2, 2, bytes, {1}));
    folder.write("x.2.et", head() + receive_from(1, 1, bytes));
    Ran const ran =
        rondo("run --quiet --resume --format jsonl --engine " + engine + " --output " + folder.file("out.jsonl") + " " +
              folder.file("x.0.et") + " --machine " + folder.write("m.json", pair_machine));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    std::string const all = content_of(folder.file("out.jsonl"));
    json const record = json::parse(all.substr(all.rfind('\n', all.size() - 2) + 1));
    EXPECT_EQ(record["expanded"]["chakra"], folder.file("x.0.et"));
    EXPECT_EQ(record["p"], 3);
    return record["time_s"].get<double>();
  };
  constexpr double alpha = 2e-6, beta = 1e-10;
  EXPECT_NEAR(seconds(8000, "native"), 2 * (alpha + 8000 * beta), 1e-14);
  EXPECT_NEAR(seconds(80'000, "native"), 2 * alpha + 88'000 * beta, 1e-14);
  EXPECT_NEAR(seconds(80'000, "smpi"), 2 * alpha + 88'000 * beta, 1e-13);
}

/// A file of `custom` has no promise of its own; one beside it is held against it.
TEST(Foreign, a_promise_beside_a_custom_collective_is_proved) {
  Folder const folder;
  std::string const xml = folder.write(
      "x.xml", R"(<algo name="a" proto="Simple" nchannels="1" nchunksperloop="1" ngpus="2" coll="custom" inplace="0">
<gpu id="0" i_chunks="1" o_chunks="0" s_chunks="0"><tb id="0" send="1" recv="-1" chan="0">
<step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu>
<gpu id="1" i_chunks="0" o_chunks="1" s_chunks="0"><tb id="0" send="-1" recv="0" chan="0">
<step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu>
</algo>
)");
  Ran const bare = rondo("prove " + xml);
  EXPECT_EQ(bare.exit_code, 0);
  EXPECT_EQ(bare.out, xml + ": proved: nothing promised on 2 ranks, 2 tasks, 1 move\n");
  folder.write("x.promise.json", R"({"kind": "bcast", "ranks": 2})");
  Ran const kept = rondo("prove " + xml);
  EXPECT_EQ(kept.exit_code, 0) << kept.out << kept.err;
  EXPECT_EQ(kept.out, xml + ": proved: bcast on 2 ranks, 2 tasks, 1 move\n");
  std::string const other = folder.write("other.json", R"({"kind": "bcast", "ranks": 2, "root": 1})");
  Ran const broken = rondo("prove --promise " + other + " " + xml);
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_EQ(json::parse(rondo("run --quiet --format jsonl --chunk 1MB --machine " +
                              folder.write("m.json", pair_machine) + " --promise " + other + " " + xml)
                            .out)["delivered"],
            false);
}

}  // namespace
}  // namespace rondo::test

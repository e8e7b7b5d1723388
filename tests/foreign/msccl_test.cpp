// MSCCL XML: what is read, what is refused, what each type of step does, and what the proof says of files that are
// wrong in one place.

#include "foreign/msccl.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "base/error.hpp"

namespace rondo {
namespace {

using msccl::Algorithm;

/// A step, its attributes in one line: "s i 0 o 0 1", and " <- 2 0" waits for step 0 of thread block 2, "!" signals.
std::string step(int number, std::string const& text) {
  static std::regex const form(R"((\w+) (\w) (-?\d+) (\w) (-?\d+) (\d+)(?: <- (-?\d+) (-?\d+))?( !)?)");
  std::smatch m;
  EXPECT_TRUE(std::regex_match(text, m, form)) << text;
  auto const or_none = [](std::string const& given) { return given.empty() ? std::string("-1") : given; };
  return "<step s=\"" + std::to_string(number) + "\" type=\"" + m[1].str() + "\" srcbuf=\"" + m[2].str() +
         "\" srcoff=\"" + m[3].str() + "\" dstbuf=\"" + m[4].str() + "\" dstoff=\"" + m[5].str() + "\" cnt=\"" +
         m[6].str() + "\" depid=\"" + or_none(m[7].str()) + "\" deps=\"" + or_none(m[8].str()) + "\" hasdep=\"" +
         (m[9].matched ? "1" : "0") + "\"/>\n";
}

struct Tb {
  int send, receive;
  std::vector<std::string> steps;
};

std::string xml(std::string const& collective, int chunks, bool in_place, std::string const& gpu_chunks,
                std::vector<std::vector<Tb>> const& gpus) {
  std::string text = "<algo name=\"test\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"" + std::to_string(chunks) +
                     "\" ngpus=\"" + std::to_string(gpus.size()) + "\" coll=\"" + collective + "\" inplace=\"" +
                     (in_place ? "1" : "0") + "\">\n";
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    text += "<gpu id=\"" + std::to_string(g) + "\" " + gpu_chunks + ">\n";
    for (std::size_t b = 0; b < gpus[g].size(); ++b) {
      Tb const& tb = gpus[g][b];
      text += "<tb id=\"" + std::to_string(b) + "\" send=\"" + std::to_string(tb.send) + "\" recv=\"" +
              std::to_string(tb.receive) + "\" chan=\"0\">\n";
      for (std::size_t i = 0; i < tb.steps.size(); ++i) text += step(static_cast<int>(i), tb.steps[i]);
      text += "</tb>\n";
    }
    text += "</gpu>\n";
  }
  return text + "</algo>\n";
}

TaskProof proved(std::string const& text, Slots slots = {}) {
  Algorithm const algorithm = msccl::read(text, "x.xml");
  auto const promise = msccl::promise(algorithm);
  return prove(msccl::tasks(algorithm, Bytes(8)), promise ? &*promise : nullptr, slots);
}

std::string refusal(std::string const& text) {
  try {
    msccl::read(text, "x.xml");
    return "read";
  } catch (InputError const& error) {
    return error.what();
  }
}

std::string replaced(std::string text, std::string const& what, std::string const& with) {
  std::size_t const at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

std::string const no_scratch = "i_chunks=\"2\" o_chunks=\"0\" s_chunks=\"0\"";
std::string const with_scratch = "i_chunks=\"2\" o_chunks=\"0\" s_chunks=\"2\"";

/// Two gpus exchange one chunk each and join; then each has its half, and they exchange those.
std::string const exchange = xml("allreduce", 2, true, no_scratch,
                                 {{{1, 1, {"s i 1 i 1 1", "rrc i 0 i 0 1", "s i 0 i 0 1", "r i 1 i 1 1"}}},
                                  {{0, 0, {"s i 0 i 0 1", "rrc i 1 i 1 1", "s i 1 i 1 1", "r i 0 i 0 1"}}}});

TEST(Msccl, reads_back_what_it_writes) {
  Algorithm const first = msccl::read(exchange, "x.xml");
  EXPECT_EQ(first.gpus.size(), 2u);
  EXPECT_EQ(first.steps.size(), 8u);
  std::string text;
  msccl::write(first, [&](std::string_view piece) { text += piece; });
  std::string again;
  msccl::write(msccl::read(text, "y.xml"), [&](std::string_view piece) { again += piece; });
  EXPECT_EQ(again, text);
}

TEST(Msccl, reads_text_that_comes_byte_by_byte) {
  msccl::Reader reader("x.xml");
  for (char const& byte : exchange) reader.take({&byte, 1});
  EXPECT_EQ(reader.end().steps.size(), 8u);
}

TEST(Msccl, makes_tasks_that_run_on_engines) {
  BlockGraph const graph = msccl::tasks(msccl::read(exchange, "x.xml"), Bytes(100));
  ASSERT_EQ(graph.tasks.ranks(), 2);
  ASSERT_EQ(graph.tasks.tasks.size(), 8u);
  EXPECT_EQ(graph.tasks.tasks[0], (Task{TaskKind::send, 0, 0, 1, 1, 100}));
  EXPECT_EQ(graph.tasks.tasks[1], (Task{TaskKind::receive, 0, 0, 1, 1, 100}));
  EXPECT_EQ(graph.tasks.requirements.size(), 6u) << "each step after the first one of its thread block";
  EXPECT_EQ(check(graph.tasks).count, 0);
}

TEST(Msccl, exchange_of_halves_is_an_allreduce) {
  TaskProof const verdict = proved(exchange);
  EXPECT_TRUE(verdict.valid()) << verdict.violations.front().text;
}

/// A table of files with one fault each, and the fault.
TEST(Msccl, proof_names_what_is_wrong) {
  struct Case {
    std::string what, with;
    Fault fault;
    std::string text;
  };
  std::vector<Case> const cases = {
      {R"(type="rrc" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0")",
       R"(type="r" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0")", Fault::missing,
       "rank 0: block 0 of rank 0 does not enter i[0] = o[0], where the join of block 0 of ranks 0 to 1 is owed"},
      {R"(type="r" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1")",
       R"(type="rrc" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1")", Fault::doubled,
       "rank 0: block 1 of rank 0 enters once more by gpu 0's tb 0 step 3 (rrc, line 7) and so is doubled in i[1] = "
       "o[1], where the join of block 1 of ranks 0 to 1 is owed"},
      {R"(type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
<step s="3")",
       R"(type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="0"/>
<step s="3")",
       Fault::size_mismatch,
       "rank 1: gpu 1's tb 0 step 3 (r, line 15) meets gpu 0's tb 0 step 2 (s, line 6) of another size"},
  };
  for (Case const& each : cases) {
    TaskProof const verdict = proved(replaced(exchange, each.what, each.with));
    ASSERT_GT(verdict.violation_count, 0) << each.text;
    bool named = false;
    for (TaskViolation const& violation : verdict.violations) {
      named = named || (violation.fault == each.fault && violation.text == each.text);
    }
    EXPECT_TRUE(named) << each.text << "\nnot among\n" << verdict.violations.front().text;
  }
}

TEST(Msccl, proof_names_ends_that_meet_nobody) {
  TaskProof const verdict = proved(xml("custom", 1, false, "i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\"",
                                       {{{1, 1, {"s i 0 o 0 1"}}}, {{0, -1, {}}}}));
  ASSERT_EQ(verdict.violation_count, 1);
  EXPECT_EQ(verdict.violations[0].fault, Fault::unmatched_send);
  EXPECT_EQ(verdict.violations[0].text, "rank 0: gpu 0's tb 0 step 0 (s, line 4) is met by no receive");
  EXPECT_EQ(verdict.violations[0].line, 4) << "its line";
}

TEST(Msccl, proof_names_a_circular_wait) {
  TaskProof const verdict =
      proved(xml("custom", 1, false, "i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\"",
                 {{{1, 1, {"r i 0 o 0 1", "s i 0 o 0 1"}}}, {{0, 0, {"r i 0 o 0 1", "s i 0 o 0 1"}}}}));
  ASSERT_EQ(verdict.violation_count, 1);
  EXPECT_EQ(verdict.violations[0].fault, Fault::circular_wait);
  EXPECT_EQ(verdict.violations[0].text,
            "rank 0: deadlock: circular wait: gpu 0's tb 0 step 0 (r, line 4) waits for gpu 1's tb 0 step 1 (s, line "
            "11), which waits for gpu 1's tb 0 step 0 (r, line 10), which waits for gpu 0's tb 0 step 1 (s, line 5), "
            "which waits for gpu 0's tb 0 step 0 (r, line 4)");
}

/// Three messages on their way in each direction: with room for two, both gpus wait for the other to take one.
TEST(Msccl, proof_knows_how_much_a_connection_holds) {
  Tb const tb{1, 1, {"s i 0 o 0 1", "s i 0 o 0 1", "s i 0 o 0 1", "r i 0 o 0 1", "r i 0 o 0 1", "r i 0 o 0 1"}};
  Tb back = tb;
  back.send = back.receive = 0;
  std::string const text = xml("custom", 1, false, "i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\"", {{tb}, {back}});
  EXPECT_TRUE(proved(text).valid());
  EXPECT_TRUE(proved(text, {3}).valid());
  TaskProof const verdict = proved(text, {2});
  ASSERT_EQ(verdict.violation_count, 1);
  EXPECT_NE(verdict.violations[0].text.find("deadlock where a channel holds 2 messages on their way: circular wait"),
            std::string::npos)
      << verdict.violations[0].text;
}

/// What two thread blocks do to one chunk needs an order: by a wait, or by way of the other gpu.
TEST(Msccl, proof_names_a_race_and_knows_orders_by_way_of_other_gpus) {
  std::string const chunks = "i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\"";
  auto const two_blocks = [&](std::string const& second) {
    return xml(
        "custom", 1, false, chunks,
        {{{1, -1, {"s i 0 o 0 1 !"}}, {-1, 1, {"r i 0 i 0 1" + second}}}, {{0, 0, {"s i 0 o 0 1", "r i 0 o 0 1"}}}});
  };
  TaskProof const raced = proved(two_blocks(""));
  ASSERT_EQ(raced.violation_count, 1);
  EXPECT_EQ(raced.violations[0].fault, std::nullopt);
  EXPECT_EQ(raced.violations[0].text,
            "rank 0: gpu 0's tb 0 step 0 (s, line 4) and gpu 0's tb 1 step 0 (r, line 7) touch i[0] without order "
            "between them, and one of them writes it");
  EXPECT_TRUE(proved(two_blocks(" <- 0 0")).valid());
  std::string const there_and_back =
      xml("custom", 1, false, chunks,
          {{{1, -1, {"s i 0 o 0 1 !"}}, {-1, 1, {"r i 0 i 0 1"}}}, {{0, 0, {"r i 0 o 0 1", "s i 0 o 0 1"}}}});
  EXPECT_TRUE(proved(there_and_back).valid()) << "what comes back was sent after the chunk was read";
}

/// The interpreter does reductions into one chunk in one step, ahead of nops that stand between them.
TEST(Msccl, nops_wait_for_the_next_step_that_is_not_joined_to_the_one_before) {
  std::string const chunks = "i_chunks=\"2\" o_chunks=\"0\" s_chunks=\"2\"";
  auto const text = [&](std::string const& second) {
    return xml("allreduce", 2, true, chunks,
               {{{-1, 1, {"r s 0 s 0 2 !"}},
                 {1, -1, {"s i 0 s 0 2 !"}},
                 {-1, -1, {"nop i -1 o -1 0 <- 0 0", "re s 0 i 0 1 <- 1 0", second, "re s 1 i 1 1 <- 1 0"}}},
                {{-1, 0, {"r s 0 s 0 2 !"}},
                 {0, -1, {"s i 0 s 0 2 !"}},
                 {-1, -1, {"nop i -1 o -1 0 <- 0 0", "re s 0 i 0 2 <- 1 0"}}}});
  };
  EXPECT_TRUE(proved(text("nop i -1 o -1 0")).valid());
}

TEST(Msccl, refuses_what_is_not_whole) {
  for (std::size_t bytes = 0; bytes + 2 < exchange.size(); ++bytes) {
    std::string const error = refusal(exchange.substr(0, bytes));
    ASSERT_TRUE(error.starts_with("x.xml:")) << error;
    ASSERT_NE(error.find("expected"), std::string::npos) << error;
  }
}

TEST(Msccl, refuses_with_line_element_attribute_and_what_is_accepted) {
  struct Case {
    std::string what, with, error;
  };
  std::vector<Case> const cases = {
      {"<algo", "<algos", "x.xml:1:1: expected <algo>, got <algos>"},
      {"<tb id=\"0\"", "<step id=\"0\"", "x.xml:3:1: expected <tb> in <gpu>, got <step>"},
      {"coll=\"allreduce\"", "coll=\"all\"",
       "x.xml:1:1: <algo coll>: expected one of \"allreduce\", \"allgather\", \"reduce_scatter\", \"alltoall\", "
       "\"broadcast\", \"reduce\", \"custom\", got \"all\""},
      {"coll=\"allreduce\"", "col=\"allreduce\"",
       "x.xml:1:1: <algo>: expected the attribute coll, got none; did you mean \"col\"?"},
      {"ngpus=\"2\"", "ngpus=\"0\"", "x.xml:1:1: <algo ngpus>: expected an integer from 1 to 1048576, got \"0\""},
      {"ngpus=\"2\"", "ngpus=\"3\"", "x.xml: expected a <gpu> for each id from 0 to 2, got none with id 2"},
      {"nchunksperloop=\"2\"", "nchunksperloop=\"67108864\"",
       "x.xml:1:1: <algo nchunksperloop>: expected at most 134217728 chunks in the buffers of all gpus, got 134217728 "
       "in each of 2"},
      {"gpu id=\"1\"", "gpu id=\"0\"", "x.xml:10:1: <gpu id>: gpu 0 stands twice, first in line 2"},
      {"i_chunks=\"2\"", "i_chunks=\"3\"",
       "x.xml:2:1: <gpu i_chunks>: expected 2, as nchunksperloop says for allreduce, or 0, got 3"},
      {"send=\"1\"", "send=\"0\"", "x.xml:3:1: <tb send>: expected another gpu than 0 itself, or -1"},
      {"send=\"1\"", "send=\"-1\"",
       "x.xml:4:1: <step type>: \"s\" needs a thread block with a gpu as its send, and the one of line 3 has -1"},
      {"type=\"rrc\"", "type=\"rcr\"",
       "x.xml:5:1: <step type>: expected one of \"s\", \"r\", \"rcs\", \"rrs\", \"rrc\", \"rrcs\", \"cpy\", \"re\", "
       "\"nop\", got \"rcr\""},
      {"step s=\"1\"", "step s=\"0\"",
       "x.xml:5:1: <step s>: expected 1, as steps stand in their order and none twice, got 0"},
      {"srcoff=\"1\"", "srcoff=\"2\"",
       "x.xml:4:1: <step srcoff>: expected from 0 to 1 for 1 of the 2 chunks of buffer i, got 2"},
      {"cnt=\"1\"", "cnt=\"3\"",
       "x.xml:4:1: <step srcoff>: expected a smaller cnt for 3 of the 2 chunks of buffer i, got 1"},
      {"depid=\"-1\" deps=\"-1\"", "depid=\"3\" deps=\"0\"",
       "x.xml:4: <step depid>: expected a thread block of gpu 0, from 0 to 0, or -1, got 3"},
      {"depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"9\"",
       "x.xml:4: <step deps>: expected one of the 4 steps of thread block 0, got 9"},
      {"depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"2\"",
       "x.xml:4: <step deps>: nothing signals the end of step 2 of thread block 0: expected hasdep=\"1\" there or in a "
       "step behind it that is no nop"},
      {"</tb>", "</tb><tb id=\"0\" send=\"-1\" recv=\"-1\" chan=\"0\"></tb>",
       "x.xml:8:6: <tb id>: thread block 0 stands twice in gpu 0, first in line 3"},
      {"</tb>", "</tb><tb id=\"2\" send=\"-1\" recv=\"-1\" chan=\"0\"></tb>",
       "x.xml:8: <tb id>: expected thread blocks from 0 on without a gap, got 2 and no 1"},
      {"</tb>", "</tb><tb id=\"1\" send=\"1\" recv=\"-1\" chan=\"0\"></tb>",
       "x.xml:8: <tb>: two thread blocks of gpu 0 send to gpu 1 on channel 0, the other in line 3: expected one"},
      {"<algo", "<!DOCTYPE algo><algo", "x.xml:1:16: expected <algo>, got a document type declaration"},
  };
  for (Case const& each : cases) {
    std::string const error = refusal(replaced(exchange, each.what, each.with));
    // A declaration is refused where expat has it, at its end or behind it.
    if (each.with.starts_with("<!DOCTYPE")) {
      EXPECT_NE(error.find("a document type declaration"), std::string::npos) << error;
    } else {
      EXPECT_EQ(error, each.error);
    }
  }
}

}  // namespace
}  // namespace rondo

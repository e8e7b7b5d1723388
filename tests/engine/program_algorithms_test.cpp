// Every algorithm that librondo_mpi knows by a variable of the environment, in a program that is linked with its
// archive: the results against a plain computation, and the messages against those of the schedule, so that a choice
// that is not followed is seen.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/permissions.hpp"
#include "classical_forms.hpp"
#include "compositions.hpp"
#include "engine/programs/program_source.hpp"
#include "engine/programs/user_program.hpp"
#include "generate/classical.hpp"
#include "sanitized.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;
using enum ClassicalCollective;

// What tests/mpi/programs/every_algorithm.c calls.
constexpr int vector_elements = 13, block_elements = 3;
constexpr Bytes element{4};
constexpr int calls_of_a_word = 4;  // blocking, non-blocking, and persistent twice

/// A word of that program, and what is to come of it.
struct Word {
  std::string text;
  std::string refused;  ///< the choice that rank 0 has to say is not followed: "RONDO_SCAN_ALGORITHM=linear"
  std::int64_t messages = 0;
};

std::string variable_of(problem::Classical const& problem) {
  std::string name = "RONDO_" + std::string(enum_name(kind_of(problem))) + "_ALGORITHM=";
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name + std::string(enum_name(problem.algorithm));
}

std::string text_of(problem::Classical const& problem, std::string const& form) {
  std::string text = fmt::format("{}{}:algorithm={}", enum_name(kind_of(problem)), form, enum_name(problem.algorithm));
  Bytes const unit = reduces(problem.collective) ? element : Bytes(1);
  if (problem.segment.value > 0) text += fmt::format(":segment={}B", problem.segment.value * unit.value);
  if (problem.radix > 0) text += fmt::format(":radix={}", problem.radix);
  if (problem.group_size > 0) text += fmt::format(":group_size={}", problem.group_size);
  if (problem.distances == problem::Distances::rising) text += ":distances=rising";
  if (problem.children == problem::Children::at_once) text += ":children=at_once";
  if (problem.root > 0) text += fmt::format(":root={}", problem.root);
  return problem.commutative ? text : text + ":ordered=1";
}

/// Whether the library can know the schedule: the other ranks' counts of these are not told to a rank.
bool knows_counts(problem::Classical const& problem) {
  if (problem.collective == allgather || problem.collective == reduce_scatter) return true;
  std::set<problem::ClassicalAlgorithm> const straight{"linear",     "linear_sync", "linear_nb",
                                                       "spread_out", "pairwise",    "two_process"};
  return straight.contains(problem.algorithm);
}

Word word_of_problem(problem::Classical const& problem, std::string const& form = "") {
  Word word{text_of(problem, form), "", 0};
  if (problem.ranks == 1) return word;
  try {
    Schedule const schedule = generate::generate(problem);
    bool const by_counts = form == "v" || (problem.collective == reduce_scatter && form.empty());
    if ((by_counts && !knows_counts(problem)) || !verify(schedule, generate::promise(problem)).valid()) {
      word.refused = variable_of(problem);
    } else {
      word.messages = calls_of_a_word * measure(schedule).messages;
    }
  } catch (InputError const&) {
    word.refused = variable_of(problem);
  }
  return word;
}

Bytes block_of(ClassicalCollective collective) {
  if (collective == barrier) return Bytes(0);
  if (collective == bcast) return vector_elements * element;
  return reduces(collective) ? Bytes(collective == reduce_scatter ? block_elements : vector_elements)
                             : block_elements * element;
}

/// The sizes that the program gives to the v forms; in reductions they are counted in elements.
problem::BlockSizes counts_of(ClassicalCollective collective, int ranks) {
  std::vector<Bytes> each;
  Bytes const unit = reduces(collective) ? Bytes(1) : element;
  for (int r = 0; r < ranks; ++r) {
    if (collective != alltoall) each.push_back(r % 4 * unit);
    for (int to = 0; collective == alltoall && to < ranks; ++to) each.push_back((r * 1 + 2 * to) % 4 * unit);
  }
  return {*std::max_element(each.begin(), each.end()), each};
}

/// All words of a collective; of the options every form that classical_forms.hpp has, or the first few.
std::vector<Word> words_of(ClassicalCollective collective, int ranks) {
  std::vector<Word> words;
  for (auto const algorithm : problem::classical_algorithms(collective)) {
    problem::Classical problem{collective, ranks, block_of(collective), algorithm};
    std::string const whole = collective == reduce_scatter ? "_block" : "";
    words.push_back(word_of_problem(problem, whole));
    if (reduces(collective) && collective != barrier) {
      problem.commutative = false;
      words.push_back(word_of_problem(problem, whole));
      problem.commutative = true;
    }
    bool const has_counts = collective == gather || collective == scatter || collective == allgather ||
                            collective == alltoall || collective == reduce_scatter;
    if (!has_counts) continue;
    problem.sizes = counts_of(collective, ranks);
    words.push_back(word_of_problem(problem, collective == reduce_scatter ? "" : "v"));
  }
  int const stride = test::whole ? 1 : ranks > 5 ? 12 : 4;
  int number = 0;
  for (problem::Classical const& form : test::every_form(collective, ranks, block_of(collective))) {
    if (!form.extents.empty() || number++ % stride != 0) continue;
    words.push_back(word_of_problem(form, collective == reduce_scatter ? "_block" : ""));
  }
  return words;
}

std::vector<Word> all_enum_names(int ranks) {
  std::vector<Word> words;
  for (ClassicalCollective const each :
       {bcast, gather, scatter, allgather, alltoall, reduce, reduce_scatter, scan, exscan, allreduce, barrier}) {
    std::vector<Word> const more = words_of(each, ranks);
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

Outcome<UserProgramRun> run(Platform const& hosts, int ranks, std::vector<std::string> const& words) {
  permit({Permissions::Programs::started, {}, Seconds(0)});  // as --allow-programs does
  UserProgram program;
  std::string const folder = RONDO_SOURCE_DIR "/tests/mpi/programs";
  program.image = compiled({{folder + "/every_algorithm.c"}, folder, {"-O0"}});
  program.name = "every_algorithm";
  program.arguments = words;
  return simulate_user_program(ranks, program, hosts, {});
}
Outcome<UserProgramRun> run(int ranks, std::vector<std::string> const& words) {
  return run(machine(ranks), ranks, words);
}

/// The choices that the program has been told it cannot follow.
std::set<std::string> told_in(std::string const& printed) {
  std::set<std::string> told;
  std::regex const note("(RONDO_[A-Z_]+=[a-z_]+): [^\n]*; the MPI library's own algorithm is used");
  for (std::sregex_iterator each(printed.begin(), printed.end(), note), end; each != end; ++each) {
    told.insert((*each)[1]);
  }
  return told;
}

class ProgramAlgorithms : public ::testing::TestWithParam<int> {};

TEST_P(ProgramAlgorithms, every_one_gives_what_a_plain_computation_gives) {
  std::vector<std::string> texts;
  std::set<std::string> refused;
  for (Word const& word : all_enum_names(GetParam())) {
    texts.push_back(word.text);
    if (!word.refused.empty()) refused.insert(word.refused);
  }
  EXPECT_GT(texts.size(), 100U);
  Outcome<UserProgramRun> const outcome = run(GetParam(), texts);
  EXPECT_EQ(outcome.error, "");
  EXPECT_NE(outcome.printed.find("all is well"), std::string::npos) << outcome.printed;
  EXPECT_EQ(told_in(outcome.printed), refused);
}

/// Each word once and each word twice: the difference is what the collectives of the words send, and what the program
/// sends between two words.
void expect_messages(Platform const& hosts, int ranks, std::vector<Word> const& words) {
  std::vector<std::string> once, twice, none{"none"};
  std::int64_t messages = 0;
  for (Word const& word : words) {
    if (!word.refused.empty()) continue;
    messages += word.messages;
    once.push_back(word.text);
    none.emplace_back("none");
  }
  for (std::string const& text : once) twice.insert(twice.end(), {text, text});
  auto const sent = [&](std::vector<std::string> const& words) {
    Outcome<UserProgramRun> const outcome = run(hosts, ranks, words);
    EXPECT_EQ(outcome.error, "");
    return outcome.result.value_or(UserProgramRun{}).timing.messages;
  };
  std::int64_t const between = sent(none) - sent({"none"});
  EXPECT_EQ(sent(twice) - sent(once), messages + between);
}

TEST_P(ProgramAlgorithms, each_sends_the_messages_of_its_schedule) {
  expect_messages(machine(GetParam()), GetParam(), all_enum_names(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Smoke, ProgramAlgorithms, ::testing::Values(1, 2, 5, 8),
                         [](auto const& of) { return std::to_string(of.param) + "_ranks"; });

/// "reduce+binomial,bcast+chain"
std::string text_of(problem::PhaseAlgorithms const& level) {
  std::string text;
  for (auto const& [collective, algorithm] : level.exceptions) {
    text +=
        fmt::format("{}{}+{}", text.empty() ? "" : ",", enum_name(problem::kind_of(collective)), enum_name(algorithm));
  }
  return text;
}

/// Random compositions of each collective on these hosts: those that fit.
std::vector<Word> compositions_on(Platform const& hosts, int ranks, std::uint64_t seed) {
  Random random(seed);
  std::vector<Word> words;
  for (ClassicalCollective const collective : test::composed_collectives) {
    for (int i = 0; i < 40 / test::sampled; ++i) {
      problem::Classical problem{collective, ranks, block_of(collective), problem::ClassicalAlgorithm("hierarchical")};
      problem::Hierarchy& hierarchy = problem.hierarchy;
      for (int r = 0; r < ranks; ++r) hierarchy.group_of.push_back(host_of(hosts, Rank(r)));
      hierarchy.levels = {test::random_algorithms(random, collective, false),
                          test::random_algorithms(random, collective, true)};
      hierarchy.lanes = static_cast<int>(random.below(3));
      if (has_root(collective)) problem.root = static_cast<int>(random.below(static_cast<std::uint64_t>(ranks)));
      if (works_on_vector(collective) && collective != barrier && random.below(2) == 0) problem.segment = Bytes(5);
      Word word;
      word.text = text_of(problem, collective == reduce_scatter ? "_block" : "") +
                  fmt::format(":intra={}:inter={}:lanes={}", text_of(hierarchy.levels[0]), text_of(hierarchy.levels[1]),
                              hierarchy.lanes == 0 ? "all" : std::to_string(hierarchy.lanes));
      hierarchy.segment = std::exchange(problem.segment, Bytes(0));
      if (!test::fits(problem)) continue;
      word.messages = calls_of_a_word * measure(generate::generate(problem)).messages;
      words.push_back(word);
    }
  }
  return words;
}

/// Groups are found by MPI_Comm_split_type: the ranks of a host, wherever they lie.
TEST(ProgramAlgorithms, are_put_together_from_collectives_on_hosts_and_between_them) {
  for (int const ranks : {5, 8}) {
    Platform hosts = machine(4);
    hosts.ranks_per_host = 2;
    if (ranks == 8) hosts.placement = CyclicPlacement{};
    std::vector<Word> const words = compositions_on(hosts, ranks, 577);
    EXPECT_GT(words.size(), 50U / static_cast<unsigned>(test::sampled));
    std::vector<std::string> texts;
    for (Word const& word : words) texts.push_back(word.text);
    Outcome<UserProgramRun> const outcome = run(hosts, ranks, texts);
    EXPECT_EQ(outcome.error, "");
    EXPECT_NE(outcome.printed.find("all is well"), std::string::npos) << outcome.printed;
    EXPECT_EQ(told_in(outcome.printed), std::set<std::string>());
    expect_messages(hosts, ranks, words);
  }
}

TEST(ProgramAlgorithms, a_composition_that_does_not_fit_says_why) {
  Platform hosts = machine(4);
  hosts.ranks_per_host = 2;
  for (auto const& [word, why] :
       {std::pair{"bcast:algorithm=hierarchical:intra=binomial", "expected the algorithms of its parts"},
        {"bcast:algorithm=hierarchical:intra=binomial:inter=ring", "expected an algorithm of the phase bcast"},
        {"bcast:algorithm=hierarchical:intra=linear:inter=linear:lanes=3", "expected at most 2 lanes"}}) {
    Outcome<UserProgramRun> const outcome = run(hosts, 8, {word});
    EXPECT_NE(outcome.printed.find("all is well"), std::string::npos) << outcome.printed;
    EXPECT_NE(outcome.printed.find(why), std::string::npos) << outcome.printed;
    EXPECT_EQ(told_in(outcome.printed), std::set<std::string>{"RONDO_BCAST_ALGORITHM=hierarchical"});
  }
}

Outcome<UserProgramRun> run_profiled(UserProgram::Settings const& environment, std::vector<std::string> const& words) {
  permit({Permissions::Programs::started, {}, Seconds(0)});
  UserProgram program;
  std::string const folder = RONDO_SOURCE_DIR "/tests/engine/programs";
  program.image = compiled({{folder + "/profiled.c"}, folder, {}});
  program.name = "profiled";
  program.arguments = words;
  program.environment = environment;
  return simulate_user_program(8, program, machine(8), {});
}

/// The second call sends the messages of the schedule: 8 ranks, 3 rounds of recursive doubling, and the ring's 2 * 7.
TEST(ProgramAlgorithms, the_choice_stands_below_a_profiling_tool) {
  for (auto const& [algorithm, messages] : {std::pair{"recursive_doubling", 8 * 3}, {"ring", 8 * 14}}) {
    UserProgram::Settings const chosen{{"RONDO_ALLREDUCE_ALGORITHM", algorithm}};
    Outcome<UserProgramRun> const once = run_profiled(chosen, {}), twice = run_profiled(chosen, {"twice"});
    EXPECT_EQ(once.error + twice.error, "");
    if (!once.result || !twice.result) continue;
    EXPECT_EQ(twice.result->timing.messages - once.result->timing.messages, messages) << algorithm;
  }
}

TEST(ProgramAlgorithms, a_choice_without_effect_is_told) {
  Outcome<UserProgramRun> const outcome = run_profiled(
      {{"RONDO_BCAST_ALGORITHM", "chain"}, {"RONDO_ALLREDUCE_RADIX", "2"}, {"RONDO_ALREDUCE_ALGORITHM", "ring"}}, {});
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.printed,
            "rondo: RONDO_ALLREDUCE_RADIX=2 has no effect without an algorithm\n"
            "rondo: RONDO_ALREDUCE_ALGORITHM=ring has no effect: the library knows no such variable\n"
            "rondo: RONDO_BCAST_ALGORITHM=chain has no effect: the program calls no bcast\n");
  EXPECT_EQ(run_profiled({{"RONDO_ALLREDUCE_ALGORITHM", "ring"}}, {}).printed, "");
}

std::string page_text(char const* name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A variable that the pages name and this test does not know is one that nothing runs.
TEST(ProgramAlgorithms, the_pages_name_no_other_variables) {
  std::string page;
  for (char const* const each : {"mpi", "mpi-interfaces", "production"}) {
    page += page_text(fmt::format("{}/docs/{}.md", RONDO_SOURCE_DIR, each).c_str());
  }
  std::set<std::string> const here{"RONDO_ALLREDUCE_ALGORITHM",  "RONDO_ALLREDUCE_SEGMENT",   "RONDO_ALLREDUCE_RADIX",
                                   "RONDO_ALLREDUCE_GROUP_SIZE", "RONDO_ALLREDUCE_DISTANCES", "RONDO_BCAST_CHILDREN",
                                   "RONDO_ALLREDUCE_INTRA",      "RONDO_ALLREDUCE_INTER",     "RONDO_ALLREDUCE_LANES"};
  // By tests/mpi: choice_cases.cpp, smpi/neighbor_times_test.cpp and programs/schedules.sh.
  std::set<std::string> const elsewhere{
      "RONDO_NEIGHBOR_ALGORITHM", "RONDO_NEIGHBOR_TORUS", "RONDO_NEIGHBOR_STARTUPS",  "RONDO_NEIGHBOR_LATENCY",
      "RONDO_NEIGHBOR_BANDWIDTH", "RONDO_ISO_ALGORITHM",  "RONDO_ALLREDUCE_SCHEDULE", "RONDO_SELECTION"};
  // Not variables of the library.
  std::set<std::string> const other{"RONDO_UNPREFIXED", "RONDO_COMM_PACK", "RONDO_COMM_UNPACK", "RONDO_ALLOW_PROGRAMS",
                                    "RONDO_UPDATE",     "RONDO_MPICH",     "RONDO_CC",          "RONDO_CXX",
                                    "RONDO_FC",         "RONDO_OPENMPI"};
  std::set<std::string> named;
  std::regex const variable("RONDO_[A-Z_]*[A-Z]");
  for (std::sregex_iterator each(page.begin(), page.end(), variable), end; each != end; ++each)
    named.insert(each->str());
  for (std::string const& each : named) {
    EXPECT_TRUE(here.contains(each) || elsewhere.contains(each) || other.contains(each)) << each;
  }
  for (std::string const& each : here) EXPECT_TRUE(named.contains(each)) << each;
}

}  // namespace
}  // namespace rondo

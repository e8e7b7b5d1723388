// Programs that are not Rondo's: their variables, times and messages, and how one that does not end well is reported.

#include "engine/programs/user_program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/permissions.hpp"
#include "engine/programs/program_source.hpp"
#include "folder.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

/// As --allow-programs does.
bool const permitted = (permit({Permissions::Programs::started, {}, Seconds(0)}), true);

std::string const programs = RONDO_SOURCE_DIR "/tests/engine/programs";

/// programs/modes.c with these words.
UserProgram program(std::vector<std::string> const& words, std::string const& source = "modes.c") {
  UserProgram result;
  result.image = compiled({{programs + "/" + source}, programs, {}});
  result.name = source;
  result.arguments = words;
  return result;
}

UserProgramRun simulated(int ranks, UserProgram const& of, Platform const& platform) {
  Outcome<UserProgramRun> const outcome = simulate_user_program(ranks, of, platform, {});
  EXPECT_EQ(outcome.error, "");
  return outcome.result.value_or(UserProgramRun{});
}
UserProgramRun simulated(int ranks, UserProgram const& of) { return simulated(ranks, of, machine(ranks)); }

void expect_run(UserProgramRun const& run, Seconds time, std::int64_t messages, Bytes most_sent) {
  EXPECT_SECONDS(run.timing.makespan, time);
  EXPECT_EQ(run.timing.messages, messages);
  EXPECT_EQ(run.most_sent, most_sent);
}

void expect_failure(int ranks, UserProgram const& of, Failure failure, std::string const& text,
                    EngineOptions const& options = {}) {
  Outcome<UserProgramRun> const outcome = simulate_user_program(ranks, of, machine(ranks), options);
  EXPECT_FALSE(outcome.result);
  EXPECT_EQ(outcome.failure, failure) << outcome.error;
  EXPECT_NE(outcome.error.find(text), std::string::npos) << outcome.error;
}

TEST(SmokeUserProgram, times_are_those_of_the_linear_model_and_messages_are_counted) {
  // machine(): alpha is 1 us, beta 1 ns a byte, one port.
  for (int const n : {0, 1, 1000, 100000, 1 << 20}) {
    Seconds const one = 1_us + Bytes(n) / 1_GBps;
    expect_run(simulated(2, program({"ping_pong", std::to_string(n)})), 2 * one, 2, Bytes(n));
    expect_run(simulated(5, program({"shift", std::to_string(n)})), one, 5, Bytes(n));
    // A message of a rank to itself is a copy: it takes no time and does not count as a message.
    expect_run(simulated(3, program({"self", std::to_string(n)})), Seconds(0), 0, 0_B);
  }
}

/// Under flow timing too: each way takes o_send, 1 us and a nanosecond a byte, and o_recv, eager or not.
TEST(SmokeUserProgram, pays_the_cpus_of_its_ranks_under_flow_timing) {
  Platform platform = machine(2);
  platform.timing = TimingModel::flow;
  platform.flow = {.o_send = 300_ns, .o_recv = 200_ns};
  for (Bytes const eager : {0_B, 1_MiB}) {
    platform.flow.eager = eager;
    for (int const n : {1, 1000, 100000}) {
      Seconds const one = 1500_ns + Bytes(n) / 1_GBps;
      expect_run(simulated(2, program({"ping_pong", std::to_string(n)}), platform), 2 * one, 2, Bytes(n));
    }
  }
}

TEST(SmokeUserProgram, is_refused_where_receives_are_searched_for) {
  Platform platform = machine(2);
  platform.timing = TimingModel::flow;
  platform.flow.match = 10_ns;
  try {
    simulate_user_program(2, program({"ping_pong", "1"}), platform, {});
    FAIL();
  } catch (InputError const& error) {
    EXPECT_STREQ(error.what(),
                 "nobody says when a program posts a receive: expected flow timing with \"match\" 0s, got 10ns");
  }
}

TEST(SmokeUserProgram, each_rank_has_its_own_variables_and_a_stack_that_carries_a_mebibyte) {
  simulated(7, program({"private"}));
  simulated(4, program({}, "unique.cpp"));
  simulated(2, program({"stack", "1048576"}));
}

/// What all ranks of a real MPI have each to itself as processes, though they share a process here.
TEST(SmokeUserProgram, each_rank_has_its_own_state_of_the_c_library) {
  for (char const* mode : {"generators", "generators48", "tokens", "environment", "folders", "buffers", "signals"}) {
    SCOPED_TRACE(mode);
    simulated(5, program({mode}, "state.c"));
  }
}

TEST(SmokeUserProgram, a_handler_of_alarms_ends_the_program_by_name) {
  Outcome<UserProgramRun> const outcome = simulate_user_program(1, program({"alarm"}, "state.c"), machine(1), {});
  EXPECT_EQ(outcome.failure, Failure::crash);
  EXPECT_NE(outcome.error.find("a handler of ALRM: expected a program without alarms, which count real time"),
            std::string::npos)
      << outcome.error;
}

std::int64_t count(std::string const& text, std::string const& part) {
  std::int64_t number = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
  return number;
}

TEST(SmokeUserProgram, what_is_left_for_the_end_of_a_process_is_done_for_each_rank) {
  auto const printed = [](std::vector<std::string> const& words, char const* source) {
    Outcome<UserProgramRun> const outcome = simulate_user_program(4, program(words, source), machine(4), {});
    EXPECT_EQ(outcome.error, "");
    return outcome.printed;
  };
  EXPECT_EQ(printed({"atexit"}, "state.c"),
            "the end of rank 0\nthe end of rank 1\nthe end of rank 2\nthe end of rank 3\n");
  // The formats of std::cout too, and where it prints to.
  std::string const text = printed({}, "state.cpp");
  for (char const* line : {"0.5\n", "0.500\n", "0.5000\n"})
    EXPECT_EQ(count("\n" + text, "\n" + std::string(line)), 1) << text;
  EXPECT_EQ(count("\n" + text, "\n0.50\n"), 0) << text;
  EXPECT_NE(text.find("farewell 0\nfarewell 1\nfarewell 2\nfarewell 3\n"), std::string::npos) << text;
}

TEST(SmokeUserProgram, each_rank_has_its_own_fortran_library) {
  if (std::system("command -v gfortran > /dev/null") != 0) GTEST_SKIP() << "gfortran is not installed";
  test::Folder const folder;
  auto const with = [&](char const* word) {
    UserProgram fortran = program({word}, "state.f90");
    fortran.folder = folder.path();
    return fortran;
  };
  for (char const* word : {"", "exit", "stop"}) {
    Outcome<UserProgramRun> const outcome = simulate_user_program(4, with(word), machine(4), {});
    EXPECT_EQ(outcome.error, "") << word;
    EXPECT_EQ(count(outcome.printed, " goes on\n"), 4) << outcome.printed;
    for (int rank = 0; rank < 4; ++rank) {
      EXPECT_EQ(count(outcome.printed, "rank " + std::to_string(rank)), 1) << outcome.printed;
      std::string const left = folder.file("left-open-unit-of-rank-" + std::to_string(rank));
      EXPECT_EQ(std::filesystem::file_size(left), 8U);  // "written" and the end of the line
      std::filesystem::remove(left);
    }
  }
  Outcome<UserProgramRun> const outcome = simulate_user_program(4, with("exit7"), machine(4), {});
  EXPECT_EQ(outcome.failure, Failure::exited);
  EXPECT_NE(outcome.error.find("rank 2 returned 7"), std::string::npos) << outcome.error;
}

/// Compiles a program that names this function, without the library or with it.
std::string refusal_of_call(char const* declaration, char const* call, bool with_library) {
  test::Folder const folder;
  std::string const source =
      folder.write("calls.c", fmt::format("#define _GNU_SOURCE\n#include <mpi.h>\n{}\n"
                                          "int main(int c, char** v) {{ MPI_Init(&c, &v); if (c > 9) {{ {}; }}\n"
                                          "  MPI_Finalize(); return 0; }}\n",
                                          declaration, call));
  try {
    if (with_library) {
      compiled({{source}, "", {}});
    } else {
      std::string const command = "smpicc " + source + " -Wl,--no-as-needed -o " + folder.file("calls") + " 2>&1";
      if (std::system(command.c_str()) != 0) return "not compiled";
      ProgramImage{folder.file("calls")};
    }
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SmokeUserProgram, what_ranks_would_share_is_refused_by_name) {
  EXPECT_EQ(refusal_of_call("#include <string.h>", "strtok(v[0], v[1])", false),
            "it calls strtok, and all ranks would share the string that it cuts: librondo_mpi has one for each rank; "
            "link it as docs/mpi.md says");
  EXPECT_EQ(refusal_of_call("#include <string.h>", "strtok(v[0], v[1])", true), "accepted");
  EXPECT_EQ(refusal_of_call("#include <stdlib.h>", "srand(rand())", false), "accepted");
  EXPECT_EQ(refusal_of_call("#include <stdio.h>", "freopen(v[0], v[1], stdout)", true),
            "it calls freopen, and all ranks would share the standard streams");
  char const* const signals = "#include <signal.h>\n#include <unistd.h>";
  EXPECT_EQ(refusal_of_call(signals, "signal(SIGTERM, SIG_DFL)", true), "accepted");
  EXPECT_EQ(refusal_of_call(signals, "alarm(3)", true), "accepted");
  EXPECT_EQ(refusal_of_call(signals, "signal(SIGALRM, SIG_DFL); alarm(3)", true), "accepted");
  EXPECT_EQ(refusal_of_call(signals, "signal(SIGALRM, SIG_DFL); alarm(3)", false),
            "it calls signal and alarm, and all ranks would share the handlers of signals");
}

/// Of each rank the lowest one on its host: 3 hosts of 2 ranks.
TEST(SmokeUserProgram, the_ranks_of_a_host_are_those_of_the_machine) {
  Platform hosts = machine(3);
  hosts.ranks_per_host = 2;
  simulated(6, program({"0", "0", "2", "2", "4", "4"}, "hosts.c"), hosts);
  hosts.placement = CyclicPlacement{};
  simulated(6, program({"0", "1", "2", "0", "1", "2"}, "hosts.c"), hosts);
  hosts.placement = ListPlacement{{2, 0, 0, 1, 2, 1}};
  simulated(6, program({"0", "1", "1", "3", "0", "3"}, "hosts.c"), hosts);
  simulated(4, program({"0", "1", "2", "3"}, "hosts.c"));
}

TEST(SmokeUserProgram, an_allreduce_in_two_levels_is_faster_where_ranks_of_a_host_are_near) {
  Platform hosts = machine(8);
  hosts.ranks_per_host = 16;
  hosts.intra_latency = 100_ns;
  auto const time = [&](char const* levels) {
    auto two = program({levels}, "two_levels.c");
    two.selector = "mpich";
    return simulated(128, two, hosts).timing.makespan;
  };
  EXPECT_LT(time("2"), time("1"));
}

TEST(SmokeUserProgram, a_stack_is_as_large_as_asked_for) {
  if (test::sanitized) GTEST_SKIP() << "AddressSanitizer ends a program whose stack frame is this large";
  // 512 MiB, the first and the last byte of which are written: far below a smaller stack nothing is mapped.
  UserProgram with = program({"stack", "536870912"});
  with.stack = 1024_MiB;
  simulated(2, with);
  with.stack = 8_MiB;
  EXPECT_FALSE(simulate_user_program(2, with, machine(2), {}).result);
}

TEST(SmokeUserProgram, the_world_is_a_communicator_as_any_other) { simulated(6, program({"any"})); }

TEST(SmokeUserProgram, an_algorithm_of_allgather_sends_what_it_is_known_to_send) {
  // p = 8 ranks with blocks of m = 1000 bytes. ring: p - 1 rounds of one block, p messages each. rdb: a message of
  // 1, 2 and 4 blocks a rank. Both: p - 1 blocks a rank.
  auto with = program({"allgather", "1000"});
  with.algorithms = {{"allgather", "ring"}};
  expect_run(simulated(8, with), 7 * (1_us + 1000_B / 1_GBps), 56, 7000_B);
  with.algorithms = {{"allgather", "rdb"}};
  expect_run(simulated(8, with), 3 * 1_us + 7000_B / 1_GBps, 24, 7000_B);
  with.algorithms = {};
  for (char const* selector : {"mpich", "ompi", "mvapich2"}) {
    with.selector = selector;
    EXPECT_GE(simulated(8, with).most_sent, 1000_B) << selector;
  }
}

TEST(SmokeUserProgram, small_sends_are_buffered_if_they_may_be) {
  auto both_send = program({"send_first", "1000"});
  both_send.buffered = 1000_B;
  expect_run(simulated(2, both_send), 1_us + 1000_B / 1_GBps, 2, 1000_B);
  both_send.buffered = 999_B;
  expect_failure(2, both_send, Failure::deadlock,
                 "deadlock: rank 0 in MPI_Send to rank 1 with tag 0, rank 1 in MPI_Send to rank 0 with tag 0 wait for "
                 "ever; sends of more than 999B wait for their receivers");
}

TEST(SmokeUserProgram, sees_its_environment_its_folder_and_no_other_variable_of_rondo) {
  ::setenv("RONDO_NEIGHBOR_ALGORITHM", "naive", 1);
  auto of = program({"environment", "RONDO_NEIGHBOR_ALGORITHM", "naive"});
  expect_failure(1, of, Failure::exited, "rank 0 returned 5");
  of.environment = {{"RONDO_NEIGHBOR_ALGORITHM", "naive"}};
  simulated(1, of);
  auto reads = program({"file", "modes.c"});
  reads.folder = programs;
  simulated(2, reads);
  ::unsetenv("RONDO_NEIGHBOR_ALGORITHM");
}

TEST(SmokeUserProgram, a_loop_on_the_clock_ends_if_asking_the_time_takes_some) {
  // Until 1 us after the first call: 4 more of 300 ns each, or 34 more of 30 ns each.
  auto waits = program({"until", "1"});
  waits.wtime = Seconds(3e-7);
  expect_run(simulated(2, waits), Seconds(5 * 3e-7), 0, 0_B);
  waits.wtime = Seconds(3e-8);
  expect_run(simulated(2, waits), Seconds(35 * 3e-8), 0, 0_B);
  EngineOptions patient;
  patient.timeout = Seconds(0.5);
  waits.wtime = Seconds(0);
  expect_failure(2, waits, Failure::timeout, "timeout after 500ms", patient);
}

TEST(SmokeUserProgram, what_does_not_end_well_is_a_failure_that_says_how) {
  simulated(3, program({"exit_fine"}));
  expect_failure(3, program({"return", "3"}), Failure::exited, "rank 2 returned 3");
  expect_failure(3, program({"exit", "4"}), Failure::exited, "rank 2 returned 4: this is wrong");
  expect_failure(3, program({"abort", "5"}), Failure::exited, "rank 2 called MPI_Abort with code 5");
  expect_failure(2, program({"no_mpi"}), Failure::exited, "rank 0 returned without MPI_Finalize");
  expect_failure(2, program({"unfinished"}), Failure::exited, "rank 0 returned without MPI_Finalize");
  expect_failure(
      2, program({"deadlock"}), Failure::deadlock,
      "deadlock: rank 0 in MPI_Recv from rank 1 with tag 0, rank 1 in MPI_Recv from rank 0 with tag 0 wait for ever");
  expect_failure(2, program({"crash"}), Failure::crash, "signal 6");
  EngineOptions patient;
  patient.timeout = Seconds(0.5);
  expect_failure(2, program({"poll"}), Failure::timeout, "timeout after 500ms", patient);
}

TEST(SmokeUserProgram, machines_with_shared_links_and_platform_files_carry_it_too) {
  Platform machine;
  machine.topology = TorusMachine{Torus({2, 3})};
  machine.latency = 1_us;
  machine.bandwidth = 1_GBps;
  machine.links = LinkSharing::shared;
  // On a torus of 2 x 3 the next rank of 0, 1, 3 and 4 is a neighbor; 2 and 5 reach theirs in two hops, over a link of
  // the shift of another rank.
  UserProgramRun const run = simulated(6, program({"shift", "1000"}), machine);
  EXPECT_EQ(run.timing.messages, 6);
  EXPECT_GE(run.timing.makespan, 1_us + 1000_B / 1_GBps);
  expect_run(simulated(6, program({"self", "1000"}), machine), Seconds(0), 0, 0_B);
}

TEST(SmokeUserProgram, several_sources_are_one_program) {
  test::Folder const folder;
  UserProgram both;
  both.image = compiled({{folder.write("main.c",
                                       "#include <mpi.h>\nint part(int* p);\n"
                                       "int main(int c, char** v) { int p; MPI_Init(&c, &v);\n"
                                       "  int const wrong = part(&p); MPI_Finalize(); return wrong; }\n"),
                          folder.write("part.c",
                                       "#include <mpi.h>\nint part(int* p) {\n"
                                       "  MPI_Comm_size(MPI_COMM_WORLD, p); return *p == 3 ? 0 : 7; }\n")},
                         "",
                         {}});
  simulated(3, both);
  expect_failure(2, both, Failure::exited, "returned 7");
}

TEST(SmokeUserProgram, a_binary_without_what_it_calls_is_told_how_to_be_linked) {
  test::Folder const folder;
  std::string const source = folder.write("bare.c",
                                          "#include <mpi.h>\nint main(int c, char** v) { int kind; MPI_Init(&c, &v);\n"
                                          "  MPI_Topo_test(MPI_COMM_WORLD, &kind); MPI_Finalize(); return 0; }\n");
  std::string const command = "smpicc " + source + " -o " + folder.file("bare") + " 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  UserProgram bare;
  bare.image = std::make_shared<ProgramImage const>(folder.file("bare"));
  EXPECT_EQ(bare.image->lacks(), "MPI_Topo_test");
  EXPECT_FALSE(bare.image->has_library());
  EXPECT_TRUE(program({"private"}).image->has_library());
  Outcome<UserProgramRun> const outcome = simulate_user_program(2, bare, machine(2), {});
  EXPECT_FALSE(outcome.result);
  EXPECT_NE(outcome.error.find("it calls MPI_Topo_test, which SMPI does not have: link it with"), std::string::npos)
      << outcome.error;
  EXPECT_EQ(program({"private"}).image->lacks(), "");
}

TEST(SmokeUserProgram, the_algorithms_of_collectives_have_names) {
  auto const names = collective_algorithms("allgather");
  for (char const* name : {"default", "ring", "rdb", "bruck", "mpich"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
}

}  // namespace
}  // namespace rondo

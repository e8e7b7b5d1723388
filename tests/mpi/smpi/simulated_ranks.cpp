#include "simulated_ranks.hpp"

#include <fmt/format.h>
#include <smpi/smpi.h>
#include <unistd.h>

#include <simgrid/s4u.hpp>

#include "engine/smpi/machine.hpp"
#include "process/descriptor.hpp"
#include "process/resources.hpp"
#include "process/run_in_child.hpp"
#include "sanitized.hpp"

namespace rondo::mpi::testing {
namespace {

namespace s4u = simgrid::s4u;

#ifdef __SANITIZE_ADDRESS__
// The sanitizer takes a switch between raw contexts for a broken stack; contexts that are threads are slow.
constexpr char const* contexts = "--cfg=contexts/factory:thread";
constexpr bool ranks_are_threads = true;
#else
constexpr char const* contexts = "--cfg=contexts/factory:raw";
constexpr bool ranks_are_threads = false;
#endif
Effort const effort = test::whole ? Effort::full : Effort::sampled;

constexpr char const* finished = "finished";

void tell(int answer, std::string const& line) {
  std::string const text = line + "\n";
  write_all(answer, text.data(), text.size());
}

void be_rank(TestCase const& test, int rank, int ranks, int answer) {
  MPI_Init(nullptr, nullptr);
  // MPI_COMM_WORLD is a placeholder here, on which not every call works.
  World world{MPI_COMM_NULL, rank, ranks, effort};
  MPI_Comm_dup(MPI_COMM_WORLD, &world.comm);
  Report report;
  test.run(world, report);
  for (std::string const& failure : report.failures()) tell(answer, fmt::format("rank {}: {}", rank, failure));
  MPI_Comm_free(&world.comm);
  MPI_Finalize();
}

void create_ranks(TestCase const& test, SmpiMachine const& machine, int ranks, int answer) {
  SMPI_init();
  SMPI_app_instance_register("test", nullptr, ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    auto actor = s4u::Actor::init(fmt::format("rank {}", rank), machine.host(Rank(rank)));
    actor->set_property("instance_id", "test");
    actor->set_property("rank", std::to_string(rank));
    actor->start([&test, rank, ranks, answer] { be_rank(test, rank, ranks, answer); });
  }
}

/// As the engine has it for exact times.
constexpr char const* exact_network[] = {"--cfg=network/model:CM02", "--cfg=network/crosstraffic:0",
                                         "--cfg=network/TCP-gamma:0", "--cfg=network/weight-S:0",
                                         "--cfg=surf/precision:1e-15"};
constexpr char const* exact_messages[] = {"smpi/async-small-thresh:0", "smpi/send-is-detached-thresh:0",
                                          "smpi/wtime:0"};

/// As the engine has it, but with MPI's usual stacks, and with eager sends unless times are exact.
void simulate(TestCase const& test, int ranks, Times times, int answer) {
  if (ranks_are_threads) stay_on_one_processor();
  std::vector<std::string> words{"test", "--log=root.threshold:error", "--cfg=contexts/stack-size:1024", contexts};
  if (times == Times::exact) words.insert(words.end(), std::begin(exact_network), std::end(exact_network));
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  int argc = static_cast<int>(argv.size());
  s4u::Engine engine(&argc, argv.data());
  smpi_init_options();
  s4u::Engine::set_config("smpi/simulate-computation:no");
  if (times == Times::exact) {
    for (char const* const setting : exact_messages) s4u::Engine::set_config(setting);
  }
  Platform platform;
  platform.topology = FullyConnected{ranks};
  platform.latency = Seconds(1e-6);
  platform.bandwidth = BytesPerSecond(1e9);
  SmpiMachine const machine(platform, engine, ranks);
  create_ranks(test, machine, ranks, answer);
  s4u::Engine::on_deadlock_cb([&] {
    tell(answer, "deadlock");
    _exit(0);
  });
  engine.run();
  tell(answer, finished);
  _exit(0);
}

}  // namespace

std::vector<std::string> run_simulated(TestCase const& test, int ranks, Times times) {
  auto const work = [&](int answer) {
    // As on the engine's machines.
    setenv("RONDO_NEIGHBOR_STARTUPS", "serialised", 1);
    simulate(test, ranks, times, answer);
  };
  ChildEnd const end = run_in_child(work, Seconds(120));
  std::vector<std::string> lines;
  std::string line;
  for (std::byte const byte : end.answer) {
    if (static_cast<char>(byte) != '\n') {
      line += static_cast<char>(byte);
    } else {
      lines.push_back(std::exchange(line, {}));
    }
  }
  if (!lines.empty() && lines.back() == finished)
    lines.pop_back();
  else
    lines.push_back(fmt::format("status {}, last words: {}", end.status, end.printed));
  return lines;
}

}  // namespace rondo::mpi::testing

#include "engine/smpi_run.hpp"

#include <fmt/format.h>
#include <smpi/smpi.h>
#include <unistd.h>
#include <xbt/xbt_os_time.h>

#include <exception>
#include <new>
#include <simgrid/s4u.hpp>

#include "base/error.hpp"
#include "engine/answer.hpp"

// SMPI reads a thread's CPU clock twice in each MPI call even where computation is not simulated; these take the place
// of its functions and read nothing.
extern "C" void xbt_os_threadtimer_start(xbt_os_timer_t) {}
extern "C" void xbt_os_threadtimer_stop(xbt_os_timer_t) {}

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;

constexpr char const* instance = "rondo";

/// Settings that must be known before the engine exists. Windows, weights and cross traffic are off, so that a flow
/// takes exactly bytes / bandwidth; with the default precision events that lie near each other would be merged.
std::vector<std::string> arguments(int ranks) {
  std::vector<std::string> result{"rondo",
                                  "--cfg=network/model:CM02",
                                  "--cfg=network/crosstraffic:0",
                                  "--cfg=network/TCP-gamma:0",
                                  "--cfg=network/weight-S:0",
                                  "--cfg=surf/precision:1e-15",
                                  "--log=root.fmt:%m%n",
                                  "--log=root.threshold:error"};
#ifdef __SANITIZE_ADDRESS__
  // The sanitizer takes a switch between raw contexts for a broken stack, and needs larger stacks.
  result.insert(result.end(), {"--cfg=contexts/factory:thread", "--cfg=contexts/stack-size:1024"});
#else
  result.emplace_back("--cfg=contexts/stack-size:64");
#endif
  // A guard page is a memory map of its own, and Linux allows a process 65,530 of them.
  if (ranks >= 32768) result.emplace_back("--cfg=contexts/guard-size:0");
  return result;
}

/// No eager sends: a message of any size starts when both ends have posted it. Each probe and test takes `poll`.
void configure_smpi(Seconds poll) {
  smpi_init_options();
  for (std::string const& setting :
       {std::string("smpi/async-small-thresh:0"), std::string("smpi/send-is-detached-thresh:0"),
        std::string("smpi/simulate-computation:no"), std::string("smpi/wtime:0"),
        std::string("smpi/grow-injected-times:no"), fmt::format("smpi/test:{}", poll.value),
        fmt::format("smpi/iprobe:{}", poll.value)}) {
    s4u::Engine::set_config(setting);
  }
}

void copy_nothing(smx_activity_t, void*, size_t) {}

/// An exception that leaves an actor would abort the process with SimGrid's words instead of ours.
void run_rank(RankPrograms& programs, Rank rank, int answer) {
  try {
    programs.run(rank);
  } catch (std::bad_alloc const&) {
    send_failure(answer, Failure::out_of_memory, "out of memory");
    _exit(0);
  } catch (InputError const& error) {
    send_refusal(answer, error.what());
    _exit(0);
  } catch (std::exception const& error) {
    send_failure(answer, Failure::crash, error.what());
    _exit(0);
  }
}

void create_ranks(RankPrograms& programs, SmpiMachine const& machine, int ranks, int answer) {
  SMPI_init();
  SMPI_app_instance_register(instance, nullptr, ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    auto actor = s4u::Actor::init(fmt::format("rank {}", rank), machine.host(Rank(rank)));
    actor->set_property("instance_id", instance);
    actor->set_property("rank", std::to_string(rank));
    actor->start([&programs, rank, answer] { run_rank(programs, Rank(rank), answer); });
  }
}

void send_end(RankPrograms& programs, int answer) {
  if (auto const wrong = programs.wrong_data()) return send_failure(answer, Failure::wrong_data, *wrong);
  for (std::vector<std::byte> const& result : programs.results()) send_result(answer, result);
  send(answer, programs.timing());
}

}  // namespace

void run_smpi(int ranks, MakePrograms const& make, Platform const& platform, Log log, int answer) {
  auto words = arguments(ranks);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  int argc = static_cast<int>(argv.size());
  s4u::Engine engine(&argc, argv.data());
  configure_smpi(platform.poll);
  SmpiMachine machine(platform, engine, ranks);
  std::unique_ptr<RankPrograms> const programs = make(machine);
  if (programs->calculates()) machine.carry_calculations();
  if (log == Log::messages) machine.log_messages();
  send_ready(answer);

  if (!programs->moves_payload()) smpi_comm_set_copy_data_callback(copy_nothing);
  create_ranks(*programs, machine, ranks, answer);
  s4u::Engine::on_deadlock_cb([&] {
    send_failure(answer, Failure::deadlock, fmt::format("deadlock: {}", programs->waiting()));
    _exit(0);
  });
  engine.run();
  send_end(*programs, answer);
  // Without SimGrid's own shutdown, which takes longer than small simulations.
  _exit(0);
}

}  // namespace rondo

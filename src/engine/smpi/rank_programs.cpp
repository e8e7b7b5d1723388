// Counts starts and ends of ranks, and makes the timing of a run from them. run_smpi() runs a simulation in the
// child: SimGrid's engine, the machine, an actor for each rank, and the answer.

#include "engine/smpi/rank_programs.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <smpi/smpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <simgrid/s4u.hpp>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "engine/answer.hpp"
#include "engine/smpi/actors.hpp"
#include "process/resources.hpp"

namespace rondo {

/// The first rank that starts notes the counts so far, which belong to the preparation.
void RankPrograms::start(Rank rank) {
  progress(rank).start = machine_.now().value;
  if (std::exchange(started_, true)) return;
  messages_before_ = machine_.messages();
  bytes_before_ = machine_.bytes();
  times_before_ = machine_.message_times().size();
}

void RankPrograms::await_arrival(Rank rank) const {
  if (arrival_.empty()) return;
  Seconds const later = arrival_[static_cast<std::size_t>(rank.value)];
  if (later > Seconds(0)) machine_.arrive(rank, later);
}

void RankPrograms::finish(Rank rank) {
  progress(rank).finish = machine_.now().value;
  progress(rank).finished = true;
}

Timing RankPrograms::timing() const {
  Timing result;
  double const start = progress_.front().start;
  for (Progress const& each : progress_) {
    expects(each.finished, "every rank to finish");
    expects(each.start == start, "all ranks to start the operation at the same simulated time");
    result.finish.emplace_back(each.finish - start);
  }
  result.makespan = *std::max_element(result.finish.begin(), result.finish.end());
  result.messages = machine_.messages() - messages_before_;
  result.bytes = Bytes(machine_.bytes().value - bytes_before_.value);
  result.payload_verified = verifies_payload();
  for (MessageTimes times : std::span(machine_.message_times()).subspan(times_before_)) {
    for (Seconds* time : {&times.send_start, &times.send_end, &times.receive_start, &times.receive_end}) {
      *time = *time - Seconds(start);
    }
    result.message_times.push_back(times);
  }
  return result;
}

std::string RankPrograms::place_of(Rank rank) const {
  int const round = progress_[static_cast<std::size_t>(rank.value)].round;
  return round > 0 ? fmt::format(" in round {}", round) : "";
}

std::string RankPrograms::waiting() const {
  constexpr int most_named = 4;
  std::string text;
  int unfinished = 0;
  for (std::size_t rank = 0; rank < progress_.size(); ++rank) {
    Progress const& each = progress_[rank];
    if (each.finished || unfinished++ >= most_named) continue;
    text += fmt::format("{}rank {}{}", text.empty() ? "" : ", ", rank, place_of(Rank(static_cast<int>(rank))));
  }
  if (unfinished > most_named) text += fmt::format(" and {} more", unfinished - most_named);
  return text + (unfinished == 1 ? " waits for ever" : " wait for ever");
}

}  // namespace rondo

// SimGrid's library exports these, but no installed header declares them.
namespace simgrid::smpi {
/// What SMPI stores with an actor.
class ActorExt {
 public:
  static simgrid::xbt::Extension<s4u::Actor, ActorExt> EXTENSION_ID;
  static void init();
  MPI_Comm comm_world() const;
};
namespace colls {
/// Activates the algorithms that the settings name.
void set_collectives();
}  // namespace colls
}  // namespace simgrid::smpi

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;

constexpr char const* instance = "rondo";

#ifdef __SANITIZE_ADDRESS__
// AddressSanitizer mistakes a switch between raw contexts for a broken stack, and needs larger stacks.
constexpr bool ranks_are_threads = true;
constexpr int least_stack_kib = 1024;
#else
constexpr bool ranks_are_threads = false;
constexpr int least_stack_kib = 64;
#endif

/// Settings that must be known before the engine exists. Windows, weights and cross traffic are off, so a flow
/// takes exactly bytes / bandwidth. With the default precision, events at nearly the same time would be merged.
std::vector<std::string> arguments(int ranks, int stack_kib) {
  std::vector<std::string> result{"rondo",
                                  "--cfg=network/model:CM02",
                                  "--cfg=network/crosstraffic:0",
                                  "--cfg=network/TCP-gamma:0",
                                  "--cfg=network/weight-S:0",
                                  "--cfg=surf/precision:1e-15",
                                  "--log=root.fmt:%m%n",
                                  "--log=root.threshold:error"};
  if (ranks_are_threads) result.emplace_back("--cfg=contexts/factory:thread");
  result.push_back(fmt::format("--cfg=contexts/stack-size:{}", std::max(stack_kib, least_stack_kib)));
  // A guard page is a memory map of its own, and Linux allows a process 65,530 maps.
  if (ranks >= 32768) result.emplace_back("--cfg=contexts/guard-size:0");
  return result;
}

/// Configures SMPI so that a message starts when both ends have posted it, whatever its size. Each probe and test takes
/// `poll`.
void configure_smpi(Platform const& platform, SmpiSettings const& settings) {
  smpi_init_options();
  Seconds const poll = platform.poll;
  std::int64_t waiting = settings.buffered == Bytes(0) ? 0 : settings.buffered.value + 1;
  if (platform.timing == TimingModel::flow) waiting = std::max(waiting, platform.flow.eager.value + 1);
  for (std::string const& setting :
       {std::string("smpi/async-small-thresh:0"), fmt::format("smpi/send-is-detached-thresh:{}", waiting),
        fmt::format("smpi/simulate-computation:{}", settings.computing ? "yes" : "no"),
        fmt::format("smpi/wtime:{}", settings.wtime.value), std::string("smpi/grow-injected-times:no"),
        fmt::format("smpi/test:{}", poll.value), fmt::format("smpi/iprobe:{}", poll.value)}) {
    s4u::Engine::set_config(setting);
  }
  for (std::string const& setting : settings.collectives) s4u::Engine::set_config(setting);
  if (!settings.collectives.empty()) simgrid::smpi::colls::set_collectives();
}

void copy_nothing(smx_activity_t, void*, size_t) {}

/// Reports an exception that leaves a rank's actor. SimGrid would abort the process with a message of its own.
void run_rank(RankPrograms& programs, Rank rank, int answer) {
  try {
    programs.run(rank);
  } catch (std::bad_alloc const&) {
    send_failure(answer, Failure::out_of_memory, "out of memory");
    _exit(0);
  } catch (InputError const& error) {
    send_refusal(answer, error.what());
    _exit(0);
  } catch (ProgramExit const& exit) {
    send_failure(answer, exit.failure(), exit.what());
    _exit(0);
  } catch (std::exception const& error) {
    send_failure(answer, Failure::crash, error.what());
    _exit(0);
  }
}

/// An actor with the properties by which SMPI recognizes a rank.
s4u::ActorPtr new_rank(std::string const& name, Rank rank, SmpiMachine const& machine) {
  auto actor = s4u::Actor::init(name, machine.host(rank));
  actor->set_property("instance_id", instance);
  actor->set_property("rank", std::to_string(rank.value));
  return actor;
}

/// Sets MPI_COMM_WORLD. Before ranks have entered MPI_Init, only SMPI's own main knows the communicator of all ranks;
/// but an actor that enters MPI_Init learns it. So an extra actor enters it in the place of rank 0, which takes the
/// place back later.
void make_world(SmpiMachine const& machine) {
  using simgrid::smpi::ActorExt;
  new_rank("world", Rank(0), machine)->start([] {
    ActorExt::init();
    MPI_COMM_WORLD = s4u::Actor::self()->extension<ActorExt>(ActorExt::EXTENSION_ID)->comm_world();
  });
}

void create_ranks(RankPrograms& programs, SmpiMachine const& machine, int ranks, int answer) {
  for (int rank = 0; rank < ranks; ++rank) {
    auto actor = new_rank(fmt::format("rank {}", rank), Rank(rank), machine);
    actor->start([&programs, rank, answer] { run_rank(programs, Rank(rank), answer); });
    note_actor(actor->get_pid(), Rank(rank));
  }
}

void send_end(RankPrograms& programs, int answer) {
  if (auto const wrong = programs.wrong_data()) return send_failure(answer, Failure::wrong_data, *wrong);
  for (std::vector<std::byte> const& result : programs.results()) send_result(answer, result);
  send(answer, programs.timing());
}

}  // namespace

void run_smpi(int ranks, MakePrograms const& make, SmpiSettings const& settings, Platform const& platform,
              EngineOptions const& options, int answer) {
  if (ranks_are_threads) stay_on_one_processor();
  auto words = arguments(ranks, settings.stack_kib);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  int argc = static_cast<int>(argv.size());
  s4u::Engine engine(&argc, argv.data());
  SmpiMachine machine(platform, engine, ranks);
  configure_smpi(platform, settings);
  std::unique_ptr<RankPrograms> const programs = make(machine);
  machine.set_self_message(programs->self_message());
  programs->set_arrival(options.arrival);
  if (platform.noise.any()) machine.set_noise(programs->noise(platform, options));
  if (options.log == Log::messages) machine.log_messages();
  send_ready(answer);

  if (!programs->moves_payload()) smpi_comm_set_copy_data_callback(copy_nothing);
  SMPI_init();
  SMPI_app_instance_register(instance, nullptr, ranks);
  if (settings.world) make_world(machine);
  create_ranks(*programs, machine, ranks, answer);
  report_rank_of_crash();
  s4u::Engine::on_deadlock_cb([&] {
    std::fflush(nullptr);
    send_failure(answer, Failure::deadlock, fmt::format("deadlock: {}", programs->waiting()));
    _exit(0);
  });
  engine.run();
  send_end(*programs, answer);
  std::fflush(nullptr);
  // Ends the process without SimGrid's own shutdown, which takes longer than small simulations.
  _exit(0);
}

}  // namespace rondo

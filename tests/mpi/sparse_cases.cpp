// Sparse exchanges: data, calls and states. Names of cases are sentences with spaces left out for gtest.

#include <fmt/format.h>
#include <algorithm>

#include <cstring>

#include "base/error.hpp"
#include "mpi/cases.hpp"
#include "mpi/sparse_traffic.hpp"
#include "rondo/sparse_exchange.h"

namespace rondo::mpi::testing {
namespace {

using Options = SparseExchange::Options;

std::string words(Options const& options) {
  return fmt::format("algorithm {}, barrier {}, completion {}, delivery {}",
                     static_cast<int>(options.exchange.rules.algorithm),
                     static_cast<int>(options.exchange.rules.barrier), static_cast<int>(options.exchange.completion),
                     static_cast<int>(options.delivery));
}

/// All combinations, or where messages are slow one in four, in which every option takes each of its values.
std::vector<Options> all_options(World const& world) {
  std::vector<Options> all;
  int number = 0;
  for (ExchangeAlgorithm const algorithm : {ExchangeAlgorithm::nbx, ExchangeAlgorithm::nbx_tagged,
                                            ExchangeAlgorithm::personalized, ExchangeAlgorithm::personalized_rooted}) {
    for (problem::Barrier const barrier : {problem::Barrier::dissemination, problem::Barrier::tree}) {
      for (Completion const completion : {Completion::poll, Completion::wait}) {
        for (Delivery const delivery : {Delivery::sorted, Delivery::arrival}) {
          // A sampled run takes the first and the last of the eight combinations of each algorithm.
          int const which = number++ % 8;
          if (world.effort == Effort::sampled && which != 0 && which != 7) continue;
          Options options;
          options.exchange.rules = {algorithm, barrier};
          options.exchange.completion = completion;
          options.delivery = delivery;
          all.push_back(options);
        }
      }
    }
  }
  return all;
}

void run_shapes(World const& world, Report& report, Options const& options, int largest) {
  SparseExchange comm(world.comm, options);
  int const times = world.effort == Effort::full ? 3 : 1;
  for (int k = 0; k < shapes * times; ++k) {
    auto const shape = static_cast<Shape>(k % shapes);
    Traffic const sent = traffic(shape, world.size, static_cast<std::uint64_t>(k) + 1, largest);
    pack(comm, sent);
    comm.exchange();
    std::string const wrong = receive_all(comm, sent, options.delivery);
    report.expect(wrong.empty(), fmt::format("{}, exchange {}: {}", words(options), k, wrong));
    report.expect(comm.state() == ExchangeState::idle, "idle after an exchange");
    if (!wrong.empty()) return;
  }
}

void every_shape_arrives(World const& world, Report& report) {
  for (Options const& options : all_options(world)) run_shapes(world, report, options, 100);
}

void long_messages_arrive_in_parts(World const& world, Report& report) {
  for (Options options : all_options(world)) {
    if (options.exchange.completion == Completion::poll) continue;
    options.exchange.waited_bytes = 50;
    run_shapes(world, report, options, 150);
  }
}

void numbers_of_exchanges_repeat(World const& world, Report& report) {
  for (int const numbers : {2, 3}) {
    // Seven exchanges wrap around several times.
    if (world.effort == Effort::sampled && numbers == 3) return;
    for (Options options : all_options(world)) {
      if (options.exchange.rules.algorithm != ExchangeAlgorithm::nbx_tagged) continue;
      options.exchange.numbers = numbers;
      run_shapes(world, report, options, 20);
    }
  }
}

void counts_of_what_was_sent(World const& world, Report& report) {
  // docs/notes.md#messages-of-an-exchange: K data messages, as many acknowledgements, a barrier of p * ceil(log2 p) or
  // 2(p - 1) messages. Counts go in a reduce-scatter of p - 1 words, or up the tree, p words each, and down, a word for
  // each rank below.
  std::int64_t stages = 0;
  while ((std::int64_t{1} << stages) < world.size) ++stages;
  for (Options const& options : all_options(world)) {
    SparseExchange comm(world.comm, options);
    Traffic const sent = traffic(Shape::all_to_all, world.size, 5, 40);
    pack(comm, sent);
    comm.exchange();
    receive_all(comm, sent, options.delivery);
    ExchangeCounts const mine = comm.counts();
    bool const consensus = !counts_first(options.exchange.rules.algorithm);
    report.expect(mine.data_messages == world.size - 1, "a message to each other rank");
    report.expect(mine.ack_messages == (consensus ? world.size - 1 : 0), "an acknowledgement of each");
    std::int64_t all = 0;
    MPI_Allreduce(&mine.barrier_messages, &all, 1, MPI_INT64_T, MPI_SUM, world.comm);
    bool const rooted = options.exchange.rules.algorithm == ExchangeAlgorithm::personalized_rooted;
    bool const tree = rooted || (consensus && options.exchange.rules.barrier == problem::Barrier::tree);
    std::int64_t const once = tree ? 2 * (world.size - 1) : world.size * stages;
    std::int64_t const expected = once * (options.exchange.rules.algorithm == ExchangeAlgorithm::nbx ? 2 : 1);
    report.expect(all == expected, fmt::format("{}: {} barrier messages, not {}", words(options), all, expected));
    int const rank = world.rank;
    int const below = rank == 0 ? world.size - 1 : std::min(rank & -rank, world.size - rank) - 1;
    int const by_tree = (rank == 0 ? 0 : world.size) + below;
    report.expect(mine.barrier_words == (consensus ? 0 : rooted ? by_tree : world.size - 1), "words of the counts");
  }
}

struct Point {
  double x, y;
  int id;
};

void types_and_lists_are_packed(World const& world, Report& report) {
  SparseExchange comm(world.comm);
  Rank const next((world.rank + 1) % world.size);
  comm.pack(Point{1.5, world.rank * 2.0, world.rank}, next);
  std::vector<int> const list{world.rank, 7, 9};
  comm.pack_list(list, next);
  comm.pack_list(std::span<int const>(), next);
  comm.pack('x', next);
  comm.exchange();
  int const before = (world.rank + world.size - 1) % world.size;
  int records = 0;
  while (comm.receive()) {
    ++records;
    auto const point = comm.unpack<Point>();
    report.expect(point.x == 1.5 && point.y == before * 2.0 && point.id == before, "a structure");
    report.expect(comm.unpack_list<int>() == std::vector<int>{before, 7, 9}, "a list");
    report.expect(comm.unpack_list<int>().empty(), "an empty list");
    report.expect(comm.unpack<char>() == 'x', "a character");
    report.expect(comm.from() == Rank(before), "the sender of what was read to its end");
  }
  report.expect(records == 1, "one message");
}

/// Whether `call` is refused.
template <typename Call>
bool refused(Call const& call) {
  try {
    call();
    return false;
  } catch (WrongCall const&) {
    return true;
  }
}

void a_refused_list_leaves_all_as_it_was(World const& world, Report& report) {
  SparseExchange comm(world.comm);
  Rank const me(world.rank);
  std::vector<char> const byte{'a'};
  // The span claims to be longer than a message may be, so it is refused before anything of it is read.
  std::span<char const> const too_long(byte.data(), std::size_t{1} << 31);
  report.expect(refused([&] { comm.pack_list(too_long, me); }), "a list of 2^31 bytes");
  report.expect(comm.state() == ExchangeState::idle, "nothing packed");
  constexpr std::uint64_t three = 3;
  comm.pack(three, me);
  comm.pack('a', me);
  comm.exchange();
  report.expect(comm.receive(), "a message");
  report.expect(refused([&] { comm.unpack_list<int>(); }), "a list longer than its message");
  report.expect(comm.unpack<std::uint64_t>() == 3 && comm.unpack<char>() == 'a', "the message from its beginning");
  report.expect(!comm.receive(), "the end");
}

/// Whatever the delivery, and though the first message is an empty one.
void nothing_is_unpacked_before_the_first_receive(World const& world, Report& report) {
  for (Delivery const delivery : {Delivery::sorted, Delivery::arrival}) {
    SparseExchange comm(world.comm, {{}, delivery});
    comm.pack_bytes(nullptr, 0, Rank(0));
    comm.pack(7, Rank(world.size - 1));
    comm.exchange();
    report.expect(refused([&] { comm.from(); }), "the sender of no message yet");
    report.expect(refused([&] { comm.unpack<int>(); }), "bytes of no message yet");
    int messages = 0, empty = 0;
    while (comm.receive()) {
      empty += comm.has_bytes() ? 0 : 1;
      if (comm.has_bytes()) messages += comm.unpack<int>() == 7 ? 1 : 0;
    }
    report.expect(messages == (world.rank == world.size - 1 ? world.size : 0), "all messages that are not empty");
    report.expect(empty == (world.rank == 0 && world.size > 1 ? world.size : 0), "all empty messages, each once");
  }
}

/// Each message is answered while the exchange is unpacked; the answers are the next exchange.
void packing_while_unpacking_makes_a_conversation(World const& world, Report& report) {
  for (Options const& options : all_options(world)) {
    SparseExchange comm(world.comm, options);
    for (int to = 0; to < world.size; ++to) comm.pack(world.rank * 100 + to, Rank(to));
    comm.exchange();
    while (comm.receive()) {
      comm.pack(comm.unpack<int>() + 1, comm.from());
      report.expect(comm.state() == ExchangeState::bothpack, "BOTHPACK");
    }
    report.expect(comm.state() == ExchangeState::pack, "PACK after the last message");
    comm.exchange();
    int answers = 0;
    while (comm.receive()) {
      report.expect(comm.unpack<int>() == world.rank * 100 + comm.from().value + 1, "the answer to mine");
      ++answers;
    }
    report.expect(answers == world.size, "an answer from each");
  }
}

// --- the C interface ---

/// Ranks may be actors of one process: what one says is read before another can.
std::string said;
void listen(char const* text) { said = text; }

void expect_error(Report& report, std::string const& text) {
  report.expect(said.find(text) != std::string::npos, fmt::format("expected \"{}\", got \"{}\"", text, said));
  said.clear();
}

void expect_silence(Report& report, char const* where) {
  report.expect(said.empty(), fmt::format("{}: {}", where, said));
  said.clear();
}

void the_nine_functions(World const& world, Report& report) {
  Rondo_comm_on_error(listen);
  Rondo_comm_init(world.comm);
  report.expect(Rondo_comm_rank() == world.rank && Rondo_comm_size() == world.size, "rank and size");
  for (int round = 0; round < 3; ++round) {
    int const to = (world.rank + round) % world.size;
    double const value = world.rank + 0.5;
    // Several records travel in one message.
    RONDO_COMM_PACK(round, to);
    RONDO_COMM_PACK(value, to);
    RONDO_COMM_PACK(round, to);
    RONDO_COMM_PACK(value, to);
    Rondo_comm_exch();
    int const from = (world.rank + world.size - round % world.size) % world.size;
    int records = 0;
    while (Rondo_comm_recv() != 0) {
      int got = -1;
      double other = -1;
      RONDO_COMM_UNPACK(got);
      RONDO_COMM_UNPACK(other);
      report.expect(Rondo_comm_from() == from && got == round && other == from + 0.5, "a record");
      ++records;
    }
    report.expect(records == 2, fmt::format("comm_recv is true for each record, not each message: {}", records));
  }
  Rondo_comm_finalize();
  expect_silence(report, "right calls");
}

void another_communicator_after_finalize(World const& world, Report& report) {
  Rondo_comm_on_error(listen);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(world.comm, world.rank % 2, -world.rank, &half);
  int half_rank = -1, half_size = -1;
  MPI_Comm_rank(half, &half_rank);
  MPI_Comm_size(half, &half_size);
  for (int time = 0; time < 2; ++time) {
    Rondo_comm_configure("algorithm", time == 0 ? "nbx_tagged" : "personalized");
    Rondo_comm_init(half);
    // The communicator that was given may go at once.
    if (time == 1) MPI_Comm_free(&half);
    report.expect(Rondo_comm_rank() == half_rank && Rondo_comm_size() == half_size, "rank and size of the half");
    int most = -1;
    MPI_Allreduce(&half_rank, &most, 1, MPI_INT, MPI_MAX, Rondo_comm_mpi());
    report.expect(most == half_size - 1, "the communicator of the half");
    int const to = half_size - 1 - half_rank;
    RONDO_COMM_PACK(world.rank, to);
    Rondo_comm_exch();
    while (Rondo_comm_recv() != 0) {
      int got = -1;
      RONDO_COMM_UNPACK(got);
      report.expect(got % 2 == world.rank % 2 && Rondo_comm_from() == to, "a message of the own half");
    }
    Rondo_comm_finalize();
    Rondo_comm_init(world.comm);
    report.expect(Rondo_comm_rank() == world.rank && Rondo_comm_size() == world.size, "rank and size of the whole");
    Rondo_comm_finalize();
  }
  Rondo_comm_configure("algorithm", "nbx");
  expect_silence(report, "right calls");
}

void wrong_calls_name_call_and_state_at_once(World const& world, Report& report) {
  Rondo_comm_on_error(listen);
  int value = 3;
  RONDO_COMM_PACK(value, 0);
  expect_error(report, fmt::format("comm_pack in state UNINIT at rank {}: expected in state IDLE or PACK or UNPACK or "
                                   "BOTHPACK",
                                   world.rank));
  Rondo_comm_exch();
  expect_error(report, "comm_exch in state UNINIT");
  report.expect(Rondo_comm_recv() == 0, "comm_recv after an error");
  expect_error(report, "comm_recv in state UNINIT");
  report.expect(Rondo_comm_rank() == -1 && Rondo_comm_size() == -1 && Rondo_comm_from() == -1, "-1 after an error");
  expect_error(report, "comm_from in state UNINIT");
  report.expect(Rondo_comm_mpi() == MPI_COMM_NULL, "no communicator after an error");
  expect_error(report, "comm_mpi in state UNINIT");
  Rondo_comm_finalize();
  expect_error(report, "comm_finalize in state UNINIT");
  Rondo_comm_init(MPI_COMM_NULL);
  expect_error(report, "comm_init: expected a communicator, got MPI_COMM_NULL");

  Rondo_comm_init(world.comm);
  Rondo_comm_init(world.comm);
  expect_error(report, fmt::format("comm_init in state IDLE at rank {}: expected in state UNINIT", world.rank));
  Rondo_comm_recv();
  expect_error(report, "comm_recv in state IDLE");
  RONDO_COMM_UNPACK(value);
  expect_error(report, "comm_unpack in state IDLE");
  Rondo_comm_from();
  expect_error(report, "comm_from in state IDLE");
  Rondo_comm_configure("algorithm", "nbx");
  expect_error(report, "comm_configure: expected in state UNINIT, called in state IDLE");
  RONDO_COMM_PACK(value, world.size);
  expect_error(report, fmt::format("comm_pack in state IDLE at rank {}: expected a rank from 0 to {}, got {}",
                                   world.rank, world.size - 1, world.size));
  Rondo_comm_pack(nullptr, 4, 0);
  expect_error(report, "comm_pack in state IDLE at rank");

  RONDO_COMM_PACK(value, world.rank);
  Rondo_comm_finalize();
  expect_error(report, "comm_finalize in state PACK");
  Rondo_comm_recv();
  expect_error(report, "comm_recv in state PACK");
  Rondo_comm_exch();
  Rondo_comm_exch();
  expect_error(report, "comm_exch in state UNPACK");
  Rondo_comm_finalize();
  expect_error(report, "comm_finalize in state UNPACK");
  double larger = 0;
  Rondo_comm_recv();
  RONDO_COMM_UNPACK(larger);
  expect_error(report, fmt::format("comm_unpack in state UNPACK at rank {}: expected at most 4 bytes, which are left "
                                   "of the message from rank {}, got 8",
                                   world.rank, world.rank));
  RONDO_COMM_UNPACK(value);
  report.expect(value == 3 && Rondo_comm_from() == world.rank, "wrong calls have changed nothing");
  RONDO_COMM_UNPACK(value);
  expect_error(report, "expected at most 0 bytes");
  RONDO_COMM_PACK(value, world.rank);
  Rondo_comm_exch();
  expect_error(report, "comm_exch in state BOTHPACK");
  report.expect(Rondo_comm_recv() == 0, "the end of the exchange");
  Rondo_comm_finalize();
  expect_error(report, "comm_finalize in state PACK");
  Rondo_comm_exch();
  while (Rondo_comm_recv() != 0) RONDO_COMM_UNPACK(value);
  Rondo_comm_finalize();
  expect_silence(report, "the last exchange");
}

void configuration_says_what_it_accepts(World const&, Report& report) {
  Rondo_comm_on_error(listen);
  Rondo_comm_configure("algoritm", "nbx");
  expect_error(report, "comm_configure: unknown key \"algoritm\"; accepted: \"algorithm\", \"delivery\"");
  Rondo_comm_configure("algorithm", "alltoall");
  expect_error(report,
               "algorithm: expected one of \"nbx\", \"nbx_tagged\", \"personalized\", "
               "\"personalized_rooted\", got \"alltoall\"");
  Rondo_comm_configure("waited_bytes", "0");
  expect_error(report, "waited_bytes: expected an integer of at least 1, got \"0\"");
  Rondo_comm_configure(nullptr, "nbx");
  expect_error(report, "expected a key and a value");
}

void ranks_configured_differently_are_told(World const& world, Report& report) {
  Rondo_comm_on_error(listen);
  struct Case {
    char const *key, *other, *common;
  };
  for (Case const& c : {Case{"algorithm", "nbx_tagged", "nbx"}, Case{"barrier", "tree", "dissemination"},
                        Case{"completion", "wait", "poll"}}) {
    bool const differs = world.size > 1;
    if (world.rank == world.size - 1 && differs) Rondo_comm_configure(c.key, c.other);
    Rondo_comm_init(world.comm);
    if (differs) {
      expect_error(report, "comm_init: expected the same algorithm, barrier, completion and waited_bytes");
      report.expect(Rondo_comm_size() == -1, "UNINIT after an error");
      expect_error(report, "comm_size in state UNINIT");
    } else {
      Rondo_comm_finalize();
    }
    Rondo_comm_configure(c.key, c.common);
  }
  Rondo_comm_init(world.comm);
  Rondo_comm_finalize();
  expect_silence(report, "the same again");
}

/// 1,000 bytes packed one by one, an empty message, and delivery as they come.
void messages_grow_and_may_be_empty(World const& world, Report& report) {
  Rondo_comm_on_error(listen);
  for (char const* completion : {"poll", "wait"}) {
    Rondo_comm_configure("delivery", "arrival");
    Rondo_comm_configure("completion", completion);
    Rondo_comm_configure("waited_bytes", "600");
    Rondo_comm_init(world.comm);
    int const to = world.size - 1;
    for (int i = 0; i < 1000; ++i) {
      auto const byte = static_cast<unsigned char>(i + world.rank);
      RONDO_COMM_PACK(byte, to);
    }
    Rondo_comm_pack(nullptr, 0, 0);
    Rondo_comm_exch();
    std::vector<int> got(static_cast<std::size_t>(world.size)), announced(got.size());
    while (Rondo_comm_recv() != 0) {
      unsigned char byte = 0;
      if (world.rank != to) {
        ++announced[static_cast<std::size_t>(Rondo_comm_from())];
        continue;
      }
      RONDO_COMM_UNPACK(byte);
      int const from = Rondo_comm_from();
      int& count = got[static_cast<std::size_t>(from)];
      report.expect(byte == static_cast<unsigned char>(count++ + from), "a byte in its place");
    }
    for (int const count : got) report.expect(count == (world.rank == to ? 1000 : 0), fmt::format("{} bytes", count));
    for (int const times : announced) {
      report.expect(times == (world.rank == 0 && to != 0 ? 1 : 0), fmt::format("an empty message {} times", times));
    }
    Rondo_comm_finalize();
  }
  Rondo_comm_configure("delivery", "sorted");
  Rondo_comm_configure("completion", "poll");
  Rondo_comm_configure("waited_bytes", "16384");
  expect_silence(report, "right calls");
}

}  // namespace

std::vector<TestCase> sparse_cases() {
  return {{"every_shape_arrives", every_shape_arrives},
          {"long_messages_arrive_in_parts", long_messages_arrive_in_parts},
          {"numbers_of_exchanges_repeat", numbers_of_exchanges_repeat},
          {"counts_of_what_was_sent", counts_of_what_was_sent},
          {"types_and_lists_are_packed", types_and_lists_are_packed},
          {"a_refused_list_leaves_all_as_it_was", a_refused_list_leaves_all_as_it_was},
          {"nothing_is_unpacked_before_the_first_receive", nothing_is_unpacked_before_the_first_receive},
          {"ranks_configured_differently_are_told", ranks_configured_differently_are_told},
          {"packing_while_unpacking_makes_a_conversation", packing_while_unpacking_makes_a_conversation},
          {"the_nine_functions", the_nine_functions},
          {"another_communicator_after_finalize", another_communicator_after_finalize},
          {"wrong_calls_name_call_and_state_at_once", wrong_calls_name_call_and_state_at_once},
          {"configuration_says_what_it_accepts", configuration_says_what_it_accepts},
          {"messages_grow_and_may_be_empty", messages_grow_and_may_be_empty}};
}

}  // namespace rondo::mpi::testing

// Sparse exchanges in C++: data, calls and counts. Names of cases are sentences with spaces left out for gtest.

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
    auto const shape = static_cast<TrafficShape>(k % shapes);
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
  // docs/notes-exchange.md#messages-of-an-exchange: K data messages, as many acknowledgements, a barrier of p *
  // ceil(log2 p) or 2(p - 1) messages. Counts go in a reduce-scatter of p - 1 words, or up the tree, p words each, and
  // down, a word for each rank below.
  std::int64_t stages = 0;
  while ((std::int64_t{1} << stages) < world.size) ++stages;
  for (Options const& options : all_options(world)) {
    SparseExchange comm(world.comm, options);
    Traffic const sent = traffic(TrafficShape::all_to_all, world.size, 5, 40);
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

struct Particle {
  double x, y;
  int id;
};

void types_are_packed(World const& world, Report& report) {
  SparseExchange comm(world.comm);
  Rank const next((world.rank + 1) % world.size);
  comm.pack(Particle{1.5, world.rank * 2.0, world.rank}, next);
  comm.pack('x', next);
  comm.exchange();
  int const before = (world.rank + world.size - 1) % world.size;
  int records = 0;
  while (comm.receive()) {
    ++records;
    auto const point = comm.unpack<Particle>();
    report.expect(point.x == 1.5 && point.y == before * 2.0 && point.id == before, "a structure");
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

void a_refused_call_leaves_all_as_it_was(World const& world, Report& report) {
  SparseExchange comm(world.comm);
  Rank const me(world.rank);
  char const byte = 'a';
  // The call claims more bytes than a message may have, so it is refused before any of them is read.
  report.expect(refused([&] { comm.pack_bytes(&byte, std::size_t{1} << 31, me); }), "2^31 bytes");
  report.expect(comm.state() == ExchangeState::idle, "nothing packed");
  constexpr std::uint64_t three = 3;
  comm.pack(three, me);
  comm.pack('a', me);
  comm.exchange();
  report.expect(comm.receive(), "a message");
  report.expect(refused([&] { comm.unpack<Particle>(); }), "more than the message has");
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

}  // namespace

std::vector<TestCase> sparse_cases() {
  // Item [Ibanez15, determinism]: holds.
  return {{"every_shape_arrives", every_shape_arrives},
          {"long_messages_arrive_in_parts", long_messages_arrive_in_parts},
          {"numbers_of_exchanges_repeat", numbers_of_exchanges_repeat},
          {"counts_of_what_was_sent", counts_of_what_was_sent},
          {"types_are_packed", types_are_packed},
          {"a_refused_call_leaves_all_as_it_was", a_refused_call_leaves_all_as_it_was},
          {"nothing_is_unpacked_before_the_first_receive", nothing_is_unpacked_before_the_first_receive},
          // Item [Ibanez15, conversation]: holds.
          {"packing_while_unpacking_makes_a_conversation", packing_while_unpacking_makes_a_conversation}};
}

}  // namespace rondo::mpi::testing

// States and buffers of the sparse exchange.

#include "mpi/exchange/sparse_exchange.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mpi/runtime/message_buffers.hpp"
#include "reference.hpp"

namespace rondo::mpi::testing {
namespace {

std::string reference_name(ExchangeCall call) {
  if (call == ExchangeCall::recv_more) return "comm_recv:more";
  return call == ExchangeCall::recv_done ? "comm_recv:done" : to_string(call);
}

// Item [Ibanez15, Figure 4.1]: holds.
TEST(ExchangeStates, are_those_of_the_reference) {
  int compared = 0;
  for (auto const& pair : reference::pairs("sparse_exchange.json", "state_machine")) {
    for (int s = 0; s < exchange_states; ++s) {
      auto const state = static_cast<ExchangeState>(s);
      auto const& calls = pair["answer"]["table"][to_string(state)];
      ASSERT_EQ(calls.size(), std::size_t{exchange_calls});
      for (int c = 0; c < exchange_calls; ++c) {
        auto const call = static_cast<ExchangeCall>(c);
        auto const next = state_after(state, call);
        nlohmann::json const expected = calls.at(reference_name(call));
        EXPECT_EQ(next ? nlohmann::json(to_string(*next)) : nlohmann::json(), expected)
            << to_string(state) << " " << reference_name(call);
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, exchange_states * exchange_calls);
}

TEST(ExchangeStates, name_the_call_the_state_and_the_rank_of_a_wrong_call) {
  EXPECT_STREQ(WrongCall(ExchangeCall::exch, ExchangeState::unpack, 7).what(),
               "comm_exch in state UNPACK at rank 7: expected in state IDLE or PACK");
}

// Item [Ibanez15, growing buffers]: holds.
TEST(GrowingBuffer, grows_to_three_halves_of_one_more) {
  GrowingBuffer buffer;
  std::vector<std::size_t> capacities;
  for (int i = 0; i < 26; ++i) {
    char const byte = static_cast<char>(i);
    buffer.append(&byte, 1);
    if (capacities.empty() || capacities.back() != buffer.capacity()) capacities.push_back(buffer.capacity());
  }
  // 3(c + 1) / 2 from 0 on, in integers.
  EXPECT_EQ(capacities, (std::vector<std::size_t>{1, 3, 6, 10, 16, 25, 39}));
  for (int i = 0; i < 26; ++i) EXPECT_EQ(buffer.data()[i], static_cast<std::byte>(i));
}

// Item [Ibanez15, one message a target]: holds.
TEST(Outbox, holds_one_message_a_target_by_rank) {
  Outbox outbox;
  for (int const target : {5, 2, 5, 9, 2, 0}) outbox[target].append(&target, sizeof target);
  std::vector<std::pair<int, std::size_t>> held;
  for (PackedMessage const& message : outbox.messages()) held.emplace_back(message.peer, message.buffer.size());
  EXPECT_EQ(held, (std::vector<std::pair<int, std::size_t>>{{0, 4}, {2, 8}, {5, 8}, {9, 4}}));
  EXPECT_EQ(outbox.bytes_to(5), 8U);
  EXPECT_EQ(outbox.bytes_to(3), 0U);
}

}  // namespace
}  // namespace rondo::mpi::testing

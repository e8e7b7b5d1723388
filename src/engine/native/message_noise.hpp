#pragma once

// The noise of messages. Noise is drawn by the number of a send within its rank or part; the functions find it from the
// number of a message.

#include "engine/native/messages.hpp"
#include "engine/noise.hpp"

namespace rondo::native {

/// The part (or rank) that sends the message, and the number of the send among its sends.
struct SendNumber {
  std::size_t part;
  std::uint64_t send;
  SendNumber(Messages const& messages, std::uint32_t message)
      : part(at(messages.source[message])), send(message - messages.first_send[part]) {}
};

/// The noise in the start-up of a message.
inline Seconds startup_noise(Noise const& noise, Messages const& messages, std::uint32_t message) {
  SendNumber const number(messages, message);
  return noise.startup(number.part, number.send);
}

}  // namespace rondo::native

#pragma once

// Chakra execution traces, written byte by byte as protobuf.dev/programming-guides/encoding has the wire format and
// schema/protobuf/et_def.proto of mlcommons/chakra the fields.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::test::chakra {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(0x80 | (value & 0x7f));
  return bytes + static_cast<char>(value);
}
inline std::string number(std::uint32_t field, std::uint64_t value) { return varint(field << 3) + varint(value); }
inline std::string text(std::uint32_t field, std::string_view bytes) {
  return varint((field << 3) | 2) + varint(bytes.size()) + std::string(bytes);
}
inline std::string fixed(std::uint32_t field, std::uint64_t value, std::size_t size) {
  std::string bytes = varint((field << 3) | (size == 8 ? 1u : 5u));
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xff);
  return bytes;
}
/// A message of a file, behind its length.
inline std::string message(std::string const& bytes) { return varint(bytes.size()) + bytes; }
inline std::string head() { return message(text(1, "0.0.4")); }

/// An attribute of type int64.
inline std::string attribute(std::string_view name, std::int64_t value) {
  return text(10, text(1, name) + number(9, static_cast<std::uint64_t>(value)));
}

enum Type : std::uint64_t { metadata = 1, computation = 4, send = 5, receive = 6, collective = 7 };
using Ids = std::vector<std::uint64_t>;

/// The fields of a node; its dependencies are data_deps, one field each.
inline std::string fields(std::uint64_t id, Type type, std::string const& more, Ids const& on = {}) {
  std::string bytes = number(1, id) + text(2, "n" + std::to_string(id)) + number(3, type);
  for (std::uint64_t const each : on) bytes += number(5, each);
  return bytes + more;
}
inline std::string send_to(std::uint64_t id, int peer, std::int64_t bytes, Ids const& on = {}, int tag = 0) {
  return message(
      fields(id, send, attribute("comm_dst", peer) + attribute("comm_size", bytes) + attribute("comm_tag", tag), on));
}
inline std::string receive_from(std::uint64_t id, int peer, std::int64_t bytes, Ids const& on = {}, int tag = 0) {
  return message(fields(id, receive,
                        attribute("comm_src", peer) + attribute("comm_size", bytes) + attribute("comm_tag", tag), on));
}
inline std::string compute(std::uint64_t id, std::uint64_t microseconds, Ids const& on = {}) {
  return message(fields(id, computation, number(7, microseconds) + text(10, text(1, "is_cpu_op") + number(27, 0)), on));
}

}  // namespace rondo::test::chakra

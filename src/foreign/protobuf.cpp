// Reads the wire format of Protocol Buffers. Lengths in a file may be wrong; each is checked against the bytes that are
// left.

#include "foreign/protobuf.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace rondo::protobuf {

namespace {

constexpr std::uint64_t most_field = (std::uint64_t{1} << 29) - 1;

}  // namespace

void Fields::fail(std::size_t where, std::string const& what) const {
  throw InputError(fmt::format("{}: byte {}: {}", name_, where, what));
}

/// Seven bits of each byte belong to the number; the eighth says that another byte follows.
std::uint64_t Fields::varint() {
  std::size_t const begin = place();
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (!more()) fail(begin, "expected a number, got one that is cut off");
    auto const byte = static_cast<unsigned char>(bytes_[next_++]);
    // The tenth byte of a varint has room for one more bit only.
    if (shift == 63 && byte > 1) break;
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  fail(begin, "expected a number of at most 64 bits, got a longer one");
}

std::uint64_t Fields::fixed(std::size_t size) {
  if (size > bytes_.size() - next_) {
    fail(place(), fmt::format("expected a value of {} bytes, got {}", size, bytes_.size() - next_));
  }
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes_[next_ + i]);
  next_ += size;
  return value;
}

std::string_view Fields::counted() {
  std::size_t const begin = place();
  std::uint64_t const size = varint();
  if (size > bytes_.size() - next_) {
    fail(begin,
         fmt::format("expected a length of at most {}, the bytes that follow, got {}", bytes_.size() - next_, size));
  }
  std::string_view const result = bytes_.substr(next_, static_cast<std::size_t>(size));
  next_ += result.size();
  return result;
}

Field Fields::field() {
  std::size_t const begin = place();
  std::uint64_t const key = varint();
  Field result;
  if (key >> 3 == 0 || key >> 3 > most_field) {
    fail(begin, fmt::format("expected the number of a field from 1 to {}, got {}", most_field, key >> 3));
  }
  result.number = static_cast<std::uint32_t>(key >> 3);
  result.at = place();
  switch (key & 7) {
    case 0:
      result.value = varint();
      break;
    case 1:
      result.value = fixed(8);
      break;
    case 2:
      result.bytes = counted();
      result.at = place() - result.bytes.size();
      break;
    case 5:
      result.value = fixed(4);
      break;
    default:
      fail(begin, fmt::format("expected one of the wire types 0, 1, 2 and 5, got {}", key & 7));
  }
  result.type = static_cast<WireType>(key & 7);
  return result;
}

Field Fields::message() {
  Field result;
  result.type = WireType::bytes;
  result.bytes = counted();
  result.at = place() - result.bytes.size();
  return result;
}

std::string_view text_of(Field const& field, std::string const& name, char const* what) {
  if (field.type == WireType::bytes) return field.bytes;
  throw InputError(fmt::format("{}: byte {}: expected the bytes of {}, got a number", name, field.at, what));
}

std::uint64_t varint_of(Field const& field, std::string const& name, char const* what) {
  if (field.type == WireType::varint) return field.value;
  throw InputError(fmt::format("{}: byte {}: expected {} as a varint, got another wire type", name, field.at, what));
}

}  // namespace rondo::protobuf

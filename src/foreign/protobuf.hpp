#pragma once

// The wire format of Protocol Buffers (protobuf.dev/programming-guides/encoding), as far as reading takes it. A message
// is a sequence of fields, each a varint of (number << 3 | wire type) and a value; the wire types are 0, a varint of at
// most 10 bytes; 1, 8 bytes; 2, a varint that says how many bytes follow; 5, 4 bytes. Numbers are little-endian.
// libprotobuf would add a compiler of schemas to the build, for a format of four cases.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::protobuf {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct Field {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t value = 0;  ///< of all but `bytes`
  std::string_view bytes;   ///< of `bytes`
  std::size_t at = 0;       ///< where the value, or the first of the bytes, stands in the file
};

/// Reads fields, or messages behind their lengths, one after the other. All of it throws InputError that names the
/// file, the byte, what was expected and what was found.
class Fields {
 public:
  /// `bytes` begin at byte `at` of the file `name`, which must outlive the reader.
  Fields(std::string_view bytes, std::size_t at, std::string const& name) : bytes_(bytes), at_(at), name_(name) {}
  Fields(Field const& field, std::string const& name) : Fields(field.bytes, field.at, name) {}

  bool more() const { return next_ < bytes_.size(); }
  std::size_t place() const { return at_ + next_; }

  /// For a number that may come as an element of a packed list as well.
  std::uint64_t varint();
  Field field();
  /// A message behind its length, as files of several messages have it; its `number` is 0.
  Field message();

  [[noreturn]] void fail(std::size_t where, std::string const& what) const;

 private:
  std::uint64_t fixed(std::size_t size);
  std::string_view counted();

  std::string_view bytes_;
  std::size_t at_;
  std::string const& name_;
  std::size_t next_ = 0;
};

/// The text of a field; throws InputError unless it is of bytes.
std::string_view text_of(Field const& field, std::string const& name, char const* what);
/// The number of a field; throws InputError unless it is a varint.
std::uint64_t varint_of(Field const& field, std::string const& name, char const* what);

}  // namespace rondo::protobuf

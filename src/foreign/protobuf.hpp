#pragma once

// A reader of the wire format of Protocol Buffers (protobuf.dev/programming-guides/encoding). A message is a
// sequence of fields. Each field is a varint of (number << 3 | wire type) and a value. Wire type 0 is a varint of at
// most 10 bytes, 1 is 8 bytes, 5 is 4 bytes, and 2 is a varint that says how many bytes follow. Numbers are
// little-endian. For a format of four cases, libprotobuf and its schema compiler would cost the build too much.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::protobuf {

/// How the value of a field is encoded.
enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// A field of a message, with its place in the file.
struct Field {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t value = 0;  ///< the value, unless the type is `bytes`
  std::string_view bytes;   ///< the value of type `bytes`
  std::size_t at = 0;       ///< where the value, or the first of the bytes, stands in the file
};

/// Reads fields, or messages that stand behind their lengths, one after the other. Every function throws InputError
/// that names the file, the byte, what was expected and what was found.
class Fields {
 public:
  /// The first of `bytes` is byte `offset` of the file `name`, which must outlive the reader.
  Fields(std::string_view bytes, std::size_t offset, std::string const& name)
      : bytes_(bytes), at_(offset), name_(name) {}
  Fields(Field const& field, std::string const& name) : Fields(field.bytes, field.at, name) {}

  bool more() const { return next_ < bytes_.size(); }
  std::size_t place() const { return at_ + next_; }

  /// Reads a varint; it is public for the elements of a packed list.
  std::uint64_t varint();
  Field field();
  /// Reads a message that stands behind its length, as in a file of several messages; its `number` is 0.
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

/// The text of a field. Throws InputError unless the field has the type `bytes`.
std::string_view text_of(Field const& field, std::string const& name, char const* what);
/// The number of a field. Throws InputError unless the field is a varint.
std::uint64_t varint_of(Field const& field, std::string const& name, char const* what);

}  // namespace rondo::protobuf

// Decodes UTF-8 and escapes whatever a terminal might interpret: control characters, marks of direction, invalid
// bytes. For XML, three characters have entities. A comment has none, but may not contain "--".

#include "base/printable.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace rondo {
namespace {

/// A character, and how many bytes of the text it takes.
struct Decoded {
  char32_t character = 0;
  std::size_t bytes = 0;  ///< 0: the text does not begin with a character of UTF-8
};

/// The first character of the text, which must not be empty, by the table of well-formed sequences (Unicode 15, Table
/// 3-7): overlong forms, surrogates and values above U+10FFFF are refused.
Decoded decoded(std::string_view text) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  std::size_t const bytes = byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : byte(0) < 0xf5 ? 4 : 0;
  if (bytes == 0 || text.size() < bytes) return {};
  char32_t character = byte(0) & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    character = character << 6 | (byte(i) & 0x3fu);
  }
  bool const overlong = (bytes == 3 && character < 0x800) || (bytes == 4 && character < 0x10000);
  bool const none = overlong || (character >= 0xd800 && character <= 0xdfff) || character > 0x10ffff;
  return none ? Decoded{} : Decoded{character, bytes};
}

/// A range of characters that are not shown as they are.
struct CharacterRange {
  char32_t first, last;
};

/// Characters above ASCII that are not shown: C1; the Arabic letter mark; zero-width space; marks and embeddings of
/// direction; line and paragraph separators; invisible operators and isolates; the byte order mark; annotations;
/// noncharacters; tags.
constexpr std::array unseen{CharacterRange{0x80, 0x9f},     CharacterRange{0x61c, 0x61c},
                            CharacterRange{0x200b, 0x200b}, CharacterRange{0x200e, 0x200f},
                            CharacterRange{0x2028, 0x202e}, CharacterRange{0x2060, 0x206f},
                            CharacterRange{0xfeff, 0xfeff}, CharacterRange{0xfff9, 0xfffb},
                            CharacterRange{0xfffe, 0xffff}, CharacterRange{0xe0000, 0xe007f}};

bool is_shown(char32_t character) {
  if (character < 0x80) return character >= 0x20 && character != 0x7f;
  return std::none_of(unseen.begin(), unseen.end(),
                      [&](CharacterRange const& range) { return character >= range.first && character <= range.last; });
}

void append_escape(std::string& text, char32_t character) {
  if (character == '\n') {
    text += "\\n";
  } else if (character == '\t') {
    text += "\\t";
  } else if (character == '\r') {
    text += "\\r";
  } else if (character < 0x80) {
    append(text, "\\x{:02x}", static_cast<unsigned>(character));
  } else {
    append(text, "\\u{{{:x}}}", static_cast<unsigned>(character));
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    Decoded const next = decoded(text);
    std::size_t const bytes = std::max<std::size_t>(next.bytes, 1);
    if (next.bytes == 0) {
      append(shown, "\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(text[0])));
    } else if (is_shown(next.character)) {
      shown += text.substr(0, bytes);
    } else {
      append_escape(shown, next.character);
    }
    text.remove_prefix(bytes);
  }
  return shown;
}

std::string printable_json(std::string_view json) {
  std::string shown;
  shown.reserve(json.size());
  while (!json.empty()) {
    Decoded const next = decoded(json);
    std::size_t const bytes = std::max<std::size_t>(next.bytes, 1);
    if (next.bytes == 0 || is_shown(next.character) || next.character == '\n') {
      shown += json.substr(0, bytes);
    } else if (next.character < 0x10000) {
      append(shown, "\\u{:04x}", static_cast<unsigned>(next.character));
    } else {
      // Characters above U+FFFF are two surrogates (RFC 8259, section 7).
      auto const above = static_cast<unsigned>(next.character) - 0x10000;
      append(shown, "\\u{:04x}\\u{:04x}", 0xd800 + (above >> 10), 0xdc00 + (above & 0x3ff));
    }
    json.remove_prefix(bytes);
  }
  return shown;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    std::size_t const bytes = decoded(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::size_t whole_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text.size();
  // A character has at most three bytes after its first one. If there are more, the text is no UTF-8 and may be cut
  // anywhere.
  for (std::size_t back = 0; back < 4 && back <= most; ++back) {
    if ((static_cast<unsigned char>(text[most - back]) & 0xc0) != 0x80) return most - back;
  }
  return most;
}

namespace {

/// Replaces every `what` by `with`. The replacements are searched too, so that "---" becomes "- - -".
void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t position = text.find(what); position != std::string::npos; position = text.find(what, position)) {
    text.replace(position, what.size(), with);
  }
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (char const c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string xml_text(std::string_view text) { return xml_escaped(printable(text)); }

std::string xml_comment(std::string_view text) {
  std::string result = printable(text);
  replace_all(result, "--", "- -");
  return result;
}

}  // namespace rondo

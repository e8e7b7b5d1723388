// Writes schedules as JSON to a sink, piece by piece, because the text may be larger than the schedule. The JSON
// schema is the one that `rondo schema schedule` prints.

#include "schedule/file/schedule_json.hpp"

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "json/value.hpp"

namespace rondo {
namespace {

using json::Json;
using Sink = std::function<void(std::string_view)>;

constexpr char const* names_of_buffers[buffer_count] = {"send", "receive", "intermediate"};

/// Collects text, and hands it to the sink in pieces of at least 64 KiB.
class Pieces {
 public:
  explicit Pieces(Sink const& sink) : sink_(sink) {}
  Pieces(Pieces const&) = delete;
  ~Pieces() = default;

  template <typename... Values>
  void add(fmt::format_string<Values...> format, Values const&... values) {
    append_formatted(text_, format, fmt::make_format_args(values...));
    if (text_.size() >= largest) flush();
  }
  void word(char const* text) { add("{}", text); }
  void json(Json const& value) { add("{}", printable_json(value.dump())); }
  /// Hands the rest of the text to the sink. The destructor does not.
  void flush() {
    sink_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t largest = 1 << 16;
  Sink const& sink_;
  std::string text_;
};

/// Writes one schedule in the format of schedule_json.hpp.
class Writer {
 public:
  Writer(ScheduleFile const& file, Sink const& sink) : file_(file), schedule_(file.schedule), out_(sink) {}

  /// Writes the document: a line with everything else, and a line for each program.
  void write() {
    header();
    out_.add(",\n\"programs\":[");
    for (std::size_t k = 0; k < schedule_.programs.size(); ++k) {
      out_.add("{}\n", k == 0 ? "" : ",");
      program(k);
    }
    out_.add("\n]}}\n");
    out_.flush();
  }

 private:
  /// Writes the members in front of the programs. Members without a value are left out.
  void header() {
    Json head = {{"format", "rondo-schedule"}, {"format_version", 1}};
    if (!file_.collective.empty()) head["collective"] = file_.collective;
    if (!file_.algorithm.empty()) head["algorithm"] = file_.algorithm;
    head["ranks"] = schedule_.ranks;
    head["block_bytes"] = file_.block.value;
    if (schedule_.torus) head["torus"] = schedule_.torus->extents();
    head["promises"] = {{"ports", schedule_.promises.ports}, {"links", enum_name(schedule_.promises.links)}};
    if (!file_.promise.is_null()) head["promise"] = file_.promise;
    std::string text = printable_json(head.dump());
    text.pop_back();  // the closing brace, which follows after the programs
    out_.add("{}", text);
  }

  /// Writes a program and the ranks that follow it.
  void program(std::size_t k) {
    Program const& program = schedule_.programs[k];
    out_.add("{{\"ranks\":");
    followers(k);
    out_.add(",\"buffers\":");
    buffers(program.layout());
    out_.add(",\"copies\":");
    copies(program, 0);
    out_.add(",\"rounds\":[");
    for (int round = 1; round <= program.rounds(); ++round) {
      out_.add("{}{{\"sends\":", round == 1 ? "" : ",");
      transfers(program, program.sends(round));
      out_.add(",\"receives\":");
      transfers(program, program.receives(round));
      out_.add(",\"copies\":");
      copies(program, round);
      out_.add("}}");
    }
    out_.add("]}}");
  }

  /// Writes the list of ranks that follow a program, or "all".
  void followers(std::size_t k) {
    if (schedule_.program_of.empty()) return out_.add("\"all\"");
    // Most schedules have one program per rank. The lists for all programs are therefore made in one pass.
    if (ranks_of_.empty()) {
      ranks_of_.resize(schedule_.programs.size());
      for (std::size_t r = 0; r < schedule_.program_of.size(); ++r) ranks_of_[schedule_.program_of[r]].push_back(r);
    }
    out_.add("[{}]", listed(ranks_of_[k], ","));
  }

  /// Writes the slots of each buffer, and their sizes if the layout lists them.
  void buffers(Layout const& layout) {
    for (std::size_t b = 0; b < buffer_count; ++b) {
      BufferLayout const& buffer = layout.buffers[b];
      out_.add("{}\"{}\":{{\"slots\":{}", b == 0 ? "{" : ",", names_of_buffers[b], buffer.slots);
      char const* before = ",\"bytes\":[";
      for (Bytes const size : buffer.sizes) {
        out_.add("{}{}", before, size.value);
        before = ",";
      }
      out_.add("{}}}", buffer.sizes.empty() ? "" : "]");
    }
    out_.add("}}");
  }

  void place(Place place) {
    out_.add("[\"{}\",{}]", names_of_buffers[static_cast<std::size_t>(place.buffer())], place.slot());
  }

  /// Writes the copies of a round as a list; round 0 is before the first.
  void copies(Program const& program, int round) {
    char const* before = "[";
    for (Copy const& copy : program.copies(round)) {
      out_.add("{}[", before);
      place(copy.from);
      out_.add(",");
      place(copy.into);
      if (copy.join != Join::none) out_.add(",\"{}\"", enum_name(copy.join));
      out_.add("]");
      before = ",";
    }
    out_.word(program.copies(round).empty() ? "[]" : "]");
  }

  /// Writes messages with their sizes. Joins and labels are written if there are any.
  void transfers(Program const& program, std::span<Transfer const> all) {
    char const* before = "[";
    for (Transfer const& transfer : all) {
      out_.add("{}{{", before);
      peer(transfer);
      out_.add(",\"bytes\":{},\"places\":", program.bytes(transfer).value);
      char const* between = "[";
      for (Place const each : program.places(transfer)) {
        out_.add("{}", between);
        place(each);
        between = ",";
      }
      out_.word(transfer.count == 0 ? "[]" : "]");
      if (transfer.join != Join::none) out_.add(",\"join\":\"{}\"", enum_name(transfer.join));
      if (int const label = program.label(transfer); label > 0) {
        out_.add(",\"label\":");
        out_.json(schedule_.labels[static_cast<std::size_t>(label) - 1]);
      }
      out_.add("}}");
      before = ",";
    }
    out_.word(all.empty() ? "[]" : "]");
  }

  /// Writes the partner: a rank, or an offset if the schedule has offsets.
  void peer(Transfer const& transfer) {
    if (schedule_.offsets.empty()) return out_.add("\"rank\":{}", transfer.peer);
    auto const d = static_cast<std::size_t>(schedule_.torus->dimensions());
    auto const coordinates = std::span(schedule_.offsets).subspan(static_cast<std::size_t>(transfer.peer) * d, d);
    out_.add("\"offset\":[{}]", listed(coordinates, ","));
  }

  ScheduleFile const& file_;
  Schedule const& schedule_;
  Pieces out_;
  std::vector<std::vector<std::size_t>> ranks_of_;  ///< by program: its ranks; filled when first needed
};

}  // namespace

void write_schedule(ScheduleFile const& file, Sink const& sink) { Writer(file, sink).write(); }

namespace {

constexpr char const* text = R"json({
"$schema": "http://json-schema.org/draft-07/schema#",
"title": "an object that describes a schedule",
"type": "object",
"required": ["format", "programs"],
"anyOf": [{"required": ["ranks"]}, {"required": ["torus"]}],
"additionalProperties": false,
"properties": {
  "$schema": {"type": "string", "description": "where this schema is to be found, for editors"},
  "format": {"const": "rondo-schedule", "description": "what this is"},
  "format_version": {"const": 1, "description": "the version of this format; 1 by default"},
  "collective": {"type": "string", "description": "what is communicated, for people"},
  "algorithm": {"type": "string", "description": "how it is communicated, for people"},
  "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "p; the ranks of the torus by default"},
  "block_bytes": {"type": "integer", "minimum": 0, "maximum": 1099511627776, "description": "m, the bytes of a block; 1 by default"},
  "torus": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
            "description": "the extents of the torus on which offsets and links are meant"},
  "promises": {
    "type": "object", "additionalProperties": false,
    "description": "what the schedule promises of itself",
    "properties": {
      "ports": {"type": "integer", "minimum": 0, "maximum": 16777216,
                "description": "most sends and most receives a rank posts in a round; 0, by default: any number"},
      "links": {"enum": ["unit", "axis", "any"],
                "description": "whom ranks send to: neighbors on the torus, ranks along one dimension, or any; any by default"}}},
  "promise": {"type": ["object", "string"], "description": "what the schedule delivers: a promise, or the name of a file with one"},
  "programs": {
    "type": "array", "description": "what ranks do; each rank follows one program",
    "items": {
      "type": "object", "additionalProperties": false,
      "properties": {
        "ranks": {"anyOf": [{"const": "all"}, {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 16777215}}],
                  "description": "who follows the program"},
        "buffers": {
          "type": "object", "additionalProperties": false,
          "properties": {"send": {"$ref": "#/definitions/buffer"}, "receive": {"$ref": "#/definitions/buffer"},
                         "intermediate": {"$ref": "#/definitions/buffer"}}},
        "copies": {"$ref": "#/definitions/copies"},
        "rounds": {
          "type": "array", "description": "rounds 1, 2, ...",
          "items": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "sends": {"type": "array", "items": {"$ref": "#/definitions/send"}},
              "receives": {"type": "array", "items": {"$ref": "#/definitions/receive"}},
              "copies": {"$ref": "#/definitions/copies"}}}}}}}
},
"definitions": {
  "buffer": {
    "type": "object", "required": ["slots"], "additionalProperties": false,
    "properties": {
      "slots": {"type": "integer", "minimum": 0, "maximum": 1073741824},
      "bytes": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 1099511627776},
                "description": "the size of each slot; block_bytes by default"}}},
  "place": {
    "type": "array", "minItems": 2, "maxItems": 2,
    "items": [{"enum": ["send", "receive", "intermediate"]}, {"type": "integer", "minimum": 0, "maximum": 1073741823}]},
  "places": {"type": "array", "maxItems": 1048576, "items": {"$ref": "#/definitions/place"}},
  "join": {"enum": ["before", "after"], "description": "arriving (op) present, or present (op) arriving"},
  "copies": {
    "type": "array",
    "items": {"type": "array", "minItems": 2, "maxItems": 3,
              "items": [{"$ref": "#/definitions/place"}, {"$ref": "#/definitions/place"}, {"$ref": "#/definitions/join"}]}},
  "rank": {"type": "integer", "minimum": 0, "maximum": 16777215, "description": "the partner"},
  "offset": {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": -16777216, "maximum": 16777216},
             "description": "the partner, relative to the rank itself on the torus"},
  "bytes": {"type": "integer", "minimum": 0, "description": "those of the places"},
  "label": {"type": "string", "description": "the name of what the message belongs to, for people"},
  "send": {
    "type": "object", "required": ["places"], "additionalProperties": false,
    "oneOf": [{"required": ["rank"]}, {"required": ["offset"]}],
    "properties": {"rank": {"$ref": "#/definitions/rank"}, "offset": {"$ref": "#/definitions/offset"},
                   "bytes": {"$ref": "#/definitions/bytes"}, "places": {"$ref": "#/definitions/places"},
                   "label": {"$ref": "#/definitions/label"}}},
  "receive": {
    "type": "object", "required": ["places"], "additionalProperties": false,
    "oneOf": [{"required": ["rank"]}, {"required": ["offset"]}],
    "properties": {"rank": {"$ref": "#/definitions/rank"}, "offset": {"$ref": "#/definitions/offset"},
                   "bytes": {"$ref": "#/definitions/bytes"}, "places": {"$ref": "#/definitions/places"},
                   "join": {"$ref": "#/definitions/join"}, "label": {"$ref": "#/definitions/label"}}}
}
})json";

}  // namespace

json::Json const& schedule_schema() {
  static json::Json const parsed = json::json_of(text);
  return parsed;
}

}  // namespace rondo

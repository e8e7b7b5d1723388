#pragma once

// A schedule as JSON: the form that `rondo export --format json` writes, and in which schedules of other programs
// are read.
//
// {"format": "rondo-schedule", "format_version": 1,
// "collective": KIND, "algorithm": ALGORITHM,            names for people; may be left out
// "ranks": p, "block_bytes": m,
// "torus": [EXTENT, ...],                                absent where the schedule has no torus
// "promises": {"ports": k, "links": "unit"|"axis"|"any"},  0 ports: unlimited; any number over any links by default
// "promise": PROMISE,                                    what it delivers (scenario/promise.hpp); may be left out
// "programs": [PROGRAM, ...]}
//
// Every rank follows one program. PROGRAM is
//
// {"ranks": "all" | [RANK, ...],
// "buffers": {"send": BUFFER, "receive": BUFFER, "intermediate": BUFFER},
// "copies": [COPY, ...], "rounds": [ROUND, ...]}
//
// BUFFER is {"slots": n} with slots of block_bytes, or {"slots": n, "bytes": [SIZE, ...]}; one that is left out has
// no slots. The copies of a program, its round 0, are done before rounds 1, 2, ... ROUND is
//
// {"sends": [TRANSFER, ...], "receives": [TRANSFER, ...], "copies": [COPY, ...]}
//
// of which each may be left out. COPY is [PLACE, PLACE] and leads from its first place to its second. Where it joins
// what it brings with what lies there, it has a third entry, and a receive that does so has "join": "before" for
// arriving (op) present, "after" for present (op) arriving. PLACE is [BUFFER'S NAME, SLOT]. TRANSFER is
//
// {"rank": PARTNER, "bytes": n, "places": [PLACE, ...], "join": JOIN, "label": NAME}
//
// whose bytes, those of its places, its join and its label may be left out. Where all ranks follow one program of
// relative peers, its partner is {"offset": [COORDINATE, ...]} instead, relative to the rank on the torus. The k-th
// place of a send is written to the k-th place of the receive that it matches: those between two ranks match in the
// order of their lists. schedule/schedule.hpp says what all this means.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// A schedule together with the words of its file about it.
struct ScheduleFile {
  Schedule schedule;
  Bytes block{1};          ///< m
  std::string collective;  ///< empty where the file does not say
  std::string algorithm;
  json::Json promise;  ///< as it is written; null where the file states none
};

/// The most moves (places of sends, and copies) of a schedule that Rondo reads, and the most bytes of its file.
inline constexpr std::int64_t most_moves_read = 50'000'000;
inline constexpr std::uint64_t most_schedule_bytes = std::uint64_t{8} << 30;

/// Writes the file piece by piece, with one line for each program. Reading it back gives the same schedule, and writing
/// that gives the same bytes.
void write_schedule(ScheduleFile const& file, std::function<void(std::string_view)> const& sink);

/// Reads the file without keeping the whole document in memory; members may come in any order. Throws InputError that
/// names the file and the place if the text is no such schedule, if a rank does not exist or follows no program or two,
/// if a place is outside its buffer or written twice by a message, if stated bytes are not those of the places, and if
/// there are more moves than most_moves_read. All other faults of a schedule are reported by verify.
ScheduleFile read_schedule(std::string const& file);
/// Reads a text as read_schedule reads a file; `name` stands for the file in messages.
ScheduleFile parse_schedule(std::string_view text, std::string const& name, std::int64_t most_moves = most_moves_read);

/// The JSON schema (draft 7) of the format.
json::Json const& schedule_schema();

}  // namespace rondo

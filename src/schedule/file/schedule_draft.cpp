// Makes programs from parts of a schedule's text. Errors name the file and the place in it.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/suggest.hpp"
#include "json/pointer.hpp"
#include "schedule/file/schedule_read.hpp"

namespace rondo::schedule_reading {
namespace {

constexpr std::uint32_t most_slots = std::uint32_t{1} << 30;
constexpr std::int64_t most_bytes_of_slot = std::int64_t{1} << 40;
constexpr std::size_t most_labels = std::numeric_limits<std::uint8_t>::max();

constexpr std::array<std::pair<char const*, Buffer>, buffer_count> buffers_by_name = {
    {{"send", Buffer::send}, {"receive", Buffer::receive}, {"intermediate", Buffer::intermediate}}};

/// Reads a place, such as ["send", 3].
Place place_at(Item const& item) {
  item.expect_list("a place: [\"send\", \"receive\" or \"intermediate\", slot]", 2);
  std::string const& word = item[std::size_t{0}].text();
  for (auto const& [name, buffer] : buffers_by_name) {
    if (word == name) {
      return {buffer, static_cast<std::uint32_t>(item[1].integer(0, std::int64_t{most_slots} - 1))};
    }
  }
  throw item[std::size_t{0}].error(
      fmt::format("expected one of \"send\", \"receive\", \"intermediate\", got {}", json::shown(item.value[0])));
}

Join join_at(Item const& item) {
  std::optional<Join> const join = rondo::value_of<Join>(item.text());
  if (join && *join != Join::none) return *join;
  throw item.error("expected one of \"before\", \"after\", got " + json::shown(item.value));
}

/// The places of a receive without a join must differ: the order of two stores would not be known.
void expect_written_once(std::vector<Place> places, Item const& transfer) {
  std::vector<Place> const given = places;
  std::sort(places.begin(), places.end());
  auto const twice = std::adjacent_find(places.begin(), places.end());
  if (twice == places.end()) return;
  auto const second = std::find(std::find(given.begin(), given.end(), *twice) + 1, given.end(), *twice);
  Item const list = transfer["places"];
  Item const item = list[static_cast<std::size_t>(second - given.begin())];
  throw item.error("expected each place once in a message that is stored, got " + json::shown(item.value) + " again");
}

}  // namespace

std::string Item::place() const {
  if (around == nullptr) return pointer();
  return json::child(around->place(), key != nullptr ? key : std::to_string(index));
}

InputError Item::error(std::string_view what) const { return json::error_at(name, place(), what); }

/// An integer within bounds.
std::int64_t Item::integer(std::int64_t minimum, std::int64_t maximum) const {
  if (value.is_number_integer() && value.get<std::int64_t>() >= minimum && value.get<std::int64_t>() <= maximum) {
    return value.get<std::int64_t>();
  }
  throw error(fmt::format("expected an integer from {} to {}, got {}", minimum, maximum, json::shown(value)));
}

std::string const& Item::text() const {
  if (!value.is_string()) throw error("expected a string, got " + json::shown(value));
  return value.get_ref<std::string const&>();
}

void Item::expect_list(char const* what, std::size_t size) const {
  if (value.is_array() && (size == 0 || value.size() == size)) return;
  throw error(fmt::format("expected {}, got {}", what, json::shown(value)));
}

/// An object without other keys than these.
void Item::expect_object(char const* what, std::initializer_list<std::string_view> keys) const {
  if (!value.is_object()) throw error(fmt::format("expected {}, got {}", what, json::shown(value)));
  for (auto const& [key_inside, inside] : value.get_ref<Json::object_t const&>()) {
    if (std::find(keys.begin(), keys.end(), key_inside) == keys.end())
      throw unknown_key(name, place(), key_inside, {keys.begin(), keys.end()});
  }
}

/// The error for an unknown key. A scenario in the place of a schedule is a likely mistake, and gets an answer of its
/// own.
InputError unknown_key(std::string const& name, std::string const& pointer, std::string const& key,
                       std::vector<std::string> const& accepted) {
  std::string const hint = did_you_mean(key, accepted);
  if (key == "schema_version") {
    return json::error_at(name, pointer,
                          "expected a schedule (rondo schema schedule), got a scenario, which rondo run proves");
  }
  return json::error_at(
      name, pointer,
      fmt::format("unknown key \"{}\"{}", excerpt(key), hint.empty() ? "; accepted: " + json::quoted(accepted) : hint));
}

/// The ranks that follow the program.
void DraftBuilder::ranks(Item const& item) {
  draft_.says_ranks = true;
  if (item.value == Json("all")) {
    draft_.of_all = true;
    return;
  }
  item.expect_list("\"all\" or a list of ranks");
  for (std::size_t i = 0; i < item.value.size(); ++i) {
    draft_.followers.push_back(static_cast<std::int32_t>(item[i].integer(0, Torus::most_ranks - 1)));
  }
}

/// The slots of each buffer and, if they differ, their sizes.
void DraftBuilder::buffers(Item const& item) {
  item.expect_object("an object of buffers", {"send", "receive", "intermediate"});
  for (auto const& [name, which] : buffers_by_name) {
    if (!item.value.contains(name)) continue;
    Item const given = item[name];
    given.expect_object("a buffer: an object with \"slots\"", {"slots", "bytes"});
    if (!given.value.contains("slots")) throw given.error("missing key \"slots\" (the number of slots)");
    BufferLayout& buffer = builder_.layout()[which];
    buffer.slots = static_cast<std::uint32_t>(given["slots"].integer(0, most_slots));
    if (!given.value.contains("bytes")) continue;
    Item const sizes = given["bytes"];
    sizes.expect_list("a list of sizes in bytes");
    if (sizes.value.size() != buffer.slots) {
      throw sizes.error(fmt::format("expected {} sizes, one for each slot, got {}", buffer.slots, sizes.value.size()));
    }
    for (std::size_t i = 0; i < sizes.value.size(); ++i) {
      buffer.sizes.emplace_back(sizes[i].integer(0, most_bytes_of_slot));
    }
  }
}

/// The rank of the partner, or the number of its offset. A schedule uses only one of the two ways.
std::int32_t DraftBuilder::peer(Item const& transfer) {
  bool const relative = transfer.value.contains("offset");
  if (relative == transfer.value.contains("rank")) {
    throw transfer.error(
        fmt::format("expected either \"rank\" or \"offset\", the partner, got {}", relative ? "both" : "none"));
  }
  if (relative ? content_.has_ranks_as_peers : content_.dimensions > 0) {
    throw transfer.error("expected partners by \"rank\" everywhere, or by \"offset\" everywhere, got both");
  }
  if (!relative) {
    content_.has_ranks_as_peers = true;
    return static_cast<std::int32_t>(transfer["rank"].integer(0, Torus::most_ranks - 1));
  }
  Item const offset = transfer["offset"];
  offset.expect_list("an offset: a list of integers");
  std::vector<int> coordinates;
  for (std::size_t j = 0; j < offset.value.size(); ++j) {
    coordinates.push_back(static_cast<int>(offset[j].integer(-Torus::most_ranks, Torus::most_ranks)));
  }
  if (content_.dimensions == 0) content_.dimensions = coordinates.size();
  if (coordinates.empty() || coordinates.size() != content_.dimensions) {
    throw offset.error(fmt::format("expected {} coordinates, as in the first offset, got {}",
                                   std::max<std::size_t>(content_.dimensions, 1), coordinates.size()));
  }
  auto const next = static_cast<std::int32_t>(content_.offsets.size() / content_.dimensions);
  auto const [known, is_new] = content_.numbers.emplace(coordinates, next);
  if (is_new) content_.offsets.insert(content_.offsets.end(), coordinates.begin(), coordinates.end());
  return known->second;
}

/// The number of a label; 0 if the message has none.
std::uint8_t DraftBuilder::label(Item const& transfer) {
  if (!transfer.value.contains("label")) return 0;
  std::string const& name = transfer["label"].text();
  auto& labels = content_.labels;
  auto const found = std::find(labels.begin(), labels.end(), name);
  if (found != labels.end()) return static_cast<std::uint8_t>(found - labels.begin() + 1);
  if (labels.size() == most_labels) {
    throw transfer["label"].error(fmt::format("expected at most {} different labels, got one more", most_labels));
  }
  labels.push_back(name);
  return static_cast<std::uint8_t>(labels.size());
}

/// Reads the places of a message into places_.
void DraftBuilder::read_places(Item const& transfer) {
  places_.clear();
  if (!transfer.value.contains("places")) throw transfer.error("missing key \"places\" (what it reads or writes)");
  Item const list = transfer["places"];
  list.expect_list("a list of places");
  for (std::size_t i = 0; i < list.value.size(); ++i) places_.push_back(place_at(list[i]));
}

namespace {

/// The number of bytes that a transfer states; -1 if it states none.
std::int64_t stated_bytes(Item const& transfer) {
  if (!transfer.value.contains("bytes")) return -1;
  return transfer["bytes"].integer(0, std::numeric_limits<std::int64_t>::max());
}

}  // namespace

/// A send. Sizes that the text states are compared later, when slots are known.
void DraftBuilder::send(Item const& item) {
  item.expect_object("a send: an object", {"rank", "offset", "bytes", "places", "label"});
  std::int32_t const to = peer(item);
  read_places(item);
  content_.moves += std::ssize(places_);
  draft_.sent.push_back(stated_bytes(item));
  builder_.send(to, places_, label(item));
}

/// A receive, which may join.
void DraftBuilder::receive(Item const& item) {
  item.expect_object("a receive: an object", {"rank", "offset", "bytes", "places", "join", "label"});
  std::int32_t const from = peer(item);
  read_places(item);
  content_.received += std::ssize(places_);
  draft_.received.push_back(stated_bytes(item));
  Join const join = item.value.contains("join") ? join_at(item["join"]) : Join::none;
  if (join == Join::none) expect_written_once(places_, item);
  builder_.receive(from, places_, join, label(item));
}

namespace {

/// Reads a copy.
Copy copy_at(Item const& item) {
  if (!item.value.is_array() || item.value.size() < 2 || item.value.size() > 3) {
    throw item.error("expected a copy: a list of two places, and \"before\" or \"after\" or nothing, got " +
                     json::shown(item.value));
  }
  return {place_at(item[std::size_t{0}]), place_at(item[1]), item.value.size() > 2 ? join_at(item[2]) : Join::none};
}

}  // namespace

void DraftBuilder::copy(Item const& item) {
  Copy const read = copy_at(item);
  ++content_.moves;
  builder_.copy(read.from, read.into, read.join);
}

void DraftBuilder::first_copy(Item const& item) {
  if (rounds_ == 0) return copy(item);
  late_.push_back(copy_at(item));
  ++content_.moves;
}

namespace {

/// The program with these copies in its round 0. A program is written in order, so copies which the text gives
/// late need a new one.
Program with_first(std::vector<Copy> const& copies, Program const& program) {
  ProgramBuilder builder(program.layout());
  for (Copy const& each : copies) builder.copy(each.from, each.into, each.join);
  for (int round = 1; round <= program.rounds(); ++round) {
    builder.begin_round();
    for (Transfer const& t : program.sends(round)) builder.send(t.peer, program.places(t), program.label(t));
    for (Transfer const& t : program.receives(round)) {
      builder.receive(t.peer, program.places(t), t.join, program.label(t));
    }
    for (Copy const& each : program.copies(round)) builder.copy(each.from, each.into, each.join);
  }
  return std::move(builder).finish();
}

}  // namespace

Draft DraftBuilder::finish() && {
  draft_.program = std::move(builder_).finish();
  if (!late_.empty()) draft_.program = with_first(late_, draft_.program);
  return std::move(draft_);
}

}  // namespace rondo::schedule_reading

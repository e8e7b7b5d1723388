// Checks what only the whole text tells: ranks and programs, partners, places and sizes. Then makes the schedule.

#include "schedule/file/schedule_read.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "json/pointer.hpp"

namespace rondo {
namespace {

using namespace schedule_reading;
using json::error_at;

/// Checks the parts of a text against each other, and makes a schedule of them.
class ScheduleChecker {
 public:
  ScheduleChecker(ScheduleText content, std::string const& name) : content_(std::move(content)), name_(name) {}

  /// Reads the header, then ranks, programs and all checks of them.
  ScheduleFile read() {
    expect_format();
    ScheduleFile file;
    file.collective = text("collective");
    file.algorithm = text("algorithm");
    file.promise = promise();
    if (has("block_bytes")) file.block = Bytes(at("block_bytes").integer(0, std::int64_t{1} << 40));
    read_ranks(file.schedule);
    read_promises(file.schedule);
    file.schedule.offsets = std::move(content_.offsets);
    file.schedule.labels = std::move(content_.labels);
    for (Draft& draft : content_.drafts) {
      file.schedule.programs.push_back(with_block(std::move(draft.program), file.block));
    }
    follow(file.schedule);
    expect_few_slots(file.schedule);
    for (std::size_t k = 0; k < content_.drafts.size(); ++k) check_program(file.schedule, k);
    return file;
  }

 private:
  bool has(char const* key) const { return content_.header.contains(key); }
  Item at(char const* key) const {
    return {content_.header[key], name_, [key] { return std::string("/") + key; }};
  }
  std::string text(char const* key) const { return has(key) ? at(key).text() : ""; }

  /// Throws unless the text states its format, and a version that is known.
  void expect_format() const {
    if (!has("format")) throw error_at(name_, "", "missing key \"format\" (\"rondo-schedule\")");
    if (at("format").value != Json("rondo-schedule")) {
      throw at("format").error("expected \"rondo-schedule\", got " + json::shown(at("format").value));
    }
    if (has("format_version") && at("format_version").value != Json(1)) {
      throw at("format_version").error("expected 1, got " + json::shown(at("format_version").value));
    }
    if (!content_.has_programs) throw error_at(name_, "", "missing key \"programs\" (what the ranks do)");
  }

  /// The promise as the text has it; null if it states none.
  Json promise() const {
    if (!has("promise")) return nullptr;
    Json const& value = at("promise").value;
    if (value.is_object() || value.is_string()) return value;
    throw at("promise").error("expected an object, or the name of a file that holds one, got " + json::shown(value));
  }

  /// The number of ranks follows from the torus if there is one.
  void read_ranks(Schedule& schedule) const {
    if (has("torus")) {
      Item const list = at("torus");
      list.expect_list("a list of extents");
      std::vector<int> extents;
      for (std::size_t j = 0; j < list.value.size(); ++j) {
        extents.push_back(static_cast<int>(list[j].integer(1, Torus::most_ranks)));
      }
      try {
        schedule.torus = Torus(extents);
      } catch (InputError const& refused) {
        throw list.error(fmt::format("{}, got {}", refused.what(), json::shown(list.value)));
      }
    }
    if (!has("ranks") && !schedule.torus) throw error_at(name_, "", "missing key \"ranks\" (the number of ranks)");
    schedule.ranks =
        has("ranks") ? static_cast<int>(at("ranks").integer(1, Torus::most_ranks)) : schedule.torus->size();
    if (schedule.torus && schedule.torus->size() != schedule.ranks) {
      throw at("ranks").error(
          fmt::format("expected {}, the ranks of /torus, got {}", schedule.torus->size(), schedule.ranks));
    }
    if (content_.dimensions == 0) return;
    if (!schedule.torus) throw error_at(name_, "", "missing key \"torus\" (the extents that offsets are meant on)");
    if (static_cast<std::size_t>(schedule.torus->dimensions()) == content_.dimensions) return;
    throw at("torus").error(fmt::format("expected {} extents, as many as offsets have coordinates, got {}",
                                        content_.dimensions, schedule.torus->dimensions()));
  }

  /// Without promises, any number of messages over any links is possible.
  void read_promises(Schedule& schedule) const {
    schedule.promises = {.ports = 0, .links = Links::any};
    if (!has("promises")) return;
    Item const promises = at("promises");
    promises.expect_object("an object", {"ports", "links"});
    if (promises.value.contains("ports")) {
      schedule.promises.ports = static_cast<int>(promises["ports"].integer(0, Torus::most_ranks));
    }
    if (!promises.value.contains("links")) return;
    Item const links = promises["links"];
    std::optional<Links> const word = rondo::value_of<Links>(links.text());
    if (!word) {
      throw links.error("expected one of \"unit\", \"axis\", \"any\", got " + json::shown(links.value));
    }
    if (*word != Links::any && !schedule.torus) {
      throw links.error("expected \"any\" where there is no /torus, got " + json::shown(links.value));
    }
    schedule.promises.links = *word;
  }

  /// The program with the schedule's size of blocks, which may come after the programs in the text.
  static Program with_block(Program program, Bytes block) {
    Layout layout = program.layout();
    layout.block = block;
    program.set_layout(std::move(layout));
    return program;
  }

  /// Notes which program each rank follows.
  void follow(Schedule& schedule) const {
    std::vector<Draft> const& drafts = content_.drafts;
    if (drafts.size() == 1 && drafts[0].of_all) return;
    constexpr std::uint32_t none = ~std::uint32_t{0};
    schedule.program_of.assign(static_cast<std::size_t>(schedule.ranks), none);
    for (std::size_t k = 0; k < drafts.size(); ++k) {
      if (!drafts[k].says_ranks) throw error_at(name_, of_program(k), "missing key \"ranks\" (who follows it)");
      if (drafts[k].of_all) {
        throw error_at(name_, of_program(k) + "/ranks",
                       "expected a list where there are several programs, got \"all\"");
      }
      for (std::size_t i = 0; i < drafts[k].followers.size(); ++i) {
        std::int32_t const rank = drafts[k].followers[i];
        std::string const place = of_program(k) + "/ranks/" + std::to_string(i);
        if (rank >= schedule.ranks) throw error_at(name_, place, expected_rank(schedule, rank));
        std::uint32_t& followed = schedule.program_of[static_cast<std::size_t>(rank)];
        if (followed != none) {
          throw error_at(name_, place,
                         fmt::format("expected each rank in one program, got {}, which follows {} already", rank,
                                     of_program(followed)));
        }
        followed = static_cast<std::uint32_t>(k);
      }
    }
    auto const idle = std::find(schedule.program_of.begin(), schedule.program_of.end(), none);
    if (idle == schedule.program_of.end()) return;
    throw error_at(
        name_, "/programs",
        fmt::format("expected a program for each rank, got none for rank {}", idle - schedule.program_of.begin()));
  }

  /// The proof and the execution of a schedule need memory for each slot of each rank; if one rank stands for all, only
  /// for its own slots.
  void expect_few_slots(Schedule const& schedule) const {
    constexpr std::int64_t most_slots = std::int64_t{1} << 30;
    std::int64_t all = 0;
    int const each = schedule.isomorphic() ? 1 : schedule.ranks;
    for (int r = 0; r < each; ++r) {
      Layout const& layout = schedule.program(Rank(r)).layout();
      for (BufferLayout const& buffer : layout.buffers) all += buffer.slots;
      if (all <= most_slots) continue;
      throw error_at(name_, "/programs", fmt::format("expected at most {} slots of all ranks, got more", most_slots));
    }
  }

  static std::string of_program(std::size_t k) { return fmt::format("/programs/{}", k); }
  static std::string expected_rank(Schedule const& schedule, std::int32_t got) {
    return fmt::format("expected a rank, from 0 to {}, got {}", schedule.ranks - 1, got);
  }

  /// Checks all rounds of a program.
  void check_program(Schedule const& schedule, std::size_t k) {
    Program const& program = schedule.programs[k];
    Draft& draft = content_.drafts[k];
    std::sort(draft.followers.begin(), draft.followers.end());
    std::size_t sent = 0, received = 0;
    for (int round = 0; round <= program.rounds(); ++round) {
      check(schedule, k, round, "sends", program.sends(round), {draft.sent.data() + sent, draft.sent.size() - sent});
      check(schedule, k, round, "receives", program.receives(round),
            {draft.received.data() + received, draft.received.size() - received});
      sent += program.sends(round).size();
      received += program.receives(round).size();
      check_copies(k, round, program);
    }
  }

  static std::string of_round(std::size_t k, int round) {
    return round == 0 ? of_program(k) : fmt::format("{}/rounds/{}", of_program(k), round - 1);
  }

  /// Checks partners, places and stated sizes of the messages of a round.
  void check(Schedule const& schedule, std::size_t k, int round, char const* list, std::span<Transfer const> transfers,
             std::span<std::int64_t const> stated) const {
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      auto const place = [&] { return fmt::format("{}/{}/{}", of_round(k, round), list, i); };
      check_peer(schedule, k, transfers[i], place);
      Program const& program = schedule.programs[k];
      auto const places = program.places(transfers[i]);
      for (std::size_t j = 0; j < places.size(); ++j) {
        check_place(program, places[j], [&] { return fmt::format("{}/places/{}", place(), j); });
      }
      if (stated[i] < 0 || program.bytes(transfers[i]).value == stated[i]) continue;
      throw error_at(
          name_, place() + "/bytes",
          fmt::format("expected {}, the bytes of its places, got {}", program.bytes(transfers[i]).value, stated[i]));
    }
  }

  /// A message from a rank to itself is no message but a copy.
  template <typename PlaceText>
  void check_peer(Schedule const& schedule, std::size_t k, Transfer const& transfer, PlaceText const& place) const {
    if (content_.dimensions > 0) {
      auto const coordinates =
          std::span(schedule.offsets)
              .subspan(static_cast<std::size_t>(transfer.peer) * content_.dimensions, content_.dimensions);
      if (!schedule.torus->is_self(coordinates)) return;
      throw error_at(name_, place() + "/offset",
                     "expected a partner, got an offset that leads back to the rank itself");
    }
    if (transfer.peer >= schedule.ranks) {
      throw error_at(name_, place() + "/rank", expected_rank(schedule, transfer.peer));
    }
    Draft const& draft = content_.drafts[k];
    bool const has_own_program =
        draft.of_all || std::binary_search(draft.followers.begin(), draft.followers.end(), transfer.peer);
    if (!has_own_program) return;
    throw error_at(name_, place() + "/rank",
                   fmt::format("expected a partner, got {}, a rank that follows the program itself", transfer.peer));
  }

  /// A place must lie within its buffer.
  template <typename PlaceText>
  void check_place(Program const& program, Place place, PlaceText const& where) const {
    if (program.layout().holds(place)) return;
    std::uint32_t const slots = program.layout()[place.buffer()].slots;
    throw error_at(name_, where(),
                   fmt::format("expected a slot below {}, the slots of the buffer, got {}", slots, place.slot()));
  }

  /// Both ends of a copy are places.
  void check_copies(std::size_t k, int round, Program const& program) const {
    auto const copies = program.copies(round);
    for (std::size_t i = 0; i < copies.size(); ++i) {
      auto const place = [&](int end) { return fmt::format("{}/copies/{}/{}", of_round(k, round), i, end); };
      check_place(program, copies[i].from, [&] { return place(0); });
      check_place(program, copies[i].into, [&] { return place(1); });
    }
  }

  ScheduleText content_;
  std::string const& name_;
};

}  // namespace

ScheduleFile parse_schedule(std::string_view text, std::string const& name, std::int64_t most_moves) {
  return ScheduleChecker(read_content(text, name, most_moves), name).read();
}

ScheduleFile read_schedule(std::string const& file) {
  note_input(file);
  return parse_schedule(read_file(file, most_schedule_bytes), file);
}

}  // namespace rondo

// Walks through the text of a schedule. It collects small values (a message, the buffers of a program) and hands
// them on, and walks through large ones entry by entry, so that the whole document is never in memory.

#include <fmt/format.h>

#include <set>
#include <span>

#include "json/events.hpp"
#include "schedule/file/schedule_read.hpp"

namespace rondo::schedule_reading {
namespace {

constexpr std::size_t deepest_schedule = 64;
/// Most values of what is collected: a million places of a message, or what all else of a file says.
constexpr std::int64_t most_values = std::int64_t{1} << 24;
constexpr std::int64_t most_places_of_message = std::int64_t{1} << 20;

/// Where the walk is, outside of what is collected.
enum class Level : std::uint8_t { document, programs, program, first_copies, rounds, round, sends, receives, copies };

/// Receives the events of the JSON parser. `open_` has the levels that are being walked through; what lies deeper is
/// collected.
class ScheduleReader : public json::SaxReader {
 public:
  ScheduleReader(std::string_view text, std::string const& name, std::int64_t most_moves, ScheduleText& content)
      : SaxReader(text, name), most_moves_(most_moves), content_(content) {}

 private:
  /// A level, and the key or the index in it at which the walk is.
  struct Open {
    Level level;
    std::string key;        ///< the member that is read, of an object
    std::size_t index = 0;  ///< the entry that is read, of a list
    std::set<std::string> seen;
  };

  static bool is_object(Level level) {
    return level == Level::document || level == Level::program || level == Level::round;
  }

  /// The keys that an object of this level may have.
  static std::span<std::string_view const> keys_of(Level level) {
    static constexpr std::string_view document[] = {"$schema",   "format",  "format_version", "collective",
                                                    "algorithm", "ranks",   "block_bytes",    "torus",
                                                    "promises",  "promise", "programs"};
    static constexpr std::string_view program[] = {"ranks", "buffers", "copies", "rounds"};
    static constexpr std::string_view round[] = {"sends", "receives", "copies"};
    if (level == Level::document) return document;
    return level == Level::program ? std::span<std::string_view const>(program) : round;
  }

  /// The place of the object or list that is open.
  std::string around() const {
    std::string pointer;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) pointer += token(open_[i]);
    return pointer;
  }
  /// The place of the value that is read, or the one that it is a part of.
  std::string place() const { return open_.empty() ? "" : around() + token(open_.back()); }
  static std::string token(Open const& open) {
    return json::child("", is_object(open.level) ? open.key : std::to_string(open.index));
  }

  InputError duplicate(std::string const& key) const {
    return json::error_at(name(), collector_.busy() ? place() : around(),
                          fmt::format("duplicate key \"{}\"", excerpt(key)));
  }

  /// A value by itself: a part of what is collected, or all of it.
  void value(Json v) override {
    expect_below_limit(v);
    if (collector_.busy()) {
      collector_.add(std::move(v));
      expect_room();
      return;
    }
    if (open_.empty() || level_below(open_.back())) throw misplaced(v);
    take(v);
  }

  /// Begins a container: another level of the walk, or part of a value that is collected.
  void start(Json container) override {
    if (collector_.busy()) {
      if (collector_.depth() + open_.size() >= deepest_schedule) {
        throw json::error_at(name(), place(), fmt::format("nested deeper than {}", deepest_schedule));
      }
      collector_.start(std::move(container));
      expect_room();
      return;
    }
    std::optional<Level> const below = open_.empty() ? Level::document : level_below(open_.back());
    if (!below) {
      collector_.start(std::move(container));
      return;
    }
    if (container.is_object() != is_object(*below)) throw misplaced(container);
    enter(*below);
  }

  void end() override {
    if (!collector_.busy()) return leave();
    collector_.end();
    if (!collector_.busy()) take(collector_.whole());
  }

  /// A key of an object. Throws InputError if it is unknown or was there before.
  void member(std::string const& key) override {
    if (collector_.busy()) {
      if (collector_.has(key)) throw duplicate(key);
      collector_.key(key);
      return;
    }
    Open& here = open_.back();
    std::span<std::string_view const> const keys = keys_of(here.level);
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      throw unknown_key(name(), around(), key, {keys.begin(), keys.end()});
    if (!here.seen.insert(key).second) throw duplicate(key);
    here.key = key;
  }

  InputError overflow(Json::exception const& /*error*/) override {
    return json::error_at(name(), place(), "expected a number below 2^63");
  }

  void expect_below_limit(Json const& v) const {
    if (!v.is_number_unsigned() || v.get<std::uint64_t>() >> 63 == 0) return;
    throw json::error_at(name(), place(), fmt::format("expected a number below 2^63, got {}", v.dump()));
  }

  /// What lies below the place that is read: a level that is walked through, or nothing, and the value is collected.
  static std::optional<Level> level_below(Open const& here) {
    switch (here.level) {
      case Level::document:
        return here.key == "programs" ? std::optional(Level::programs) : std::nullopt;
      case Level::programs:
        return Level::program;
      case Level::program:
        if (here.key == "rounds") return Level::rounds;
        return here.key == "copies" ? std::optional(Level::first_copies) : std::nullopt;
      case Level::rounds:
        return Level::round;
      case Level::round:
        if (here.key == "sends") return Level::sends;
        return here.key == "receives" ? Level::receives : Level::copies;
      default:
        return std::nullopt;
    }
  }

  /// The error for a value that is no container where the walk expects one.
  InputError misplaced(Json const& got) const {
    std::optional<Level> const below = open_.empty() ? Level::document : level_below(open_.back());
    char const* const what = open_.empty()                ? "an object that describes a schedule"
                             : below && is_object(*below) ? "an object"
                                                          : "a list";
    return json::error_at(name(), place(), fmt::format("expected {}, got {}", what, json::shown(got)));
  }

  /// Begins a level.
  void enter(Level level) {
    if (level == Level::programs) content_.has_programs = true;
    if (level == Level::program) builder_.emplace(content_);
    if (level == Level::round) builder_->begin_round();
    open_.push_back({level, {}, 0, {}});
  }

  /// Ends a level; the end of a program completes its draft.
  void leave() {
    Level const left = open_.back().level;
    open_.pop_back();
    if (left == Level::program) content_.drafts.push_back(std::move(*builder_).finish());
    if (!open_.empty()) ++open_.back().index;
  }

  /// Hands a collected value to the part that reads it.
  void take(Json const& taken) {
    Open& here = open_.back();
    Item const item{taken, name(), [this] { return place(); }};
    switch (here.level) {
      case Level::document:
        content_.header[here.key] = taken;
        break;
      case Level::program:
        here.key == "ranks" ? builder_->ranks(item) : builder_->buffers(item);
        break;
      case Level::first_copies:
        builder_->first_copy(item);
        break;
      case Level::sends:
        builder_->send(item);
        break;
      case Level::receives:
        builder_->receive(item);
        break;
      case Level::copies:
        builder_->copy(item);
        break;
      case Level::programs:
      case Level::rounds:
      case Level::round:
        throw ContractViolation("a value where a level is walked through");
    }
    expect_few_moves();
    ++here.index;
  }

  /// Limits what is collected, so that a wrong text cannot fill the memory.
  void expect_room() const {
    bool const message = open_.back().level == Level::sends || open_.back().level == Level::receives;
    if (collector_.values() <= (message ? 3 * most_places_of_message : most_values)) return;
    throw json::error_at(name(), place(),
                         message ? fmt::format("more than {} places of a message", most_places_of_message)
                                 : fmt::format("more than {} values", most_values));
  }

  void expect_few_moves() const {
    if (content_.moves <= most_moves_ && content_.received <= most_moves_) return;
    throw json::error_at(name(), place(),
                         fmt::format("expected at most {} moves of blocks in all, got more", most_moves_));
  }

  std::int64_t most_moves_;
  ScheduleText& content_;
  std::vector<Open> open_;
  json::Collector collector_;
  std::optional<DraftBuilder> builder_;
};

}  // namespace

ScheduleText read_content(std::string_view text, std::string const& name, std::int64_t most_moves) {
  ScheduleText content;
  ScheduleReader(text, name, most_moves, content).parse();
  return content;
}

}  // namespace rondo::schedule_reading

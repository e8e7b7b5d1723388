// Reads the notes of GOAL text (goal_notes.hpp) into the effects of tasks.

#include "schedule/goal_notes.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "schedule/goal_tokens.hpp"

namespace rondo {

namespace {

using goal::Token;
using goal::Tokens;

/// The most blocks of a buffer, and of a rank with tags.
constexpr std::int64_t most_blocks = std::int64_t{1} << 26;

/// Reads the notes of a GOAL text into a BlockGraph.
class Notes {
 public:
  Notes(GoalText text, std::string const& name) : text_(std::move(text)), name_(name) {}

  /// Reads all notes; called once. Without notes the graph only has tasks. Throws InputError with the place.
  NotedGraph run() {
    if (text_.notes.empty()) {
      result_.graph.tasks = std::move(text_.graph);
      return std::move(result_);
    }
    GoalNote const& first = text_.notes.front();
    if (first.task != GoalNote::of_all) fail(first, "expected //@ buffers or //@ tags in front of the first rank");
    read_header(first);
    TaskGraph const& tasks = text_.graph;
    result_.graph.effects.resize(tasks.tasks.size());
    if (result_.tagged != 0) name_by_tags();
    for (GoalNote const& note : std::span(text_.notes).subspan(1)) read_note(note);
    result_.graph.tasks = std::move(text_.graph);
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(GoalNote const& note, std::string const& what) const {
    throw InputError(fmt::format("{}:{}:{}: {}", name_, note.line, note.column, what));
  }
  [[noreturn]] void fail(GoalNote const& note, Token const& token, std::string const& what) const {
    throw InputError(fmt::format("{}:{}:{}: {}", name_, note.line, note.column + token.column - 1, what));
  }

  /// Calls `read` with the tokens of a note, which must take all of them. The place of an error in the note is replaced
  /// by its place in the whole text.
  template <typename Read>
  void parse(GoalNote const& note, Read const& read) {
    try {
      Tokens tokens(note.text, "");
      read(tokens);
      if (tokens.next().kind != goal::TokenKind::end) tokens.fail("the end of the note");
    } catch (InputError const& error) {
      // ":1:COLUMN: what"
      std::string_view const message = error.what();
      if (!message.starts_with(":1:")) throw;
      std::size_t const end = message.find(':', 3);
      int const column = std::stoi(std::string(message.substr(3, end - 3)));
      throw InputError(fmt::format("{}:{}:{}{}", name_, note.line, note.column + column - 1, message.substr(end)));
    }
  }

  /// Reads the note before the first rank.
  void read_header(GoalNote const& note) {
    parse(note, [&](Tokens& tokens) {
      if (tokens.accept("tags")) {
        result_.tagged = static_cast<std::uint32_t>(tokens.number("the blocks of a rank", most_blocks));
        if (result_.tagged == 0) tokens.fail("at least one block of a rank");
      } else {
        tokens.expect("buffers");
        for (std::size_t b = 0; b < names.size(); ++b) {
          tokens.expect(names[b]);
          slots_[b] = static_cast<std::uint32_t>(tokens.number("the blocks of a buffer", most_blocks));
        }
      }
      tokens.expect("block");
      block_ = tokens.number("the bytes of a block", std::int64_t{1} << 50);
    });
    lay_out(note);
  }

  /// Gives every rank its buffers. With tags, each rank has a place for every block of every rank.
  void lay_out(GoalNote const& note) {
    auto const ranks = static_cast<std::uint64_t>(text_.graph.ranks());
    std::uint64_t const all = std::uint64_t{result_.tagged} * ranks;
    std::uint64_t const each = result_.tagged != 0 ? all : std::uint64_t{slots_[0]} + slots_[1] + slots_[2];
    if (each * ranks > most_cells) {
      fail(note,
           fmt::format("expected at most {} blocks in the buffers of all ranks, got {}", most_cells, each * ranks));
    }
    BlockGraph& graph = result_.graph;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      std::uint32_t const first = graph.cell_count;
      if (result_.tagged != 0) {
        graph.buffers.push_back({CellRange{first + rank * result_.tagged, result_.tagged},
                                 CellRange{first, static_cast<std::uint32_t>(all)}, CellRange{}});
      } else {
        graph.buffers.push_back({CellRange{first, slots_[0]}, CellRange{first + slots_[0], slots_[1]},
                                 CellRange{first + slots_[0] + slots_[1], slots_[2]}});
      }
      graph.cell_count += static_cast<std::uint32_t>(each);
    }
    graph.buffer_names = {names[0], names[1], names[2]};
  }

  /// Notes the block of each message by its tag: with n blocks of each rank it is block tag % n of rank tag / n.
  void name_by_tags() {
    TaskGraph const& tasks = text_.graph;
    for (int rank = 0; rank < tasks.ranks(); ++rank) {
      CellRange const& range = result_.graph.buffers[at(rank)][1];
      for (std::uint32_t i = tasks.first[at(rank)]; i < tasks.first[at(rank) + 1]; ++i) {
        Task const& task = tasks.tasks[i];
        if (task.kind == TaskKind::calc) continue;
        int const line = static_cast<int>(tasks.lines.of[i]);
        if (task.tag >= range.slots) {
          throw InputError(fmt::format("{}:{}: expected a tag from 0 to {}, the name of a block, got {}", name_, line,
                                       range.slots - 1, task.tag));
        }
        expect_size(i, 1, line);
        Effect& effect = result_.graph.effects[i];
        (task.kind == TaskKind::send ? effect.read : effect.write) =
            static_cast<std::uint32_t>(result_.graph.cells.size());
        result_.graph.cells.push_back(range.first + task.tag);
        effect.count = 1;
      }
    }
  }

  /// Throws InputError unless the size of a message is that of its `count` blocks.
  void expect_size(std::uint32_t task, std::uint32_t count, int line) const {
    std::int64_t const stated = text_.graph.tasks[task].amount;
    if (stated == count * block_) return;
    throw InputError(fmt::format("{}:{}: expected {} bytes, as {} of {} bytes {} sent or received, got {}", name_, line,
                                 count * block_, count == 1 ? "1 block" : fmt::format("{} blocks", count), block_,
                                 count == 1 ? "is" : "are", stated));
  }

  /// Reads the note on a task. A send reads its places, a receive writes them, and a calculation copies or joins.
  void read_note(GoalNote const& note) {
    if (note.task == GoalNote::of_all) fail(note, "expected one note on buffers or tags, got a second one");
    if (result_.tagged != 0) fail(note, "expected no note on a task where tags name blocks");
    BlockGraph& graph = result_.graph;
    Effect& effect = graph.effects[note.task];
    TaskKind const kind = text_.graph.tasks[note.task].kind;
    parse(note, [&](Tokens& tokens) {
      if (kind == TaskKind::receive && tokens.accept("+")) effect.join = Join::after;
      std::uint32_t const first = read_places(note, tokens);
      effect.count = static_cast<std::uint32_t>(graph.cells.size()) - first;
      (kind == TaskKind::send ? effect.read : effect.write) = first;
      if (effect.join != Join::none) effect.read = first;
      if (kind == TaskKind::calc) read_right_side(note, tokens, effect);
    });
    if (kind != TaskKind::calc) expect_size(note.task, effect.count, note.line);
  }

  /// Reads the source of a calculation: "= places" copies, "+= places" joins.
  void read_right_side(GoalNote const& note, Tokens& tokens, Effect& effect) {
    if (tokens.accept("+")) effect.join = Join::after;
    tokens.expect("=");
    effect.read = read_places(note, tokens);
    if (result_.graph.cells.size() - effect.read != effect.count) {
      fail(note, fmt::format("expected as many places on both sides, got {} and {}", effect.count,
                             result_.graph.cells.size() - effect.read));
    }
  }

  /// Reads a list of places, and appends their cells to the graph. Returns the index of the first of these cells.
  std::uint32_t read_places(GoalNote const& note, Tokens& tokens) {
    auto const first = static_cast<std::uint32_t>(result_.graph.cells.size());
    do {
      read_range(note, tokens);
    } while (buffer_named(tokens.next().text));
    return first;
  }

  /// Reads places such as receive[0..3], and appends their cells.
  void read_range(GoalNote const& note, Tokens& tokens) {
    std::optional<std::size_t> const buffer = buffer_named(tokens.next().text);
    if (!buffer) tokens.fail("a place, as \"receive[0..3]\"");
    tokens.take();
    tokens.expect("[");
    Token const begin = tokens.next();
    std::int64_t const from = tokens.number("a place", most_blocks);
    std::int64_t to = from;
    if (tokens.accept(".")) {
      tokens.expect(".");
      to = tokens.number("a place", most_blocks);
    }
    tokens.expect("]");
    auto const rank = at(text_.graph.rank_of(note.task));
    CellRange const& range = result_.graph.buffers[rank][*buffer];
    if (to < from || to >= range.slots) {
      fail(note, begin,
           fmt::format("expected places of the {} buffer, which has {}, got {}..{}", names[*buffer], range.slots, from,
                       to));
    }
    for (std::int64_t slot = from; slot <= to; ++slot) {
      result_.graph.cells.push_back(range.first + static_cast<std::uint32_t>(slot));
    }
  }

  /// Finds the buffer with this name; nothing for any other text.
  static std::optional<std::size_t> buffer_named(std::string_view text) {
    for (std::size_t b = 0; b < names.size(); ++b) {
      if (text == names[b]) return b;
    }
    return std::nullopt;
  }

  static constexpr std::array<char const*, buffer_count> names{"send", "receive", "scratch"};

  GoalText text_;
  std::string const& name_;                          ///< of the text, for errors
  std::array<std::uint32_t, buffer_count> slots_{};  ///< by buffer: its number of blocks; 0 with tags
  std::int64_t block_ = 0;                           ///< the bytes of a block
  NotedGraph result_;
};

}  // namespace

NotedGraph with_blocks(GoalText text, std::string const& name) { return Notes(std::move(text), name).run(); }

Collective by_tags(Collective const& promise, std::uint32_t tagged) {
  StatedPromise result;
  auto const all = at(ranks(promise));
  for (int r = 0; r < ranks(promise); ++r) {
    result.held.push_back(held(promise, Rank(r)));
    if (result.held.back().size() > tagged) {
      throw InputError(
          fmt::format("//@ tags {}: expected the {} blocks that rank {} holds", tagged, result.held.back().size(), r));
    }
    std::vector<Owed> slots(all * tagged);
    for (Owed const& each : owed(promise, Rank(r))) {
      if (each.nobodys()) continue;
      auto const whole = each.whole();
      if (!whole) throw InputError("//@ tags: expected a promise without reductions, whose blocks have no one name");
      if (whole->block.value >= tagged) {
        throw InputError(fmt::format("//@ tags {}: expected one for each block that is owed, and number {} is", tagged,
                                     whole->block.value));
      }
      slots[at(whole->origin) * tagged + whole->block.value] = each;
    }
    result.owed.push_back(std::move(slots));
  }
  return result;
}

}  // namespace rondo

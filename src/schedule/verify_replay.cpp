// The replay of a schedule, round by round: what is sent is read at the start of a round, what is received is written
// at its end, then the copies are done in order. A message whose rounds differ is read in the round of its send and
// written in the later of its two rounds. What is joined is combined with what lies in its place when it is written.

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "schedule/verify_end.hpp"
#include "schedule/verify_state.hpp"

namespace rondo::verification {
namespace {

/// Whether all slots of all ranks have one size, so that sizes need no check.
bool has_one_size(Schedule const& schedule) {
  return std::all_of(schedule.programs.begin(), schedule.programs.end(), [&](Program const& program) {
    Layout const& layout = program.layout();
    bool const uniform = std::all_of(layout.buffers.begin(), layout.buffers.end(),
                                     [](BufferLayout const& buffer) { return buffer.sizes.empty(); });
    return uniform && layout.block == schedule.programs.front().layout().block;
  });
}

/// The contents of messages on their way, with their counts and marks if they have any.
struct MessageContents {
  std::vector<Packed> contents;
  std::vector<Count> counts;
  std::vector<Mark> marks;

  void clear() {
    contents.clear();
    counts.clear();
    marks.clear();
  }
  void append(MessageContents const& other) {
    contents.insert(contents.end(), other.contents.begin(), other.contents.end());
    counts.insert(counts.end(), other.counts.begin(), other.counts.end());
    marks.insert(marks.end(), other.marks.begin(), other.marks.end());
  }
};

/// Replays all ranks that are followed, and reports each write that loses or misplaces a block.
class Replay {
 public:
  Replay(Subject const& subject, std::vector<Message> const& messages, Findings& findings)
      : subject_(subject),
        messages_(messages),
        findings_(findings),
        fingerprints_(subject.collective, subject.joins),
        counted_(fingerprints_.counted()),
        marked_(fingerprints_.marked()),
        cells_(subject, fingerprints_),
        writes_(subject),
        excesses_(subject),
        one_size_(has_one_size(subject.schedule)) {
    expects(subject.rounds <= Cell::most_rounds, "fewer than 2^30 rounds");
  }

  /// Goes through the rounds in order.
  Replayed run() {
    check_room();
    sort_early_sends();
    copy_all(0);
    std::size_t first = 0;
    for (int round = 1; round <= subject_.rounds; ++round) {
      std::size_t last = first;
      while (last < messages_.size() && messages_[last].round() == round) ++last;
      exchange(round, std::span(messages_).subspan(first, last - first));
      copy_all(round);
      first = last;
    }
    bool const delivered = check_end({subject_, fingerprints_, cells_, passed_}, findings_);
    return {delivered, writes_.redundant()};
  }

 private:
  int followed(Rank rank) const { return subject_.scope == Scope::representative ? 0 : rank.value; }

  /// Reports buffers that are too small for the promise of the collective; such a schedule is malformed.
  void check_room() {
    for (int r = 0; r < subject_.followed(); ++r) {
      Layout const& layout = subject_.program(Rank(r)).layout();
      auto const check = [&](Buffer buffer, std::size_t blocks, char const* what) {
        std::uint32_t const slots = layout[buffer].slots;
        if (slots >= blocks) return;
        findings_.add(Fault::malformed, Rank(r), 0, std::nullopt, [&] {
          return fmt::format("malformed: {} for {} {}", counted(slots, "slot"), counted(blocks, "block"), what);
        });
      };
      check(Buffer::send, held(subject_.collective, Rank(r)).size(), "to send");
      check(Buffer::receive, cells_.owed_slots(r), "to receive");
    }
  }

  /// Finds the messages that are read in an earlier round than they are written.
  void sort_early_sends() {
    for (Message const& message : messages_) {
      if (message.sent > 0 && message.sent < message.round()) early_.push_back(&message);
    }
    std::stable_sort(early_.begin(), early_.end(),
                     [](Message const* a, Message const* b) { return a->sent < b->sent; });
  }

  /// Reads all messages of the round before it writes the first one.
  void exchange(int round, std::span<Message const> messages) {
    for (; next_early_ < early_.size() && early_[next_early_]->sent == round; ++next_early_) {
      Message const& message = *early_[next_early_];
      read(message, on_the_way_[&message]);
    }
    message_contents_.clear();
    for (Message const& message : messages) {
      if (message.sent == 0) continue;
      if (message.sent == round) {
        read(message, message_contents_);
      } else {
        auto const found = on_the_way_.find(&message);
        message_contents_.append(found->second);
        on_the_way_.erase(found);
      }
    }
    std::span<PortExcess> const excesses = excesses_.of(round);
    for (PortExcess& excess : excesses) name_sends(excess);
    std::size_t first = 0;
    for (Message const& message : messages) {
      std::span const blocks = std::span<Packed const>(message_contents_.contents).subspan(first, message.from.size());
      if (PortExcess* const excess = find(excesses, message.target)) {
        excess->add(Direction::received, message.source, blocks, findings_);
      }
      settle(message, blocks, first);
      first += message.from.size();
    }
    for (PortExcess const& excess : excesses) excess.report(findings_);
  }

  /// Names the blocks of an excess's sends. It must be called before anything is written in their round.
  void name_sends(PortExcess& excess) {
    for (Transfer const& send : subject_.program(excess.rank).sends(excess.round)) {
      std::vector<Packed> blocks;
      for (Place const place : subject_.program(excess.rank).places(send)) {
        Cell const* const cell = cells_.find(followed(excess.rank), place);
        blocks.push_back(cell != nullptr ? cell->content : unknown);
      }
      excess.add(Direction::sent, subject_.partner(excess.rank, send).value_or(Rank(-1)), blocks, findings_);
    }
  }

  /// Reads the places of a send. If rank 0 stands for all, the origins of the blocks are translated so that they look
  /// from the receiver as they do from the sender.
  void read(Message const& message, MessageContents& into) {
    int const sender = followed(message.source);
    bool const translate = subject_.scope == Scope::representative && message.source != Rank(0);
    auto const& torus = subject_.schedule.torus;
    std::vector<int> const offset = translate ? torus->coordinates(message.source) : std::vector<int>();
    Rank const target = translate ? torus->subtract(Rank(0), offset) : message.target;
    for (Place const place : message.from) {
      Cell const* const cell = take(sender, place, message.sent, [&] {
        return target.value < 0 ? std::string("sent") : fmt::format("sent to rank {}", target.value);
      });
      Packed const block = cell != nullptr ? cell->content : unknown;
      into.contents.push_back(translate && is_content(block) ? translated(block, offset) : block);
      if (counted_) into.counts.push_back(cell != nullptr ? cell->count : 1);
      if (marked_) into.marks.push_back(cell != nullptr ? cells_.mark(cell) : Mark{});
    }
  }

  FullContent held_in(Cell const* cell) {
    if (cell == nullptr) return {unknown};
    return {cell->content, cell->count, marked_ ? cells_.mark(cell) : Mark{}};
  }

  /// Translates the name of a block. If one rank stands for all, only blocks are carried and no reductions.
  Packed translated(Packed block, std::vector<int> const& offset) const {
    Content const content = unpack(block);
    return pack({subject_.schedule.torus->add(content.origin, offset), content.block});
  }

  /// Reads a place; null if it is outside its buffer.
  template <typename Use>
  Cell const* take(int rank, Place place, int round, Use const& use) {
    Cell* const cell = cells_.find(rank, place);
    if (cell == nullptr) return nullptr;
    if (cell->content == nothing) {
      Packed const owed = cells_.owed(rank, place);
      findings_.add(Fault::not_held, Rank(rank), round, content_of(owed, findings_), [&] {
        std::string const what = owed == nothing ? "" : "; " + name_owed(rank, place) + " is owed there";
        return fmt::format("{} is {} but holds no block yet{}", name(place), use(), what);
      });
      cell->content = unknown;  // one report is enough
    }
    cell->note_read(round);
    return cell;
  }

  std::string name_owed(int rank, Place place) const {
    return name(rondo::owed(subject_.collective, Rank(rank))[place.slot()]);
  }

  /// Writes the contents of a message to its places, and reports the faults of the message as a whole. `first` is the
  /// place of its contents among those of the round.
  void settle(Message const& message, std::span<Packed const> blocks, std::size_t first) {
    bool const plain = one_size_ && message.sent == message.received && message.from.size() == message.into.size();
    if (!plain && !message.quiet) report_message(subject_, message, blocks_of(message, blocks), findings_);
    if (message.sent > 0) check_links(subject_, message, blocks, findings_);
    std::size_t const both = std::min(message.into.size(), blocks.size());
    int const round = message.round();
    if (message.join == Join::none) {
      for (std::size_t i = 0; i < both; ++i) {
        put(message.target, round, message.into[i], carried(first + i), By::message);
      }
    } else {
      for (std::size_t i = 0; i < both; ++i) {
        join(message.target, round, message.into[i], carried(first + i), message.join);
      }
    }
    // Nothing arrives in the remaining places, which has been reported. They become `unknown`, so that sending on
    // from them is not reported too.
    for (Place const place : message.into.subspan(both)) {
      Cell* const cell = cells_.find(followed(message.target), place);
      if (cell != nullptr && cell->content == nothing) cell->content = unknown;
    }
  }

  FullContent carried(std::size_t i) const {
    return {message_contents_.contents[i], counted_ ? message_contents_.counts[i] : 1,
            marked_ ? message_contents_.marks[i] : Mark{}};
  }

  /// The blocks of a message. For a receive that no send meets, the blocks that are owed in the places which it writes.
  std::span<Packed const> blocks_of(Message const& message, std::span<Packed const> blocks) {
    if (message.sent > 0) return blocks;
    owed_here_.clear();
    for (Place const place : message.into) owed_here_.push_back(cells_.owed(followed(message.target), place));
    return owed_here_;
  }

  /// The copies of a round, rank by rank.
  void copy_all(int round) {
    for (int r = 0; r < subject_.followed(); ++r) {
      Program const& program = subject_.program(Rank(r));
      if (round > program.rounds()) continue;
      for (Copy const& copy : program.copies(round)) copy_one(Rank(r), round, copy, program.layout());
    }
  }

  /// Copies or joins, and compares the sizes of both slots.
  void copy_one(Rank rank, int round, Copy const& copy, Layout const& layout) {
    FullContent const taken =
        held_in(take(followed(rank), copy.from, round, [&] { return fmt::format("copied into {}", name(copy.into)); }));
    auto const from = size_of(layout, copy.from);
    auto const into = size_of(layout, copy.into);
    if (from && into && *from != *into) {
      findings_.add(Fault::size_mismatch, rank, round, content_of(taken.content, findings_), [&] {
        return fmt::format("{} is copied from {} of {} into {} of {}",
                           name_all(std::span(&taken.content, 1), findings_), name(copy.from), print(*from),
                           name(copy.into), print(*into));
      });
    }
    if (copy.join == Join::none) {
      put(rank, round, copy.into, taken, By::copy);
    } else {
      join(rank, round, copy.into, taken, copy.join);
    }
  }

  /// Joins a content that arrives with what lies in a place.
  void join(Rank rank, int round, Place place, FullContent const& arriving, Join how) {
    int const r = followed(rank);
    Cell* const cell = cells_.find(r, place);
    if (cell == nullptr) return;
    if (place.buffer() == Buffer::send) {
      report_overwritten(findings_, rank, round, place, cell->content, ", which is only read", " reduced into");
    } else if (cell->content == nothing) {
      findings_.add(Fault::not_held, rank, round, content_of(arriving.content, findings_), [&] {
        return fmt::format("{} is to be joined with what lies in {}, which holds no block yet",
                           name_all(std::span(&arriving.content, 1), findings_), name(place));
      });
      cell->content = unknown;
    }
    FullContent const result = combined(rank, round, held_in(cell), arriving, how);
    writes_.note(r, cells_.slot(r, cell), result.content, By::join);
    store(*cell, result);
    cell->note_received(round);
  }

  /// The join of what lies in a place with what arrives; unknown if one of them is.
  FullContent combined(Rank rank, int round, FullContent const& present, FullContent const& arriving, Join how) {
    if (!is_content(present.content) || !is_content(arriving.content)) return {unknown};
    FullContent const& left = how == Join::before ? arriving : present;
    FullContent const& right = how == Join::before ? present : arriving;
    FullContent result = fingerprints_.join(left, right);
    if (findings_.log != nullptr) {
      JoinLog::Join const join{{left.content, left.mark.made}, {right.content, right.mark.made}, rank, round};
      result.mark.made = findings_.log->note(result.content, join);
    }
    return result;
  }

  void store(Cell& cell, FullContent const& held) {
    cell.content = held.content;
    if (counted_) cell.count = held.count;
    if (marked_) cells_.mark(&cell) = held.mark;
  }

  /// Writes a cell. A write over other content is judged first.
  void put(Rank rank, int round, Place place, FullContent const& held, By by) {
    Cell* const cell = cells_.find(followed(rank), place);
    if (cell == nullptr) return;
    if (cell->content != nothing || place.buffer() == Buffer::send) judge(rank, round, place, held, by, *cell);
    writes_.note(followed(rank), cells_.slot(followed(rank), cell), held.content, by);
    store(*cell, held);
    by == By::message ? cell->note_received(round) : cell->note_copied();
  }

  /// Reports a loss if `arriving` is written to a place whose content is still needed.
  void judge(Rank rank, int round, Place place, FullContent const& arriving, By by, Cell const& cell) {
    if (place.buffer() == Buffer::send) return overwritten(rank, round, place, cell.content, ", which is only read");
    if (!is_content(cell.content)) return;
    if (by == By::message && cell.was_received_in(round)) {
      return overwritten(rank, round, place, cell.content, " by a second receive of this round");
    }
    if (by == By::message && cell.was_read_in(round)) {
      return overwritten(rank, round, place, cell.content, " while it is sent");
    }
    bool const read = cell.was_read();
    bool const other = !is_same(cell, arriving);
    if (!is_owed(cell, followed(rank), place)) {
      if (!read && other) overwritten(rank, round, place, cell.content, " before it was read");
    } else if (!read && other) {
      overwritten(rank, round, place, cell.content, " where it was owed");
      passed_.erase({rank, place.slot()});
    } else if (!read) {
      findings_.add(Fault::duplicate, rank, round, content_of(arriving.content, findings_), [&] {
        return fmt::format("{} is delivered once more to {}", name(arriving.content, findings_), name(place));
      });
    } else if (other) {
      // A block that wraps around the torus may pass its goal on the way and come back: the end will tell.
      passed_[{rank, place.slot()}] = round;
    }
  }

  /// Whether contributions may enter several times. If so, two contents are equal if the same contributions enter them,
  /// and a content is right if the owed contributions enter it.
  bool forgives_doubles() const { return fingerprints_.rules().idempotent && subject_.joins == Joins::logged; }
  /// The contributions of a content, without their numbers.
  std::set<Content> entered(Packed content, Mark const& mark) const {
    std::set<Content> result;
    for (auto const& [contribution, times] : findings_.log->contributions({content, mark.made})) {
      result.insert(contribution);
    }
    return result;
  }
  bool is_same(Cell const& cell, FullContent const& arriving) {
    if (same(cell.content, arriving.content)) return true;
    if (!forgives_doubles() || !is_content(arriving.content)) return false;
    return entered(cell.content, cells_.mark(&cell)) == entered(arriving.content, arriving.mark);
  }
  /// Whether a cell holds what it is owed; in idempotent reductions contributions may enter several times.
  bool is_owed(Cell const& cell, int rank, Place place) {
    Packed const owed = cells_.owed(rank, place);
    if (cell.content == owed || owed == nothing || !forgives_doubles()) return cell.content == owed;
    Owed const owed_content = rondo::owed(subject_.collective, Rank(rank))[place.slot()];
    std::set<Content> asked;
    for (std::size_t i = 0; i < owed_content.contributions(); ++i) asked.insert(owed_content.contribution(i));
    return entered(cell.content, cells_.mark(&cell)) == asked;
  }

  void overwritten(Rank rank, int round, Place place, Packed block, char const* why) {
    report_overwritten(findings_, rank, round, place, block, why);
  }

  Subject const& subject_;
  std::vector<Message> const& messages_;
  Findings& findings_;
  Fingerprints fingerprints_;
  bool const counted_;  ///< contents carry counts
  bool const marked_;   ///< contents carry marks
  Cells cells_;
  Writes writes_;
  PortExcesses excesses_;
  std::vector<Packed> owed_here_;      ///< see blocks_of()
  bool one_size_;                      ///< all slots of all ranks take the same bytes
  MessageContents message_contents_;   ///< by the messages of the round at hand
  std::vector<Message const*> early_;  ///< by the round of the send
  std::size_t next_early_ = 0;
  std::map<Message const*, MessageContents> on_the_way_;  ///< read already, not yet written
  Passed passed_;
};

}  // namespace

Replayed replay(Subject const& subject, std::vector<Message> const& messages, Findings& findings) {
  return Replay(subject, messages, findings).run();
}

}  // namespace rondo::verification

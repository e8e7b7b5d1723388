// The replay of a schedule, round by round: what is sent is read at the start of a round, what is received is written
// at its end, then the copies are done in order. A message whose rounds differ is read in the round of its send and
// written in the later of its two rounds.

#include <algorithm>
#include <map>
#include <utility>

#include "schedule/verify_cells.hpp"
#include "schedule/verify_ports.hpp"

namespace rondo::verification {
namespace {

bool has_one_size(Schedule const& schedule) {
  return std::all_of(schedule.programs.begin(), schedule.programs.end(), [&](Program const& program) {
    Layout const& layout = program.layout();
    bool const uniform = std::all_of(layout.buffers.begin(), layout.buffers.end(),
                                     [](BufferLayout const& buffer) { return buffer.sizes.empty(); });
    return uniform && layout.block == schedule.programs.front().layout().block;
  });
}

class Replay {
 public:
  Replay(Subject const& subject, std::vector<Message> const& messages, Findings& findings)
      : subject_(subject),
        messages_(messages),
        findings_(findings),
        cells_(subject),
        writes_(subject),
        crowds_(subject),
        one_size_(has_one_size(subject.schedule)) {}

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
    result_.delivered = true;
    for (int r = 0; r < subject_.followed(); ++r) check_end(Rank(r));
    result_.redundant = writes_.redundant();
    return result_;
  }

 private:
  int followed(Rank rank) const { return subject_.scope == Scope::representative ? 0 : rank.value; }

  /// A buffer too small for the promise of the collective is malformed.
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

  /// Messages that are read in an earlier round than they are written.
  void sort_early_sends() {
    for (Message const& message : messages_) {
      if (message.sent > 0 && message.sent < message.round()) early_.push_back(&message);
    }
    std::stable_sort(early_.begin(), early_.end(),
                     [](Message const* a, Message const* b) { return a->sent < b->sent; });
  }

  void exchange(int round, std::span<Message const> messages) {
    for (; next_early_ < early_.size() && early_[next_early_]->sent == round; ++next_early_) {
      Message const& message = *early_[next_early_];
      read(message, on_the_way_[&message]);
    }
    carried_.clear();
    for (Message const& message : messages) {
      if (message.sent == 0) continue;
      if (message.sent == round) {
        read(message, carried_);
      } else {
        auto const found = on_the_way_.find(&message);
        carried_.insert(carried_.end(), found->second.begin(), found->second.end());
        on_the_way_.erase(found);
      }
    }
    std::span<Crowd> const crowds = crowds_.of(round);
    for (Crowd& crowd : crowds) name_sends(crowd);
    std::size_t first = 0;
    for (Message const& message : messages) {
      std::span const blocks = std::span<Packed const>(carried_).subspan(first, message.from.size());
      if (Crowd* const crowd = find(crowds, message.target)) crowd->add(Direction::received, message.source, blocks);
      settle(message, blocks);
      first += message.from.size();
    }
    for (Crowd const& crowd : crowds) crowd.report(findings_);
  }

  /// Before anything is written in its round.
  void name_sends(Crowd& crowd) {
    for (Transfer const& send : subject_.program(crowd.rank).sends(crowd.round)) {
      std::vector<Packed> blocks;
      for (Place const place : subject_.program(crowd.rank).places(send)) {
        Cell const* const cell = cells_.find(followed(crowd.rank), place);
        blocks.push_back(cell != nullptr ? cell->content : unknown);
      }
      crowd.add(Direction::sent, subject_.partner(crowd.rank, send).value_or(Rank(-1)), blocks);
    }
  }

  /// Reads the places of a send. Seen from its receiver, the origins of the blocks lie where they do for the sender.
  void read(Message const& message, std::vector<Packed>& into) {
    int const sender = followed(message.source);
    bool const translate = subject_.scope == Scope::representative && message.source != Rank(0);
    auto const& torus = subject_.schedule.torus;
    std::vector<int> const offset = translate ? torus->coordinates(message.source) : std::vector<int>();
    Rank const target = translate ? torus->subtract(Rank(0), offset) : message.target;
    for (Place const place : message.from) {
      Packed const block = take(sender, place, message.sent, [&] {
        return target.value < 0 ? std::string("sent") : fmt::format("sent to rank {}", target.value);
      });
      into.push_back(translate && is_block(block) ? translated(block, offset) : block);
    }
  }

  Packed translated(Packed block, std::vector<int> const& offset) const {
    Content const content = unpack(block);
    return pack({subject_.schedule.torus->add(content.origin, offset), content.block});
  }

  template <typename Use>
  Packed take(int rank, Place place, int round, Use const& use) {
    Cell* const cell = cells_.find(rank, place);
    if (cell == nullptr) return unknown;
    if (cell->content == nothing) {
      Packed const owed = cells_.owed(rank, place);
      findings_.add(Fault::not_held, Rank(rank), round, content_of(owed), [&] {
        return fmt::format("{} is {} but holds no block yet{}", name(place), use(), owed_there(std::span(&owed, 1)));
      });
      cell->content = unknown;  // one report is enough
    }
    cell->read = round;
    return cell->content;
  }

  /// Writes what a message carries, and reports what is wrong with the message as a whole.
  void settle(Message const& message, std::span<Packed const> blocks) {
    bool const plain = one_size_ && message.sent == message.received && message.from.size() == message.into.size();
    if (!plain && !message.quiet) report_message(subject_, message, known(message, blocks), findings_);
    if (message.sent > 0) check_links(subject_, message, blocks, findings_);
    for (std::size_t i = 0; i < message.into.size(); ++i) {
      if (i < blocks.size()) {
        put(message.target, message.round(), message.into[i], blocks[i], By::message);
      } else if (Cell* const cell = cells_.find(followed(message.target), message.into[i])) {
        // Nothing comes, which is reported; that nothing can be sent on from here follows from it.
        if (cell->content == nothing) cell->content = unknown;
      }
    }
  }

  /// The blocks of a message; of a receive that no send meets, those that are owed where it writes.
  std::span<Packed const> known(Message const& message, std::span<Packed const> blocks) {
    if (message.sent > 0) return blocks;
    owed_here_.clear();
    for (Place const place : message.into) owed_here_.push_back(cells_.owed(followed(message.target), place));
    return owed_here_;
  }

  void copy_all(int round) {
    for (int r = 0; r < subject_.followed(); ++r) {
      Program const& program = subject_.program(Rank(r));
      if (round > program.rounds()) continue;
      for (Copy const& copy : program.copies(round)) copy_one(Rank(r), round, copy, program.layout());
    }
  }

  void copy_one(Rank rank, int round, Copy const& copy, Layout const& layout) {
    Packed const block =
        take(followed(rank), copy.from, round, [&] { return fmt::format("copied into {}", name(copy.into)); });
    auto const from = size_of(layout, copy.from);
    auto const into = size_of(layout, copy.into);
    if (from && into && *from != *into) {
      findings_.add(Fault::size_mismatch, rank, round, content_of(block), [&] {
        return fmt::format("{} is copied from {} of {} into {} of {}", name_all(std::span(&block, 1)), name(copy.from),
                           print(*from), name(copy.into), print(*into));
      });
    }
    put(rank, round, copy.into, block, By::copy);
  }

  void put(Rank rank, int round, Place place, Packed block, By by) {
    Cell* const cell = cells_.find(followed(rank), place);
    if (cell == nullptr) return;
    if (cell->content != nothing || place.buffer() == Buffer::send) judge(rank, round, place, block, by, *cell);
    writes_.note(followed(rank), cells_.slot(followed(rank), cell), block, by);
    cell->content = block;
    cell->read = Cell::never;
    if (by == By::message) cell->received = round;
  }

  /// Reports what is lost when `block` is written to a place.
  void judge(Rank rank, int round, Place place, Packed block, By by, Cell const& cell) {
    if (place.buffer() == Buffer::send) return overwritten(rank, round, place, cell.content, ", which is only read");
    if (!is_block(cell.content)) return;
    if (by == By::message && cell.received == round) {
      return overwritten(rank, round, place, cell.content, " by a second receive of this round");
    }
    if (by == By::message && cell.read == round) {
      return overwritten(rank, round, place, cell.content, " while it is sent");
    }
    bool const read = cell.read != Cell::never;
    if (cell.content != cells_.owed(followed(rank), place)) {
      if (!read && cell.content != block) overwritten(rank, round, place, cell.content, " before it was read");
    } else if (!read && cell.content != block) {
      overwritten(rank, round, place, cell.content, " where it was owed");
      passed_.erase({rank, place.slot()});
    } else if (!read) {
      findings_.add(Fault::duplicate, rank, round, content_of(block),
                    [&] { return fmt::format("{} is delivered once more to {}", name(unpack(block)), name(place)); });
    } else if (cell.content != block) {
      // A block that wraps around the torus may pass its goal on the way and come back: the end will tell.
      passed_[{rank, place.slot()}] = round;
    }
  }

  void overwritten(Rank rank, int round, Place place, Packed block, char const* how) {
    findings_.add(Fault::overwritten, rank, round, content_of(block), [&] {
      std::string const what = is_block(block) ? name(unpack(block)) : std::string("nothing");
      return fmt::format("{} is written over in {}{}", what, name(place), how);
    });
  }

  void check_end(Rank rank) {
    int const r = followed(rank);
    for (std::uint32_t slot = 0; slot < cells_.owed_slots(r); ++slot) {
      Place const place = receive_slot(slot);
      Packed const owed = cells_.owed(r, place);
      Cell const* const cell = cells_.find(r, place);
      Packed const found = cell != nullptr ? cell->content : nothing;
      if (owed == nothing || found == owed) continue;
      result_.delivered = false;
      auto const passed = passed_.find({rank, slot});
      if (passed != passed_.end()) overwritten(rank, passed->second, place, owed, " where it was owed");
      report_missing(rank, place, owed, found);
    }
  }

  void report_missing(Rank rank, Place place, Packed owed, Packed found) {
    if (is_block(found)) {
      findings_.add(Fault::wrong_place, rank, subject_.rounds, content_of(found), [&] {
        return fmt::format("{} lies in {}, where {} is owed", name(unpack(found)), name(place), name(unpack(owed)));
      });
    } else {
      findings_.add(Fault::lost_block, rank, subject_.rounds, content_of(owed),
                    [&] { return fmt::format("{} is lost, it is owed in {}", name(unpack(owed)), name(place)); });
    }
  }

  Subject const& subject_;
  std::vector<Message> const& messages_;
  Findings& findings_;
  Cells cells_;
  Writes writes_;
  Crowds crowds_;
  std::vector<Packed> owed_here_;      ///< see known()
  bool one_size_;                      ///< all slots of all ranks take the same bytes
  std::vector<Packed> carried_;        ///< by the messages of the round at hand
  std::vector<Message const*> early_;  ///< by the round of the send
  std::size_t next_early_ = 0;
  std::map<Message const*, std::vector<Packed>> on_the_way_;  ///< read already, not yet written
  std::map<std::pair<Rank, std::uint32_t>, int> passed_;      ///< owed slots: when a right block was written over
  Replayed result_;
};

}  // namespace

Replayed replay(Subject const& subject, std::vector<Message> const& messages, Findings& findings) {
  return Replay(subject, messages, findings).run();
}

}  // namespace rondo::verification

// Converts columns of numbers to schedules. Rows are counted by rank first, so that each rank's program is built in one
// pass without searching.

#include "run/formats/schedule_columns.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace rondo {
namespace {

constexpr std::uint32_t slot_mask = (std::uint32_t{1} << 30) - 1;

Place place_of(std::uint32_t number) {
  expects(number >> 30 < buffer_count, "a buffer");
  return {static_cast<Buffer>(number >> 30), number & slot_mask};
}

Join join_of(std::int32_t number) {
  expects(number >= 0 && number < std::ssize(enum_names<Join>), "a join");
  return static_cast<Join>(number);
}

/// The indices of rows grouped by the rank that `rank_of` names, in their order.
class RowsByRank {
 public:
  /// A counting sort by rank, which keeps the order of rows.
  template <typename Row, typename RankOf>
  RowsByRank(int ranks, std::span<Row const> rows, RankOf rank_of)
      : first_(static_cast<std::size_t>(ranks) + 1), rows_(rows.size()) {
    for (Row const& row : rows) {
      expects(rank_of(row) >= 0 && rank_of(row) < ranks, "a rank");
      ++first_[static_cast<std::size_t>(rank_of(row)) + 1];
    }
    for (std::size_t r = 1; r < first_.size(); ++r) first_[r] += first_[r - 1];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < rows.size(); ++i) rows_[next[static_cast<std::size_t>(rank_of(rows[i]))]++] = i;
  }
  std::span<std::size_t const> of(int rank) const {
    auto const r = static_cast<std::size_t>(rank);
    return std::span(rows_).subspan(first_[r], first_[r + 1] - first_[r]);
  }

 private:
  std::vector<std::size_t> first_, rows_;
};

/// Python appends rows round after round (python/rondo/schedule.py), so a round that falls is a bug.
template <typename Row>
void expect_rising(std::span<Row const> rows, int before_first) {
  int last = before_first;
  for (Row const& row : rows) {
    expects(row.round >= last, "rounds that do not fall");
    last = row.round;
  }
}

/// Makes the programs of all ranks from the columns, without a copy of the rows.
class Programs {
 public:
  explicit Programs(ScheduleColumns const& columns)
      : columns_(columns),
        sends_(columns.ranks, columns.messages, [](MessageRow const& row) { return row.source; }),
        receives_(columns.ranks, columns.messages, [](MessageRow const& row) { return row.target; }),
        copies_(columns.ranks, columns.copies, [](CopyRow const& row) { return row.rank; }) {
    expect_rising(columns.messages, 1);
    expect_rising(columns.copies, 0);
    first_place_.push_back(0);
    for (MessageRow const& row : columns.messages) {
      expects(row.source != row.target, "a message to another rank");
      expects(row.places >= 0, "a number of places");
      first_place_.push_back(first_place_.back() + static_cast<std::size_t>(row.places));
    }
    expects(first_place_.back() == columns.places.size(), "places of all messages");
  }

  /// The program of one rank.
  Program of(int rank, Layout layout) const {
    ProgramBuilder builder(std::move(layout));
    auto sends = sends_.of(rank), receives = receives_.of(rank), copies = copies_.of(rank);
    // Each list is in the order of rounds, so every round takes rows from the front of the three lists.
    for (int round = 0; !sends.empty() || !receives.empty() || !copies.empty(); ++round) {
      if (round > 0) builder.begin_round();
      for (; begins(sends, columns_.messages, round); sends = sends.subspan(1)) send(builder, sends.front());
      for (; begins(receives, columns_.messages, round); receives = receives.subspan(1)) {
        receive(builder, receives.front());
      }
      for (; begins(copies, columns_.copies, round); copies = copies.subspan(1)) copy(builder, copies.front());
    }
    return std::move(builder).finish();
  }

 private:
  /// Whether the first of the remaining rows belongs to this round.
  template <typename Row>
  static bool begins(std::span<std::size_t const> rows, std::span<Row const> all, int round) {
    return !rows.empty() && all[rows.front()].round == round;
  }

  void send(ProgramBuilder& builder, std::size_t i) const {
    builder.send(columns_.messages[i].target, places(builder, i, &PlacePair::from));
  }
  void receive(ProgramBuilder& builder, std::size_t i) const {
    MessageRow const& row = columns_.messages[i];
    builder.receive(row.source, places(builder, i, &PlacePair::into), join_of(row.join));
  }
  void copy(ProgramBuilder& builder, std::size_t i) const {
    CopyRow const& row = columns_.copies[i];
    builder.copy(existing_place(builder, row.places.from), existing_place(builder, row.places.into), join_of(row.join));
  }

  std::vector<Place> places(ProgramBuilder& builder, std::size_t message, std::uint32_t PlacePair::*end) const {
    std::vector<Place> result;
    for (std::size_t i = first_place_[message]; i < first_place_[message + 1]; ++i) {
      result.push_back(existing_place(builder, columns_.places[i].*end));
    }
    return result;
  }
  /// The place with this number; the buffer grows until it has it.
  static Place existing_place(ProgramBuilder& builder, std::uint32_t number) {
    Place const place = place_of(number);
    BufferLayout& buffer = builder.layout()[place.buffer()];
    if (place.slot() < buffer.slots) return place;
    buffer.slots = place.slot() + 1;
    if (!buffer.sizes.empty()) buffer.sizes.resize(buffer.slots, builder.layout().block);
    return place;
  }

  ScheduleColumns const& columns_;
  RowsByRank sends_, receives_, copies_;
  std::vector<std::size_t> first_place_;
};

}  // namespace

/// Python has checked every row (python/rondo/schedule.py), so a wrong row is a bug.
Schedule schedule_of(ScheduleColumns const& columns, std::function<Layout(Rank)> const& stated) {
  Programs const programs(columns);
  Schedule schedule;
  schedule.ranks = columns.ranks;
  schedule.promises.ports = 0;  // a schedule of Python promises nothing about ports
  for (int rank = 0; rank < columns.ranks; ++rank) {
    schedule.programs.push_back(programs.of(rank, stated(Rank(rank))));
    schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
  }
  return schedule;
}

/// A row for each message, by rank and round.
std::vector<SentRow> sent_rows(Schedule const& schedule) {
  std::vector<SentRow> rows;
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) {
        rows.push_back({round, rank, schedule.peer(Rank(rank), send).value, send.count, program.bytes(send).value});
      }
    }
  }
  return rows;
}

}  // namespace rondo

// Halves ranks and points together, level by level (point_bisection.hpp). Points are numbered through, first those of
// the lower half; a point goes to the owner of its number.

#include "mpi/exchange/point_bisection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "mpi/exchange/point_cut.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

/// The final parts. Points are numbered from 0 to all - 1 in the order of the parts in which they end; ranks are those
/// of the whole communicator.
struct Parts {
  std::int64_t all;
  int ranks;
  std::int64_t first_of(int rank) const { return all * rank / ranks; }
  /// The last rank r with first_of(r) <= number. first_of(r + 1) > number means (r + 1) * all >= (number + 1) * ranks.
  int owner(std::int64_t number) const { return static_cast<int>(((number + 1) * ranks - 1) / all); }
};

/// The ranks [first, first + size) of the whole, and their communicator. The communicator of the whole is not freed.
class Half {
 public:
  Half(MPI_Comm whole, int ranks) : comm_(whole), size_(ranks) {}
  ~Half() { release(); }
  Half(Half const&) = delete;
  Half& operator=(Half const&) = delete;

  MPI_Comm comm() const { return comm_; }
  int first() const { return first_; }
  int size() const { return size_; }
  int middle() const { return first_ + size_ / 2; }

  /// Replaces the communicator by that of one half.
  void enter(bool lower) {
    int const below = size_ / 2;
    int const begin = lower ? 0 : below, end = lower ? below : size_;
    MPI_Comm half = group_of(begin, end - begin);
    release();
    comm_ = half;
    owned_ = true;
    first_ += begin;
    size_ = end - begin;
  }

 private:
  /// Makes the communicator of a half from a group, because MPI_Comm_split, which the paper's codes use, gathers a word
  /// from every rank.
  MPI_Comm group_of(int begin, int ranks) const {
    MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
    check(MPI_Comm_group(comm_, &all));
    int range[][3] = {{begin, begin + ranks - 1, 1}};
    check(MPI_Group_range_incl(all, 1, range, &some));
    MPI_Comm made = MPI_COMM_NULL;
    int const code = MPI_Comm_create_group(comm_, some, 0, &made);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    check(code);
    return made;
  }
  void release() {
    if (owned_) MPI_Comm_free(&comm_);
    owned_ = false;
  }

  MPI_Comm comm_;
  bool owned_ = false;
  int first_ = 0;
  int size_;
};

/// Adds counts; memory is a maximum.
void add(ExchangeCounts& sum, ExchangeCounts const& more) {
  sum.data_messages += more.data_messages;
  sum.ack_messages += more.ack_messages;
  sum.barrier_messages += more.barrier_messages;
  sum.data_bytes += more.data_bytes;
  sum.barrier_words += more.barrier_words;
  sum.memory_bytes = std::max(sum.memory_bytes, more.memory_bytes);
  sum.exchanges += more.exchanges;
}

/// A point and its number among all points.
struct Numbered {
  std::int64_t number;
  CloudPoint point;
};

/// The bisection as one rank carries it out, level by level.
class Bisection {
 public:
  /// Begins with all ranks and points.
  Bisection(MPI_Comm comm, int ranks, std::vector<CloudPoint> points, BisectionOptions const& options)
      : half_(comm, ranks), parts_{0, ranks}, options_(options), beside_(options.beside) {
    Reductions reductions(comm);
    parts_.all = reductions.sum(static_cast<std::int64_t>(points.size()));
    note(reductions);
    result_.points = std::move(points);
  }

  /// Ends when the part has one rank or no points.
  Bisected run() {
    while (half_.size() > 1 && held() > 0) {
      level();
      ++result_.levels;
    }
    return std::move(result_);
  }

 private:
  /// How many points the ranks of this half hold.
  std::int64_t held() const { return parts_.first_of(half_.first() + half_.size()) - parts_.first_of(half_.first()); }

  void note(Reductions const& reductions) {
    result_.reductions += reductions.calls();
    result_.reduction_messages += reductions.messages();
  }

  /// Cuts the points, sends each to its half, and enters this rank's half.
  void level() {
    Reductions reductions(half_.comm());
    std::int64_t const first = parts_.first_of(half_.first()), middle = parts_.first_of(half_.middle());
    Cut const cut = median_cut(reductions, result_.points, middle - first, held());
    int rank = 0;
    {
      SparseExchange exchange(half_.comm(), options_.exchange);
      rank = exchange.rank().value;
      send(exchange, reductions, cut, first, middle);
      result_.points = received(exchange);
      add(result_.counts, exchange.counts());
    }
    note(reductions);
    half_.enter(half_.first() + rank < half_.middle());
  }

  /// Prefix sums give this rank's points their numbers.
  void send(SparseExchange& exchange, Reductions& reductions, Cut const& cut, std::int64_t first, std::int64_t middle) {
    auto const& points = result_.points;
    auto const in = std::count_if(points.begin(), points.end(), [&](CloudPoint const& p) { return cut.has(p); });
    std::int64_t next_in = first + reductions.sum_before(in);
    std::int64_t next_out = middle + reductions.sum_before(std::ssize(points) - in);
    for (CloudPoint const& point : points) {
      std::int64_t const number = cut.has(point) ? next_in++ : next_out++;
      Rank const to(parts_.owner(number) - half_.first());
      exchange.pack(Numbered{number, point}, to);
      exchange.pack_bytes(beside_.data(), beside_.size(), to);
    }
    exchange.exchange();
  }

  /// Stores each point at the place of its number, so that the result does not depend on the order of arrival.
  std::vector<CloudPoint> received(SparseExchange& exchange) {
    int const here = half_.first() + exchange.rank().value;
    std::int64_t const first = parts_.first_of(here);
    std::vector<CloudPoint> points(static_cast<std::size_t>(parts_.first_of(here + 1) - first));
    while (exchange.receive()) {
      auto const [number, point] = exchange.unpack<Numbered>();
      exchange.unpack_bytes(beside_.data(), beside_.size());
      expects(number >= first && number - first < std::ssize(points), "a point of this part");
      points[static_cast<std::size_t>(number - first)] = point;
    }
    return points;
  }

  Half half_;
  Parts parts_;
  BisectionOptions const& options_;
  std::vector<std::byte> beside_;
  Bisected result_;
};

std::string name_of(CloudPoint const& point) { return fmt::format("point {} of rank {}", point.index, point.home); }

}  // namespace

Bisected bisect(MPI_Comm comm, std::vector<CloudPoint> points, BisectionOptions const& options) {
  return Bisection(comm, size_of(comm), std::move(points), options).run();
}

/// What is wrong with the part of this rank; empty if nothing.
std::string wrong_in_part(SparseExchange& exchange, Reductions& ranks, std::span<CloudPoint const> before,
                          std::span<CloudPoint const> part) {
  int const rank = exchange.rank().value;
  std::string wrong;
  auto const note = [&](std::string const& what) {
    if (wrong.empty()) wrong = fmt::format("rank {}: {}", rank, what);
  };
  Parts const parts{ranks.sum(static_cast<std::int64_t>(before.size())), exchange.size()};
  std::int64_t const expected = parts.first_of(rank + 1) - parts.first_of(rank);
  if (std::ssize(part) != expected) note(fmt::format("a part of {} points, not {}", part.size(), expected));
  for (CloudPoint const& point : part) {
    if (point.home >= 0 && point.home < exchange.size()) {
      exchange.pack(point, Rank(point.home));
    } else {
      note(fmt::format("a point of rank {}", point.home));
    }
  }
  exchange.exchange();
  std::vector<int> seen(before.size());
  while (exchange.receive()) {
    auto const point = exchange.unpack<CloudPoint>();
    if (point.index >= before.size() || before[point.index] != point) {
      note(name_of(point) + " is changed");
    } else if (seen[point.index]++ > 0) {
      note(name_of(point) + " is there twice");
    }
  }
  auto const lost = std::find(seen.begin(), seen.end(), 0);
  if (lost != seen.end()) note(name_of(before[static_cast<std::size_t>(lost - seen.begin())]) + " is lost");
  return wrong;
}

}  // namespace rondo::mpi

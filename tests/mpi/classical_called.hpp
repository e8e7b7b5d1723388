#pragma once

// A call of a collective on all ranks with memory of its own, and what a serial calculation or the MPI library make of
// it: for tests of Rondo's own calls.

#include <cstddef>
#include <numeric>
#include <vector>

#include "mpi/cases.hpp"
#include "mpi_library/classical/calls.hpp"

namespace rondo::mpi::testing {

/// x -> a x + b, two numbers with gaps between them in four.
struct Line {
  int a, gap, b, end;
};

/// The line `in` behind the line `inout`, which do not commute.
inline void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  auto const* const first = static_cast<Line*>(in);
  auto* const second = static_cast<Line*>(inout);
  for (int i = 0; i < *count; ++i) {
    unsigned const a = static_cast<unsigned>(first[i].a) * static_cast<unsigned>(second[i].a);
    unsigned const b =
        static_cast<unsigned>(first[i].a) * static_cast<unsigned>(second[i].b) + static_cast<unsigned>(first[i].b);
    second[i].a = static_cast<int>(a);
    second[i].b = static_cast<int>(b);
  }
}

/// What is sent or joined.
struct Values {
  char const* name;
  MPI_Datatype type;
  MPI_Op op;
  int ints;  ///< that an element spans
};

/// Both kinds of values: plain ones whose operator commutes, and such with gaps whose operator does not.
class TwoValues {
 public:
  TwoValues() {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, sizeof(Line), &line_);
    MPI_Type_commit(&line_);
    MPI_Type_free(&pair);
    MPI_Op_create(compose, 0, &behind_);
  }
  TwoValues(TwoValues const&) = delete;
  TwoValues& operator=(TwoValues const&) = delete;
  ~TwoValues() {
    MPI_Type_free(&line_);
    MPI_Op_free(&behind_);
  }
  std::vector<Values> all() const { return {{"ints", MPI_INT, MPI_SUM, 1}, {"lines", line_, behind_, 4}}; }

 private:
  MPI_Datatype line_ = MPI_DATATYPE_NULL;
  MPI_Op behind_ = MPI_OP_NULL;
};

/// The call by the MPI library itself.
inline int library(CollectiveCall const& c, MPI_Comm comm) {
  using enum ClassicalCollective;
  void const* const send = c.send;
  switch (c.collective) {
    case barrier:
      return PMPI_Barrier(comm);
    case bcast:
      return PMPI_Bcast(const_cast<void*>(send), c.send_count, c.send_type, c.root, comm);
    case gather:
      if (c.by_counts) {
        return PMPI_Gatherv(send, c.send_count, c.send_type, c.receive, c.counts, c.displacements, c.receive_type,
                            c.root, comm);
      }
      return PMPI_Gather(send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, c.root, comm);
    case scatter:
      if (c.by_counts) {
        return PMPI_Scatterv(send, c.send_counts, c.send_displacements, c.send_type, c.receive, c.receive_count,
                             c.receive_type, c.root, comm);
      }
      return PMPI_Scatter(send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, c.root, comm);
    case allgather:
      if (!c.by_counts) {
        return PMPI_Allgather(send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, comm);
      }
      return PMPI_Allgatherv(send, c.send_count, c.send_type, c.receive, c.counts, c.displacements, c.receive_type,
                             comm);
    case alltoall:
      if (c.by_counts) {
        return PMPI_Alltoallv(send, c.send_counts, c.send_displacements, c.send_type, c.receive, c.counts,
                              c.displacements, c.receive_type, comm);
      }
      return PMPI_Alltoall(send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, comm);
    case reduce:
      return PMPI_Reduce(send, c.receive, c.send_count, c.send_type, c.op, c.root, comm);
    case allreduce:
      return PMPI_Allreduce(send, c.receive, c.send_count, c.send_type, c.op, comm);
    case reduce_scatter:
      if (!c.by_counts) {
        return PMPI_Reduce_scatter_block(send, c.receive, c.receive_count, c.send_type, c.op, comm);
      }
      return PMPI_Reduce_scatter(send, c.receive, c.counts, c.send_type, c.op, comm);
    case scan:
      return PMPI_Scan(send, c.receive, c.send_count, c.send_type, c.op, comm);
    case exscan:
      return PMPI_Exscan(send, c.receive, c.send_count, c.send_type, c.op, comm);
  }
  return MPI_ERR_OTHER;
}

/// How a collective is called.
struct Shape {
  int count = 0;
  int root = 0;
  bool in_place = false;
  bool sizes_differ = false;
};

/// A call with its memory, of which there are two alike: one for each way.
class Called {
  using enum ClassicalCollective;

 public:
  Called(ClassicalCollective collective, Values const& values, Shape const& shape, World const& world)
      : sent_(room(values, shape, world)), received_(sent_.size(), -7) {
    std::iota(sent_.begin(), sent_.end(), 1000 * world.rank + 1);
    call = {collective, sent_.data(), shape.count, values.type, received_.data(), shape.count, values.type};
    if (reduces(collective)) call.op = values.op;
    if (collective == barrier) call = calls::of(barrier);
    if (has_root(collective)) call.root = shape.root;
    if (shape.sizes_differ) count_blocks(collective, shape, world);
    bool const is_root = !has_root(collective) || world.rank == shape.root;
    if (shape.in_place && is_root && collective == scatter) call.receive = MPI_IN_PLACE;
    if (shape.in_place && is_root && collective != scatter && collective != bcast && collective != barrier) {
      received_ = sent_;
      call.send = MPI_IN_PLACE;
    }
  }
  Called(Called const&) = delete;
  Called& operator=(Called const&) = delete;

  bool received_as(Called const& other) const { return received_ == other.received_; }
  bool same_as(Called const& other) const { return sent_ == other.sent_ && received_ == other.received_; }

  /// Puts into the receive buffer what the contributions of all ranks are, joined one after the other.
  void reduce_serially(Values const& values, Shape const& shape, World const& world) {
    ClassicalCollective const collective = call.collective;
    if (collective == reduce && world.rank != shape.root) return;
    bool const scans = collective == scan || collective == exscan;
    int const ranks = !scans ? world.size : collective == scan ? world.rank + 1 : world.rank;
    auto const own = static_cast<std::size_t>(world.rank);
    bool const differs = shape.sizes_differ;
    int const before =
        differs ? std::accumulate(counts_.begin(), counts_.begin() + world.rank, 0) : shape.count * world.rank;
    int const first = collective == reduce_scatter ? before : 0;
    int const count = differs ? counts_[own] : shape.count;
    for (int i = 0; i < count; ++i) join_serially(values, first + i, ranks, received_.data() + i * values.ints);
  }

  /// Puts into the receive buffer of an alltoallv what the others have for this rank.
  void exchange_serially(Values const& values, World const& world) {
    int const mine = displacements_[static_cast<std::size_t>(world.rank)];
    for (int source = 0; source < world.size; ++source) {
      auto const i = static_cast<std::size_t>(source);
      for (int k = 0; k < counts_[i]; ++k) {
        for (int part = 0; part < values.ints; part += 2) {  // what lies between is a gap
          received_[static_cast<std::size_t>((displacements_[i] + k) * values.ints + part)] =
              contribution(source, mine + k, values) + part;
        }
      }
    }
  }

  CollectiveCall call;

 private:
  /// What a rank contributes to an element begins with this number.
  static int contribution(int rank, int element, Values const& values) {
    return 1000 * rank + 1 + element * values.ints;
  }
  static void join_serially(Values const& values, int element, int ranks, int* result) {
    for (int rank = ranks - 1; rank >= 0; --rank) {
      int const mine = contribution(rank, element, values);
      bool const is_last = rank == ranks - 1;
      if (values.ints == 1) {
        *result = is_last ? mine : *result + mine;
        continue;
      }
      Line const line{mine, 0, mine + 2, 0};
      auto* const joined = reinterpret_cast<Line*>(result);
      int one = 1;
      if (is_last) {
        joined->a = line.a;
        joined->b = line.b;
      } else {
        compose(const_cast<Line*>(&line), joined, &one, nullptr);
      }
    }
  }

  /// Makes the call that of a v variant. Rank i has (3 i + count) mod 5 elements; in an all-to-all it depends on both.
  void count_blocks(ClassicalCollective collective, Shape const& shape, World const& world) {
    bool const by_pairs = collective == alltoall;
    auto const number = [&](int from, int to) {
      int const second = !by_pairs ? 0 : shape.in_place ? 3 * to : to;  // in place both ways have the same
      return (3 * from + second + shape.count) % 5;
    };
    for (int i = 0; i < world.size; ++i) {
      counts_.push_back(number(i, world.rank));
      sent_counts_.push_back(by_pairs ? number(world.rank, i) : counts_.back());
      displacements_.push_back(6 * (world.size - 1 - i));
    }
    bool const is_root = world.rank == shape.root;
    int const own = counts_[static_cast<std::size_t>(world.rank)];
    call.by_counts = true;
    call.send_count = collective == allgather || collective == gather ? own : 0;
    call.receive_count = collective == scatter ? own : 0;
    if (collective != scatter && (collective != gather || is_root)) {
      call.counts = counts_.data();
      if (collective != reduce_scatter) call.displacements = displacements_.data();
    }
    if (by_pairs || (collective == scatter && is_root)) {
      call.send_counts = sent_counts_.data();
      call.send_displacements = displacements_.data();
    }
  }

  static std::size_t room(Values const& values, Shape const& shape, World const& world) {
    return static_cast<std::size_t>((shape.count + 6) * world.size * values.ints);
  }
  std::vector<int> sent_, received_;
  std::vector<int> counts_, sent_counts_, displacements_;
};

}  // namespace rondo::mpi::testing

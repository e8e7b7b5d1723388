// Reductions on a graph.

#include <new>
#include <utility>
#include <vector>

#include "mpi/failure.hpp"
#include "mpi/local_copy.hpp"
#include "mpi/neighbor_calls.hpp"
#include "mpi/neighbor_request.hpp"
#include "mpi/sparse_parts.hpp"

namespace rondo::mpi {
namespace {

/// Takes no time on a simulated machine, as a message to itself would.
void copy(Data const& from, void* into) { LocalCopy(slot_of(from), slot_of({into, from.count, from.type})).run(); }

/// The contributions of the sources, each in memory of its own.
class Contributions {
 public:
  /// Empty where the arguments are wrong.
  Contributions(Exchange& exchange, Data const& sent) : like_(sent) {
    Slot const described = exchange.block(sent);
    for (int const source : exchange.topology().sources.ranks) {
      if (source < 0) continue;
      all_.emplace_back(described.piece.count, described.piece.type);
      exchange.receive(source, slot_of({all_.back().buffer(), described.piece.count, described.piece.type}));
    }
  }

  void reduce_into(void* received, MPI_Op op) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (i == 0)
        copy({all_[i].buffer(), like_.count, like_.type}, received);
      else
        check(MPI_Reduce_local(all_[i].buffer(), received, like_.count, like_.type, op));
    }
  }

 private:
  Data like_;
  std::vector<Aside> all_;
};

bool commutes(MPI_Op op) {
  int flag = 0;
  return op != MPI_OP_NULL && MPI_Op_commutative(op, &flag) == MPI_SUCCESS && flag != 0;
}

/// A block of each neighbor, like one that is sent, each in memory of its own; no memory where its description is
/// wrong, which whoever receives into it finds out too.
class Gathered {
 public:
  Gathered(Data const& like, int blocks) : like_(like) {
    try {
      constexpr std::size_t alignment = alignof(std::max_align_t);
      auto const size = (slot_of(like).bytes.value == 0 ? 0 : span()) + alignment - 1;
      memory_.resize(static_cast<std::size_t>(blocks) * (size - size % alignment));
      for (int i = 0; i < blocks; ++i) displacements_.push_back(i * static_cast<MPI_Aint>(size - size % alignment));
    } catch (MpiFailure const&) {
    } catch (std::bad_alloc const&) {
      like_.count = -1;  // a description that is wrong
    }
  }
  Blocks blocks() const {
    Blocks result = regular(memory_.empty() ? nullptr : memory_.data() - lower_, like_.count, like_.type);
    result.displacements = displacements_.data();
    result.displaced = Blocks::Displaced::by_bytes;
    return result;
  }
  Data block(std::size_t i) const { return {memory_.data() - lower_ + displacements_[i], like_.count, like_.type}; }

 private:
  std::size_t span() {
    MPI_Aint lower = 0, extent = 0, true_extent = 0;
    check(MPI_Type_get_extent(like_.type, &lower, &extent));
    check(MPI_Type_get_true_extent(like_.type, &lower_, &true_extent));
    return static_cast<std::size_t>(true_extent + (like_.count - 1) * extent);
  }

  Data like_;
  std::vector<std::byte> memory_;
  std::vector<MPI_Aint> displacements_;
  MPI_Aint lower_ = 0;
};

}  // namespace

void sparse_reduce(Home const& home, Data const& sent, void* received, MPI_Op op, int root) {
  expect_root(*home, root);
  Exchange exchange(home);
  if (!commutes(op)) exchange.fail(MPI_ERR_OP);
  auto const edges = edges_to(exchange.topology().targets, root);
  Slot const block = exchange.block(sent);
  for (auto k = edges; k > 0; --k) exchange.send(root, block);
  if (exchange.self() != root) return exchange.run();
  Contributions contributions(exchange, sent);
  exchange.run();
  contributions.reduce_into(received, op);
}

void sparse_allreduce(Home const& home, Data const& sent, void* received, MPI_Op op) {
  Gathered const gathered(sent, home->topology->indegree());
  auto const request =
      make_request(home, {NeighborKind::allgather, regular(sent.buffer, sent.count, sent.type), gathered.blocks()});
  request->start();
  request->wait();
  if (!commutes(op)) throw MpiFailure(MPI_ERR_OP);
  bool first = true;
  for (std::size_t i = 0; i < home->topology->sources.ranks.size(); ++i) {
    if (home->topology->sources.ranks[i] < 0) continue;
    Data const block = gathered.block(i);
    if (std::exchange(first, false))
      copy(block, received);
    else
      check(MPI_Reduce_local(block.buffer, received, sent.count, sent.type, op));
  }
}

}  // namespace rondo::mpi

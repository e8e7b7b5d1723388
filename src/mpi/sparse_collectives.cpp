#include "mpi/sparse_collectives.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "mpi/failure.hpp"
#include "mpi/local_copy.hpp"
#include "mpi/neighbor_request.hpp"
#include "mpi/slots.hpp"

namespace rondo::mpi {
namespace {

using Home = std::shared_ptr<CarriedTopology>;
using Ranks = std::vector<int>;

int rank_in(CarriedTopology const& home) {
  int rank = 0;
  check(MPI_Comm_rank(home.comm->handle(), &rank));
  return rank;
}

void expect_root(CarriedTopology const& home, int root) {
  int ranks = 0;
  check(MPI_Comm_size(home.comm->handle(), &ranks));
  if (root < 0 || root >= ranks) throw MpiFailure(MPI_ERR_ROOT);
}

/// Each neighbor once, without the rank itself and MPI_PROC_NULL, which is negative.
Ranks others(Neighbors const& neighbors, int self) {
  Ranks result = neighbors.ranks;
  std::erase_if(result, [&](int rank) { return rank == self || rank < 0; });
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

auto edges_to(Neighbors const& neighbors, int rank) {
  return std::count(neighbors.ranks.begin(), neighbors.ranks.end(), rank);
}

/// What a rank sends, receives and copies in one collective, and what was wrong with its arguments.
class Exchange {
 public:
  explicit Exchange(Home home) : home_(std::move(home)), self_(rank_in(*home_)) {}

  int self() const { return self_; }
  ProcessTopology const& topology() const { return *home_->topology; }

  /// The blocks that arguments describe; as many empty ones if they are wrong.
  std::vector<Slot> blocks(int number, DataBlocks const& data) {
    std::vector<Slot> result(static_cast<std::size_t>(number));
    try {
      result = described(number, data);
    } catch (MpiFailure const& failure) {
      failure_ = failure.code();
    } catch (std::bad_alloc const&) {
      failure_ = MPI_ERR_NO_MEM;
    }
    return result;
  }
  Slot block(Data const& data) { return blocks(1, {data.buffer, data.count, nullptr, nullptr, data.type}).front(); }

  void send(int target, Slot const& block) {
    if (target == self_)
      kept_.push_back(block);
    else if (target >= 0)
      round_.sends.push_back({target, block});
  }
  void receive(int source, Slot const& block) {
    if (source == self_)
      into_.push_back(block);
    else if (source >= 0)
      round_.receives.push_back({source, block});
  }
  void fail(int code) {
    if (failure_ == MPI_SUCCESS) failure_ = code;
  }

  /// Throws what was wrong.
  void run() {
    copy_own();
    NeighborRequest request(home_, round_, failure_);
    request.start();
    request.wait();
  }

 private:
  static std::vector<Slot> described(int number, DataBlocks const& data) {
    std::vector<MPI_Aint> displacements;
    if (data.displacements != nullptr) displacements.assign(data.displacements, data.displacements + number);
    bool const each = data.counts != nullptr;
    Blocks const blocks{data.buffer,
                        number,
                        each ? data.counts : &data.count,
                        displacements.data(),
                        &data.type,
                        each ? Blocks::Displaced::by_extents : Blocks::Displaced::one_behind_the_other,
                        each ? Blocks::Given::for_each : Blocks::Given::for_all};
    return slots(blocks);
  }
  void copy_own() {
    for (std::size_t i = 0; i < std::min(kept_.size(), into_.size()); ++i) {
      if (kept_[i].bytes == into_[i].bytes)
        round_.copies.push_back({kept_[i], into_[i]});
      else
        fail(MPI_ERR_TRUNCATE);
    }
  }

  Home home_;
  int self_;
  int failure_ = MPI_SUCCESS;
  SingleRound round_;
  std::vector<Slot> kept_, into_;
};

/// Memory for a block of these elements, at which a buffer of them may begin.
class Aside {
 public:
  Aside(int count, MPI_Datatype type) {
    MPI_Aint lower = 0, extent = 0, true_extent = 0;
    check(MPI_Type_get_extent(type, &lower, &extent));
    check(MPI_Type_get_true_extent(type, &lower_, &true_extent));
    memory_.resize(static_cast<std::size_t>(count > 0 ? true_extent + (count - 1) * extent : 0));
  }
  void* buffer() { return memory_.data() - lower_; }

 private:
  std::vector<std::byte> memory_;
  MPI_Aint lower_ = 0;
};

Slot slot_of(Data const& data) { return slots({data.buffer, 1, &data.count, nullptr, &data.type}).front(); }

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

void expect_commutative(Exchange& exchange, MPI_Op op) {
  int commutes = 0;
  if (op == MPI_OP_NULL || MPI_Op_commutative(op, &commutes) != MPI_SUCCESS || commutes == 0) exchange.fail(MPI_ERR_OP);
}

}  // namespace

std::shared_ptr<CarriedTopology> graph_of(MPI_Comm comm) {
  auto found = carried_if_any(comm);
  if (found != nullptr && found->topology->kind != ProcessTopology::Kind::distributed_graph) return nullptr;
  return found;
}

void sparse_barrier(Home const& home) {
  Exchange exchange(home);
  for (int const target : others(exchange.topology().targets, exchange.self())) exchange.send(target, {});
  for (int const source : others(exchange.topology().sources, exchange.self())) exchange.receive(source, {});
  exchange.run();
}

void sparse_bcast(Home const& home, Data const& data, int root) {
  expect_root(*home, root);
  Exchange exchange(home);
  Slot const block = exchange.block(data);
  if (exchange.self() == root) {
    for (int const target : others(exchange.topology().targets, root)) exchange.send(target, block);
  } else if (edges_to(exchange.topology().sources, root) > 0) {
    exchange.receive(root, block);
  }
  exchange.run();
}

void sparse_gather(Home const& home, Data const& sent, DataBlocks const& received, int root) {
  expect_root(*home, root);
  Exchange exchange(home);
  auto const edges = edges_to(exchange.topology().targets, root);
  if (edges > 0) {
    Slot const block = exchange.block(sent);
    for (auto k = edges; k > 0; --k) exchange.send(root, block);
  }
  if (exchange.self() == root) {
    Ranks const& sources = exchange.topology().sources.ranks;
    std::vector<Slot> const blocks = exchange.blocks(static_cast<int>(sources.size()), received);
    for (std::size_t i = 0; i < sources.size(); ++i) exchange.receive(sources[i], blocks[i]);
  }
  exchange.run();
}

void sparse_scatter(Home const& home, DataBlocks const& sent, Data const& received, int root) {
  expect_root(*home, root);
  Exchange exchange(home);
  if (exchange.self() == root) {
    Ranks const& targets = exchange.topology().targets.ranks;
    std::vector<Slot> const blocks = exchange.blocks(static_cast<int>(targets.size()), sent);
    for (std::size_t i = 0; i < targets.size(); ++i) exchange.send(targets[i], blocks[i]);
  }
  auto const edges = edges_to(exchange.topology().sources, root);
  Slot const block = edges > 0 ? exchange.block(received) : Slot{};
  std::vector<Aside> others;
  others.reserve(static_cast<std::size_t>(edges));
  for (auto k = edges; k > 1; --k) {
    Piece const& like = block.piece;
    exchange.receive(root, slot_of({others.emplace_back(like.count, like.type).buffer(), like.count, like.type}));
  }
  if (edges > 0) exchange.receive(root, block);
  exchange.run();
}

void sparse_reduce(Home const& home, Data const& sent, void* received, MPI_Op op, int root) {
  expect_root(*home, root);
  Exchange exchange(home);
  expect_commutative(exchange, op);
  auto const edges = edges_to(exchange.topology().targets, root);
  Slot const block = exchange.block(sent);
  for (auto k = edges; k > 0; --k) exchange.send(root, block);
  if (exchange.self() != root) return exchange.run();
  Contributions contributions(exchange, sent);
  exchange.run();
  contributions.reduce_into(received, op);
}

void sparse_allreduce(Home const& home, Data const& sent, void* received, MPI_Op op) {
  Exchange exchange(home);
  expect_commutative(exchange, op);
  Slot const block = exchange.block(sent);
  for (int const target : exchange.topology().targets.ranks) exchange.send(target, block);
  Contributions contributions(exchange, sent);
  exchange.run();
  contributions.reduce_into(received, op);
}

}  // namespace rondo::mpi

#pragma once

// What a scenario asks to be communicated: one type for each kind of collective.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/units.hpp"
#include "topology/graph_text.hpp"
#include "topology/groups.hpp"
#include "topology/neighborhood.hpp"
#include "topology/point_cloud.hpp"
#include "topology/sparse_collective.hpp"
#include "topology/torus.hpp"

namespace rondo::scenario {

/// How the order in which dimensions are corrected is found (decomposition/dimension_order.hpp).
struct DimensionOrder {
  enum class Rule : std::uint8_t { given, best, paper, stated };
  Rule rule = Rule::given;
  std::vector<int> stated = {};  ///< a permutation of 0 .. d-1
};

/// The neighbors of every rank of a torus, and how blocks get there. The dimensions of torus and neighborhood agree.
struct IsomorphicPattern {
  Torus torus;
  Neighborhood neighborhood;
  DimensionOrder dimension_order = {};
  bool shortest_wrap = false;
  std::vector<bool> periodic = {};  ///< by dimension whether it closes; empty: all do, on a mesh machine none does
};

/// parity: all-to-all only; steiner: allgather only.
enum class IsomorphicAlgorithm : std::uint8_t { straightforward, posted, torus, direct, basis, parity, steiner };

/// A size for each block: a list (one a neighbor of an isomorphic collective, one a sender of an intergroup_allgather,
/// one a rank of a neighbor_allgather, one an edge of a neighbor_alltoall), or bytes as an expression that run
/// evaluates. Both empty: every block takes m.
struct NeighborSizes {
  std::vector<Bytes> list = {};
  std::string expression = {};

  bool empty() const { return list.empty() && expression.empty(); }
};

struct IsomorphicAlltoallProblem {
  IsomorphicPattern pattern;
  IsomorphicAlgorithm algorithm = IsomorphicAlgorithm::torus;
  NeighborSizes sizes = {};
};

struct IsomorphicAllgatherProblem {
  IsomorphicPattern pattern;
  IsomorphicAlgorithm algorithm = IsomorphicAlgorithm::torus;
};

struct IntergroupAllgatherProblem {
  enum class Algorithm : std::uint8_t { group_allgather, root_gathering, ring_sequences, ring_allgather, ring_optimal };
  Groups groups;
  Algorithm algorithm = Algorithm::group_allgather;
  IntraAllgather allgather = IntraAllgather::bruck;
  Broadcast broadcast = Broadcast::binomial;
  bool printed = false;  ///< ring_sequences as printed in the paper
  enum class BuildingBlocks : std::uint8_t { schedule, mpi };
  BuildingBlocks building_blocks = BuildingBlocks::schedule;
  std::string selector = "mpich";  ///< with building blocks of MPI: whose algorithms SMPI takes
  NeighborSizes sizes = {};        ///< of each sender's block
};

/// Made from the scenario's seed.
struct RandomGraph {
  int ranks = 1;
  double density = 0;
};
struct MooreGraph {
  Torus torus;
  int radius = 0;
};
struct GeometricGraph {
  int ranks = 1;
  double degree = 0;
};
/// A process graph, or how it is made: points of a sweep are many, and graphs large.
using GraphSource = std::variant<RandomGraph, MooreGraph, GeometricGraph, WeightedGraph>;

enum class NeighborAlgorithm : std::uint8_t { naive, common_neighbors };
/// Which of several friends with as many common neighbors a rank chooses.
enum class FriendTie : std::uint8_t { highest, lowest };

struct NeighborPattern {
  GraphSource graph;
  NeighborAlgorithm algorithm = NeighborAlgorithm::naive;
  int theta = 4;  ///< common neighbors of friends
  FriendTie tie = FriendTie::highest;
  bool cumulative = false;
  /// Whether the schedule is built once, in the first call; else each call takes the time for it.
  bool persistent = true;
  /// Simulated time that building a schedule of combined messages takes, over the square of the number of messages that
  /// the busiest rank sends and receives; scenarios/README.md compares it with Tables I and II of [Mirsadeghi17]. A
  /// naive schedule takes none, as there ("almost no overhead").
  Seconds build_cost{6e-9};
  bool setup = true;  ///< simulate the distributed algorithm that finds the pattern too, where the engine can
  NeighborSizes sizes = {};
};
struct NeighborAllgatherProblem {
  NeighborPattern pattern;
};
struct NeighborAlltoallProblem {
  NeighborPattern pattern;
};

/// Patterns of a sparse exchange (topology/sparse_pattern.hpp).
struct RandomTargets {
  int ranks = 1;
  int targets = 0;
};
struct HypercubePattern {
  int ranks = 1;
};
struct PowerLaw {
  int ranks = 1;
  double exponent = 2;
  int most = 1;
};
using SparsePattern = std::variant<RandomTargets, HypercubePattern, PowerLaw, MooreGraph, GeometricGraph, ProcessGraph>;

enum class SparseAlgorithm : std::uint8_t { nbx, nbx_tagged, personalized };
enum class SparseBarrier : std::uint8_t { dissemination, tree };
enum class Completion : std::uint8_t { wait, poll };

/// How the sparse exchanges of a problem go.
struct ExchangeWays {
  SparseAlgorithm algorithm = SparseAlgorithm::nbx;
  SparseBarrier barrier = SparseBarrier::dissemination;
  Completion completion = Completion::wait;
};

struct SparseExchangeProblem {
  SparsePattern pattern = RandomTargets{};
  ExchangeWays ways = {};
  int exchanges = 1;
  std::optional<Bytes> largest_block = {};  ///< sizes are drawn from m to this; unset: all are m
};

/// Luby's maximal independent set of the ranks, and the coloring by it; the graph is made symmetric.
struct IndependentSetProblem {
  GraphSource graph;
  ExchangeWays ways = {};
};
struct ColoringProblem {
  GraphSource graph;
  ExchangeWays ways = {};
};
/// A part of a point cloud for each rank; the cloud has the scenario's seed.
struct BisectionProblem {
  int ranks = 1;
  PointCloud cloud;
  ExchangeWays ways = {};
};

/// A reduction or rooted collective on a process graph.
struct SparseCollectiveProblem {
  SparseCollective collective = SparseCollective::allreduce;
  GraphSource graph;
  int root = 0;
};

/// An MPI program that is not Rondo's, with its arguments; the collectives of MPI in it are SMPI's.
struct ProgramProblem {
  enum class Printed : std::uint8_t { dropped, shown };
  using Settings = std::vector<std::pair<std::string, std::string>>;
  std::string source = {};  ///< C or C++, to be compiled; or empty
  std::string binary = {};  ///< compiled by smpicc or smpicxx; or empty
  std::string folder = {};  ///< of the scenario: where it is compiled and run
  std::vector<std::string> arguments = {};
  std::vector<std::string> flags = {};  ///< for the compiler
  Settings environment = {};
  std::string selector = "default";        ///< the library whose algorithms SMPI's collectives take
  Settings algorithms = {};                ///< of single collectives, by their names: {"allgather", "ring"}
  Bytes buffered{std::int64_t{64} << 10};  ///< a standard send of up to so many bytes waits for no receiver
  Printed printed = Printed::dropped;
  int ranks = 1;
};

/// What is communicated, and by which algorithm; one alternative for each collective kind.
using Problem =
    std::variant<IsomorphicAlltoallProblem, IsomorphicAllgatherProblem, IntergroupAllgatherProblem,
                 NeighborAllgatherProblem, NeighborAlltoallProblem, SparseExchangeProblem, IndependentSetProblem,
                 ColoringProblem, BisectionProblem, ProgramProblem, SparseCollectiveProblem>;

}  // namespace rondo::scenario

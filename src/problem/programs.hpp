#pragma once

// Problems that are MPI programs. They have no schedule: their messages are known only after they have run.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "problem/enums.hpp"
#include "problem/graph_collectives.hpp"
#include "topology/point_cloud.hpp"

namespace rondo::problem {

/// How sparse exchanges are carried out.
struct ExchangeWays {
  ExchangeAlgorithm algorithm = ExchangeAlgorithm::nbx;
  Barrier barrier = Barrier::dissemination;  ///< for nbx and nbx_tagged
  Completion completion = Completion::wait;
};

/// Every rank sends a message to each of its targets, and no rank knows from whom it will receive [Ibanez15].
struct SparseExchange {
  GraphSource pattern = RandomTargets{};
  ExchangeWays ways = {};
  int exchanges = 1;
  Bytes block{0};
  std::optional<Bytes> largest_block = {};  ///< sizes are drawn from `block` to this; unset: all are `block`
  std::uint64_t seed = 1;                   ///< from which the sizes are drawn
};

/// The bytes of each message of an exchange whose graph has been made, in the order of ProcessGraph::first_edge.
std::vector<int> message_sizes(SparseExchange const& problem);

/// Luby's maximal independent set of the ranks, or the coloring by such sets. The graph is made symmetric first.
struct GraphProgram {
  enum class Goal : std::uint8_t { independent_set, coloring };
  Goal goal = Goal::coloring;
  GraphSource graph;
  ExchangeWays ways = {};
  Bytes block{0};  ///< beside each message
  std::uint64_t seed = 1;
};

/// The recursive bisection of a point cloud, of which each rank gets a part.
struct Bisection {
  int ranks = 1;
  PointCloud cloud;
  ExchangeWays ways = {};
  Bytes block{0};  ///< beside each point
};

/// What the computing of a program's ranks takes.
struct Computing {
  bool takes_time = false;  ///< else only what the program names itself, as by SMPI_SAMPLE_FLOPS
  double speed = 1;         ///< how many times as fast as this machine
  double flops = 0;         ///< operations a second, for those that the program names; 0: 1e9
  std::string times = {};   ///< the file with the measured computing; empty: each run measures
};

/// An MPI program by somebody else, with its arguments. Its collectives are those of SMPI.
struct UserProgram {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  std::vector<std::string> sources = {};  ///< of one language, to be compiled together; or empty
  std::string binary = {};                ///< compiled by smpicc or smpicxx; or empty
  std::string folder = {};                ///< the scenario's folder, where it is compiled and run
  std::vector<std::string> arguments = {};
  std::string input = {};               ///< the file that rank 0 finds as its standard input; or empty
  std::vector<std::string> flags = {};  ///< for the compiler
  Settings environment = {};
  std::string selector = "default";         ///< the library whose algorithms SMPI's collectives take
  Settings algorithms = {};                 ///< for single collectives, by their names: {"allgather", "ring"}
  Bytes buffered{std::int64_t{64} << 10};   ///< a standard send of up to so many bytes waits for no receiver
  Seconds wtime{1e-8};                      ///< a call of MPI_Wtime takes so long, as SimGrid's smpi/wtime
  std::optional<Computing> computing = {};  ///< unset: takes no time
  Bytes stack{std::int64_t{8} << 20};       ///< of each rank; what is not used takes no memory
  Printed printed = Printed::dropped;
  int ranks = 1;
  Bytes block{0};          ///< stands for {block} in the arguments
  std::uint64_t seed = 1;  ///< and {seed}
};

inline Kind kind_of(SparseExchange const& /*problem*/) { return Kind::sparse_exchange; }
inline int ranks_of(SparseExchange const& problem) { return ranks(problem.pattern); }
inline Kind kind_of(GraphProgram const& problem) {
  return problem.goal == GraphProgram::Goal::coloring ? Kind::coloring : Kind::independent_set;
}
inline Kind kind_of(Bisection const& /*problem*/) { return Kind::bisection; }
inline Kind kind_of(UserProgram const& /*problem*/) { return Kind::program; }

}  // namespace rondo::problem

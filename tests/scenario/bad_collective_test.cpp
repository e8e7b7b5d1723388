// Invalid collectives: each case is a change to a valid scenario and the exact line that refuses it.

#include "refusals.hpp"

namespace rondo::scenario {
namespace {

TEST(BadCollective, block_sizes_and_meshes) {
  expect_refusals({
      {R"({"collective": {"block_sizes": 3}})",
       "/collective/block_sizes: expected a list of sizes, one for each neighbor, or a non-empty expression, got 3"},
      {R"({"collective": {"block_sizes": ["1B", "2B"]}})",
       "/collective/block_sizes: expected 26 sizes, one for each neighbor, got 2"},
      {R"({"collective": {"neighborhood": {"kind": "offsets", "radius": null, "offsets": [[1, 0, 0]]},
                          "block_sizes": ["1us"]}})",
       R"(/collective/block_sizes/0: expected a size such as "64KiB", got "1us": unknown unit "us" (one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB))"},
      {R"({"algorithm": "steiner"})",
       R"(/algorithm: expected one of "straightforward", "posted", "torus", "direct", "basis", "parity", got "steiner")"},
      {R"({"algorithm": "parity", "machine": {"topology": {"kind": "mesh", "hosts": null, "dims": [6, 4]}}})",
       R"(/algorithm: expected one of "straightforward", "posted", "torus", "direct", "basis" on a "mesh", got "parity")"},
      {R"({"collective": {"shortest_wrap": true}, "machine": {"topology": {"kind": "mesh", "hosts": null, "dims": [24]}}})",
       R"(/collective/shortest_wrap: expected false on a "mesh", got true)"},
  });
}

/// What replaces the collective, the algorithm and the machine of the sample.
std::string instead(std::string const& collective, std::string const& algorithm, std::string const& topology) {
  return R"({"algorithm": ")" + algorithm + R"(", "collective": {"torus": null, "neighborhood": null, )" + collective +
         R"(}, "machine": {"topology": {"hosts": null, )" + topology + "}}}";
}

TEST(BadCollective, groups) {
  std::string const kind = R"("kind": "intergroup_allgather", )";
  std::string const connected = R"("kind": "fully_connected", "hosts": 8)";
  std::string const ring = R"("kind": "ring", "hosts": 8)";
  expect_refusals({
      {instead(kind + R"("senders": 0, "receivers": 2)", "group_allgather", connected),
       "/collective/senders: expected an integer from 1 to 16777215, got 0"},
      {instead(kind + R"("senders": 2, "recievers": 2)", "group_allgather", connected),
       R"(/collective: unknown key "recievers"; did you mean "receivers"?)"},
      {instead(kind + R"("senders": 2, "receivers": 2, "allgather": "bruk")", "group_allgather", connected),
       R"(/collective/allgather: expected one of "bruck", "recursive_doubling", "ring", got "bruk"; did you mean "bruck"?)"},
      {instead(kind + R"("senders": 2, "receivers": 2)", "ring_optima", ring),
       R"(/algorithm: expected one of "group_allgather", "receiver_allgather", "root_gathering", "ring_sequences", "ring_allgather", )"
       R"("ring_optimal", "torus_rings", got "ring_optima"; did you mean "ring_optimal"?)"},
      {instead(kind + R"("senders": 5, "receivers": 4)", "group_allgather", connected),
       "/collective: expected at most 8 ranks, one for each host of /machine/topology, got 5 senders + 4 receivers = "
       "9"},
      {instead(kind + R"("senders": 5, "receivers": 4)", "ring_optimal", ring),
       "/collective: expected at most 8 ranks, one for each host of /machine/topology, got 5 senders + 4 receivers = "
       "9"},
      {instead(kind + R"("senders": 2, "receivers": 2, "block_sizes": ["1B", "2B", "3B"])", "ring_optimal", ring),
       "/collective/block_sizes: expected 2 sizes, one for each sender, got 3"},
      {instead(kind + R"("senders": 2, "receivers": 2, "block_sizes": "m*i", "building_blocks": "mpi")",
               "group_allgather", connected),
       R"(/collective/block_sizes: expected no "block_sizes" for building blocks of MPI, got "m*i")"},
      {instead(kind + R"("senders": 3, "receivers": 5)", "ring_sequences", ring),
       "/collective: ring_sequences takes an even number of senders and of receivers, got 3 and 5; ring_optimal takes "
       "any"},
      {instead(kind + R"("senders": 4, "receivers": 4, "torus": [3, 2])", "torus_rings", ring),
       "/collective: torus_rings takes a torus of as many ranks as the groups have, 8, got 3x2 = 6"},
      {instead(R"("kind": "intergroup_gather", "senders": 3, "receivers": 5, "torus": [2, 2, 2])", "torus_rings", ring),
       "/collective: torus_rings takes senders that fill places along the first dimension of the torus, of 4 ranks "
       "each, "
       "got 3 senders"},
      {instead(R"("kind": "intergroup_reduce", "senders": 3, "receivers": 5)", "ring_optimal", ring),
       R"(/algorithm: expected "torus_rings", got "ring_optimal")"},
      {instead(R"("kind": "intergroup_scatter", "senders": 3, "receivers": 5, "printed": true)", "torus_rings", ring),
       R"(/collective: unknown key "printed"; accepted: "kind", "senders", "receivers", "torus")"},
  });
}

TEST(BadCollective, sparse_exchanges) {
  std::string const kind = R"("kind": "sparse_exchange", "pattern": {"kind": "hypercube", "ranks": 8})";
  std::string const connected = R"("kind": "fully_connected", "hosts": 8)";
  expect_refusals({
      {instead(R"("kind": "sparse_exchange", "pattern": {"kind": "hyperqube", "ranks": 8})", "nbx", connected),
       R"(/collective/pattern/kind: expected one of "random", "moore", "geometric", "hypercube", "powerlaw", "edges", got "hyperqube"; did you mean "hypercube"?)"},
      {instead(R"("kind": "sparse_exchange", "pattern": {"kind": "random", "ranks": 9, "targets": 2})", "nbx",
               connected),
       "/collective/pattern: expected at most 8 ranks, one for each host of /machine/topology, got 9"},
      {instead(R"("kind": "sparse_exchange", "pattern": {"kind": "random", "ranks": 4, "targets": 4})", "nbx",
               connected),
       "/collective/pattern/targets: expected from 0 to 3 targets of each of 4 ranks, got 4"},
      {instead(R"("kind": "sparse_exchange", "pattern": {"kind": "random", "ranks": 1, "targets": 1})", "nbx",
               connected),
       "/collective/pattern/targets: expected from 0 to 0 targets of each of 1 ranks, got 1"},
      {instead(R"("kind": "sparse_exchange", "pattern": {"kind": "powerlaw", "ranks": 8, "most": 8})", "nbx",
               connected),
       "/collective/pattern/most: expected from 1 to 7 targets of each of 8 ranks, got 8"},
      {instead(kind, "nbx_taged", connected),
       R"(/algorithm: expected one of "nbx", "nbx_tagged", "personalized", "personalized_rooted", got "nbx_taged"; did you mean "nbx_tagged"?)"},
      {instead(kind + R"(, "completion": "probe")", "nbx", connected),
       R"(/collective/completion: expected one of "wait", "poll", got "probe")"},
      {instead(kind + R"(, "largest_block": "0B")", "nbx", connected),
       R"(/collective/largest_block: expected a size from /block, 64B, to 1GiB, got "0B")"},
  });
}

TEST(BadCollective, programs_of_sparse_exchanges) {
  std::string const connected = R"("kind": "fully_connected", "hosts": 8)";
  std::string const mesh = R"("graph": {"kind": "geometric", "ranks": 9, "degree": 3})";
  expect_refusals({
      {instead(R"("kind": "coloring", )" + mesh, "nbx", connected),
       "/collective/graph: expected at most 8 ranks, one for each host of /machine/topology, got 9"},
      {instead(R"("kind": "independent_set")", "nbx", connected),
       R"(/collective: missing key "graph" (an object such as {"kind": "moore", "torus": [8, 8], "radius": 1}: the process graph: an edge from each rank to each rank that it sends to))"},
      {instead(R"("kind": "coloring", "graph": {"kind": "geometric", "ranks": 8, "degree": -1})", "nbx", connected),
       "/collective/graph/degree: expected a number from 0 to 16777216, got -1"},
      {instead(R"("kind": "bisection", "ranks": 9, "points": 3)", "nbx", connected),
       "/collective/ranks: expected at most 8 ranks, one for each host of /machine/topology, got 9"},
      {instead(R"("kind": "bisection", "ranks": 8, "points": -3)", "nbx", connected),
       "/collective/points: expected an integer from 0 to 100000000, got -3"},
      // 2^31 - 1 bytes hold 4 points of 536870911 bytes, of which 40 are a point's own.
      {R"({"block": "536870872B", )" +
           instead(R"("kind": "bisection", "ranks": 2, "points": 8)", "nbx", connected).substr(1),
       "/block: expected a size with which 4 points, a rank's part, fit into a message of 2147483647 bytes with 40 "
       R"(more each: at most 536870871, got "536870872B")"},
      {instead(R"("kind": "bisection", "ranks": 8, "points": 3, "box": [1, 0, 1])", "nbx", connected),
       "/collective/box/1: expected a length greater than 0, got 0"},
      {instead(R"("kind": "bisection", "ranks": 8, "points": 3, "cloud": "cluster")", "nbx", connected),
       R"(/collective/cloud: expected one of "uniform", "clustered", "coincident", got "cluster"; did you mean "clustered"?)"},
      {instead(R"("kind": "coloring", "graph": {"kind": "moore", "torus": [8], "radius": 1})", "torus", connected),
       R"(/algorithm: expected one of "nbx", "nbx_tagged", "personalized", "personalized_rooted", got "torus")"},
  });
}

TEST(BadCollective, sparse_collectives) {
  std::string const connected = R"("kind": "fully_connected", "hosts": 8)";
  std::string const moore = R"("graph": {"kind": "moore", "torus": [4], "radius": 1})";
  expect_refusals({
      {instead(R"("kind": "sparse_bcast", "root": 4, )" + moore, "naive", connected),
       "/collective/root: expected a rank, from 0 to 3, got 4"},
      {instead(R"("kind": "sparse_bcast", "root": -1, )" + moore, "naive", connected),
       "/collective/root: expected an integer from 0 to 16777215, got -1"},
      {instead(R"("kind": "sparse_allreduce", "root": 0, )" + moore, "naive", connected),
       R"(/collective: unknown key "root"; accepted: "kind", "graph", "theta", "tie", "suitors", "half", "cumulative")"},
      {instead(R"("kind": "sparse_allreduce", "graph": {"kind": "erdos_renyi", "ranks": 8, "density": 0.5})", "torus",
               connected),
       R"(/collective/graph/kind: expected "moore" or "offsets" for the algorithm "torus", got "erdos_renyi")"},
      {instead(R"("kind": "sparse_reduce", )" + moore, "common_neighbors", connected),
       R"(/algorithm: expected one of "naive", "torus", got "common_neighbors")"},
      {instead(R"("kind": "sparse_reduce")", "naive", connected),
       R"(/collective: missing key "graph" (an object such as {"kind": "moore", "torus": [8, 8], "radius": 1}: the process graph: an edge from each rank to each rank that it sends to))"},
      {instead(R"("kind": "sparse_barrier", )" + moore, "naive", connected),
       R"(/block: expected "0B" for a barrier, got "64B")"},
      {instead(R"("kind": "sparse_gather", )" + moore, "common_neighbors", connected),
       R"(/algorithm: expected "naive", got "common_neighbors")"},
  });
}

TEST(BadCollective, programs) {
  std::string const connected = R"("kind": "fully_connected", "hosts": 8)";
  auto const with = [&](std::string const& program) {
    return instead(R"("kind": "program", )" + program, "default", connected);
  };
  std::string const source = R"("source": "p.c")";
  expect_refusals({
      {with(R"("ranks": 4)"), R"(/collective: expected one of "source", "sources" and "binary", got none)"},
      {with(source + R"(, "binary": "p")"),
       R"(/collective: expected one of "source", "sources" and "binary", got "source" and "binary")"},
      {with(R"("source": "p.f77")"),
       R"(/collective/source: expected a file *.c, *.cc, *.cpp, *.cxx, *.f, *.f90, *.F or *.F90, got "p.f77")"},
      {with(R"("sources": [])"), R"(/collective/sources: expected a list of names of files, got [])"},
      {with(R"("sources": ["p.c", "q.cpp"])"),
       R"(/collective/sources/1: expected a file of the language of the first one, got "q.cpp")"},
      {with(source + R"(, "stack": "1KiB")"), R"(/collective/stack: expected a size from 64KiB to 1GiB, got "1KiB")"},
      {with(R"("binary": "p", "flags": ["-g"])"),
       R"(/collective/flags: expected "source" beside it, which is compiled with them, got "binary")"},
      {with(source + R"(, "argumens": [])"), R"(/collective: unknown key "argumens"; did you mean "arguments"?)"},
      {with(source + R"(, "arguments": [3, 1.5])"),
       "/collective/arguments/1: expected a string or an integer, got 1.5"},
      {with(source + R"(, "ranks": 9)"),
       "/collective/ranks: expected at most 8 ranks, one for each host of /machine/topology, got 9"},
      {with(source + R"(, "ranks": 0)"), "/collective/ranks: expected an integer from 1 to 16777216, got 0"},
      {with(source + R"(, "environment": {"A=B": "1"})"),
       R"(/collective/environment: expected names of variables, got "A=B")"},
      {with(source + R"(, "algorithms": {"allgater": "ring"})"),
       R"(/collective/algorithms: unknown key "allgater"; did you mean "allgather"?)"},
      {with(source + R"(, "buffered": "2GiB")"),
       R"(/collective/buffered: expected a size of at most 1GiB, got "2GiB")"},
      {instead(R"("kind": "program", )" + source, "ompy", connected),
       R"(/algorithm: expected one of "default", "mpich", "mvapich2", "ompi", got "ompy"; did you mean "ompi"?)"},
      {R"({"algorithm": null, "block": null, "collective": {"kind": "program", "torus": null, "neighborhood": null,
           "source": "p.c", "arguments": ["{block}"]}})",
       "/collective/arguments/0: expected /block beside it, which takes the place of {block}, got none"},
      {R"({"algorithm": "default", "machine": {"topology": {"kind": "file", "hosts": null, "path": ")" RONDO_SOURCE_DIR
       R"(/platforms/fully-connected-64.xml"}},
           "collective": {"kind": "program", "torus": null, "neighborhood": null, "source": "p.c"}})",
       R"(/collective: missing key "ranks" (the number of ranks), which a platform file does not say)"},
      {R"({"algorithm": "default", "engine": "native",
           "collective": {"kind": "program", "torus": null, "neighborhood": null, "source": "p.c"}})",
       R"(/engine: expected "smpi", which runs programs, got "native")"},
      {R"({"algorithm": "default", "payload": "verified",
           "collective": {"kind": "program", "torus": null, "neighborhood": null, "source": "p.c"}})",
       R"(/payload: expected "automatic", since a program checks its own data, got "verified")"},
  });
}

TEST(BadCollective, graphs) {
  std::string const kind = R"("kind": "neighbor_alltoall", )";
  auto const with = [&](std::string const& graph, std::string const& more = "") {
    return instead(kind + R"("graph": {)" + graph + "}" + more, "naive", R"("kind": "fully_connected", "hosts": 8)");
  };
  expect_refusals({
      {with(R"("kind": "erdos_reny", "ranks": 8, "density": 0.5)"),
       R"(/collective/graph/kind: expected one of "erdos_renyi", "moore", "offsets", "geometric", "edges", got "erdos_reny"; did you mean "erdos_renyi"?)"},
      {with(R"("kind": "erdos_renyi", "ranks": 8, "density": 1.5)"),
       "/collective/graph/density: expected a number from 0 to 1, got 1.5"},
      {with(R"("kind": "erdos_renyi", "ranks": 8, "densty": 0.5)"),
       R"(/collective/graph: unknown key "densty"; did you mean "density"?)"},
      {with(R"("kind": "erdos_renyi", "ranks": 9, "density": 1)"),
       "/collective/graph: expected at most 8 ranks, one for each host of /machine/topology, got 9"},
      {with(R"("kind": "moore", "torus": [2, 0], "radius": 1)"),
       "/collective/graph/torus/1: expected an integer from 1 to 16777216, got 0"},
      {with(R"("kind": "offsets", "torus": [2, 4], "offsets": [[1, 0], [1]])"),
       "/collective/graph/offsets/1: expected 2 coordinates, as many as /collective/graph/torus has dimensions, got 1"},
      {with(R"("kind": "offsets", "torus": [2, 4])"),
       R"(/collective/graph: missing key "offsets" (a list of offsets: the offsets from a rank to its targets, with a coordinate for each dimension))"},
      {with(R"("kind": "edges", "ranks": 8)"), R"(/collective/graph: expected either "edges" or "path", got none)"},
      {with(R"("kind": "edges", "ranks": 8, "edges": [], "path": "x")"),
       R"(/collective/graph: expected either "edges" or "path", got both)"},
      {with(R"("kind": "edges", "edges": [[0, 1]])"),
       R"(/collective/graph: missing key "ranks" (the number of ranks), without which "edges" say too little)"},
      {with(R"("kind": "edges", "ranks": 8, "edges": [[0, 1, 2, 3]])"),
       "/collective/graph/edges/0: expected an edge: two ranks, and a weight or nothing, got [0,1,2,3]"},
      {with(R"("kind": "edges", "ranks": 8, "edges": [[0, 1], [0, 1.5, 2]])"),
       "/collective/graph/edges/1/1: expected an integer from 0 to 16777215, got 1.5"},
      {with(R"("kind": "edges", "ranks": 8, "edges": [[-1, 1]])"),
       "/collective/graph/edges/0/0: expected an integer from 0 to 16777215, got -1"},
      {with(R"("kind": "erdos_renyi", "ranks": 8, "density": 0.5)", R"(, "block_sizes": 7)"),
       "/collective/block_sizes: expected a list of sizes, one for each edge, or an expression, got 7"},
      {with(R"("kind": "erdos_renyi", "ranks": 8, "density": 0.5)", R"(, "build_cost": 3)"),
       R"(/collective/build_cost: expected a string with a unit such as "6ns", got 3)"},
      {with(R"("kind": "erdos_renyi", "ranks": 8, "density": 0.5)", R"(, "build_cost": "1e3s")"),
       R"(/collective/build_cost: expected a time of at most 1s, got "1e3s")"},
      {with(R"("kind": "erdos_renyi", "ranks": 8, "density": 0.5)", R"(, "block_sizes": "")"),
       R"(/collective/block_sizes: expected a list of sizes, one for each edge, or an expression, got "")"},
      {with(R"("kind": "erdos_renyi", "ranks": 20000000, "density": 0)"),
       "/collective/graph/ranks: expected an integer from 1 to 16777216, got 20000000"},
      {with(R"("kind": "erdos_renyi", "ranks": 65536, "density": 1)"),
       "/collective/graph: a process graph has at most 268435456 edges; 65536 ranks of density 1 have 4294901760"},
      {with(R"("kind": "moore", "torus": [4096, 4096], "radius": 5)"),
       "/collective/graph: a process graph has at most 268435456 edges; 16777216 ranks with 120 neighbors each have "
       "2013265920"},
      {with(R"("kind": "geometric", "ranks": 16777216, "degree": 17)"),
       "/collective/graph: a process graph has at most 268435456 edges; 16777216 ranks of degree 17 have 285212672"},
      {with(R"("kind": "edges", "ranks": 8, "edges": [[0, 1]], "checksum": "fnv1a:0")"),
       R"(/collective/graph/checksum: expected a "path" beside it, the file that it is of)"},
      {with(R"("kind": "edges", "path": "nowhere.edges")"), "/collective/graph/path: nowhere.edges: no such file"},
      {with(R"("kind": "erdos_renyi", "ranks": 8, "density": 0.5)", R"(, "theta": 1)"),
       "/collective/theta: expected an integer from 2 to 16777216, got 1"},
      {with(R"("kind": "erdos_renyi", "ranks": 8, "density": 0.5)", R"(, "tie": "lowst")"),
       R"(/collective/tie: expected one of "highest", "lowest", got "lowst"; did you mean "lowest"?)"},
  });
}

}  // namespace
}  // namespace rondo::scenario

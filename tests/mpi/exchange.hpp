#pragma once

// An exchange between neighbors as data: buffers, datatypes and the call that is to be made, so that the isomorphic
// interface and another implementation can be given the same one.

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "rondo/isomorphic.h"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::mpi::testing {

enum class Variant { alltoall, alltoallv, alltoallw, allgather, allgatherv, allgatherw };
inline constexpr Variant variants[] = {Variant::alltoall,  Variant::alltoallv,  Variant::alltoallw,
                                       Variant::allgather, Variant::allgatherv, Variant::allgatherw};
bool is_allgather(Variant variant);
/// Displacements count bytes, not extents.
bool is_typed(Variant variant);

/// The blocks of one buffer. The regular variants, and the send side of an allgather, use the first count and type.
struct Side {
  std::vector<int> counts;
  std::vector<MPI_Aint> displacements;
  std::vector<MPI_Datatype> types;
  std::vector<std::byte> buffer;
};

/// What one rank of an exchange hands in.
struct Exchange {
  Variant variant;
  Boundary boundary = Boundary::periodic;
  Side send, receive;
  std::vector<int> targets, sources;  ///< ranks, by neighbor; MPI_PROC_NULL outside a mesh
  /// What tells the blocks of an exchange apart, by neighbor; empty: the neighbor's number at both ends.
  std::vector<int> target_tags = {}, source_tags = {};
};

/// Datatypes of 12 bytes in different layouts, with one signature; freed with this object.
class Types {
 public:
  enum class Family { ints, records };
  explicit Types(Family family);
  ~Types();
  Types(Types const&) = delete;
  Types& operator=(Types const&) = delete;
  MPI_Datatype operator[](int i) const { return all_[static_cast<std::size_t>(i) % all_.size()]; }

 private:
  std::vector<MPI_Datatype> all_;
};

/// An exchange on a torus; `salt` varies sizes, order in memory and types. The irregular all-to-alls have empty blocks
/// too. Each block has another datatype on its two sides.
Exchange exchange(Variant variant, Torus const& torus, Neighborhood const& neighborhood, Rank rank, Types const& types,
                  int salt, Boundary const& boundary = Boundary::periodic);
/// Blocks of `counts` elements, the i-th of type types[first + i]; the irregular ones lie in reverse order, with gaps.
Side side(Variant variant, std::vector<int> const& counts, Types const& types, int first);
/// Writes the send buffer, as a function of rank and salt, and what a receive buffer must not keep where a block goes.
void fill(Exchange& exchange, int rank, int salt);

int init(Exchange& exchange, MPI_Comm isocomm, Rondo_Iso_request* request);

/// The same exchange with a message a neighbor.
void exchange_by_messages(Exchange& exchange, MPI_Comm comm);
/// The same exchange by MPI's own neighborhood collectives where the platform has them.
void exchange_by_platform(Exchange& exchange, MPI_Comm comm);

/// s * d integers.
std::vector<int> flat(Neighborhood const& neighborhood);
std::string name(Torus const& torus, Neighborhood const& neighborhood);
/// All tori of so many ranks with at most three dimensions, extents in every order, ones included.
std::vector<Torus> all_tori(int ranks);

}  // namespace rondo::mpi::testing

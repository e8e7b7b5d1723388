#include "generate/generate.hpp"
#include "generate/lanes.hpp"

namespace rondo::generate {

Schedule isomorphic_alltoall_straightforward(Torus const& torus, Neighborhood const& neighborhood,
                                             BlockSizes const& sizes, int ports) {
  return combine_alltoall(straightforward_lanes(torus, neighborhood), sizes, {ports, Links::any});
}

Schedule isomorphic_alltoall_posted(Torus const& torus, Neighborhood const& neighborhood, BlockSizes const& sizes) {
  return isomorphic_alltoall_straightforward(torus, neighborhood, sizes, 0);
}

Schedule isomorphic_alltoall_torus(Torus const& torus, Neighborhood const& neighborhood, BlockSizes const& sizes,
                                   std::vector<int> const& dimension_order, int ports) {
  return combine_alltoall(unit_lanes(torus, neighborhood, dimension_order), sizes, {ports, Links::unit});
}

Schedule isomorphic_alltoall_direct(Torus const& torus, Neighborhood const& neighborhood, BlockSizes const& sizes,
                                    std::vector<int> const& dimension_order, int ports) {
  return combine_alltoall(direct_lanes(torus, neighborhood, dimension_order), sizes, {ports, Links::axis});
}

Schedule isomorphic_alltoall_basis(Torus const& torus, Decomposition const& basis, BlockSizes const& sizes, int ports) {
  return combine_alltoall(step_lanes(torus, basis), sizes, {ports, Links::any});
}

}  // namespace rondo::generate

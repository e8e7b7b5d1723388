#include "generate/generate.hpp"
#include "generate/lanes.hpp"

namespace rondo::generate {

Schedule isomorphic_allgather_straightforward(Torus const& torus, Neighborhood const& neighborhood, Bytes block,
                                              int ports) {
  return combine_allgather(straightforward_lanes(torus, neighborhood), block, {ports, Links::any});
}

Schedule isomorphic_allgather_posted(Torus const& torus, Neighborhood const& neighborhood, Bytes block) {
  return isomorphic_allgather_straightforward(torus, neighborhood, block, 0);
}

Schedule isomorphic_allgather_torus(Torus const& torus, Neighborhood const& neighborhood, Bytes block,
                                    std::vector<int> const& dimension_order, int ports) {
  return combine_allgather(unit_lanes(torus, neighborhood, dimension_order), block, {ports, Links::unit});
}

Schedule isomorphic_allgather_direct(Torus const& torus, Neighborhood const& neighborhood, Bytes block,
                                     std::vector<int> const& dimension_order, int ports) {
  return combine_allgather(direct_lanes(torus, neighborhood, dimension_order), block, {ports, Links::axis});
}

Schedule isomorphic_allgather_basis(Torus const& torus, Decomposition const& basis, Bytes block, int ports) {
  return combine_allgather(step_lanes(torus, basis), block, {ports, Links::any});
}

Schedule isomorphic_allgather_steiner(Torus const& torus, Decomposition const& steps, Bytes block) {
  return combine_allgather(step_lanes(torus, steps), block, {1, Links::unit});
}

}  // namespace rondo::generate

// Dijkstra's algorithm. Sources may be added later: they only shorten distances, so the search goes on from them.

#include "optimum/distances.hpp"

#include "base/index.hpp"

namespace rondo::optimum {

Adjacency::Adjacency(Network const& network, bool turned) : from_(at(network.vertices)), into_(at(network.vertices)) {
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    int from = network.links[i].from, to = network.links[i].to;
    if (turned) std::swap(from, to);
    from_[at(from)].push_back({to, i});
    into_[at(to)].push_back({from, i});
    tails_.push_back(from);
  }
}

void Distances::clear() {
  distance.assign(ways_.vertices(), out_of_reach);
  by.assign(ways_.vertices(), -1);
}

void Distances::add_source(int vertex) {
  distance[at(vertex)] = 0;
  by[at(vertex)] = -1;
  queue_.emplace(0, vertex);
}

void Distances::measure(Lengths const& lengths) {
  order.clear();
  while (!queue_.empty()) {
    auto const [far, v] = queue_.top();
    queue_.pop();
    if (far != distance[at(v)]) continue;  // a shorter way was found after this entry
    order.push_back(v);
    for (Adjacency::Step const& step : ways_.from(v)) {
      std::int64_t const there = far + lengths[step.link];
      if (there >= distance[at(step.vertex)]) continue;
      distance[at(step.vertex)] = there;
      by[at(step.vertex)] = static_cast<std::int64_t>(step.link);
      queue_.emplace(there, step.vertex);
    }
  }
}

}  // namespace rondo::optimum

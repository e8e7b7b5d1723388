#include "library_schedules.hpp"

#include "classical_forms.hpp"
#include "generate/classical.hpp"
#include "generate/generate.hpp"
#include "generate/transformations.hpp"
#include "problems.hpp"

namespace rondo::testing {

namespace {

constexpr ClassicalCollective classical_collectives[] = {
    ClassicalCollective::bcast,     ClassicalCollective::gather,   ClassicalCollective::scatter,
    ClassicalCollective::allgather, ClassicalCollective::alltoall, ClassicalCollective::reduce_scatter,
    ClassicalCollective::reduce,    ClassicalCollective::scan,     ClassicalCollective::exscan,
    ClassicalCollective::allreduce, ClassicalCollective::barrier};

using problem::IntergroupAlgorithm;
using problem::IsomorphicAlgorithm;
using problem::NeighborAlgorithm;
using problem::NeighborCollective;

/// Adds the schedule of a problem in every order of posting that it has.
class Collector {
 public:
  template <typename Problem>
  void add(std::string const& name, Problem const& problem, ProcessGraph const* graph = nullptr) {
    Schedule const generated = generate::generate(problem);
    for (auto const& [posting, word] : enum_names<Posting>) {
      if (generated.isomorphic() && posting == Posting::ascending) continue;
      Schedule schedule = generated;
      generate::order_posts(schedule, posting, 5, graph);
      all.push_back({name + ", " + std::string(word), std::move(schedule)});
    }
  }

  std::vector<NamedSchedule> all;
};

void add_isomorphic(Collector& collector, Bytes block) {
  using enum IsomorphicAlgorithm;
  Torus const torus({3, 4});
  static_assert(library_ranks == 3 * 4);
  for (IsomorphicAlgorithm const algorithm : {straightforward, posted, dimension_wise, direct, basis, parity}) {
    auto problem = test::alltoall(torus, moore(2, 1), block);
    problem.algorithm = algorithm;
    collector.add("all-to-all, " + std::string(enum_name(algorithm)), problem);
  }
  for (IsomorphicAlgorithm const algorithm : {straightforward, posted, dimension_wise, steiner}) {
    auto problem = test::allgather(torus, moore(2, 1), block);
    problem.algorithm = algorithm;
    collector.add("allgather, " + std::string(enum_name(algorithm)), problem);
  }
}

void add_intergroup(Collector& collector, Bytes block) {
  using enum IntergroupAlgorithm;
  for (IntergroupAlgorithm const algorithm :
       {group_allgather, receiver_allgather, root_gathering, ring_sequences, ring_allgather, ring_optimal}) {
    problem::Intergroup problem{.groups = Groups(6, 6), .sizes = block};
    problem.algorithm = algorithm;
    collector.add("inter-group, " + std::string(enum_name(algorithm)), problem);
  }
}

void add_neighbor(Collector& collector, Bytes block) {
  for (std::uint64_t const seed : {3, 4}) {
    ProcessGraph const graph = erdos_renyi(library_ranks, 0.5, seed);
    for (NeighborAlgorithm const algorithm : {NeighborAlgorithm::naive, NeighborAlgorithm::common_neighbors}) {
      for (auto problem : {test::neighbor_allgather(graph, {block}), test::neighbor_alltoall(graph, {block})}) {
        problem.algorithm = algorithm;
        problem.options.theta = 2;
        collector.add("neighbors, " + std::string(enum_name(algorithm)), problem, &graph);
      }
    }
  }
}

/// They are many, so that each is in one order of posting, in turn. Some algorithms want a power of two.
void add_classical(Collector& collector, Bytes block) {
  int turn = 0;
  for (ClassicalCollective const collective : classical_collectives) {
    for (int const ranks : {library_ranks, 8}) {
      for (problem::Classical const& problem : test::every_form(collective, ranks, block)) {
        auto const& [posting, word] = enum_names<Posting>[static_cast<std::size_t>(turn++ % 4)];
        Schedule schedule = generate::generate(problem);
        generate::order_posts(schedule, posting, 5, nullptr);
        collector.all.push_back({test::name_of(problem) + ", " + std::string(word), std::move(schedule)});
      }
    }
  }
}

}  // namespace

std::vector<NamedSchedule> library_schedules(Bytes block) {
  Collector collector;
  add_isomorphic(collector, block);
  add_intergroup(collector, block);
  add_neighbor(collector, block);
  add_classical(collector, block);
  return std::move(collector.all);
}

}  // namespace rondo::testing

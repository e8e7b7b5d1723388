#include "scenario/words.hpp"

namespace rondo::scenario {
namespace {

template <typename... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};

}  // namespace

std::string kind(Problem const& problem) {
  return std::visit(Visitor{[](IsomorphicAlltoallProblem const&) { return std::string("isomorphic_alltoall"); }},
                    problem);
}

std::string algorithm(Problem const& problem) {
  return std::visit(Visitor{[](IsomorphicAlltoallProblem const& alltoall) {
                      return word_of(isomorphic_alltoall_algorithms, alltoall.algorithm);
                    }},
                    problem);
}

int ranks(Problem const& problem) {
  return std::visit(Visitor{[](IsomorphicAlltoallProblem const& alltoall) { return alltoall.torus.size(); }}, problem);
}

std::string to_string(Engine engine) { return word_of(engines, engine); }
std::string to_string(Payload payload) { return word_of(payloads, payload); }
std::string to_string(TimingModel timing) { return word_of(timing_models, timing); }

}  // namespace rondo::scenario

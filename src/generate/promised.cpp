#include "generate/promised.hpp"

#include "generate/generate.hpp"

namespace rondo::generate {
namespace {

Collective promise_of(StatedPromise const& stated) { return stated; }
Collective promise_of(auto const& problem) { return promise(problem); }

}  // namespace

Collective promise(problem::Promise const& promise) {
  return in_pieces(std::visit([](auto const& of) { return promise_of(of); }, promise.of), promise.pieces);
}

}  // namespace rondo::generate

// Turns a promise of any kind into its collective, and divides the blocks if the promise states numbers of pieces.

#include "generate/generate.hpp"

namespace rondo::generate {
namespace {

Collective uncut(StatedPromise const& stated) { return stated; }
Collective uncut(auto const& problem) { return promise(problem); }

}  // namespace

Collective collective_of(problem::Promise const& promise) {
  return in_pieces(std::visit([](auto const& of) { return uncut(of); }, promise.of), promise.pieces);
}

}  // namespace rondo::generate

// The preparation of parts that both engines share.

#include "engine/engine.hpp"

namespace rondo {

Platform with_parts(Platform platform, Parts const& parts) {
  platform.rank_of_part = parts.rank_of;
  return platform;
}

}  // namespace rondo
